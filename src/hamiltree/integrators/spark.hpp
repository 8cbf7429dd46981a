// SPARK methods, of the super partitioned additive Runge-Kutta methods of [Jay1998] symplectic ones
// with Gauss's and Lobatto's nodes, for q' = u, p' = f + A^T lambda, Phi(q) = 0. Without
// constraints they are Gauss's methods. docs/theory/time_integration.md has the equations.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "hamiltree/integrators/collocation.hpp"
#include "hamiltree/integrators/fixed_step.hpp"

namespace hamiltree {

class SparkSteps final : public FixedStep {
 public:
  SparkSteps(int stages, double step, OdeProblem& problem, double t, const double* y);

  // y of each stage of the last step, and the multipliers of its nodes 0..s-1, one column each.
  const Eigen::MatrixXd& stage_states() const { return Y_; }
  const Eigen::MatrixXd& multipliers() const { return lambda_; }

 private:
  int order() const override { return 2 * stages_; }
  long substitutes() const override { return substitutes_; }
  void take(double t, double h, double* y) override;

  bool iterate(double t, double h, const double* y);
  void substitute(double t, double h, double* y);
  bool predict(double t, double h, const double* y);
  void place_nodes(double h);
  bool find_rates(double t, double h);
  bool free_rate(double t, const double* y, int stage);
  void close_loops(double t, double h, const double* y);
  double move_stages(double t, double h, const double* y);
  void finish(double t, double h, double* y);
  void add_change(double* y);
  void add_integrals(double t, double h, double* y);

  const Collocation& method_;
  int stages_;
  Eigen::Index coordinates_, momenta_, integrals_;
  // One column per stage: y and its free rate. One per Lobatto node: y, of which only coordinates
  // matter, Phi (of nodes 1..s), the impulses that close it, the multipliers of nodes 0..s-1, and
  // what they do to the momenta.
  Eigen::MatrixXd Y_, K_, nodes_, phi_, closing_, lambda_, pull_;
  Eigen::MatrixXd next_;                  // stages of the next iteration
  Eigen::MatrixXd last_K_, last_lambda_;  // of the step before
  Eigen::VectorXd base_, scale_;          // where the step started, and weights of its entries
  Eigen::VectorXd change_, left_;         // of q and p: by the step, and of that what rounding took
  const char* obstacle_ = "";             // why the stages of the last step were not found
  long substitutes_ = 0;                  // steps that could not
  double last_h_ = 0.0;                   // of the step that K_, lambda_ belong to; 0: none yet
};

}  // namespace hamiltree
