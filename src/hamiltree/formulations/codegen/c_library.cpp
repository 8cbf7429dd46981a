#include "hamiltree/formulations/codegen/c_library.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "hamiltree/base/checksum.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/base/instruction_set.hpp"
#include "hamiltree/base/listed.hpp"
#include "hamiltree/formulations/codegen/c_compiler.hpp"

namespace hamiltree::codegen {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr const char* kHeader = "model.h";

const char* environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

// For the instructions that the engine's own kernels take.
Words options() {
  Words words{"-ffp-contract=fast"};
  const auto set = instruction_set();
  if (set >= InstructionSet::kAvx2) words.insert(words.end(), {"-mavx2", "-mfma"});
  if (set == InstructionSet::kAvx512) {
    words.insert(words.end(), {"-mavx512f", "-mavx512dq", "-mavx512vl"});
  }
  return words;
}

fs::path cache_folder() {
  if (const char* cache = environment("XDG_CACHE_HOME"))
    return fs::path(cache) / "hamiltree" / "generated";
  if (const char* home = environment("HOME"))
    return fs::path(home) / ".cache" / "hamiltree" / "generated";
  throw UsageError(
      "generated code needs a folder to be kept in: XDG_CACHE_HOME or HOME must be set");
}

// FNV-1a, as 16 hexadecimal digits.
std::string hash(const std::string& text, std::uint64_t seed) {
  std::uint64_t value = 14695981039346656037U ^ seed;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 1099511628211U;
  std::string digits;
  for (int i = 60; i >= 0; i -= 4) digits += "0123456789abcdef"[value >> i & 15U];
  return digits;
}

// The source with a caller of each function, all of one type.
std::string with_callers(const CFile& file) {
  std::string text = file.source;
  for (const auto& function : file.functions) {
    std::vector<std::string> arguments;
    for (std::size_t i = 0; i < function.inputs.size(); ++i) {
      const auto& a = function.inputs[i];
      const bool is_number = !a.is_array && (a.is_shared || !function.in_lanes);
      arguments.push_back((is_number ? "*in[" : "in[") + std::to_string(i) + "]");
    }
    for (std::size_t i = 0; i < function.outputs.size(); ++i)
      arguments.push_back("out[" + std::to_string(i) + "]");
    text += "\nvoid call_" + function.name +
            "(const double *const *in, double *const *out);\nvoid call_" + function.name +
            "(const double *const *in, double *const *out)\n{\n  " + function.name + "(" +
            listed(arguments) + ");\n}\n";
  }
  return text;
}

// Whole or not at all, whoever else does the same.
void keep(const std::string& bytes, const fs::path& path) {
  const auto refuse = [](const fs::path& what) {
    throw UsageError(what.string() +
                     " cannot be written, where generated code is kept (the environment variable "
                     "XDG_CACHE_HOME names another folder)");
  };
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::string pending = path.string() + ".XXXXXX";
  const int file = mkstemp(pending.data());
  if (file < 0) refuse(path.parent_path());
  close(file);
  std::ofstream out(pending, std::ios::binary);
  if (!(out << bytes).flush()) refuse(pending);
  fs::rename(pending, path, error);
  if (error) refuse(path);
}

// A library with the checksum of its bytes behind them, which loaders do not look at.
std::string sealed(std::string bytes) { return bytes += Checksum(bytes).text(); }

// Whether the file is what was written: to run what a loss of power has left of a library would end
// the program.
bool is_sealed(const fs::path& library) {
  std::ifstream in(library, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  const auto digits = Checksum().text().size();
  if (bytes.size() < digits) return false;
  const auto seal = bytes.substr(bytes.size() - digits);
  bytes.resize(bytes.size() - digits);
  return Checksum(bytes).text() == seal;
}

std::shared_ptr<void> load(const fs::path& library) {
  return {dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL), [](void* handle) {
            if (handle != nullptr) dlclose(handle);
          }};
}

}  // namespace

CLibrary::CLibrary(const CFile& file) {
  const auto folder = cache_folder();
  const CCompiler compiler;
  if (!compiler.runs()) {
    throw UsageError("generated code needs a C compiler, and \"" + compiler.name() +
                     "\" does not run (the environment variable CC names another)");
  }
  const std::string source = with_callers(file);
  std::string all = file.header + source + compiler.version();
  for (const auto& word : compiler.command()) all += word + '\n';
  for (const auto& word : options()) all += word + '\n';
  const auto library = folder / (file.prefix + "_" + hash(all, 0) + hash(all, 1) + ".so");
  if (is_sealed(library)) handle_ = load(library);
  if (handle_) return;  // what cannot be loaded is made again

  const auto bytes = compiler.library({{kHeader, file.header}, {"model.c", source}}, options());
  keep(sealed(bytes), library);
  handle_ = load(library);
  if (!handle_) throw std::runtime_error(library.string() + " cannot be loaded: " + dlerror());
}

CLibrary::Function CLibrary::find(const std::string& name) const {
  return reinterpret_cast<Function>(dlsym(handle_.get(), ("call_" + name).c_str()));
}

}  // namespace hamiltree::codegen
