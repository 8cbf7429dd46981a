// CollocationMap: a step of Gauss's and of SPARK methods (integrators/spark.hpp, whose equations
// are numbered) as a map from (q, p) to (q, p) that can be differentiated both ways, by the
// implicit function theorem. Changes of the stages solve linear equations that are those of the
// stages linearised, or their transpose; they are iterated as the stages are, and converge as fast:
// the iteration's matrix has the eigenvalues of its transpose.
//
// Backwards, with cotangents Y_bar_i of the stages, nu_j of the closed loops, and of the end, y':
//   (1)  G_bar_j = h bt_j p_bar' + h sum_i at_ij P_bar_i             A_j G_bar_j = 0 asks for nu
//   (2)  q_bar^(j) = (dG_j/dq)^T G_bar_j - A_j^T nu_j
//   (3)  u_bar_l = h b_l q_bar' + h sum_i a_il Q_bar_i + h sum_j ab_jl q_bar^(j)
//        f_bar_l = h b_l p_bar' + h sum_i a_il P_bar_i
//   (4)  Y_bar_l = F_y^T (u_bar_l, f_bar_l)
//   (5)  q_bar = q_bar' + sum_i Q_bar_i + sum_j q_bar^(j)            p_bar = p_bar' + sum_i P_bar_i
#pragma once

#include <optional>
#include <vector>

#include "hamiltree/integrators/collocation.hpp"
#include "hamiltree/sensitivity/open_tree.hpp"

namespace hamiltree::sensitivity {

struct CollocationStep {
  double t = 0.0, h = 0.0;
  Vector q, p, y;       // where it begins
  Vector q_end, y_end;  // not yet normalised
  std::vector<TreeStage> stages;
  std::vector<LoopNode> nodes;  // 0..s, lambda of all but the last; none without loops
};

class CollocationMap {
 public:
  // Refers to the formulation, its workspace and the derivatives.
  CollocationMap(const Model& model, int stages, const Formulation& formulation,
                 Workspace& workspace, StepDerivatives& derivatives,
                 const std::vector<int>& parameters);

  // Throws SimulationError where the stages do not converge.
  void take(double t, double h, const Vector& q, const Vector& p, const Vector& efforts,
            CollocationStep& step, Vector& q_end, Vector& p_end);
  // `change` from the end to the beginning, parameters added to; of the efforts added.
  void pull(const CollocationStep& step, StateChange& change, Vector& efforts);
  // From the beginning to the end.
  void push(const CollocationStep& step, StateChange& change, const Vector& efforts);

 private:
  class Problem;
  class Pull;
  class Push;

  bool has_loops() const { return tree_.constraints() > 0; }
  // (A M^-1 A^T)^-1 phi where the step begins: a symmetric matrix.
  bool closing_impulses(double t, const double* q, const double* phi, double* impulses);
  void take_nodes(CollocationStep& step, const Eigen::MatrixXd& multipliers);

  const Formulation& formulation_;
  Workspace& workspace_;
  OpenTree tree_;
  const Collocation& method_;
  Eigen::Index stages_;
  Vector at_rest_;
  std::optional<Vector> momentum_sizes_;
};

}  // namespace hamiltree::sensitivity
