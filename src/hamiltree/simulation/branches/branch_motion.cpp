#include "hamiltree/simulation/branches/branch_motion.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "hamiltree/base/index.hpp"

namespace hamiltree::branches {
namespace {

constexpr int kClockSteps = 2;

}  // namespace

BranchMotion::BranchMotion(BranchDynamics& dynamics, std::vector<OnBranch> branches,
                           bool conservative)
    : dynamics_(dynamics), branches_(std::move(branches)), integrals_(conservative ? 0 : 3) {
  const auto& q = branches_.front().block->home().q;
  std::vector<bool> inside(static_cast<std::size_t>(q.size()), false);
  for (const auto& branch : branches_) {
    for (const int i : branch.block->coordinates()) inside[at(i)] = true;
    length_ = branch.block->length();
  }
  for (int i = 0; i < static_cast<int>(q.size()); ++i) {
    if (!inside[at(i)]) coordinates_outside_.push_back(i);
  }
  coordinates_ = static_cast<int>(coordinates_outside_.size()) + dimensions();
  velocities_ = dynamics_.size({}) + dimensions();
  for (const auto& branch : branches_)
    velocities_ -= static_cast<int>(branch.block->velocities().size());
}

int BranchMotion::dimensions() const {
  int count = 0;
  for (const auto& branch : branches_) count += branch.chart->dimension();
  return count;
}

// y points at the parameters, or at their rates.
Eigen::VectorXd BranchMotion::parameters(const double* y, int of_branch) const {
  for (int i = 0; i < of_branch; ++i) y += branches_[at(i)].chart->dimension();
  return Eigen::Map<const Eigen::VectorXd>(y, branches_[at(of_branch)].chart->dimension());
}

BranchMotion::Point BranchMotion::point(const double* y) const {
  Point point{branches_.front().block->home().q,
              Eigen::Map<const Eigen::VectorXd>(y + coordinates_, velocities_),
              {}};
  const double* const s = y + coordinates_outside_.size();
  const double* const s_rate = y + coordinates_ + velocities_ - dimensions();
  for (int i = 0; i < static_cast<int>(branches_.size()); ++i) {
    const auto& [block, chart] = branches_[at(i)];
    const Eigen::VectorXd rate = parameters(s_rate, i);
    const auto here = chart->point(parameters(s, i), rate);
    const Eigen::VectorXd q = block->displaced(here.displacement);
    for (const int k : block->coordinates()) point.q(k) = q(k);
    auto freedom =
        freedom_at(*block, here.displacement, here.rates, here.rates * rate, here.curvature);
    point.freedoms.push_back(std::move(freedom));
  }
  for (std::size_t i = 0; i < coordinates_outside_.size(); ++i)
    point.q(coordinates_outside_[i]) = y[i];
  return point;
}

Eigen::VectorXd BranchMotion::start(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                    const Power& work) {
  Eigen::VectorXd y = Eigen::VectorXd::Zero(size());
  for (std::size_t i = 0; i < coordinates_outside_.size(); ++i)
    y(static_cast<Eigen::Index>(i)) = q(coordinates_outside_[i]);
  auto next = static_cast<Eigen::Index>(coordinates_outside_.size());
  for (const auto& [block, chart] : branches_) {
    y.segment(next, chart->dimension()) = chart->parameters(block->displacement_to(t, q));
    next += chart->dimension();
  }
  keep_time(t, y.data() + coordinates_outside_.size());
  const auto here = point(y.data());
  y.segment(coordinates_, velocities_) = dynamics_.closest(t, here.q, v, here.freedoms);
  if (integrals_ > 0) y.tail(integrals_) << work.driven, work.applied, work.dissipated;
  return y;
}

BranchMotion::Whole BranchMotion::whole(const double* y) {
  const auto here = point(y);
  Whole whole{here.q, dynamics_.velocities(here.freedoms, here.u), {}};
  const double* const w = y + coordinates_ + velocities_;
  if (integrals_ > 0) whole.work = {w[0], w[1], w[2]};
  return whole;
}

double BranchMotion::share_of_reach(const double* y, int of_branch) const {
  return parameters(y + coordinates_outside_.size(), of_branch).norm() /
         branches_[at(of_branch)].chart->radius();
}

std::vector<OnBranch> BranchMotion::not_left(const double* y) const {
  std::vector<OnBranch> on;
  for (int i = 0; i < static_cast<int>(branches_.size()); ++i)
    if (share_of_reach(y, i) * kReachPerHandover < 1.0) on.push_back(branches_[at(i)]);
  return on;
}

// The positive root of  |s| + |s'| t + |s''| t^2 / 2 = radius.
double BranchMotion::time_within_reach(double t, const double* y) {
  Eigen::VectorXd y_dot(size());
  if (!rate(t, y, y_dot.data())) return 0.0;
  double time = std::numeric_limits<double>::infinity();
  for (int i = 0; i < static_cast<int>(branches_.size()); ++i) {
    const auto first = coordinates_outside_.size();
    const double left = branches_[at(i)].chart->radius() - parameters(y + first, i).norm();
    const double speed = parameters(y_dot.data() + first, i).norm();
    const double gain =
        parameters(y_dot.data() + coordinates_ + velocities_ - dimensions(), i).norm();
    const double root = std::sqrt(speed * speed + 2.0 * gain * std::max(left, 0.0));
    if (speed + root > 0.0) time = std::min(time, 2.0 * left / (speed + root));
  }
  return time;
}

BranchDynamics::Accelerations BranchMotion::accelerations(double t, const double* y) {
  ++evaluations_;
  const auto here = point(y);
  return dynamics_.accelerations(t, here.q, here.u, here.freedoms);
}

bool BranchMotion::rate(double t, const double* y, double* y_dot) {
  for (int i = 0; i < static_cast<int>(branches_.size()); ++i)
    if (!(share_of_reach(y, i) <= 1.0)) return false;
  const auto now = accelerations(t, y);
  if (!now.finite) return false;
  for (std::size_t i = 0; i < coordinates_outside_.size(); ++i)
    y_dot[i] = now.q_rate(coordinates_outside_[i]);
  const int d = dimensions();
  std::copy_n(y + coordinates_ + velocities_ - d, d, y_dot + coordinates_outside_.size());
  std::copy_n(now.u_rate.data(), velocities_, y_dot + coordinates_);
  if (integrals_ > 0) {
    Eigen::Map<Eigen::Vector3d>(y_dot + coordinates_ + velocities_) << now.power.driven,
        now.power.applied, now.power.dissipated;
  }
  return true;
}

// Parameters are lengths of the size of the charts.
void BranchMotion::weights(const Tolerances& tolerances, const double* y, double* weights) const {
  for (int i = 0; i < size(); ++i)
    weights[i] = 1.0 / (tolerances.relative * std::abs(y[i]) + tolerances.absolute);
  for (int i = coordinates_ - dimensions(); i < coordinates_; ++i)
    weights[i] = 1.0 / ((tolerances.relative * length_ + tolerances.absolute) * kHandover);
}

bool BranchMotion::accept(double t, double* y) {
  keep_time(t, y + coordinates_outside_.size());
  auto here = point(y);
  dynamics_.probe().normalise(here.q.data());
  dynamics_.project(t, here.q, here.u, here.freedoms);
  for (std::size_t i = 0; i < coordinates_outside_.size(); ++i)
    y[i] = here.q(coordinates_outside_[i]);
  std::copy_n(here.u.data(), velocities_, y + coordinates_);
  return here.u.allFinite();
}

// Blocks with drives are where their time is t: the shortest way there, of Newton.
void BranchMotion::keep_time(double t, double* s) {
  for (const auto& [block, chart] : branches_) {
    const int d = chart->dimension();
    Eigen::Map<Eigen::VectorXd> own(s, d);
    s += d;
    for (int i = 0; block->has_drives() && i < kClockSteps; ++i) {
      const auto here = chart->point(own, Eigen::VectorXd::Zero(d));
      const Eigen::VectorXd ahead = here.rates.bottomRows(1).transpose();
      own += ahead * (block->home().clock_rate * (t - block->time_at(here.displacement)) /
                      ahead.squaredNorm());
    }
  }
}

}  // namespace hamiltree::branches
