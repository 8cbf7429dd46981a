#include "program.hpp"

#include <fcntl.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "support/own_path.hpp"

namespace hamiltree::test {
namespace {

constexpr unsigned kLongest = 120;  // s; then a program that hangs is ended by SIGALRM

int exit_code_of(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Its status is still there to be waited for.
bool has_ended(pid_t child) {
  siginfo_t info{};
  waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT);
  return info.si_pid == child;
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// In the child: becomes the program, with stdout in a file and stderr as given.
[[noreturn]] void become_program(const char* program, const fs::path& folder, const fs::path& out,
                                 int err, const std::vector<std::string>& arguments,
                                 const std::vector<std::string>& environment) {
  if (chdir(folder.c_str()) != 0) _exit(126);
  const int out_file = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(out_file, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  alarm(kLongest);
  unsetenv("NO_COLOR");
  setenv("TERM", "xterm", 1);
  for (const auto& setting : environment) {
    const auto equals = setting.find('=');
    setenv(setting.substr(0, equals).c_str(), setting.substr(equals + 1).c_str(), 1);
  }
  std::vector<char*> argv{const_cast<char*>("hamiltree")};
  for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execv(program, argv.data());
  _exit(127);
}

}  // namespace

void Cli::SetUp() {
  const auto* info = testing::UnitTest::GetInstance()->current_test_info();
  root_ = test::own_path(std::string(info->test_suite_name()) + "_" + info->name());
  fs::create_directories(root_);
}

void Cli::TearDown() { fs::remove_all(root_); }

std::string Cli::write(const std::string& name, const std::string& text) const {
  std::ofstream(root_ / name) << text;
  return name;
}

std::string Cli::read(const fs::path& name) const { return read_file(root_ / name); }

void Cli::expect_same_run(const fs::path& a, const fs::path& b) const {
  EXPECT_TRUE(read(a / "trajectory.csv") == read(b / "trajectory.csv"));
  EXPECT_TRUE(read(a / "steps.csv") == read(b / "steps.csv"));
  auto first = nlohmann::json::parse(read(a / "summary.json"));
  auto second = nlohmann::json::parse(read(b / "summary.json"));
  first.erase("wall_seconds");
  second.erase("wall_seconds");
  EXPECT_EQ(first, second);
}

Outcome Cli::run(const std::vector<std::string>& arguments) const {
  return run_child({}, arguments, nullptr, nullptr);
}

Outcome Cli::run_into(const fs::path& out, const std::vector<std::string>& arguments) const {
  return run_child(out, arguments, nullptr, nullptr);
}

Outcome Cli::run_with_small_files(std::size_t bytes,
                                  const std::vector<std::string>& arguments) const {
  const auto limit = [bytes] {
    const rlimit size{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &size);
  };
  return run_child({}, arguments, limit, nullptr);
}

Outcome Cli::run_and_kill(const std::function<bool()>& ready, double seconds,
                          const std::vector<std::string>& arguments) const {
  return run_child({}, arguments, nullptr, [&ready, seconds](int child) {
    while (!ready() && !has_ended(child)) usleep(200);
    usleep(static_cast<useconds_t>(1e6 * seconds));
    kill(child, SIGKILL);
  });
}

Outcome Cli::run_and_interrupt(const std::function<bool()>& ready,
                               const std::vector<std::string>& arguments) const {
  // Ignored where the tests run in the background.
  const auto heed = [] { signal(SIGINT, SIG_DFL); };
  return run_child({}, arguments, heed, [&ready](int child) {
    while (!ready() && !has_ended(child)) usleep(200);
    kill(child, SIGINT);
  });
}

// Without a file for stdout, what comes there is in the outcome.
Outcome Cli::run_child(const fs::path& out, const std::vector<std::string>& arguments,
                       const std::function<void()>& in_child,
                       const std::function<void(int child)>& meanwhile) const {
  // The program's messages lie beside the folder, so that the folder shows what the program made.
  const fs::path own_out = root_.string() + ".out";
  const fs::path err = root_.string() + ".err";
  const int err_file = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const pid_t child = fork();
  if (child == 0) {
    if (in_child) in_child();
    become_program(program_, root_, out.empty() ? own_out : out, err_file, arguments, {});
  }
  close(err_file);
  if (meanwhile) meanwhile(child);
  int status = 0;
  waitpid(child, &status, 0);
  Outcome outcome{exit_code_of(status), out.empty() ? read_file(own_out) : "", read_file(err)};
  fs::remove(own_out);
  fs::remove(err);
  return outcome;
}

Outcome Cli::run_on_terminal(const std::vector<std::string>& arguments,
                             const std::vector<std::string>& environment, int interrupts) const {
  const fs::path out = root_.string() + ".out";
  int ours = -1;
  int theirs = -1;
  winsize size{};
  size.ws_row = 25;
  size.ws_col = 100;
  EXPECT_EQ(openpty(&ours, &theirs, nullptr, nullptr, &size), 0);
  fcntl(ours, F_SETFD, FD_CLOEXEC);
  const pid_t child = fork();
  if (child == 0) become_program(program_, root_, out, theirs, arguments, environment);
  close(theirs);
  Outcome outcome;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t count = ::read(ours, buffer.data(), buffer.size());
    if (count <= 0 && errno != EINTR) break;  // the program has gone
    if (count <= 0) continue;
    if (interrupts-- > 0) kill(child, SIGINT);
    outcome.err.append(buffer.data(), static_cast<std::size_t>(count));
  }
  close(ours);
  int status = 0;
  waitpid(child, &status, 0);
  outcome.exit_code = exit_code_of(status);
  outcome.out = read_file(out);
  fs::remove(out);
  return outcome;
}

bool has_terminals() {
  int ours = -1;
  int theirs = -1;
  if (openpty(&ours, &theirs, nullptr, nullptr, nullptr) != 0) return false;
  close(ours);
  close(theirs);
  return true;
}

testing::AssertionResult is_one_sentence(const std::string& err) {
  if ((err.starts_with("hamiltree: ") || err.starts_with("hamiltree-lab: ")) &&
      std::count(err.begin(), err.end(), '\n') == 1 && err.ends_with('\n')) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << "not one line of the program: \"" << err << "\"";
}

testing::AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "no \"" << part << "\" in \"" << text << "\"";
}

}  // namespace hamiltree::test
