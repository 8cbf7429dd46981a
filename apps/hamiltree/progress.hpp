// The line on the terminal that says how far a run is and how long it will still take.
#pragma once

#include <chrono>
#include <string>

namespace hamiltree::app {

// Simulated time, share, pace, remaining time.
std::string progress_text(double t, double until, long steps, double wall_seconds);

// Shows itself on stderr if that is a terminal, else does nothing. Gone when destroyed.
class Progress {
 public:
  Progress(double until, bool wanted);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  // After every accepted step. Draws at most ten times a second.
  void step(double t);

 private:
  using Clock = std::chrono::steady_clock;

  double until_;
  bool shown_;
  bool colour_;
  long steps_ = 0;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_ + kPause;

  static constexpr std::chrono::milliseconds kPause{100};
};

}  // namespace hamiltree::app
