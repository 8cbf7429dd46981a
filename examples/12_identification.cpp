// Identification: masses and damping of a four-bar from a noisy recording of its motion, by
// Gauss-Newton steps with exact derivatives of the run, and how certain they are.
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "hamiltree/hamiltree.hpp"
#include "hamiltree/model/with_parameters.hpp"
#include "hamiltree/sensitivity/differentiable_run.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "show.hpp"

namespace {

using Eigen::VectorXd;
using hamiltree::sensitivity::DifferentiableRun;

const std::vector<hamiltree::Parameter> kTruth{{"body.coupler.mass", 0.5},
                                               {"body.rocker.mass", 0.7},
                                               {"friction.A.viscous", 0.02},
                                               {"friction.D.viscous", 0.03}};
constexpr int kSamples = 100;    // in 2 s
constexpr double kNoise = 2e-3;  // rad

hamiltree::JointDescription pin(const std::string& name, const std::string& parent,
                                const std::string& child, double at_parent, double guess) {
  hamiltree::JointDescription joint;
  joint.name = name;
  joint.parent = parent;
  joint.child = child;
  joint.at_parent.position = {at_parent, 0.0, 0.0};
  joint.guess_q = VectorXd::Constant(1, guess);
  return joint;
}

hamiltree::Model four_bar() {
  hamiltree::Mechanism bars;
  bars.name = "four_bar";
  bars.space = hamiltree::SpaceKind::kPlanar;
  bars.gravity = {0.0, -9.81, 0.0};
  const auto bar = [&](const std::string& name, double mass, double length) {
    hamiltree::BodyDescription body;
    body.name = name;
    body.mass = mass;
    body.com = {length / 2.0, 0.0, 0.0};
    body.inertia(2, 2) = mass * length * length / 12.0;
    bars.add(body);
  };
  bar("crank", 0.5, 0.3);
  bar("coupler", 0.5, 0.3);
  bar("rocker", 0.7, 0.31);
  auto first = pin("A", hamiltree::kGround, "crank", 0.0, 0.0);
  first.guess_q.reset();
  first.initial_q = VectorXd::Constant(1, 0.8);
  auto last = pin("C", "coupler", "rocker", 0.3, 0.0);
  last.guess_q.reset();
  last.at_child.position = {0.31, 0.0, 0.0};
  last.cut = true;
  bars.add(first)
      .add(pin("B", "crank", "coupler", 0.3, -0.55))
      .add(pin("D", hamiltree::kGround, "rocker", 0.4, 1.0))
      .add(last)
      .add(hamiltree::JointFriction{"A", 0.0, 0.02, 0.0, {}})
      .add(hamiltree::JointFriction{"D", 0.0, 0.03, 0.0, {}});
  return hamiltree::Model(bars);
}

// The coordinates of all samples, one sample after the other.
VectorXd flat(const hamiltree::sensitivity::Columns& q) {
  return Eigen::Map<const VectorXd>(q.data(), q.size());
}

std::vector<hamiltree::Parameter> parameters_at(const VectorXd& x) {
  auto values = kTruth;
  for (std::size_t i = 0; i < values.size(); ++i) values[i].value = x(static_cast<Eigen::Index>(i));
  return values;
}

}  // namespace

int main() {
  const auto model = four_bar();
  const auto start = hamiltree::initial_state(model);
  hamiltree::sensitivity::RunOptions options;
  options.integrator = hamiltree::RungeKutta4{2e-3};
  options.until = 2.0;
  for (int i = 1; i <= kSamples; ++i) options.samples.push_back(options.until * i / kSamples);
  VectorXd truth(4);
  for (std::size_t i = 0; i < kTruth.size(); ++i) {
    options.parameters.push_back(kTruth[i].name);
    truth(static_cast<Eigen::Index>(i)) = kTruth[i].value;
  }
  const VectorXd still = VectorXd::Zero(start.v.size());
  const auto motion = [&](const VectorXd& x) {
    return std::make_unique<DifferentiableRun>(with_parameters(model, parameters_at(x)), options,
                                               start.q, still);
  };
  VectorXd recorded = flat(motion(truth)->samples().q);
  for (Eigen::Index i = 0; i < recorded.size(); ++i) {
    const auto k = static_cast<double>(i);
    recorded(i) += kNoise * std::sin(12.9898 * k + 0.5 * k * k);  // as good as random
  }

  VectorXd x = truth.cwiseProduct(Eigen::Vector4d(1.5, 0.6, 0.4, 2.0));
  Eigen::Matrix<double, Eigen::Dynamic, 4> J(recorded.size(), 4);
  Eigen::Matrix4d covariance;  // of x, over the variance of the noise
  VectorXd error;
  for (int i = 0; i < 20; ++i) {
    const auto run = motion(x);
    error = flat(run->samples().q) - recorded;
    for (Eigen::Index k = 0; k < 4; ++k)
      J.col(k) = flat(run->tangents({{}, {}, VectorXd::Unit(4, k), {}}).q);
    covariance = (J.transpose() * J).inverse();
    Eigen::Vector4d step = -covariance * (J.transpose() * error);
    step *= std::min(1.0, 0.5 / step.cwiseQuotient(x).lpNorm<Eigen::Infinity>());
    x += step;
    if (step.cwiseQuotient(x).lpNorm<Eigen::Infinity>() < 1e-12) break;
  }
  const auto freedom = static_cast<double>(error.size() - x.size());
  const VectorXd spread = (covariance.diagonal() * error.squaredNorm() / freedom).cwiseSqrt();
  show("coupler_mass", x(0));
  show("rocker_mass", x(1));
  show("damping_of_A", x(2));
  show("damping_of_D", x(3));
  show("all_below_four_deviations", ((x - truth).cwiseAbs().array() < 4.0 * spread.array()).all());
}
