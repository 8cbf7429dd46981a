// Dimensional synthesis: the lengths of a walking leg (Jansen's) whose foot follows a given path,
// from a poor start, by Levenberg-Marquardt steps with exact derivatives through closed loops.
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "hamiltree/hamiltree.hpp"
#include "hamiltree/model/with_parameters.hpp"
#include "hamiltree/sensitivity/differentiable_run.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "show.hpp"

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using hamiltree::sensitivity::DifferentiableRun;

// The unknowns, with the leg's true numbers in metres, and a poor start.
struct Dimension {
  std::string name;
  double truth, poor;
};
const std::vector<Dimension> kDimensions{
    {"joint.upper_end.at_parent.x", 0.500, 0.53},    // bar j
    {"joint.upper_end.at_child.x", 0.415, 0.39},     // side b of the upper triangle
    {"joint.lower_end.at_parent.x", 0.619, 0.59},    // bar k
    {"joint.corner.at_parent.x", 0.02609881, 0.05},  // where d and e meet
    {"joint.corner.at_parent.y", 0.40014979, 0.43},
    {"joint.knee.at_parent.x", 0.394, 0.37},  // bar f
    {"joint.knee.at_child.x", 0.367, 0.39},   // side g of the lower triangle
};
constexpr int kSamples = 41;  // of one turn of the crank, 1 s
constexpr double kStep = 0.025;

hamiltree::JointDescription pin(const std::string& name, const std::string& parent,
                                const std::string& child, double x, double y, double guess,
                                std::optional<double> closes_at = {}) {
  hamiltree::JointDescription joint;
  joint.name = name;
  joint.parent = parent;
  joint.child = child;
  joint.at_parent.position = {x, y, 0.0};
  joint.at_child.position = {closes_at.value_or(0.0), 0.0, 0.0};
  joint.guess_q = VectorXd::Constant(1, guess);
  if (closes_at) joint.cut = true;
  return joint;
}

hamiltree::Mechanism leg() {
  hamiltree::Mechanism leg;
  leg.name = "leg";
  leg.space = hamiltree::SpaceKind::kPlanar;
  for (const char* name : {"crank", "j", "k", "upper", "c", "f", "lower"}) {
    hamiltree::BodyDescription body;
    body.name = name;
    body.mass = 0.1;
    body.com = {0.1, 0.0, 0.0};
    body.inertia(2, 2) = 1e-3;
    leg.add(body);
  }
  auto motor = pin("motor", hamiltree::kGround, "crank", 0.0, 0.0, 0.0);
  motor.guess_q.reset();
  motor.drive = hamiltree::Polynomial{{0.5, 2.0 * std::numbers::pi}};
  return leg.add(motor)
      .add(pin("crank_j", "crank", "j", 0.15, 0.0, 2.102))
      .add(pin("crank_k", "crank", "k", 0.15, 0.0, -2.676))
      .add(pin("hip", hamiltree::kGround, "upper", -0.38, -0.078, 1.370))
      .add(pin("hip_c", hamiltree::kGround, "c", -0.38, -0.078, -1.153))
      .add(pin("ankle", "c", "lower", 0.393, 0.0, 3.944))
      .add(pin("corner", "upper", "f", 0.02609881, 0.40014979, -2.404))
      .add(pin("upper_end", "j", "upper", 0.5, 0.0, 0.0, 0.415))
      .add(pin("lower_end", "k", "c", 0.619, 0.0, 0.0, 0.393))
      .add(pin("knee", "f", "lower", 0.394, 0.0, 0.0, 0.367))
      .add(hamiltree::PointSensor{"foot", "lower", {-0.07746594, 0.48383781, 0.0}, {}});
}

// A turn of the leg with these dimensions; nothing where no leg has them.
std::unique_ptr<DifferentiableRun> turn(const hamiltree::Model& model, const VectorXd& x) {
  hamiltree::sensitivity::RunOptions options;
  options.integrator = hamiltree::RungeKutta4{kStep};
  std::vector<hamiltree::Parameter> values;
  for (std::size_t i = 0; i < kDimensions.size(); ++i) {
    options.parameters.push_back(kDimensions[i].name);
    values.push_back({kDimensions[i].name, x(static_cast<Eigen::Index>(i))});
  }
  for (int i = 0; i < kSamples; ++i) options.samples.push_back(i * kStep);
  options.samples.back() = options.until;
  const auto start = hamiltree::initial_state(model);
  try {
    return std::make_unique<DifferentiableRun>(hamiltree::with_parameters(model, values), options,
                                               start.q, VectorXd::Zero(start.v.size()));
  } catch (const std::exception&) {
    return nullptr;
  }
}

// The foot's places, x and y of each sample in turn.
VectorXd foot(const hamiltree::sensitivity::RunSamples& samples) {
  VectorXd places(2 * kSamples);
  for (int i = 0; i < kSamples; ++i) places.segment<2>(2 * i) = samples.readings.row(i).head<2>();
  return places;
}

MatrixXd slopes(DifferentiableRun& run) {
  const auto count = static_cast<Eigen::Index>(kDimensions.size());
  MatrixXd J(2 * kSamples, count);
  for (Eigen::Index k = 0; k < count; ++k)
    J.col(k) = foot(run.tangents({{}, {}, VectorXd::Unit(count, k), {}}));
  return J;
}

}  // namespace

int main() {
  const hamiltree::Model model(leg());
  VectorXd truth(kDimensions.size()), x(kDimensions.size());
  for (std::size_t i = 0; i < kDimensions.size(); ++i) {
    truth(static_cast<Eigen::Index>(i)) = kDimensions[i].truth;
    x(static_cast<Eigen::Index>(i)) = kDimensions[i].poor;
  }
  const VectorXd target = foot(turn(model, truth)->samples());
  auto run = turn(model, x);
  VectorXd error = foot(run->samples()) - target;
  show("first_miss", error.lpNorm<Eigen::Infinity>());
  double damping = 1e-3;
  for (int k = 0; k < 60 && error.lpNorm<Eigen::Infinity>() >= 1e-11; ++k) {
    const MatrixXd J = slopes(*run);
    MatrixXd normal = J.transpose() * J;
    normal.diagonal() *= 1.0 + damping;
    const VectorXd step = normal.ldlt().solve(-J.transpose() * error);
    auto there = turn(model, x + step);
    const bool better = there && (foot(there->samples()) - target).norm() < error.norm();
    damping = better ? std::max(damping / 5.0, 1e-12) : damping * 4.0;
    if (!better) continue;
    x += step;
    run = std::move(there);
    error = foot(run->samples()) - target;
  }
  show("miss_below_a_nanometre", error.lpNorm<Eigen::Infinity>() < 1e-9);
  show("error_below_a_micrometre", (x - truth).lpNorm<Eigen::Infinity>() < 1e-6);
  show("bar_j", std::round(x(0) * 1e7) / 1e7);
  show("knee_in_lower", std::round(x(6) * 1e7) / 1e7);
}
