// ClosingSteps: steps of coordinates towards closed loops. Rows are those of the loops, and of the
// coordinates that joints which close them are given, m; columns the free directions, rad or
// lengths.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/simulation/assembly/posed_mechanism.hpp"

namespace hamiltree::assembly {

template <class Space>
class ClosingSteps {
 public:
  explicit ClosingSteps(PosedMechanism<Space>& pose) : pose_(pose) {}

  double work() const { return work_; }  // of the steps so far, about the multiplications
  // Redundant rows that differ from others by rounding are let go.
  void leave_rounding(bool leaves) { leaves_rounding_ = leaves; }

  // How far the rows are from zero, m.
  double miss(const Eigen::VectorXd& phi) const {
    return pose_.conditions.empty() ? pose_.size_of(phi)
                                    : std::hypot(pose_.size_of(phi), condition_misses().norm());
  }

  // Gauss-Newton: d = -J^+ r, the shortest that it can be, and no longer than kLargestStep.
  void take(const Eigen::VectorXd& phi) {
    const Eigen::MatrixXd J = matrix();
    count(J);
    Eigen::VectorXd d =
        least_norm_solution(J, wanted(phi), leaves_rounding_ ? rounding_of(J) : kRankTolerance);
    const double largest = d.size() > 0 ? d.cwiseAbs().maxCoeff() : 0.0;
    if (largest > kLargestStep) d *= kLargestStep / largest;
    advance(d);
  }

  // J
  Eigen::MatrixXd matrix() {
    Eigen::MatrixXd A = pose_.closing_matrix();
    if (!pose_.conditions.empty()) {
      const Eigen::MatrixXd more = condition_matrix();
      A.conservativeResize(A.rows() + more.rows(), Eigen::NoChange);
      A.bottomRows(more.rows()) = more;
    }
    Eigen::MatrixXd free(A.rows(), static_cast<Eigen::Index>(pose_.free_q.size()));
    for (std::size_t k = 0; k < pose_.free_q.size(); ++k)
      free.col(static_cast<Eigen::Index>(k)) = A.col(pose_.free_q[k]);
    return free;
  }

  void advance(const Eigen::VectorXd& d) {
    Eigen::VectorXd delta = Eigen::VectorXd::Zero(pose_.system.velocities);
    for (std::size_t k = 0; k < pose_.free_q.size(); ++k) {
      delta(pose_.free_q[k]) = pose_.unit_length(pose_.free_q[k]) * d(static_cast<Eigen::Index>(k));
    }
    pose_.advance(delta);
  }

  // The tolerance below which pivots of A are rounding.
  double rounding_of(const Eigen::MatrixXd& A) const {
    if (A.size() == 0) return kRounded;
    const double largest = A.colwise().norm().maxCoeff();
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
  static constexpr double kPerVelocity = 100.0;  // multiplications, to move a body
  static constexpr double kLargestStep = 0.5;    // rad, or lengths, in one iteration
  // Pivots of rows that rounded numbers alone tell from others, of the largest, as formulations
  // have it. A row that moves less than kFeeble has none.
  static constexpr double kRounded = 1e-4, kFeeble = 1e-3;

  void count(const Eigen::MatrixXd& J) {
    const auto rows = static_cast<double>(J.rows()), columns = static_cast<double>(J.cols());
    work_ += rows * columns * std::min(rows, columns) + kPerVelocity * columns * columns;
  }

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

  Eigen::MatrixXd condition_matrix() {
    Eigen::MatrixXd A(condition_rows(), pose_.system.velocities);
    pose_.each_unit_motion([&](int k) {
      Eigen::Index row = 0;
      for (const int c : pose_.conditions) {
        const Eigen::VectorXd rates = pose_.coordinate_rates_of(c);
        for (int i = 0; i < rates.size(); ++i) {
          A(row++, k) = rates(i) * pose_.unit_of(pose_.system.joint(c), i);
        }
      }
    });
    return A;
  }

  PosedMechanism<Space>& pose_;
  bool leaves_rounding_ = false;
  double work_ = 0.0;
};

}  // namespace hamiltree::assembly
