// The line on the terminal that says how far a run is and how long it will still take.
#pragma once

#include <chrono>
#include <string>

namespace hamiltree::app {

// Simulated time, share, pace, remaining time.
std::string progress_text(double t, double until, long steps, double wall_seconds);

// A line on stderr if that is a terminal, else nothing. Gone when destroyed.
class StatusLine {
 public:
  explicit StatusLine(bool wanted);
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  ~StatusLine();

  bool shown() const { return shown_; }
  void show(const std::string& text) const;

 private:
  bool shown_;
  bool colour_;
};

// How far a run is.
class Progress {
 public:
  Progress(double until, bool wanted) : until_(until), line_(wanted) {}

  // After every accepted step. Draws at most ten times a second.
  void step(double t);

 private:
  using Clock = std::chrono::steady_clock;

  double until_;
  StatusLine line_;
  long steps_ = 0;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_ + kPause;

  static constexpr std::chrono::milliseconds kPause{100};
};

}  // namespace hamiltree::app
