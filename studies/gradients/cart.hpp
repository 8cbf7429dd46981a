// Optimal control of pendulums on a cart: the force on the cart, held in each of equal parts of the
// run, that leads from one state to another.
#pragma once

#include <memory>
#include <string>

#include "hamiltree/sensitivity/differentiable_run.hpp"
#include "studies/gradients/minimise.hpp"

namespace hamiltree::studies::run_gradients {

struct CartProblem {
  std::string name;  // of its files
  std::string text;  // what is asked for
  int pendulums = 1;
  Eigen::VectorXd q, v;    // where it begins: m, then rad from hanging, each against the one before
  Eigen::VectorXd target;  // coordinates at the end, at rest
  double until = 2.0;      // s
  int parts = 60;
};

// A cart of 1 kg on a rail, and rods of 0.5 kg and 1 m.
Model cart_model(int pendulums);

// Half the square of what is missed at the end, in m, rad, m/s and rad/s, and kEffort times half
// the integral of the squared force.
class CartCost {
 public:
  static constexpr double kEffort = 1e-5;
  static constexpr double kForce = 10.0;  // N: the unit of the unknowns

  explicit CartCost(const CartProblem& problem);

  Eigen::Index size() const { return problem_.parts; }
  double operator()(const Eigen::VectorXd& x, Eigen::VectorXd& gradient);
  double value(const Eigen::VectorXd& x);
  // The gradient along each unknown in turn, by tangents.
  Eigen::VectorXd direct_gradient(const Eigen::VectorXd& x);
  sensitivity::RunSamples motion(const Eigen::VectorXd& x);
  // The largest of what is missed at the end.
  double missed(const Eigen::VectorXd& x);

 private:
  std::unique_ptr<sensitivity::DifferentiableRun> run(const Eigen::VectorXd& x, bool all) const;
  double end_cost(const sensitivity::RunSamples& samples) const;
  double effort_cost(const Eigen::VectorXd& x) const;
  double effort_weight() const;

  CartProblem problem_;
  Model model_;
};

}  // namespace hamiltree::studies::run_gradients
