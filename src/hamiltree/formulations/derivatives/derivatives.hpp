// Derivatives: how the rates of a Model, its velocities, the impulses in its loops and its
// accelerations change with the state, the time, efforts at joints and the numbers of the model.
// Exact to rounding. Jacobians with respect to the state are in closed form (analytic.hpp) wherever
// that holds. For all else the sweeps that invert the equations of motion (inverse.hpp) are run on
// dual numbers, and what they leave is solved for with the formulation's own factors,
//   M dv - A^T dsigma = dp - d(M v + b - A^T sigma)      A dv = -d(A v + a)      at fixed v, sigma
//   dpdot = d(pdot) at (q + dq, v + dv, sigma + dsigma)
// so all joints, drives, couplings and forces are there, and ranks, rows in use and masked pivots
// are those that the Workspace holds. Between poses at which rows are chosen anew the rates are a
// smooth function of (q, p), also off the closed loops; that function is what is differentiated.
// Along directions that keep loops closed the derivatives of v, q_dot and accelerations do not
// depend on the choice of rows; those of sigma and p_dot do, where rows are redundant. Quaternions
// are four numbers here: only directions along unit quaternions mean a turn.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "hamiltree/formulations/derivatives/analytic.hpp"
#include "hamiltree/formulations/derivatives/jacobians.hpp"
#include "hamiltree/formulations/derivatives/tangents.hpp"
#include "hamiltree/formulations/formulation.hpp"

namespace hamiltree {

// By column: a direction in which the state and what is given move; empty parts rest.
struct RateDirections {
  Columns t, q, p;
  Columns efforts;  // added along each joint in the Model's order; 0 where it has not one freedom
  Columns parameters;  // in the order of parameters(model)
};
// The same of accelerations, with velocities in place of momenta.
struct AccelerationDirections {
  Columns t, q, v, efforts, parameters;
};
struct Accelerations {
  Eigen::VectorXd v_dot, lambda;  // values
  Columns d_v_dot, d_lambda;      // derivatives
};

// Throws UsageError for a formulation of accelerations: derivatives are of (q, p).
void refuse_accelerations(const Formulation& formulation);

// One per thread.
class Derivatives {
 public:
  // Refers to the formulation, which must be one of this model. Throws UsageError for a formulation
  // of accelerations and for a model with callbacks.
  Derivatives(const Model& model, const Formulation& formulation);

  const Formulation& formulation() const { return formulation_; }

  // At a state whose rows were chosen in this Workspace, by analyse() and prepare(); its last
  // evaluation is overwritten. kNotFinite where the rates are not finite, or not differentiable.
  Status of_rates(const StateView& state, const RateDirections& directions, int count,
                  Workspace& workspace, RateDerivatives& result);
  Status jacobians(const StateView& state, Workspace& workspace, Jacobians& result);

  // The accelerations at (t, q, v), with efforts (null: none) at the joints, and how they change.
  Status of_accelerations(double t, const double* q, const double* v, const double* efforts,
                          const AccelerationDirections& directions, int count, Workspace& workspace,
                          Accelerations& result);

  // The generalized forces that the motion (q, v, v_dot) asks for beside those of the model, with
  // nothing in its loops: H^T (inertia - loads), N and N m.
  Eigen::VectorXd missing_forces(double t, const double* q, const double* v, const double* v_dot);

 private:
  // Column by column M x - A^T y = right, A x = -gap.
  Status solve(double t, const double* q, const Columns& right, const Columns& gap,
               Workspace& workspace, Columns& x, Columns& y);
  // What of_rates() finds of sigma lacks where a formulation takes the least of all impulses.
  Status add_turned_impulses(const StateView& state, const Eigen::VectorXd& sigma,
                             const derivatives::Directions& moves, int count, Workspace& workspace,
                             Columns& d_sigma);

  Model model_;
  const Formulation& formulation_;
  bool takes_least_impulses_;
  std::unique_ptr<derivatives::Tangents> tangents_;
  std::unique_ptr<derivatives::Analytic> analytic_;  // null where it never holds
  bool has_tried_analytic_ = false;                  // made when first asked for: it is large
  derivatives::Inverted inverted_;
  Eigen::VectorXd column_, gap_;  // of one solve; the gap is there even without constraints
};

}  // namespace hamiltree
