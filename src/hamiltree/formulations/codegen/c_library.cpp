#include "hamiltree/formulations/codegen/c_library.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/instruction_set.hpp"

extern char** environ;

namespace hamiltree::codegen {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr const char* kHeader = "model.h";

const char* environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

Words compiler() {
  std::istringstream text(environment("CC") != nullptr ? environment("CC") : "cc");
  Words words;
  for (std::string word; text >> word;) words.push_back(word);
  return words.empty() ? Words{"cc"} : words;
}

// For the instructions that the engine's own kernels take.
Words options() {
  Words words{"-std=c99", "-O2", "-fPIC", "-shared", "-ffp-contract=fast"};
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
    std::string arguments;
    const auto add = [&](const std::string& a) {
      arguments += (arguments.empty() ? "" : ", ") + a;
    };
    for (std::size_t i = 0; i < function.inputs.size(); ++i) {
      const auto& a = function.inputs[i];
      const bool is_number = !a.is_array && (a.is_shared || !function.in_lanes);
      add((is_number ? "*in[" : "in[") + std::to_string(i) + "]");
    }
    for (std::size_t i = 0; i < function.outputs.size(); ++i) add("out[" + std::to_string(i) + "]");
    text += "\nvoid call_" + function.name +
            "(const double *const *in, double *const *out);\nvoid call_" + function.name +
            "(const double *const *in, double *const *out)\n{\n  " + function.name + "(" +
            arguments + ");\n}\n";
  }
  return text;
}

// A folder for one compilation, gone with what is in it.
class ScratchFolder {
 public:
  explicit ScratchFolder(const fs::path& parent) {
    fs::create_directories(parent);
    std::string pattern = (parent / "XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
      throw std::runtime_error(parent.string() + " cannot be written to");
    }
    path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  fs::path operator/(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

std::shared_ptr<void> load(const fs::path& library) {
  return {dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL), [](void* handle) {
            if (handle != nullptr) dlclose(handle);
          }};
}

}  // namespace

CLibrary::CLibrary(const CFile& file) {
  const auto folder = cache_folder();
  const ScratchFolder scratch(folder);
  Words command = compiler();
  auto version = command;
  version.emplace_back("--version");
  if (run(version, scratch / "version") != 0) {
    throw UsageError("generated code needs a C compiler, and \"" + command.front() +
                     "\" does not run (the environment variable CC names another)");
  }
  const auto more = options();
  command.insert(command.end(), more.begin(), more.end());
  const std::string source = with_callers(file);
  std::string all = file.header + source + text_of(scratch / "version");
  for (const auto& word : command) all += word + '\n';
  const auto library = folder / (file.prefix + "_" + hash(all, 0) + hash(all, 1) + ".so");
  if (fs::exists(library)) handle_ = load(library);
  if (handle_) return;  // what cannot be loaded is made again

  write(scratch / kHeader, file.header);
  write(scratch / "model.c", source);
  command.insert(command.end(),
                 {"-o", (scratch / "model.so").string(), (scratch / "model.c").string(), "-lm"});
  if (run(command, scratch / "log") != 0) {
    const auto log = text_of(scratch / "log");
    throw std::runtime_error("the C compiler \"" + command.front() +
                             "\" fails on generated code: " + log.substr(0, log.find('\n')));
  }
  fs::rename(scratch / "model.so", library);
  handle_ = load(library);
  if (!handle_) throw std::runtime_error(library.string() + " cannot be loaded: " + dlerror());
}

CLibrary::Function CLibrary::find(const std::string& name) const {
  return reinterpret_cast<Function>(dlsym(handle_.get(), ("call_" + name).c_str()));
}

}  // namespace hamiltree::codegen
