#include "hamiltree/formulations/codegen/c_compiler.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "hamiltree/base/scratch_folder.hpp"

extern char** environ;

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

// The exit status, 127 where there is no such program; what it says goes to the file. In a group of
// its own, where Ctrl-C, which is meant for the run, does not end it.
int run(const Words& words, const fs::path& output) {
  std::vector<char*> argv;
  for (const auto& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t process = 0;
  const int error = posix_spawnp(&process, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return 127;
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return 127;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
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
  const ScratchFolder scratch;
  auto ask = command_;
  ask.emplace_back("--version");
  runs_ = run(ask, scratch / "version") == 0;
  if (runs_) version_ = text_of(scratch / "version");
}

std::string CCompiler::library(const std::vector<std::pair<std::string, std::string>>& sources,
                               const std::vector<std::string>& options) const {
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
  if (run(words, scratch / "log") != 0) {
    const auto log = text_of(scratch / "log");
    throw std::runtime_error("the C compiler \"" + name() +
                             "\" fails on generated code: " + log.substr(0, log.find('\n')));
  }
  return text_of(scratch / "library.so");
}

}  // namespace hamiltree::codegen
