// VelocityFit: the smallest velocities that keep the loops closed and are what joints prescribe.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "hamiltree/base/text.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/simulation/assembly/posed_mechanism.hpp"

namespace hamiltree::assembly {

template <class Space>
class VelocityFit {
 public:
  explicit VelocityFit(PosedMechanism<Space>& pose) : pose_(pose) {}

  void solve() {
    const Eigen::MatrixXd A = pose_.closing_matrix();
    const auto cuts = cuts_with_velocities();
    const Eigen::MatrixXd C = cut_velocity_matrix(cuts);
    const auto held = static_cast<Eigen::Index>(pose_.held_v.size());
    const auto extra = C.rows();
    const Eigen::VectorXd opening = pose_.opening_rates();
    if (held + extra == 0 && opening.isZero(0.0)) {
      pose_.v.setZero();
      return;
    }
    Eigen::MatrixXd B = Eigen::MatrixXd::Zero(A.rows() + held + extra, A.cols());
    Eigen::VectorXd b = Eigen::VectorXd::Zero(B.rows());
    B.topRows(A.rows()) = A;
    b.head(A.rows()) = -opening;
    for (Eigen::Index k = 0; k < held; ++k) {
      const int i = pose_.held_v[static_cast<std::size_t>(k)];
      B(A.rows() + k, i) = pose_.system.length;
      b(A.rows() + k) = pose_.system.length * pose_.v(i) / pose_.unit_length(i);
    }
    B.bottomRows(extra) = C;
    b.tail(extra) = wanted_cut_velocities(cuts);
    // What takes time with the cube of their number is not solved.
    if (held == A.cols() && given_velocities_meet(B, b)) return;
    const Eigen::VectorXd u = least_norm_solution(B, b, kRankTolerance);
    const Eigen::VectorXd misses = (B * u - b).cwiseAbs();
    const double miss = misses.maxCoeff();
    const double allowed = kConsistent * std::max(1.0, b.cwiseAbs().maxCoeff());
    // Redundant rows of rounded numbers contradict the others, but nothing that is prescribed.
    const bool meets_all = held + extra == 0 || misses.tail(held + extra).maxCoeff() <= allowed;
    const bool is_rounded =
        meets_all && miss <= kRounded * pose_.system.length * u.lpNorm<Eigen::Infinity>();
    if (!(miss <= allowed) && !is_rounded) {
      if (held + extra == 0) {
        pose_.refuse(pose_.system.body_count(),
                     "the loops cannot follow the drives: they open at " + to_text(miss) + " m/s");
      }
      const int j = held > 0 ? pose_.joint_of_velocity(pose_.held_v.front()) : cuts.front();
      pose_.refuse(
          j, "the velocities in initial.v contradict each other or would open the loops, by " +
                 to_text(miss) + " m/s");
    }
    pose_.v = pose_.unit_length.cwiseProduct(u);
  }

 private:
  static constexpr double kRounded = 1e-5;  // of the speed
  static constexpr double kExact = 1e-12;   // of the largest speed: rounding, far from the ground

  // Where all are given, B u = b.
  bool given_velocities_meet(const Eigen::MatrixXd& B, const Eigen::VectorXd& b) const {
    const Eigen::VectorXd u = pose_.v.cwiseQuotient(pose_.unit_length);
    return (B * u - b).cwiseAbs().maxCoeff() <= kExact * b.cwiseAbs().maxCoeff();
  }

  std::vector<int> cuts_with_velocities() const {
    std::vector<int> cuts;
    for (int c = pose_.system.body_count(); c < pose_.system.joint_count(); ++c) {
      if (pose_.described(c).initial_v) cuts.push_back(c);
    }
    return cuts;
  }

  // Velocities of cuts per scaled velocity, and what they shall be beyond what drives make them;
  // rows in m/s.
  Eigen::MatrixXd cut_velocity_matrix(const std::vector<int>& cuts) {
    Eigen::Index rows = 0;
    for (const int c : cuts) rows += pose_.system.joint(c).velocities;
    Eigen::MatrixXd C(rows, pose_.system.velocities);
    pose_.each_unit_motion([&](int k) { C.col(k) = velocities_of_all(cuts, rows); });
    return C;
  }

  Eigen::VectorXd wanted_cut_velocities(const std::vector<int>& cuts) {
    Eigen::Index rows = 0, row = 0;
    for (const int c : cuts) rows += pose_.system.joint(c).velocities;
    const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(pose_.system.velocities);
    move(pose_.system, at_rest.data(), pose_.kin);
    Eigen::VectorXd wanted = -velocities_of_all(cuts, rows);
    for (const int c : cuts) {
      const Eigen::VectorXd& v = *pose_.described(c).initial_v;
      for (int i = 0; i < v.size(); ++i)
        wanted(row++) += v(i) * pose_.unit_of(pose_.system.joint(c), i);
    }
    return wanted;
  }

  Eigen::VectorXd velocities_of_all(const std::vector<int>& cuts, Eigen::Index rows) const {
    Eigen::VectorXd all(rows);
    Eigen::Index row = 0;
    for (const int c : cuts) {
      const Eigen::VectorXd v = pose_.velocities_of(c);
      for (int i = 0; i < v.size(); ++i)
        all(row++) = v(i) * pose_.unit_of(pose_.system.joint(c), i);
    }
    return all;
  }

  PosedMechanism<Space>& pose_;
};

}  // namespace hamiltree::assembly
