// Python functions as callbacks of a mechanism. Evaluations must not throw, for C libraries call
// them: an error in a callback makes the evaluation not finite, and is raised when the engine has
// come back.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <utility>

namespace hamiltree::bindings {

// A function that may be copied and let go without the interpreter's lock.
class Callable {
 public:
  explicit Callable(pybind11::function function)
      : function_(new pybind11::function(std::move(function)), [](pybind11::function* f) {
          const pybind11::gil_scoped_acquire lock;
          delete f;
        }) {}
  const pybind11::function& operator*() const { return *function_; }

 private:
  std::shared_ptr<pybind11::function> function_;
};

// Runs `evaluate` without the interpreter's lock, then raises what a callback raised in it. A run
// that a callback made fail raises the callback's error, not its own.
class CallbackErrors {
 public:
  CallbackErrors();
  ~CallbackErrors();
  CallbackErrors(const CallbackErrors&) = delete;
  CallbackErrors& operator=(const CallbackErrors&) = delete;

  void raise() const;
};

template <class Evaluate>
auto without_lock(Evaluate&& evaluate) {
  const CallbackErrors errors;
  try {
    auto result = [&] {
      const pybind11::gil_scoped_release release;
      return evaluate();
    }();
    errors.raise();
    return result;
  } catch (const pybind11::error_already_set&) {
    throw;
  } catch (...) {
    errors.raise();
    throw;
  }
}

}  // namespace hamiltree::bindings
