#include "hamiltree/integrators/sundials.hpp"

#include <algorithm>
#include <cmath>
#include <new>

#include "hamiltree/base/text.hpp"
#include "hamiltree/integrators/vector_operations.hpp"

namespace hamiltree::sundials {
namespace {

// SUNDIALS' flags, see arkode.h and cvode.h.
enum Flag {
  kTooMuchAccuracy = -2,
  kErrorTest = -3,
  kConvergence = -4,
  kRate = -8,
  kFirstRate = -9,
  kRateAgain = -10,
  kRateForGood = -11,
  kEndOfStep = -37,
};

}  // namespace

Context make_context() {
  SUNContext context = nullptr;
  if (SUNContext_Create(nullptr, &context) != 0) throw std::bad_alloc();
  return Context(context);
}

Vector make_vector(int size, const double* y, SUNContext context) {
  Vector vector(N_VNew_Serial(std::max(size, 1), context));
  if (!vector) throw std::bad_alloc();
  use_own_operations(vector.get());
  N_VConst(0.0, vector.get());
  std::copy(y, y + size, data(vector.get()));
  return vector;
}

SimulationError failed_step(int flag, double t, double size, const std::string& message,
                            const OdeProblem& problem, N_Vector y,
                            const std::function<void(N_Vector errors, N_Vector weights)>& errors) {
  const auto steps = "steps down to " + to_short(size) + " s";
  switch (flag) {
    case kTooMuchAccuracy:
      return {t,
              "the tolerances ask for more digits than the rates have here: looser rtol and atol "
              "may pass"};
    case kErrorTest: {
      const Vector error(N_VClone(y)), weight(N_VClone(y));
      errors(error.get(), weight.get());
      int worst = 0;
      double largest = 0.0;
      for (int i = 0; i < problem.size(); ++i) {
        const double share = std::abs(data(error.get())[i]) * data(weight.get())[i];
        if (share > largest) {
          largest = share;
          worst = i;
        }
      }
      return {t, steps + " do not meet the tolerances, least of all in " + problem.name_of(worst) +
                     problem.place()};
    }
    case kConvergence:
      return {t, "the equations of " + steps + " cannot be solved" + problem.place()};
    case kRate:
    case kFirstRate:
    case kRateAgain:
    case kRateForGood:
      return {t, "the rates are not finite" + (size > 0.0 ? " in " + steps : "")};
    case kEndOfStep:
      return {t, "the state is not finite in a step of " + to_short(size) + " s"};
    default:
      return {t, "the integrator gave up: " + message};
  }
}

void check(int flag) {
  if (flag != 0) throw std::bad_alloc();
}

}  // namespace hamiltree::sundials
