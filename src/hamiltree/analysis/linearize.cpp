#include "hamiltree/analysis/linearize.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/math/dual.hpp"
#include "hamiltree/model/joints/joints.hpp"

namespace hamiltree::analysis {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// d(E(q + direction) v) along the direction.
template <class Space>
VectorXd turning(const System<Space>& system, const VectorXd& q, const VectorXd& direction,
                 const VectorXd& v) {
  using On = typename Space::template Rebind<Dual>;
  VectorXd change = VectorXd::Zero(q.size());
  std::vector<Dual> q_dual, v_dual(v.begin(), v.end()), rates(at(system.coordinates));
  for (Eigen::Index i = 0; i < q.size(); ++i) q_dual.emplace_back(q(i), direction(i));
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    if (joint.velocities == 0) continue;
    visit_joint<On>(joint.type, joint.pitch, [&]<class J>(const J&) {
      J::coordinate_rates(q_dual.data() + joint.q, v_dual.data() + joint.v, rates.data() + joint.q);
    });
  }
  for (Eigen::Index i = 0; i < q.size(); ++i)
    change(i) = rates[static_cast<std::size_t>(i)].derivative;
  return change;
}

// Rates of displacements dx = T dz that move with the joints' own axes, from those of velocities:
//   E d(dx)/dt = E dv + d(E v) along E dx - d(E dx) along E v
MatrixXd displacement_rates(const ModelAtPose& pose, const VectorXd& v, const MatrixXd& dx,
                            const MatrixXd& dv) {
  const VectorXd q_dot = pose.coordinate_rates(v);
  const MatrixXd dq = pose.coordinate_rates(dx);
  MatrixXd rates = pose.coordinate_rates(dv);
  pose.model().visit([&](const auto& system) {
    for (Eigen::Index k = 0; k < dx.cols(); ++k) {
      rates.col(k) += turning(system, pose.q(), dq.col(k), v);
      rates.col(k) -= turning(system, pose.q(), q_dot, dx.col(k));
    }
  });
  return velocities_of(pose.model(), pose.q(), rates);
}

MatrixXd rows_of(const MatrixXd& all, const std::vector<int>& rows) {
  MatrixXd some(static_cast<Eigen::Index>(rows.size()), all.cols());
  for (std::size_t i = 0; i < rows.size(); ++i)
    some.row(static_cast<Eigen::Index>(i)) = all.row(rows[i]);
  return some;
}

// The velocities that loops ask for where the pose is displaced.
MatrixXd velocities_of_displacements(ModelAtPose& pose, const VectorXd& v, const MatrixXd& dq) {
  derivatives::Directions directions;
  directions.q = dq;
  derivatives::Inverted all;
  pose.tangents().invert(derivatives::Sweep::kMomenta, {pose.t(), pose.q().data(), v.data()},
                         directions, static_cast<int>(dq.cols()), 0.0, all);
  return pose.closing(all.d_closing);
}

}  // namespace

Linearization linearize(ModelAtPose& pose, const VectorXd& u,
                        const std::vector<std::string>& inputs) {
  const Eigen::Index m = pose.freedom(), n = pose.model().velocity_count();
  if (u.size() != m) {
    throw UsageError("u has " + std::to_string(u.size()) + " entries, " + pose.model().name() +
                     " has " + std::to_string(m) + " independent velocities");
  }
  const auto joints = pose.joints(inputs);
  const auto w = static_cast<Eigen::Index>(joints.size());
  Linearization linear{pose.t(),
                       pose.q(),
                       pose.motions() * u + pose.driven(),
                       {},
                       pose.independent(),
                       inputs,
                       {},
                       {},
                       {},
                       {}};
  linear.C_q = MatrixXd::Zero(pose.q().size(), 2 * m);
  linear.C_v = MatrixXd::Zero(n, 2 * m);
  linear.C_q.leftCols(m) = pose.coordinate_rates(pose.motions());
  linear.C_v.leftCols(m) = velocities_of_displacements(pose, linear.v, linear.C_q.leftCols(m));
  linear.C_v.rightCols(m) = pose.motions();

  AccelerationDirections directions;
  directions.q = Columns::Zero(pose.q().size(), 2 * m + w);
  directions.v = Columns::Zero(n, 2 * m + w);
  directions.efforts = Columns::Zero(pose.model().joint_count(), 2 * m + w);
  directions.q.leftCols(2 * m) = linear.C_q;
  directions.v.leftCols(2 * m) = linear.C_v;
  for (Eigen::Index k = 0; k < w; ++k) {
    directions.efforts(joints[static_cast<std::size_t>(k)], 2 * m + k) = 1.0;
  }
  Accelerations all;
  if (pose.derivatives().of_accelerations(pose.t(), pose.q().data(), linear.v.data(), nullptr,
                                          directions, static_cast<int>(2 * m + w), pose.workspace(),
                                          all) != Status::kOk) {
    throw SimulationError(pose.t(), "the accelerations of " + pose.model().name() +
                                        " are not differentiable at this state");
  }
  linear.v_dot = all.v_dot;
  MatrixXd dx = MatrixXd::Zero(n, 2 * m);
  dx.leftCols(m) = pose.motions();
  linear.A.resize(2 * m, 2 * m);
  linear.A.topRows(m) =
      rows_of(displacement_rates(pose, linear.v, dx, linear.C_v), linear.independent);
  const MatrixXd of_u = rows_of(all.d_v_dot, linear.independent);
  linear.A.bottomRows(m) = of_u.leftCols(2 * m);
  linear.B = MatrixXd::Zero(2 * m, w);
  linear.B.bottomRows(m) = of_u.rightCols(w);
  return linear;
}

std::vector<Mode> modes(const Linearization& linear) {
  const auto eigen = general_eigen(linear.A);
  const Eigen::Index m = linear.A.rows() / 2;
  std::vector<Mode> all;
  for (Eigen::Index k = 0; k < 2 * m; ++k) {
    Mode mode;
    mode.eigenvalue = eigen.values(k);
    if (mode.eigenvalue.imag() < 0.0) continue;
    const double size = std::abs(mode.eigenvalue);
    mode.frequency = size / (2.0 * std::numbers::pi);
    mode.damping = size > 0.0 ? -mode.eigenvalue.real() / size : 0.0;
    mode.shape = linear.C_v.rightCols(m) * eigen.vectors.col(k).head(m);
    Eigen::Index largest = 0;
    if (mode.shape.cwiseAbs().maxCoeff(&largest) > 0.0) mode.shape /= mode.shape(largest);
    all.push_back(mode);
  }
  std::ranges::stable_sort(all, {}, &Mode::frequency);
  return all;
}

}  // namespace hamiltree::analysis
