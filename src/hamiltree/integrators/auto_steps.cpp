#include "hamiltree/integrators/auto_steps.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/integrators/require_positive.hpp"

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
// Steps that ARKODE has not lengthened twice, though the motion turns by no more than this in one
// of them, are held by something else. They are looked at at once, of all steps so many and one in
// so many. Where that is a mode that decays, at the limit of stability, two looks are enough,
// unless bdf was given up before.
constexpr int kHeldSteps = 2;
constexpr double kLengthened = 1.1, kTurnsLittle = 0.01;
constexpr long kLooksAtHeld = 15, kStepsForLook = 50;
constexpr int kHeldCountsAs = 8;
// Steps at the limit keep a fast mode at the size of tolerances, and bdf would begin by resolving
// it. Steps of h |lambda| = 2 leave 0.17 of it each.
constexpr int kSettlingSteps = 4;
constexpr double kSettling = 2.0;
// From look to look while nothing is suspected: three rates of 175; and at the start, or while a
// mode decays far faster than the motion. In the first steps one that is far faster is enough: the
// iteration then has found it when it binds them.
constexpr int kStepsBetweenLooks = 25, kStepsWhenSuspicious = 5;
constexpr int kStepsAtFirst = 3, kFirstSteps = 25;
constexpr double kRatesOfExplicitStep = 7.0;
// Each return to dormand_prince makes the next change to bdf four times slower, up to here.
constexpr int kMostReturns = 5;
// bdf is given time to find its order before it is judged, and again after so many steps.
constexpr long kFirstJudgement = 50, kStepsBetweenJudgements = 25;
constexpr double kClearlyCheaper = 0.7;
constexpr int kJudgements = 2;  // in a row: one window may have a Jacobian more than the next
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
  require_positive(tolerances_);
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
  limited_ = unlimited_ = held_ = settling_ = 0;
  decayed_before_ = false;
  moving_ = 0.0;
  until_look_ = changes_.empty() ? kStepsWhenSuspicious : kStepsBetweenLooks;
}

void AutoSteps::take_up_implicit(double t, const double* y) {
  problem_.change_method(Bdf{}, t, y);
  implicit_ = std::make_unique<Cvode>(CvodeFamily::kBdf, tolerances_, problem_, t, y);
  implicit_steps_ = 0;
  dearer_ = 0;
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
  if (settling_ > 0) return settle(stop);
  const bool is_held = held_ >= kHeldSteps && last_.size * moving_ < kTurnsLittle &&
                       looks_at_held_ < kLooksAtHeld + explicit_->counts().steps / kStepsForLook;
  const bool looks = --until_look_ <= 0 || limited_ > 0 || is_held;
  if (looks && is_held) ++looks_at_held_;
  const auto scales = looks ? scales_.at(explicit_->time(), explicit_->y(), last_.size) : Scales{};
  take_explicit_step(stop);
  if (looks) judge_explicit_step(scales);
}

void AutoSteps::take_explicit_step(double stop) {
  const double before = last_.size;
  explicit_->step(stop);
  last_taker_ = explicit_.get();
  last_ = explicit_->last_step();
  held_ = last_.size > kLengthened * before ? 0 : held_ + 1;
}

// Steps in which the mode that is to be left to bdf decays.
void AutoSteps::settle(double stop) {
  take_explicit_step(std::min(stop, explicit_->time() + kSettling / fastest_));
  if (--settling_ == 0) change_to_implicit();
}

void AutoSteps::judge_explicit_step(const Scales& scales) {
  const bool far_faster = scales.fastest > kFarFaster * scales.moving;
  const bool decays = scales.cosine < kDecays;
  until_look_ = steps_until_look(far_faster, decays);
  fastest_ = scales.fastest;
  moving_ = std::max(scales.moving, 0.5 * moving_);  // accelerations pass through zero
  limit_ = scales.fastest * last_.size;
  if (decays && decayed_before_ && limit_ > (far_faster ? kFelt : kNearTheLimit)) {
    unlimited_ = 0;
    limited_ += weight_of_limited_step();
    if (limited_ >= limited_steps_for_change()) change_if_not_too_large();
  } else if (limited_ > 0 && ++unlimited_ >= kOtherSteps) {
    limited_ = unlimited_ = 0;
  }
  decayed_before_ = decays;
}

int AutoSteps::steps_until_look(bool far_faster, bool decays) const {
  if (!far_faster) return kStepsBetweenLooks;
  if (changes_.empty() && explicit_->counts().steps < kFirstSteps) return kStepsAtFirst;
  return decays ? kStepsWhenSuspicious : kStepsBetweenLooks;
}

int AutoSteps::weight_of_limited_step() const {
  const bool is_first_change = changes_.empty();
  if (is_first_change && held_ >= kHeldSteps && limit_ > kNearTheLimit &&
      last_.size * moving_ < kTurnsLittle)
    return kHeldCountsAs;
  return fastest_ > kOutOfReach * moving_ ? kCountsAs : 1;
}

int AutoSteps::limited_steps_for_change() const {
  const int returns = static_cast<int>(changes_.size() / 2);
  return kLimitedSteps << 2 * std::min(returns, kMostReturns);
}

void AutoSteps::change_if_not_too_large() {
  limited_ = 0;
  if (problem_.size() <= kMostEntries) {
    settling_ = kSettlingSteps;
    return;
  }
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
  if (judged < 0 || judged % kStepsBetweenJudgements != 0) return;
  dearer_ = explicit_is_cheaper() ? dearer_ + 1 : 0;
  if (dearer_ == kJudgements) change_to_explicit();
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
  const double fastest = scales_.at(t, implicit_->y(), last_.size).fastest;
  if (implicit_steps_ == kFirstJudgement || !(fastest > 0.0)) return false;
  const double explicit_work = kRatesOfExplicitStep * fastest / std::max(limit_, kFelt);
  return explicit_work < kClearlyCheaper * implicit_work;
}

}  // namespace hamiltree
