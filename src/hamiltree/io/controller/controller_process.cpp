#include "hamiltree/io/controller/controller_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "hamiltree/base/checksum.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/io/controller/unpack_zip.hpp"

extern char** environ;

namespace hamiltree {
namespace {

constexpr std::uint32_t kLongestAnswer = 1U << 28U;
constexpr double kLongestTimeout = 1e6;  // s
constexpr double kLongestEnd = 0.1;      // s, of a process that is asked for nothing more

// The checksum of a file, or of all files of a folder with their names.
std::string checksum_of(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  if (fs::is_directory(path)) {
    for (const auto& entry : fs::recursive_directory_iterator(path))
      if (entry.is_regular_file()) files.push_back(entry.path());
    std::ranges::sort(files);
  } else {
    files.push_back(path);
  }
  Checksum checksum;
  for (const auto& file : files) {
    checksum.add(file.lexically_relative(path).string());
    std::ifstream stream(file, std::ios::binary);
    checksum.add(std::string(std::istreambuf_iterator<char>(stream), {}));
  }
  return checksum.text();
}

}  // namespace

ControllerProcess::ControllerProcess(std::shared_ptr<ControllerFile> controller,
                                     const std::vector<std::string>& command)
    : controller_(std::move(controller)) {
  std::string why;
  try {
    auto words = command;
    words.insert(words.end(), {unpacked().string(), to_text(controller_->period),
                               std::to_string(controller_->inputs.size())});
    for (const auto& input : controller_->inputs) words.push_back(input.variable);
    words.insert(words.end(), controller_->outputs.begin(), controller_->outputs.end());
    spawn(std::move(words));
    why = receive_answer(why_not_saved_);
    checksum_ = checksum_of(controller_->file);
  } catch (const std::runtime_error& error) {
    why = error.what();
  }
  if (why.empty()) return;
  end();
  throw ModelError(controller_->where, controller_->name, said() + " cannot be loaded: " + why);
}

ControllerProcess::~ControllerProcess() { end(); }

std::string ControllerProcess::said() const {
  return "controller \"" + controller_->name + "\" (" + controller_->file.string() + ")";
}

// The file, or the folder of an archive.
std::filesystem::path ControllerProcess::unpacked() {
  const auto& file = controller_->file;
  if (file.extension() != ".fmu" || !std::filesystem::is_regular_file(file)) return file;
  unpack_zip(file, folder_.emplace().path());
  return folder_->path();
}

void ControllerProcess::spawn(std::vector<std::string> words) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    throw std::system_error(errno, std::generic_category(), "a controller needs a socket");
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  // The parent's end must not be where the child looks for its own.
  const int ours = fcntl(pair[0], F_DUPFD_CLOEXEC, kControllerSocket + 1);
  const int theirs = fcntl(pair[1], F_DUPFD_CLOEXEC, kControllerSocket + 1);
  close(pair[0]);
  close(pair[1]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, theirs, kControllerSocket);
  // In a group of its own: Ctrl-C is meant for the run.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int error =
      posix_spawn(&process_, argv.front(), &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(theirs);
  socket_ = ours;
  if (error != 0) {
    process_ = -1;
    throw std::system_error(error, std::generic_category(), words.front() + " does not run");
  }
  // A large state is sent in parts, to a controller that may hang.
  const double seconds = std::min(controller_->timeout, kLongestTimeout);
  const double whole = std::floor(seconds);
  const timeval longest{static_cast<time_t>(whole),
                        static_cast<suseconds_t>((seconds - whole) * 999'999.0) + 1};
  setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &longest, sizeof longest);
}

void ControllerProcess::step(double t, const std::vector<double>& inputs) {
  std::vector<double> question{t};
  question.insert(question.end(), inputs.begin(), inputs.end());
  const auto answer =
      ask(t, ControllerAct::kStep,
          {reinterpret_cast<const char*>(question.data()), question.size() * sizeof(double)});
  std::vector<double> efforts(controller_->outputs.size());
  if (answer.size() != efforts.size() * sizeof(double))
    throw SimulationError(t, said() + ": its answer is not one");
  std::memcpy(efforts.data(), answer.data(), answer.size());
  if (!std::ranges::all_of(efforts, [](double x) { return std::isfinite(x); }))
    throw SimulationError(t, said() + ": it gives an effort that is not finite");
  controller_->efforts = std::move(efforts);
}

std::string ControllerProcess::save(double t) { return ask(t, ControllerAct::kSave, {}); }

void ControllerProcess::restore(double t, const std::string& state) {
  ask(t, ControllerAct::kRestore, state);
}

std::string ControllerProcess::ask(double t, ControllerAct act, const std::string& bytes) {
  std::string answer;
  auto why = send_question(act, bytes);
  if (why.empty()) why = receive_answer(answer);
  if (!why.empty()) throw SimulationError(t, said() + ": " + why);
  return answer;
}

std::string ControllerProcess::send_question(ControllerAct act, const std::string& bytes) {
  const ControllerQuestion head{act, static_cast<std::uint32_t>(bytes.size())};
  const std::string all = std::string(reinterpret_cast<const char*>(&head), sizeof head) + bytes;
  for (std::size_t sent = 0; sent < all.size();) {
    const auto count = send(socket_, all.data() + sent, all.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return late();
    if (count <= 0) return how_it_ended();
    sent += static_cast<std::size_t>(count);
  }
  return {};
}

std::string ControllerProcess::receive_answer(std::string& bytes) {
  ControllerAnswer answer;
  if (auto why = receive(&answer, sizeof answer); !why.empty()) return why;
  if (answer.length > kLongestAnswer) return "its answer is not one";
  bytes.resize(answer.length);
  if (auto why = receive(bytes.data(), bytes.size()); !why.empty()) return why;
  return answer.failed == 0 ? "" : bytes.empty() ? "it does not say why" : bytes;
}

std::string ControllerProcess::late() const {
  return "it gives no answer within " + to_text(controller_->timeout) + " s";
}

// Why not all of it has come within the time that an answer has.
std::string ControllerProcess::receive(void* bytes, std::size_t size) {
  using Clock = std::chrono::steady_clock;
  const auto last = Clock::now() + std::chrono::duration<double>(controller_->timeout);
  auto* next = static_cast<char*>(bytes);
  while (size > 0) {
    const std::chrono::duration<double, std::milli> left = last - Clock::now();
    pollfd wait{socket_, POLLIN, 0};
    constexpr double kLongest = std::numeric_limits<int>::max();
    const int ready =
        poll(&wait, 1, static_cast<int>(std::clamp(std::ceil(left.count()), 0.0, kLongest)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0 && Clock::now() < last) continue;
    if (ready == 0) return late();
    const auto count = recv(socket_, next, size, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return how_it_ended();
    next += count;
    size -= static_cast<std::size_t>(count);
  }
  return {};
}

std::string ControllerProcess::how_it_ended() {
  const int status = wait_or_kill(controller_->timeout);
  if (WIFSIGNALED(status))
    return "its process was ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
           strsignal(WTERMSIG(status)) + ")";
  return "its process ended with exit code " + std::to_string(WEXITSTATUS(status));
}

// A process that does not end by itself within so many seconds is killed. Its status.
int ControllerProcess::wait_or_kill(double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto last = Clock::now() + std::chrono::duration<double>(seconds);
  int status = 0;
  pid_t ended = 0;
  while (ended == 0) {
    ended = waitpid(process_, &status, WNOHANG);
    if (ended < 0 && errno == EINTR) ended = 0;
    if (Clock::now() >= last) break;
    if (ended == 0) usleep(2000);
  }
  if (ended == 0) {
    kill(process_, SIGKILL);
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
  }
  process_ = -1;
  return status;
}

// By closing the socket.
void ControllerProcess::end() {
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
  if (process_ >= 0) wait_or_kill(kLongestEnd);
}

}  // namespace hamiltree
