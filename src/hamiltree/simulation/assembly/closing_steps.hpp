// ClosingSteps: steps of coordinates towards closed loops. Rows are those of the loops, and of the
// coordinates that joints which close them are given, m; columns the free directions, rad or
// lengths.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "hamiltree/math/least_norm.hpp"
#include "hamiltree/simulation/assembly/posed_mechanism.hpp"

namespace hamiltree::assembly {

template <class Space>
class ClosingSteps {
 public:
  explicit ClosingSteps(PosedMechanism<Space>& pose) : pose_(pose) {}

  // Of the steps so far, about the multiplications.
  double work() const { return moves_ + least_norm_.work(); }
  // Redundant rows that differ from others by rounding are let go.
  void leave_rounding(bool leaves) { leaves_rounding_ = leaves; }

  // How far the rows are from zero, m.
  double miss(const Eigen::VectorXd& phi) const {
    return pose_.conditions.empty() ? pose_.size_of(phi)
                                    : std::hypot(pose_.size_of(phi), condition_misses().norm());
  }

  // Gauss-Newton: d = -J^+ r, the shortest that it can be, and no longer than kLargestStep.
  void take(const Eigen::VectorXd& phi) {
    const SparseMatrix J = matrix();
    moves_ += kPerEntry * static_cast<double>(J.nonZeros());
    Eigen::VectorXd d =
        least_norm_.solution(J, wanted(phi), leaves_rounding_ ? rounding_of(J) : kRankTolerance);
    const double largest = d.size() > 0 ? d.cwiseAbs().maxCoeff() : 0.0;
    if (largest > kLargestStep) d *= kLargestStep / largest;
    advance(d);
  }

  // J
  SparseMatrix matrix() {
    SparseMatrix A = pose_.closing_matrix();
    if (!pose_.conditions.empty()) A = stacked(A, condition_matrix());
    SparseMatrix free(A.cols(), static_cast<Eigen::Index>(pose_.free_q.size()));
    for (std::size_t k = 0; k < pose_.free_q.size(); ++k)
      free.insert(pose_.free_q[k], static_cast<Eigen::Index>(k)) = 1.0;
    return A * free;
  }

  // Whether rows differ from others by rounding alone.
  bool has_weak_rows(const SparseMatrix& A) {
    return least_norm_.has_weak_rows(A, kRankTolerance, rounding_of(A));
  }

  void advance(const Eigen::VectorXd& d) {
    Eigen::VectorXd delta = Eigen::VectorXd::Zero(pose_.system.velocities);
    for (std::size_t k = 0; k < pose_.free_q.size(); ++k) {
      delta(pose_.free_q[k]) = pose_.unit_length(pose_.free_q[k]) * d(static_cast<Eigen::Index>(k));
    }
    pose_.advance(delta);
  }

  // The tolerance below which pivots of A are rounding.
  double rounding_of(const SparseMatrix& A) const {
    double largest = 0.0;
    for (Eigen::Index k = 0; k < A.cols(); ++k) largest = std::max(largest, A.col(k).norm());
    if (!(largest > 0.0)) return kRounded;
    return kRounded * std::max(1.0, kFeeble * pose_.system.length / largest);
  }

  // By how much the coordinates of a cut are off, m and rad; angles by the shorter way.
  Eigen::VectorXd miss_of(int c) const {
    const auto& joint = pose_.system.joint(c);
    const Eigen::VectorXd& wanted = *pose_.described(c).initial_q;
    Eigen::VectorXd miss = pose_.coordinates_of(c);
    if (joint.coordinates > joint.velocities && miss.tail<4>().dot(wanted.tail<4>()) < 0.0) {
      miss.tail<4>() = -miss.tail<4>();
    }
    miss -= wanted;
    for (int i = 0; i < joint.velocities && joint.coordinates == joint.velocities; ++i) {
      const bool is_angle = joint.free[at(i)] >= Space::kLinear;
      if (is_angle && joint.type != JointType::kHelical) {
        miss(i) = std::remainder(miss(i), 2.0 * std::numbers::pi);
      }
    }
    return miss;
  }

 private:
  static constexpr double kPerEntry = 100.0;   // multiplications, to move the bodies
  static constexpr double kLargestStep = 0.5;  // rad, or lengths, in one iteration
  // Pivots of rows that rounded numbers alone tell from others, of the largest, as formulations
  // have it. A row that moves less than kFeeble has none.
  static constexpr double kRounded = 1e-4, kFeeble = 1e-3;

  // -r
  Eigen::VectorXd wanted(const Eigen::VectorXd& phi) const {
    Eigen::VectorXd rows(phi.size() + condition_rows());
    for (int r = 0; r < phi.size(); ++r) rows(r) = -pose_.scale_of_row(r) * phi(r);
    if (!pose_.conditions.empty()) rows.tail(condition_rows()) = -condition_misses();
    return rows;
  }

  int condition_rows() const {
    int rows = 0;
    for (const int c : pose_.conditions) rows += pose_.system.joint(c).coordinates;
    return rows;
  }

  // Rows of conditions, m, and how they change with each unit of velocity.
  Eigen::VectorXd condition_misses() const {
    Eigen::VectorXd misses(condition_rows());
    Eigen::Index row = 0;
    for (const int c : pose_.conditions) {
      const Eigen::VectorXd miss = miss_of(c);
      for (int i = 0; i < miss.size(); ++i)
        misses(row++) = miss(i) * pose_.unit_of(pose_.system.joint(c), i);
    }
    return misses;
  }

  SparseMatrix condition_matrix() {
    std::vector<Eigen::Triplet<double>> entries;
    int first = 0;
    for (const int c : pose_.conditions) {
      pose_.each_unit_motion_of(c, [&](int k) {
        const Eigen::VectorXd rates = pose_.coordinate_rates_of(c);
        for (int i = 0; i < rates.size(); ++i)
          entries.emplace_back(first + i, k, rates(i) * pose_.unit_of(pose_.system.joint(c), i));
      });
      first += pose_.system.joint(c).coordinates;
    }
    SparseMatrix A(first, pose_.system.velocities);
    A.setFromTriplets(entries.begin(), entries.end());
    return A;
  }

  PosedMechanism<Space>& pose_;
  LeastNorm least_norm_;
  bool leaves_rounding_ = false;
  double moves_ = 0.0;  // of bodies, about the multiplications
};

}  // namespace hamiltree::assembly
