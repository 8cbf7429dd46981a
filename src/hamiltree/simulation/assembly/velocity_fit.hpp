// VelocityFit: the smallest velocities that keep the loops closed and are what joints prescribe.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "hamiltree/base/text.hpp"
#include "hamiltree/math/least_norm.hpp"
#include "hamiltree/simulation/assembly/posed_mechanism.hpp"

namespace hamiltree::assembly {

template <class Space>
class VelocityFit {
 public:
  explicit VelocityFit(PosedMechanism<Space>& pose) : pose_(pose) {}

  void solve() {
    const SparseMatrix A = pose_.closing_matrix();
    const auto cuts = cuts_with_velocities();
    const SparseMatrix P = prescribed_matrix(cuts);
    const auto prescribed = P.rows();
    const Eigen::VectorXd opening = pose_.opening_rates();
    if (prescribed == 0 && opening.isZero(0.0)) {
      pose_.v.setZero();
      return;
    }
    const SparseMatrix B = stacked(A, P);
    Eigen::VectorXd b(B.rows());
    b << -opening, prescribed_velocities(cuts);
    const auto held = static_cast<Eigen::Index>(pose_.held_v.size());
    if (held == A.cols() && given_velocities_meet(B, b)) return;
    const Eigen::VectorXd u = LeastNorm().solution(B, b, kRankTolerance);
    const Eigen::VectorXd misses = (B * u - b).cwiseAbs();
    const double miss = misses.maxCoeff();
    const double allowed = kConsistent * std::max(1.0, b.cwiseAbs().maxCoeff());
    // Redundant rows of rounded numbers contradict the others, but nothing that is prescribed.
    const bool meets_all = prescribed == 0 || misses.tail(prescribed).maxCoeff() <= allowed;
    const bool is_rounded =
        meets_all && miss <= kRounded * pose_.system.length * u.lpNorm<Eigen::Infinity>();
    if (!(miss <= allowed) && !is_rounded) {
      if (prescribed == 0) {
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
  bool given_velocities_meet(const SparseMatrix& B, const Eigen::VectorXd& b) const {
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

  // What joints of the tree, then cuts, prescribe: rows in m/s, columns of scaled velocities.
  SparseMatrix prescribed_matrix(const std::vector<int>& cuts) {
    std::vector<Eigen::Triplet<double>> entries;
    int row = 0;
    for (const int k : pose_.held_v) entries.emplace_back(row++, k, pose_.system.length);
    for (const int c : cuts) {
      const auto& cut = pose_.system.joint(c);
      pose_.each_unit_motion_of(c, [&](int k) {
        const Eigen::VectorXd v = pose_.velocities_of(c);
        for (int i = 0; i < v.size(); ++i)
          entries.emplace_back(row + i, k, v(i) * pose_.unit_of(cut, i));
      });
      row += cut.velocities;
    }
    SparseMatrix P(row, pose_.system.velocities);
    P.setFromTriplets(entries.begin(), entries.end());
    return P;
  }

  // Those of cuts beyond what drives make them.
  Eigen::VectorXd prescribed_velocities(const std::vector<int>& cuts) {
    std::vector<double> wanted;
    for (const int k : pose_.held_v)
      wanted.push_back(pose_.system.length * pose_.v(k) / pose_.unit_length(k));
    const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(pose_.system.velocities);
    move(pose_.system, at_rest.data(), pose_.kin);
    for (const int c : cuts) {
      const Eigen::VectorXd beyond = *pose_.described(c).initial_v - pose_.velocities_of(c);
      for (int i = 0; i < beyond.size(); ++i)
        wanted.push_back(beyond(i) * pose_.unit_of(pose_.system.joint(c), i));
    }
    return Eigen::Map<Eigen::VectorXd>(wanted.data(), static_cast<Eigen::Index>(wanted.size()));
  }

  PosedMechanism<Space>& pose_;
};

}  // namespace hamiltree::assembly
