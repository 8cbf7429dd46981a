#include "hamiltree/formulations/codegen/commands.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

extern char** environ;

namespace hamiltree::codegen {
namespace {

std::atomic<pid_t> g_running = 0;
std::atomic<bool> g_interrupted = false;
static_assert(std::atomic<pid_t>::is_always_lock_free);
static_assert(std::atomic<bool>::is_always_lock_free);

void end_running() {
  if (const pid_t group = g_running; group > 0) kill(-group, SIGTERM);
}

void interrupt(int) {
  g_interrupted = true;
  end_running();
}

// 0 where it cannot be started.
pid_t start(const std::vector<std::string>& words, const std::filesystem::path& output) {
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
  return error == 0 ? process : 0;
}

}  // namespace

// A handler of others stays.
Commands::Commands() {
  sigaction(SIGINT, nullptr, &previous_);
  takes_interrupts_ = previous_.sa_handler == SIG_DFL;
  if (!takes_interrupts_) return;
  g_interrupted = false;
  struct sigaction action {};
  action.sa_handler = interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // a second one ends the program at once
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
}

Commands::~Commands() {
  if (!takes_interrupts_) return;
  sigaction(SIGINT, &previous_, nullptr);
  if (g_interrupted) raise(SIGINT);
}

int Commands::run(const std::vector<std::string>& words,
                  const std::filesystem::path& output) const {
  const pid_t process = start(words, output);
  if (process == 0) return 127;
  if (takes_interrupts_) {
    g_running = process;
    if (g_interrupted) end_running();
  }
  // Its number is nobody else's until it is reaped.
  siginfo_t ended;
  while (waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOWAIT) < 0 &&
         errno == EINTR) {
  }
  if (takes_interrupts_) g_running = 0;
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return 127;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

}  // namespace hamiltree::codegen
