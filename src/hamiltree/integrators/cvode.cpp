#include "hamiltree/integrators/cvode.hpp"

#include <algorithm>
#include <new>

#include "hamiltree/base/error.hpp"
#include "hamiltree/integrators/dense_solver.hpp"

namespace hamiltree {

using sundials::check;
using sundials::data;
using sundials::self_of;

namespace {

// Increments for Newton's matrix, as a part of an entry's tolerance over the larger of the two
// tolerances, which is about its size or its unit: the root of rounding.
constexpr double kIncrement = 1.5e-8;

}  // namespace

Cvode::Cvode(CvodeFamily family, const Tolerances& tolerances, OdeProblem& problem, double t,
             const double* y)
    : Adapter(tolerances, problem),
      t_(t),
      context_(sundials::make_context()),
      y_(sundials::make_vector(problem.size(), y, context_.get())),
      last_good_(sundials::make_vector(problem.size(), y, context_.get())),
      between_(sundials::make_vector(problem.size(), y, context_.get())),
      memory_(CVodeCreate(family == CvodeFamily::kAdams ? CV_ADAMS : CV_BDF, context_.get())) {
  if (!memory_) throw std::bad_alloc();
  void* memory = memory_.get();
  check(CVodeSetErrHandlerFn(memory, keep_message<Cvode>, this));
  check(CVodeSetUserData(memory, this));
  check(CVodeInit(memory, rate, t, y_.get()));
  check(CVodeWFtolerances(memory, weights<Cvode>));
  check(CVodeSetMaxNumSteps(memory, -1));
  if (family == CvodeFamily::kAdams) {
    nonlinear_solver_.reset(SUNNonlinSol_FixedPoint(y_.get(), 0, context_.get()));
    check(CVodeSetNonlinearSolver(memory, nonlinear_solver_.get()));
    return;
  }
  check(CVodeSetStabLimDet(memory, SUNTRUE));
  const auto size = N_VGetLength(y_.get());
  matrix_.reset(SUNDenseMatrix(size, size, context_.get()));
  linear_solver_.reset(sundials::make_dense_solver(context_.get()));
  check(CVodeSetLinearSolver(memory, linear_solver_.get(), matrix_.get()));
  check(CVodeSetJacFn(memory, jacobian));
  if (problem.has_manifold()) {
    check(CVodeSetProjFn(memory, correct));
    check(CVodeSetProjErrEst(memory, SUNFALSE));
  }
}

void Cvode::step(double stop) {
  N_VScale(1.0, y_.get(), last_good_.get());
  const double before = t_;
  for (int retakes = 0;; ++retakes) {
    if (restarts_) begin_again();
    take_step(stop, retakes > 0);
    switch (problem_.watch(t_, y())) {
      case Verdict::kGoOn:
        return;
      case Verdict::kRestart:
        if (!problem_.accept(t_, data(y_.get())))
          throw SimulationError(t_, "the state brought back onto the loops is not finite");
        restarts_ = true;
        return;
      case Verdict::kRetake:
        refused_ = {problem_.refusal(), last_.size};
        go_back(before);
        if (retakes == kMostRetakes) throw refused_step(t_, refused_);
        break;
      case Verdict::kStop:
        throw SimulationError(t_, "the state after the last step is not finite");
    }
  }
}

// To where the last step began, at t. The next one begins again, and is shorter.
void Cvode::go_back(double t) {
  t_ = t;
  N_VScale(1.0, last_good_.get(), y_.get());
  restarts_ = true;
  first_size_ = kShorterRetake * last_.size;
  --before_.steps;
  ++before_.rejected;
}

// `again`: after a refused one.
void Cvode::take_step(double stop, bool again) {
  check(CVodeSetStopTime(memory_.get(), stop));
  const double before = t_;
  realtype reached = t_;
  int flag = CVode(memory_.get(), stop, y_.get(), &reached, CV_ONE_STEP);
  // CVODE goes on for ever with steps that rounding makes none.
  if (flag == CV_SUCCESS && !(reached > before)) flag = CV_ERR_FAILURE;
  if (flag < 0) {
    N_VScale(1.0, last_good_.get(), y_.get());
    if (again) throw refused_step(t_, refused_);
    throw sundials::failed_step(flag, t_, tried_ - t_, message_, problem_, y_.get(),
                                [&](N_Vector errors, N_Vector weights) {
                                  CVodeGetEstLocalErrors(memory_.get(), errors);
                                  CVodeGetErrWeights(memory_.get(), weights);
                                });
  }
  t_ = flag == CV_TSTOP_RETURN ? stop : reached;
  last_.size = t_ - before;
  CVodeGetLastOrder(memory_.get(), &last_.order);
}

void Cvode::begin_again() {
  restarts_ = false;
  before_ = counts();
  ++before_.restarts;
  factorisations_before_ = factorisations();
  check(CVodeReInit(memory_.get(), t_, y_.get()));
  check(CVodeSetInitStep(memory_.get(), first_size_));
  first_size_ = 0.0;
}

void Cvode::interpolate(double t, double* y) {
  check(CVodeGetDky(memory_.get(), t, 0, between_.get()));
  std::copy_n(data(between_.get()), problem_.size(), y);
}

IntegratorCounts Cvode::counts() const {
  long steps = 0;
  long rejected = 0;
  CVodeGetNumSteps(memory_.get(), &steps);
  CVodeGetNumErrTestFails(memory_.get(), &rejected);
  const long restarts = before_.restarts + (restarts_ ? 1 : 0);
  return {before_.steps + steps, before_.rejected + rejected, restarts, 0};
}

long Cvode::factorisations() const {
  long count = 0;
  CVodeGetNumLinSolvSetups(memory_.get(), &count);
  return factorisations_before_ + count;
}

int Cvode::rate(realtype t, N_Vector y, N_Vector y_dot, void* self) {
  data(y_dot)[0] = 0.0;  // the entry of a problem without state
  self_of<Cvode>(self).tried_ = t;
  ++self_of<Cvode>(self).rates_;
  // A positive code asks CVODE to try again with a smaller step.
  return self_of<Cvode>(self).problem_.rate(t, data(y), data(y_dot)) ? 0 : 1;
}

// The Jacobian as the problem knows it, or by differences, column by column. CVODE's own increments
// are as small as an entry, and momenta of light bodies that move slowly on a fast robot then say
// less than its rates are rounded by.
int Cvode::jacobian(realtype t, N_Vector y, N_Vector y_dot, SUNMatrix J, void* self, N_Vector moved,
                    N_Vector rate_there, N_Vector weights) {
  auto& own = self_of<Cvode>(self);
  if (own.problem_.jacobian(t, data(y), SUNDenseMatrix_Data(J))) return 0;
  const auto [relative, absolute] = own.tolerances_;
  own.problem_.weights(own.tolerances_, data(y), data(weights));
  N_VScale(1.0, y, moved);
  for (int j = 0; j < own.problem_.size(); ++j) {
    const double step = kIncrement / (std::max(relative, absolute) * data(weights)[j]);
    const double entry = data(y)[j];
    data(moved)[j] = entry + step;
    const double made = data(moved)[j] - entry;
    if (const int code = rate(t, moved, rate_there, self); code != 0) return code;
    data(moved)[j] = entry;
    double* const column = SUNDenseMatrix_Column(J, j);
    for (int i = 0; i < own.problem_.size(); ++i)
      column[i] = (data(rate_there)[i] - data(y_dot)[i]) / made;
  }
  return 0;
}

// The correction is small against the error test, which is made without it.
int Cvode::correct(realtype t, N_Vector y, N_Vector correction, realtype, N_Vector, void* self) {
  N_VConst(0.0, correction);
  return self_of<Cvode>(self).problem_.correct(t, data(y), data(correction)) ? 0 : 1;
}

}  // namespace hamiltree
