#include "hamiltree/formulations/codegen/c_compiler.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "hamiltree/base/scratch_folder.hpp"
#include "hamiltree/formulations/codegen/commands.hpp"

namespace hamiltree::codegen {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

Words words_of(const char* text) {
  std::istringstream in(text != nullptr ? text : "");
  Words words;
  for (std::string word; in >> word;) words.push_back(word);
  return words.empty() ? Words{"cc"} : words;
}

std::string text_of(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream out(path);
  out << text;
  if (!out.flush()) throw std::runtime_error(path.string() + " cannot be written");
}

}  // namespace

CCompiler::CCompiler() : command_(words_of(std::getenv("CC"))) {
  const Commands commands;
  const ScratchFolder scratch;
  auto ask = command_;
  ask.emplace_back("--version");
  runs_ = commands.run(ask, scratch / "version") == 0;
  if (runs_) version_ = text_of(scratch / "version");
}

std::string CCompiler::library(const std::vector<std::pair<std::string, std::string>>& sources,
                               const std::vector<std::string>& options) const {
  const Commands commands;
  const ScratchFolder scratch;
  auto words = command_;
  words.insert(words.end(), {"-std=c99", "-O2", "-fPIC", "-shared"});
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"-o", (scratch / "library.so").string()});
  for (const auto& [name, text] : sources) {
    write(scratch / name, text);
    if (name.ends_with(".c")) words.push_back((scratch / name).string());
  }
  words.emplace_back("-lm");
  if (commands.run(words, scratch / "log") != 0) {
    const auto log = text_of(scratch / "log");
    throw std::runtime_error("the C compiler \"" + name() +
                             "\" fails on generated code: " + log.substr(0, log.find('\n')));
  }
  return text_of(scratch / "library.so");
}

}  // namespace hamiltree::codegen
