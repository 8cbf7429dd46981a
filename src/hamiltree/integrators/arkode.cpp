#include "hamiltree/integrators/arkode.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

namespace hamiltree {

using sundials::check;
using sundials::data;
using sundials::self_of;

namespace {

// In a row. ARKODE's seven are too few where a step begins beside a singular pose, in which rates
// jump: it has to become as short as the way there.
constexpr int kMostRejections = 50;
constexpr double kForbidding = 1e100;
constexpr double kFewRoundings = 8 * std::numeric_limits<double>::epsilon();

}  // namespace

Arkode::Arkode(ArkodeTable table, const Tolerances& tolerances, OdeProblem& problem, double t,
               const double* y)
    : order_(table == ArkodeTable::kDormandPrince ? 5 : 3),
      tolerances_(tolerances),
      problem_(problem),
      t_(t),
      context_(sundials::make_context()),
      y_(sundials::make_vector(problem.size(), y, context_.get())),
      last_good_(sundials::make_vector(problem.size(), y, context_.get())) {
  memory_.reset(ERKStepCreate(rate, t, y_.get(), context_.get()));
  if (!memory_) throw std::bad_alloc();
  void* memory = memory_.get();
  check(ERKStepSetUserData(memory, this));
  check(ERKStepSetErrHandlerFn(memory, keep_message, this));
  check(ERKStepSetTableNum(memory, table == ArkodeTable::kDormandPrince
                                       ? ARKODE_DORMAND_PRINCE_7_4_5
                                       : ARKODE_BOGACKI_SHAMPINE_4_2_3));
  check(ERKStepWFtolerances(memory, weights));
  check(ERKStepSetPostprocessStepFn(memory, accept));
  check(ERKStepSetMaxNumSteps(memory, -1));
  check(ERKStepSetMaxErrTestFails(memory, kMostRejections));
}

void Arkode::step(double stop) {
  check(ERKStepSetStopTime(memory_.get(), stop));
  realtype reached = t_;
  N_VScale(1.0, y_.get(), last_good_.get());
  not_finite_ = false;
  int flag = ERKStepEvolve(memory_.get(), stop, y_.get(), &reached, ARK_ONE_STEP);
  if (flag < 0) {
    if (not_finite_) flag = ARK_RHSFUNC_FAIL;
    N_VScale(1.0, last_good_.get(), y_.get());
    throw sundials::failed_step(flag, t_, tried_ - t_, message_, problem_, y_.get(),
                                [&](N_Vector errors, N_Vector weights) {
                                  ERKStepGetEstLocalErrors(memory_.get(), errors);
                                  ERKStepGetErrWeights(memory_.get(), weights);
                                });
  }
  // ARKODE goes on for ever with steps that rounding makes none.
  if (flag != ARK_TSTOP_RETURN && !(reached > t_)) {
    N_VScale(1.0, last_good_.get(), y_.get());
    throw sundials::no_step(t_);
  }
  t_ = flag == ARK_TSTOP_RETURN ? stop : reached;
}

Step Arkode::last_step() const {
  Step step{0.0, order_};
  ERKStepGetLastStep(memory_.get(), &step.size);
  return step;
}

IntegratorCounts Arkode::counts() const {
  IntegratorCounts counts;
  ERKStepGetNumSteps(memory_.get(), &counts.steps);
  ERKStepGetNumErrTestFails(memory_.get(), &counts.rejected);
  return counts;
}

// ERKStep gives up where a rate fails. A rate that no tolerance allows makes it try a shorter step.
int Arkode::rate(realtype t, N_Vector y, N_Vector y_dot, void* self) {
  auto& own = self_of<Arkode>(self);
  data(y_dot)[0] = 0.0;  // the entry of a problem without state
  own.tried_ = t;
  if (own.problem_.rate(t, data(y), data(y_dot))) return 0;
  own.not_finite_ = true;
  if (t - own.t_ <= kFewRoundings * std::abs(t)) return -1;  // nor will one that moves no time
  std::fill_n(data(y_dot), own.problem_.size(), kForbidding);
  return 0;
}

int Arkode::weights(N_Vector y, N_Vector weights, void* self) {
  data(weights)[0] = 1.0;
  self_of<Arkode>(self).problem_.weights(self_of<Arkode>(self).tolerances_, data(y), data(weights));
  return 0;
}

int Arkode::accept(realtype t, N_Vector y, void* self) {
  return self_of<Arkode>(self).problem_.accept(t, data(y)) ? 0 : -1;
}

void Arkode::keep_message(int, const char*, const char*, char* message, void* self) {
  self_of<Arkode>(self).message_ = message;
}

}  // namespace hamiltree
