#include "hamiltree/integrators/arkode.hpp"

#include <algorithm>
#include <new>

#include "hamiltree/base/error.hpp"

namespace hamiltree {
namespace {

Arkode& self_of(void* self) { return *static_cast<Arkode*>(self); }

SUNContext make_context() {
  SUNContext context = nullptr;
  if (SUNContext_Create(nullptr, &context) != 0) throw std::bad_alloc();
  return context;
}

void check(int flag) {
  if (flag != ARK_SUCCESS) throw std::bad_alloc();  // these calls fail only for want of memory
}

}  // namespace

// ARKODE's error norm divides by the length of the vector: a problem without state, a mechanism
// with all joints driven, gets one entry that stays 0.
Arkode::Arkode(OdeProblem& problem, double t, const double* y)
    : problem_(problem),
      t_(t),
      context_(make_context()),
      y_(N_VNew_Serial(std::max(problem.size(), 1), context_.get())) {
  N_VConst(0.0, y_.get());
  std::copy(y, y + problem.size(), N_VGetArrayPointer(y_.get()));
  memory_.reset(ERKStepCreate(rate, t, y_.get(), context_.get()));
  if (!memory_) throw std::bad_alloc();
  void* memory = memory_.get();
  check(ERKStepSetUserData(memory, this));
  check(ERKStepSetErrHandlerFn(memory, keep_message, this));
  check(ERKStepSetTableNum(memory, ARKODE_DORMAND_PRINCE_7_4_5));
  check(ERKStepWFtolerances(memory, weights));
  check(ERKStepSetPostprocessStepFn(memory, accept));
  check(ERKStepSetMaxNumSteps(memory, -1));
}

void Arkode::advance(double stop) {
  if (stop <= t_) return;
  check(ERKStepSetStopTime(memory_.get(), stop));
  realtype reached = t_;
  const int flag = ERKStepEvolve(memory_.get(), stop, y_.get(), &reached, ARK_NORMAL);
  if (flag < 0) {
    ERKStepGetCurrentTime(memory_.get(), &reached);
    t_ = reached;
    throw SimulationError(t_, "the integrator gave up: " + message_);
  }
  t_ = stop;
}

IntegratorCounts Arkode::counts() const {
  IntegratorCounts counts;
  ERKStepGetNumSteps(memory_.get(), &counts.steps);
  ERKStepGetNumErrTestFails(memory_.get(), &counts.rejected);
  return counts;
}

int Arkode::rate(realtype t, N_Vector y, N_Vector y_dot, void* self) {
  N_VGetArrayPointer(y_dot)[0] = 0.0;  // the entry of a problem without state
  // A positive code asks ARKODE to try again with a smaller step.
  return self_of(self).problem_.rate(t, N_VGetArrayPointer(y), N_VGetArrayPointer(y_dot)) ? 0 : 1;
}

int Arkode::weights(N_Vector y, N_Vector weights, void* self) {
  N_VGetArrayPointer(weights)[0] = 1.0;
  self_of(self).problem_.weights(N_VGetArrayPointer(y), N_VGetArrayPointer(weights));
  return 0;
}

int Arkode::accept(realtype t, N_Vector y, void* self) {
  return self_of(self).problem_.accept(t, N_VGetArrayPointer(y)) ? 0 : -1;
}

void Arkode::keep_message(int, const char*, const char*, char* message, void* self) {
  self_of(self).message_ = message;
}

}  // namespace hamiltree
