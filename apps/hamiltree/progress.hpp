// How far a run is and how long it will still take: one line on a terminal, or lines with the time
// of day in a log.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace hamiltree::app {

// Simulated time, share, pace, remaining time, and how far loops (residual in m, 0: none) were
// open.
std::string progress_text(double t, double until, long steps, double wall_seconds, double residual);

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

// Progress messages: on a terminal at most ten times a second; without one, as
// a line with the time of day after 2 s, and then in pauses that double to a minute.
class ProgressLine {
 public:
  explicit ProgressLine(bool wanted) : wanted_(wanted), line_(wanted) {}

  // Where it is time to, says what `text` makes of the seconds since the start.
  void update(const std::function<std::string(double seconds)>& text);

 private:
  using Clock = std::chrono::steady_clock;

  bool wanted_;
  StatusLine line_;
  Clock::time_point start_ = Clock::now();
  std::chrono::milliseconds pause_ = line_.shown() ? kPause : kFirstLogPause;
  Clock::time_point next_ = start_ + pause_;

  static constexpr std::chrono::milliseconds kPause{100}, kFirstLogPause{2000};
  static constexpr std::chrono::milliseconds kLongestLogPause{60000};
};

// How far a run is.
class Progress {
 public:
  Progress(double until, bool wanted) : until_(until), line_(wanted) {}

  // After every accepted step.
  void step(double t, double residual);

 private:
  double until_;
  ProgressLine line_;
  long steps_ = 0;
};

}  // namespace hamiltree::app
