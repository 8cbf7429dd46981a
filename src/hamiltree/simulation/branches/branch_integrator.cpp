#include "hamiltree/simulation/branches/branch_integrator.hpp"

#include <algorithm>
#include <utility>

#include "hamiltree/base/error.hpp"

namespace hamiltree::branches {
namespace {

constexpr double kTighter = 0.01;  // of the tolerances: the phase is short, its start knife-edged
constexpr double kTightest = 1e-13;

}  // namespace

BranchIntegrator::BranchIntegrator(std::unique_ptr<BranchMotion> motion, BranchDynamics& dynamics,
                                   int rows, const Tolerances& tolerances, double t,
                                   const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                   const Power& work, Show show)
    : motion_(std::move(motion)), dynamics_(dynamics), rows_(rows), show_(std::move(show)) {
  const auto y = motion_->start(t, q, v, work);
  const auto tighter = [](double tolerance) { return std::max(kTighter * tolerance, kTightest); };
  inner_ =
      make_integrator(DormandPrince{tighter(tolerances.relative), tighter(tolerances.absolute)},
                      *motion_, t, y.data());
  keep(t, y);
}

void BranchIntegrator::keep(double t, Eigen::VectorXd inner) {
  Shown now{t, std::move(inner), {}, {}, {}};
  now.whole = motion_->whole(now.inner.data());
  now.p = dynamics_.momenta(t, now.whole.q, now.whole.v);
  now.y = show_({t, now.whole.q, now.p}, now.whole.v, now.whole.work);
  shown_.push_back(std::move(now));
}

// No stage of a step leaves the charts.
void BranchIntegrator::step(double stop) {
  const double within = motion_->time_within_reach(time(), inner_->y());
  inner_->step(std::min(stop, time() + within));
  shown_.clear();
  keep(time(), Eigen::Map<const Eigen::VectorXd>(inner_->y(), motion_->size()));
}

void BranchIntegrator::interpolate(double t, double* y) {
  Eigen::VectorXd inner(motion_->size());
  inner_->interpolate(t, inner.data());
  if (!motion_->accept(t, inner.data()))
    throw SimulationError(t, "the state between two steps is not finite");
  keep(t, std::move(inner));
  std::copy(shown_.back().y.begin(), shown_.back().y.end(), y);
}

const BranchIntegrator::Shown* BranchIntegrator::find(double t, const double* y) const {
  const auto is_it = [&](const Shown& now) {
    return now.t == t && std::equal(now.y.begin(), now.y.end(), y);
  };
  const auto found = std::ranges::find_if(shown_, is_it);
  return found == shown_.end() ? nullptr : &*found;
}

const Eigen::VectorXd* BranchIntegrator::velocities(double t, const double* y) const {
  const auto* now = find(t, y);
  return now == nullptr ? nullptr : &now->whole.v;
}

Power BranchIntegrator::power(double t, const double* y) {
  return motion_->accelerations(t, find(t, y)->inner.data()).power;
}

std::vector<Reaction> BranchIntegrator::reactions(double t, const double* y) {
  const auto* now = find(t, y);
  const auto rates = motion_->accelerations(t, now->inner.data());
  return dynamics_.reactions(t, now->whole.q, now->whole.v, rates.v_rate, rows_);
}

}  // namespace hamiltree::branches
