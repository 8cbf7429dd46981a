// Ctrl-C as a flag, so that a run ends between two samples and not in the middle of anything.
#pragma once

#include <csignal>
#include <string>

namespace hamiltree::app {

// While it lives, the first SIGINT sets the flag; a second one ends the program at once.
class InterruptGuard {
 public:
  InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  ~InterruptGuard();

 private:
  struct sigaction previous_ {};
};

bool interrupted();

// Thrown where a run notices the flag.
struct Interrupted {
  double time = 0.0;          // s, simulated time reached
  std::string folder;         // where a checkpoint was kept, if one was
  std::string why_not_saved;  // although there was a folder
};

// The same of a sweep.
struct InterruptedSweep {
  std::string sentence;
};

}  // namespace hamiltree::app
