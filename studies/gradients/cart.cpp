#include "studies/gradients/cart.hpp"

#include <algorithm>
#include <memory>

namespace hamiltree::studies::run_gradients {
namespace {

using Eigen::VectorXd;
using sensitivity::Columns;
using sensitivity::DifferentiableRun;
using sensitivity::RunSamples;

constexpr double kStep = 0.01;                   // s, of rk4
constexpr double kRod = 1.0, kRodMass = 0.5;     // m, kg
constexpr double kUpright = 1.5707963267948966;  // rad: rods point along x at 0

}  // namespace

Model cart_model(int pendulums) {
  Mechanism m;
  m.name = "cart";
  m.space = SpaceKind::kPlanar;
  m.gravity = {0.0, -9.81, 0.0};
  BodyDescription cart;
  cart.name = "cart";
  cart.mass = 1.0;
  cart.inertia(2, 2) = 0.1;
  m.add(cart);
  JointDescription rail;
  rail.name = "rail";
  rail.type = JointType::kPrismatic;
  rail.parent = kGround;
  rail.child = "cart";
  m.add(rail);
  for (int i = 1; i <= pendulums; ++i) {
    BodyDescription rod;
    rod.name = "rod_" + std::to_string(i);
    rod.mass = kRodMass;
    rod.com = {kRod / 2.0, 0.0, 0.0};
    rod.inertia(2, 2) = kRodMass * kRod * kRod / 12.0;
    m.add(rod);
    JointDescription pin;
    pin.name = "pin_" + std::to_string(i);
    pin.parent = i == 1 ? "cart" : "rod_" + std::to_string(i - 1);
    pin.child = rod.name;
    if (i > 1) pin.at_parent.position = {kRod, 0.0, 0.0};
    m.add(pin);
  }
  return Model(m);
}

CartCost::CartCost(const CartProblem& problem)
    : problem_(problem), model_(cart_model(problem.pendulums)) {
  problem_.q(1) -= kUpright;
  problem_.target(1) -= kUpright;
}

std::unique_ptr<DifferentiableRun> CartCost::run(const VectorXd& x, bool all) const {
  sensitivity::RunOptions options;
  options.integrator = RungeKutta4{kStep};
  options.until = problem_.until;
  if (!all) options.samples = {problem_.until};
  options.controls = {"rail"};
  options.efforts = kForce * x;
  return std::make_unique<DifferentiableRun>(model_, options, problem_.q, problem_.v);
}

double CartCost::effort_weight() const {
  return kEffort * kForce * kForce * problem_.until / problem_.parts;
}
double CartCost::effort_cost(const VectorXd& x) const {
  return 0.5 * effort_weight() * x.squaredNorm();
}
double CartCost::end_cost(const RunSamples& samples) const {
  const auto end = samples.q.rows() - 1;
  return 0.5 * (samples.q.row(end) - problem_.target.transpose()).squaredNorm() +
         0.5 * samples.v.row(end).squaredNorm();
}

double CartCost::operator()(const VectorXd& x, VectorXd& gradient) {
  const auto motion = run(x, false);
  RunSamples cotangents;
  cotangents.q = motion->samples().q - problem_.target.transpose();
  cotangents.v = motion->samples().v;
  gradient = kForce * motion->gradient(cotangents).efforts.col(0) + effort_weight() * x;
  return end_cost(motion->samples()) + effort_cost(x);
}

double CartCost::value(const VectorXd& x) {
  return end_cost(run(x, false)->samples()) + effort_cost(x);
}

VectorXd CartCost::direct_gradient(const VectorXd& x) {
  const auto motion = run(x, false);
  VectorXd gradient = effort_weight() * x;
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    sensitivity::RunChange along;
    along.efforts = kForce * VectorXd::Unit(x.size(), k);
    const auto tangents = motion->tangents(along);
    gradient(k) +=
        (motion->samples().q - problem_.target.transpose()).row(0).dot(tangents.q.row(0)) +
        motion->samples().v.row(0).dot(tangents.v.row(0));
  }
  return gradient;
}

RunSamples CartCost::motion(const VectorXd& x) {
  auto samples = run(x, true)->samples();
  samples.q.col(1).array() += kUpright;
  return samples;
}

double CartCost::missed(const VectorXd& x) {
  const auto motion = run(x, false);
  const double q = (motion->samples().q - problem_.target.transpose()).cwiseAbs().maxCoeff();
  return std::max(q, motion->samples().v.cwiseAbs().maxCoeff());
}

}  // namespace hamiltree::studies::run_gradients
