// OpenTree: the mechanism as methods see it that close loops themselves, its loops open and its
// momenta the canonical ones, y (canonical.hpp):
//   q' = u(t, q, y)     y' = f(t, q, y) + G(t, q, lambda)     Phi(t, q) = 0
// as maps that can be differentiated both ways. G is A^T lambda as a change of y.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "hamiltree/sensitivity/step_derivatives.hpp"

namespace hamiltree::sensitivity {

using Vector = Eigen::VectorXd;

// The rates at one place.
struct TreeStage {
  double t = 0.0;
  Vector q, y, v, p_dot;  // p_dot: efforts from outside included
  Vector q_dot, y_dot;

  StepPoint point() const { return {t, q.data(), v.data(), nullptr}; }
};

// A place where loops are closed, and their multipliers; none are zero.
struct LoopNode {
  double t = 0.0;
  Vector q, lambda;
};

// Tangents or cotangents of q, y and the chosen parameters.
struct TreeChange {
  Vector q, y, parameters;
};

class OpenTree {
 public:
  // Refers to `derivatives`, which know the parameters by the same numbers.
  OpenTree(const Model& model, const Formulation& formulation, StepDerivatives& derivatives,
           const std::vector<int>& parameters);

  Eigen::Index coordinates() const { return nq_; }
  Eigen::Index constraints() const { return nc_; }
  TreeChange zero() const;
  // Before anything else, at any pose. Gives sizes of y, as inertias times velocities.
  Vector analyse(double t, const Vector& q);

  // All from t, q and y of the stage. Throw SimulationError where a result is not finite.
  void evaluate(const Vector& efforts, TreeStage& stage);
  // Cotangents of the rates; what they mean is added to `to` and `efforts`.
  void pull(const TreeStage& at, const Vector& q_dot, const Vector& y_dot, TreeChange& to,
            Vector& efforts);
  void push(const TreeStage& at, const TreeChange& from, const Vector& efforts, Vector& q_dot,
            Vector& y_dot);

  // G and Phi.
  void close(const LoopNode& at, Vector& impulses, Vector& phi);
  // Cotangents of G; those of lambda are set, all others added to.
  void pull_impulses(const LoopNode& at, const Vector& impulses, TreeChange& to, Vector& lambda);
  void pull_gaps(const LoopNode& at, const Vector& phi, TreeChange& to);
  void push_node(const LoopNode& at, const TreeChange& from, const Vector& lambda, Vector& impulses,
                 Vector& phi);

  // y from p at q, and p from y. Changes of parameters are left alone.
  void to_canonical(const Vector& q, const Vector& p, Vector& y);
  void from_canonical(const Vector& q, const Vector& y, Vector& p);
  void pull_to_canonical(const Vector& q, const Vector& p, const TreeChange& from, StateChange& to);
  void pull_from_canonical(const Vector& q, const Vector& y, const StateChange& from,
                           TreeChange& to);
  void push_to_canonical(const Vector& q, const Vector& p, const StateChange& from, TreeChange& to);
  void push_from_canonical(const Vector& q, const Vector& y, const TreeChange& from,
                           StateChange& to);

 private:
  Factors factors() const { return {*formulation_, *workspace_, true}; }
  void set_motion(const Vector& q, const Vector& y, const Vector& v, const Vector& p_dot);
  void set_momenta(const Vector& q, const Vector& y);
  void set_plain(const Vector& q, const Vector& p);
  void set_node(const LoopNode& at);
  void pull_node(Eigen::Index outputs, TreeChange& to);

  Model model_;
  StepDerivatives& derivatives_;
  RecordedOpenTree recorded_;
  std::unique_ptr<Formulation> formulation_;  // of the model without loops
  std::unique_ptr<Workspace> workspace_;
  Eigen::Index nq_, nv_, nc_;
  // Inputs of programs, and their derivatives; derivatives of outputs.
  Vector place_, place_change_, motion_, motion_change_, out_;
};

}  // namespace hamiltree::sensitivity
