// The process in which a controller's file runs, and what it and the simulation tell each other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hamiltree {

// Where the process finds its socket.
inline constexpr int kControllerSocket = 3;

// Acts that the simulation asks for; as many bytes follow as `length` says.
enum class ControllerAct : std::int32_t {
  kStep,    // a time and the inputs follow; the answer is the outputs
  kSave,    // the answer is the controller's state
  kRestore  // a state follows
};
struct ControllerQuestion {
  ControllerAct act = ControllerAct::kStep;
  std::uint32_t length = 0;
};

// Before the bytes of each answer; where it failed they are the reason, as text. The first answer,
// to no question, says that the file is loaded, and why its state cannot be saved, if so.
struct ControllerAnswer {
  std::int32_t failed = 0;
  std::uint32_t length = 0;
};

struct HostedController {
  std::string file;
  double period = 0.0;
  std::vector<std::string> inputs, outputs;  // names in an FMU
};

// Loads the file, says so, and answers each question until the socket is closed. The exit code of
// the process.
int host_controller(const HostedController& controller);

}  // namespace hamiltree
