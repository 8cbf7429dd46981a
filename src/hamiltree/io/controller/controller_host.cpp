#include "hamiltree/io/controller/controller_host.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <exception>
#include <memory>

#include "hamiltree/io/controller/loaded_controller.hpp"

namespace hamiltree {
namespace {

// All of it; false at the end of the conversation.
bool receive(void* bytes, std::size_t size) {
  auto* next = static_cast<char*>(bytes);
  while (size > 0) {
    const auto count = recv(kControllerSocket, next, size, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    next += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

bool send_all(const void* bytes, std::size_t size) {
  const auto* next = static_cast<const char*>(bytes);
  while (size > 0) {
    const auto count = send(kControllerSocket, next, size, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    next += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

bool answer(const std::vector<double>& outputs) {
  const ControllerAnswer good{};
  return send_all(&good, sizeof good) && send_all(outputs.data(), outputs.size() * sizeof(double));
}
bool answer(const std::exception& error) {
  const std::string why = error.what();
  const ControllerAnswer bad{1, static_cast<std::int32_t>(why.size())};
  return send_all(&bad, sizeof bad) && send_all(why.data(), why.size());
}

// It ends with the simulation, leaves no core file, and prints where errors go.
void keep_to_itself() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  dup2(STDERR_FILENO, STDOUT_FILENO);
}

}  // namespace

int host_controller(const HostedController& controller) {
  keep_to_itself();
  std::vector<double> question(1 + controller.inputs.size()), outputs(controller.outputs.size());
  try {
    const auto loaded = load_controller(controller);
    if (!answer(std::vector<double>{})) return 1;
    while (receive(question.data(), question.size() * sizeof(double))) {
      loaded->step(question[0], question.data() + 1, outputs.data());
      if (!answer(outputs)) return 1;
    }
    return 0;
  } catch (const std::exception& error) {
    answer(error);
    return 1;
  }
}

}  // namespace hamiltree
