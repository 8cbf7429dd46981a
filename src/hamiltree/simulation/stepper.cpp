#include "hamiltree/simulation/stepper.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "hamiltree/base/error.hpp"

namespace hamiltree {
namespace {

// In units of the usual mask: where a lower one is worth it, and where pivots are rounding.
constexpr double kMaskMatters = 0.1, kLeastMaskShare = 1e-6;
constexpr Tolerances kTolerancesOnBranches{1e-9, 1e-9};  // of methods without tolerances

}  // namespace

Stepper::Stepper(const SimulationOptions& options, MakeIntegrator elsewhere, MechanismOde& motion,
                 Events& events, Diagnostics& diagnostics)
    : options_(options),
      elsewhere_(std::move(elsewhere)),
      motion_(motion),
      events_(events),
      diagnostics_(diagnostics) {
  // Segments and integrators from elsewhere pass singular poses as their rows allow.
  if (elsewhere_ || options_.segments > 0) return;
  branches_.emplace(motion_.model(), tolerances_of(options_.integrator));
  if (branches_->empty()) {
    branches_.reset();
    return;
  }
  if (!branches_->can_search()) return;
  motion_.close_by(
      [this](double t, Eigen::VectorXd& q) { branches_->close(t, q, motion_.redundancy()); });
}

std::vector<std::string> Stepper::start(const State& state, const Eigen::VectorXd& v,
                                        const Power& work, bool given) {
  if (!branches_) {
    start_off_branches(state, v, work);
    return {};
  }
  leave_branches();
  auto_steps_ = nullptr;
  integrator_.reset();
  branches_->forget();
  const auto chosen = branches_->at_start(state.t, state.q, v, given);
  if (chosen.branches.empty()) {
    start_off_branches(state, v, work);
  } else {
    start_on_branches(state, chosen.v, work, chosen.branches);
  }
  return chosen.notes;
}

std::vector<std::string> Stepper::contradictions(const State& state) {
  if (!branches_) return {};
  return branches_->contradictions(state.t, state.q, motion_.redundancy());
}

std::string Stepper::out_of_reach(double t) {
  if (!branches_) return {};
  const int n = motion_.model().coordinate_count();
  return branches_->out_of_reach(t, integrator_->time(),
                                 Eigen::Map<const Eigen::VectorXd>(integrator_->y(), n));
}

void Stepper::restart(const State& state, const Eigen::VectorXd& v, const Power& work) {
  diagnostics_.counts = counts();
  start(state, v, work);
}

void Stepper::leave_branches() {
  on_branches_ = nullptr;
  motion_.take_known(nullptr);
  events_.step_to();
}

void Stepper::start_off_branches(const State& state, const Eigen::VectorXd& v, const Power& work) {
  leave_branches();
  const auto y = motion_.start(state, v, work);
  if (branches_ && branches_->can_search()) judge_pivots(state, v, work, y.data());
  integrator_ = make_steps(state.t, y.data());
  events_.start(motion_, state.t, integrator_->y());
}

std::unique_ptr<Integrator> Stepper::make_steps(double t, const double* y) {
  auto_steps_ = nullptr;
  if (elsewhere_) return elsewhere_(motion_, t, y);
  const auto* left_open = std::get_if<Auto>(&options_.integrator);
  // The energy of a step is scaled by one-step methods only.
  if (left_open == nullptr || options_.energy_scaling) {
    const auto method = left_open == nullptr ? options_.integrator
                                             : DormandPrince{left_open->rtol, left_open->atol};
    events_.use(method);
    return make_integrator(method, motion_, t, y);
  }
  auto steps = std::make_unique<AutoSteps>(*left_open, motion_, t, y, diagnostics_.method_changes);
  auto_steps_ = steps.get();
  events_.use(steps->method());
  return steps;
}

// A pivot is compared with the square of a singular value of the loops alone, in which no inertia
// is: what it is smaller by is due to light bodies, not to the pose. After a start there.
void Stepper::judge_pivots(const State& state, const Eigen::VectorXd& v, const Power& work,
                           const double* y) {
  const auto pivot_now = [&] {
    motion_.state(state.t, y);
    return motion_.least_pivot();
  };
  pivot_unit_ = 1.0;
  motion_.judge_pivots_by(pivot_unit_);
  double pivot = pivot_now();
  if (!(pivot < kSmallPivot)) return;
  const bool is_masked = pivot == 0.0;
  if (is_masked) {
    motion_.lower_mask(kLeastMaskShare);
    pivot = pivot_now();
  }
  if (pivot > 0.0) {
    const double value = branches_->least_singular_value(state.t, state.q, motion_.redundancy());
    pivot_unit_ = std::min(pivot / (value * value), 1.0);
  }
  motion_.judge_pivots_by(pivot_unit_);
  if (is_masked) motion_.start(state, v, work);  // the usual mask
  if (pivot_unit_ < kMaskMatters) motion_.lower_mask(std::max(pivot_unit_, kLeastMaskShare));
}

void Stepper::start_on_branches(const State& state, const Eigen::VectorXd& v, const Power& work,
                                const std::vector<branches::OnBranch>& on) {
  auto& dynamics = branches_->dynamics();
  const State moving{state.t, state.q, dynamics.momenta(state.t, state.q, v)};
  const auto next_to = branches::Branches::next_to(state.t, state.q, on);
  leave_branches();
  motion_.start(moving, v, work, std::pair(next_to.t, next_to.q));
  const auto& [rows, redundant] = motion_.redundancy();
  auto made = std::make_unique<branches::BranchIntegrator>(
      std::make_unique<branches::BranchMotion>(dynamics, on, motion_.integrals() == 0), dynamics,
      rows - redundant, tolerances_of(options_.integrator).value_or(kTolerancesOnBranches), state.t,
      state.q, v, work,
      [this](const State& now, const Eigen::VectorXd& v_now, const Power& work_now) {
        return motion_.y_of(now, v_now, work_now);
      });
  on_branches_ = made.get();
  motion_.take_known(on_branches_);
  events_.interpolate([this](double t, double* y) { interpolate(t, y); });
  auto_steps_ = nullptr;
  integrator_ = std::move(made);
  ++diagnostics_.branch_passages;
  events_.start(motion_, state.t, integrator_->y());
}

void Stepper::step(double stop) {
  integrator_->step(stop);
  if (on_branches_ != nullptr) look_along_branches();
  follow_auto();
}

void Stepper::interpolate(double t, double* y) {
  integrator_->interpolate(t, y);
  if (on_branches_ == nullptr && !motion_.settle(t, y))
    throw SimulationError(t, "the state between two steps is not finite");
}

void Stepper::look_along_branches() {
  ++diagnostics_.branch_steps;
  diagnostics_.rate_evaluations += on_branches_->take_evaluations();
  motion_.look(integrator_->time(), integrator_->y(), on_branches_->whole().v);
}

void Stepper::follow_auto() {
  if (auto_steps_ == nullptr) return;
  const auto& changes = auto_steps_->changes();
  if (changes.size() == diagnostics_.method_changes.size()) return;
  diagnostics_.method_changes = changes;
  events_.use(auto_steps_->method());
}

void Stepper::change_branches(double pivot) {
  if (on_branches_ != nullptr) {
    auto next = on_branches_->not_left();
    const bool is_on_all = next.size() == on_branches_->branches().size();
    const auto now = on_branches_->whole();
    const auto state = on_branches_->state();
    // Other loops come near poses of their own, and those of several freedoms lie side by side.
    const Eigen::VectorXd steady = Eigen::VectorXd::Zero(now.v.size());
    const auto others = branches_->ahead(state.t, state.q, now.v, steady, next);
    if (is_on_all && others.empty()) return;
    next.insert(next.end(), others.begin(), others.end());
    diagnostics_.counts = counts();
    if (next.empty()) {
      start_off_branches(state, now.v, now.work);
    } else {
      start_on_branches(state, now.v, now.work, next);
    }
  } else if (branches_ && pivot < kSmallPivot * pivot_unit_) {
    const double t = integrator_->time();
    const auto state = motion_.state(t, integrator_->y());
    const Eigen::VectorXd v = motion_.v();
    const auto v_dot = motion_.accelerations(t, integrator_->y());
    const auto ahead = branches_->ahead(t, state.q, v, v_dot);
    if (ahead.empty()) return;
    const auto work = motion_.work(t, integrator_->y());
    diagnostics_.counts = counts();
    start_on_branches(state, v, work, ahead);
  }
}

IntegratorCounts Stepper::counts() const {
  const auto& before = diagnostics_.counts;
  const auto now = integrator_->counts();
  return {before.steps + now.steps, before.rejected + now.rejected, before.restarts + now.restarts,
          before.substitutes + now.substitutes};
}

}  // namespace hamiltree
