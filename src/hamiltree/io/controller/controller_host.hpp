// The process in which a controller's file runs, and what it and the simulation tell each other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hamiltree {

// Where the process finds its socket.
inline constexpr int kControllerSocket = 3;

// Before each answer: 0, then as many numbers as there are outputs; or why there are none, as text
// of this length.
struct ControllerAnswer {
  std::int32_t failed = 0, length = 0;
};

struct HostedController {
  std::string file;
  double period = 0.0;
  std::vector<std::string> inputs, outputs;  // names in an FMU
};

// Loads the file, says so, and answers each question, a time and the inputs, until the socket is
// closed. The exit code of the process.
int host_controller(const HostedController& controller);

}  // namespace hamiltree
