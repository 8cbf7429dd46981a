#include "hamiltree/simulation/branches/branch_integrator.hpp"

#include <algorithm>
#include <utility>

namespace hamiltree::branches {
namespace {

constexpr double kTighter = 0.01;  // of the tolerances: the phase is short, its start knife-edged
constexpr double kTightest = 1e-13;

}  // namespace

BranchIntegrator::BranchIntegrator(std::unique_ptr<BranchMotion> motion, BranchDynamics& dynamics,
                                   const Tolerances& tolerances, double t, const Eigen::VectorXd& q,
                                   const Eigen::VectorXd& v, const Power& work, Show show)
    : motion_(std::move(motion)), dynamics_(dynamics), show_(std::move(show)) {
  const auto y = motion_->start(t, q, v, work);
  const auto tighter = [](double tolerance) { return std::max(kTighter * tolerance, kTightest); };
  inner_ =
      make_integrator(DormandPrince{tighter(tolerances.relative), tighter(tolerances.absolute)},
                      *motion_, t, y.data());
  look();
}

void BranchIntegrator::look() {
  whole_ = motion_->whole(inner_->y());
  p_ = dynamics_.momenta(time(), whole_.q, whole_.v);
  y_ = show_(state(), whole_.v, whole_.work);
}

// No stage of a step leaves the charts.
void BranchIntegrator::step(double stop) {
  const double within = motion_->time_within_reach(time(), inner_->y());
  inner_->step(std::min(stop, time() + within));
  look();
}

}  // namespace hamiltree::branches
