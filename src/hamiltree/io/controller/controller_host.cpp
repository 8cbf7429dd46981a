#include "hamiltree/io/controller/controller_host.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <vector>

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

bool answer(const std::string& bytes, bool failed = false) {
  const ControllerAnswer head{failed ? 1 : 0, static_cast<std::uint32_t>(bytes.size())};
  return send_all(&head, sizeof head) && send_all(bytes.data(), bytes.size());
}

std::string reply(LoadedController& loaded, ControllerAct act, const std::string& said,
                  std::size_t output_count) {
  switch (act) {
    case ControllerAct::kSave:
      return loaded.save();
    case ControllerAct::kRestore:
      loaded.restore(said);
      return {};
    case ControllerAct::kStep:
      break;
  }
  std::vector<double> numbers(said.size() / sizeof(double)), outputs(output_count);
  std::memcpy(numbers.data(), said.data(), numbers.size() * sizeof(double));
  loaded.step(numbers.at(0), numbers.data() + 1, outputs.data());
  return {reinterpret_cast<const char*>(outputs.data()), outputs.size() * sizeof(double)};
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
  try {
    const auto loaded = load_controller(controller);
    if (!answer(loaded->why_not_saved())) return 1;
    ControllerQuestion question;
    std::string said;
    while (receive(&question, sizeof question)) {
      said.resize(question.length);
      if (!receive(said.data(), said.size())) return 1;
      if (!answer(reply(*loaded, question.act, said, controller.outputs.size()))) return 1;
    }
    return 0;
  } catch (const std::exception& error) {
    answer(error.what(), true);
    return 1;
  }
}

}  // namespace hamiltree
