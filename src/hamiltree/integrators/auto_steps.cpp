#include "hamiltree/integrators/auto_steps.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/text.hpp"

namespace hamiltree {
namespace {

// dormand_prince is stable up to h |lambda| of 3.3 along the negative real axis [Hairer1996, sect.
// IV.2], and ARKODE lengthens no step by less than a half. Its errors suffer earlier from modes
// that are only followed: with those so many times as fast as the motion, bdf takes far longer
// steps.
constexpr double kNearTheLimit = 3.3 / 1.5, kFelt = 0.5, kFarFaster = 30.0;
// Only modes that decay, seen twice: of those that swing bdf makes no less work, unless it damps
// them.
constexpr double kDecays = -0.9;
// So many steps of this kind, with fewer than so many others in a row between, are no accident.
constexpr int kLimitedSteps = 15, kOtherSteps = 6;
// A step limited by a mode so many times as fast as the motion counts as so many: bdf may make the
// whole rest in fewer than fifteen.
constexpr double kOutOfReach = 1000.0;
constexpr int kCountsAs = 2;
// From look to look while nothing is suspected: three rates of 175; and at the start, or while a
// mode decays far faster than the motion.
constexpr int kStepsBetweenLooks = 25, kStepsWhenSuspicious = 5;
constexpr double kRatesOfExplicitStep = 7.0;
// Each return to dormand_prince makes the next change to bdf four times slower, up to here.
constexpr int kMostReturns = 5;
// bdf is given time to find its order before it is judged, and again after so many steps.
constexpr long kFirstJudgement = 50, kStepsBetweenJudgements = 25;
constexpr double kClearlyCheaper = 0.7;
// Each restart begins with steps of order 1.
constexpr long kMostRestarts = 2;
// Factoring Newton's n x n matrix takes the time of n^2 / 600 rates of a mechanism.
constexpr double kFactorsOfRate = 600.0;
constexpr int kMostEntries = 1000;  // of y: the matrix then takes 8 MB

}  // namespace

AutoSteps::AutoSteps(const Auto& tolerances, OdeProblem& problem, double t, const double* y,
                     std::vector<MethodChange> changes)
    : tolerances_{tolerances.rtol, tolerances.atol},
      problem_(problem),
      changes_(std::move(changes)),
      scales_(problem, tolerances_) {
  if (changes_.size() % 2 == 1) {
    take_up_implicit(t, y);
  } else {
    take_up_explicit(t, y);
  }
}

const Integrator& AutoSteps::now() const {
  if (is_stiff()) return *implicit_;
  return *explicit_;
}

Method AutoSteps::method() const {
  if (is_stiff()) return Bdf{tolerances_.relative, tolerances_.absolute};
  return DormandPrince{tolerances_.relative, tolerances_.absolute};
}

IntegratorCounts AutoSteps::counts() const {
  const auto own = now().counts();
  return {before_.steps + own.steps, before_.rejected + own.rejected,
          before_.restarts + own.restarts, 0};
}

void AutoSteps::take_up_explicit(double t, const double* y) {
  problem_.change_method(DormandPrince{}, t, y);
  explicit_ = std::make_unique<Arkode>(ArkodeTable::kDormandPrince, tolerances_, problem_, t, y);
  limited_ = unlimited_ = 0;
  decayed_before_ = false;
  until_look_ = changes_.empty() ? kStepsWhenSuspicious : kStepsBetweenLooks;
}

void AutoSteps::take_up_implicit(double t, const double* y) {
  problem_.change_method(Bdf{}, t, y);
  implicit_ = std::make_unique<Cvode>(CvodeFamily::kBdf, tolerances_, problem_, t, y);
  implicit_steps_ = 0;
  window_start_ = t;
  window_work_ = 0.0;
}

void AutoSteps::change_to_implicit() {
  const double t = explicit_->time();
  before_ = counts();
  const std::vector<double> y(explicit_->y(), explicit_->y() + problem_.size());
  retired_ = std::move(explicit_);
  take_up_implicit(t, y.data());
  changes_.push_back({t, to_name(Bdf{})});
}

// Loops that bdf leaves open are closed first.
void AutoSteps::change_to_explicit() {
  const double t = implicit_->time();
  before_ = counts();
  std::vector<double> y(implicit_->y(), implicit_->y() + problem_.size());
  if (!problem_.accept(t, y.data()))
    throw SimulationError(t, "the state brought back onto the loops is not finite");
  retired_ = std::move(implicit_);
  take_up_explicit(t, y.data());
  changes_.push_back({t, to_name(DormandPrince{})});
}

void AutoSteps::step(double stop) {
  retired_.reset();
  if (is_stiff()) {
    step_implicitly(stop);
  } else {
    step_explicitly(stop);
  }
}

// It looks before the step, at the end of which the problem has seen the same as without.
void AutoSteps::step_explicitly(double stop) {
  const bool looks = limited_ > 0 || --until_look_ <= 0;
  const auto scales = looks ? scales_.at(explicit_->time(), explicit_->y()) : Scales{};
  explicit_->step(stop);
  last_taker_ = explicit_.get();
  last_ = explicit_->last_step();
  if (looks) judge_explicit_step(scales);
}

void AutoSteps::judge_explicit_step(const Scales& scales) {
  const bool far_faster = scales.fastest > kFarFaster * scales.moving;
  const bool decays = scales.cosine < kDecays;
  until_look_ = decays && far_faster ? kStepsWhenSuspicious : kStepsBetweenLooks;
  limit_ = scales.fastest * last_.size;
  if (decays && decayed_before_ && limit_ > (far_faster ? kFelt : kNearTheLimit)) {
    unlimited_ = 0;
    limited_ += scales.fastest > kOutOfReach * scales.moving ? kCountsAs : 1;
    if (limited_ >= limited_steps_for_change()) change_if_not_too_large();
  } else if (limited_ > 0 && ++unlimited_ >= kOtherSteps) {
    limited_ = unlimited_ = 0;
  }
  decayed_before_ = decays;
}

int AutoSteps::limited_steps_for_change() const {
  const int returns = static_cast<int>(changes_.size() / 2);
  return kLimitedSteps << 2 * std::min(returns, kMostReturns);
}

void AutoSteps::change_if_not_too_large() {
  limited_ = 0;
  if (problem_.size() <= kMostEntries) return change_to_implicit();
  if (!note_.empty()) return;
  note_ = "stiff from " + to_short(explicit_->time()) +
          " s on: stability limits the steps; bdf is taken up for a state of at most " +
          std::to_string(kMostEntries) + " numbers";
}

void AutoSteps::step_implicitly(double stop) {
  try {
    implicit_->step(stop);
  } catch (const SimulationError&) {
    change_to_explicit();  // at the last good state
    return step_explicitly(stop);
  }
  last_taker_ = implicit_.get();
  last_ = implicit_->last_step();
  ++implicit_steps_;
  if (implicit_->counts().restarts > kMostRestarts) return change_to_explicit();
  const long judged = implicit_steps_ - kFirstJudgement;
  if (judged >= 0 && judged % kStepsBetweenJudgements == 0 && explicit_is_cheaper())
    change_to_explicit();
}

// In rates for each second: of bdf since the last judgement, of dormand_prince with steps as when
// it was left.
bool AutoSteps::explicit_is_cheaper() {
  const double n = problem_.size();
  const double t = implicit_->time();
  const double work = static_cast<double>(implicit_->rates()) +
                      static_cast<double>(implicit_->factorisations()) * n * n / kFactorsOfRate;
  const double implicit_work = (work - window_work_) / (t - window_start_);
  window_work_ = work;
  window_start_ = t;
  const double fastest = scales_.at(t, implicit_->y()).fastest;
  if (implicit_steps_ == kFirstJudgement || !(fastest > 0.0)) return false;
  const double explicit_work = kRatesOfExplicitStep * fastest / std::max(limit_, kFelt);
  return explicit_work < kClearlyCheaper * implicit_work;
}

}  // namespace hamiltree
