// Ctrl-C. Python tells of it where it is asked, and on the main thread only.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <functional>

namespace hamiltree::bindings {

// When to ask: now and then, for it takes the interpreter's lock.
class SignalClock {
 public:
  bool is_due() {
    if (Clock::now() < next_) return false;
    next_ = Clock::now() + kBetweenSignals;
    return true;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kBetweenSignals{50};
  Clock::time_point next_ = Clock::now();
};

// With the interpreter's lock.
inline void raise_signals() {
  if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
}

// For what runs without the lock.
inline std::function<void()> raise_signals_now_and_then() {
  return [clock = SignalClock()]() mutable {
    if (!clock.is_due()) return;
    const pybind11::gil_scoped_acquire lock;
    raise_signals();
  };
}

}  // namespace hamiltree::bindings
