// Shared by the adapters to SUNDIALS: its context, its vectors and how they are freed.
#pragma once

#include <nvector/nvector_serial.h>

#include <functional>
#include <memory>
#include <string>
#include <type_traits>

#include "hamiltree/base/error.hpp"
#include "hamiltree/integrators/ode_problem.hpp"

namespace hamiltree::sundials {

struct FreeContext {
  void operator()(SUNContext context) const { SUNContext_Free(&context); }
};
using Context = std::unique_ptr<std::remove_pointer_t<SUNContext>, FreeContext>;
Context make_context();

struct FreeVector {
  void operator()(N_Vector vector) const { N_VDestroy(vector); }
};
using Vector = std::unique_ptr<std::remove_pointer_t<N_Vector>, FreeVector>;
// SUNDIALS' error norms divide by the length of the vector: a problem without state, a mechanism
// with all joints driven, gets one entry that stays 0.
Vector make_vector(int size, const double* y, SUNContext context);

// For calls that fail only for want of memory: throws std::bad_alloc unless the flag is 0.
void check(int flag);

// A step that was given up, in the words of this program; of the flags that a user can bring about
// ARKODE's and CVODE's are the same numbers. `size` (s) is that of the last try; `errors` gives the
// local errors and their weights.
SimulationError failed_step(int flag, double t, double size, const std::string& message,
                            const OdeProblem& problem, N_Vector y,
                            const std::function<void(N_Vector errors, N_Vector weights)>& errors);

// Whom a callback is called for.
template <class Method>
Method& self_of(void* self) {
  return *static_cast<Method*>(self);
}

inline double* data(N_Vector vector) { return N_VGetArrayPointer(vector); }

// What the callbacks of all adapters need, and those that they share; Method derives from it.
class Adapter {
 protected:
  Adapter(const Tolerances& tolerances, OdeProblem& problem)
      : tolerances_(tolerances), problem_(problem) {}

  template <class Method>
  static int weights(N_Vector y, N_Vector weights, void* self) {
    const Adapter& own = self_of<Method>(self);
    data(weights)[0] = 1.0;
    own.problem_.weights(own.tolerances_, data(y), data(weights));
    return 0;
  }
  template <class Method>
  static void keep_message(int, const char*, const char*, char* message, void* self) {
    static_cast<Adapter&>(self_of<Method>(self)).message_ = message;
  }

  Tolerances tolerances_;
  OdeProblem& problem_;
  std::string message_;  // the last that SUNDIALS gave
};

}  // namespace hamiltree::sundials
