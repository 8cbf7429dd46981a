// Chains whose segments float keep the digits that plain long chains lose: velocities from momenta
// of a motion that is known, with q and p rounded to double. What the rounding costs is in the
// errors.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/model/kinematics.hpp"
#include "support/relative_error.hpp"

namespace hamiltree::test {
namespace {

using Wide = Planar<long double>;

constexpr int kBodies = 4096, kSegment = 8;

std::string name(int k) { return "rod " + std::to_string(k); }

// Rods of 1 m and 1 kg; with a segment of 0 a plain chain.
Mechanism rods(int segment) {
  Mechanism mechanism;
  mechanism.name = "rods";
  mechanism.space = SpaceKind::kPlanar;
  mechanism.gravity = {0.0, -9.81, 0.0};
  for (int k = 0; k < kBodies; ++k) {
    BodyDescription body;
    body.name = name(k);
    body.mass = 1.0;
    body.com = {0.5, 0.0, 0.0};
    body.inertia = Eigen::Vector3d(0.001, 0.084, 0.084).asDiagonal();
    mechanism.add(body);
    JointDescription pin;
    pin.name = "pin " + std::to_string(k);
    pin.parent = k == 0 ? kGround : name(k - 1);
    pin.child = name(k);
    if (k > 0) pin.at_parent.position = {1.0, 0.0, 0.0};
    if (segment > 0 && k > 0 && k % segment == 0) {
      JointDescription base;
      base.name = "segment " + std::to_string(k);  // joints on the ground are counted by name
      base.type = JointType::kFree;
      base.parent = kGround;
      base.child = name(k);
      mechanism.add(base);
      pin.cut = true;
    }
    mechanism.add(pin);
  }
  return mechanism;
}

const System<Planar<double>>& tables(const Model& model) {
  const System<Planar<double>>* found = nullptr;
  model.visit([&]<class Space>(const System<Space>& system) {
    if constexpr (Space::kIsPlanar) found = &system;
  });
  return *found;
}

struct Motion {
  std::vector<long double> q, v;
};

// The state of the floating chain, from angles and rates of the pins of the plain one.
Motion floating(const System<Planar<double>>& plain, const System<Planar<double>>& cut,
                const std::vector<long double>& angles, const std::vector<long double>& rates) {
  const auto system = plain.cast<long double>();
  Kinematics<Wide> kin(system);
  place(system, 0.0L, angles.data(), kin);
  move(system, rates.data(), kin);
  Motion motion{std::vector<long double>(at(cut.coordinates)),
                std::vector<long double>(at(cut.velocities))};
  int k = 0;  // along the chain, which is in this order
  for (int b = 0; b < cut.body_count(); ++b, ++k) {
    const auto& joint = cut.joint(b);
    if (joint.type != JointType::kFree) {
      motion.q[at(joint.q)] = angles[at(k)];
      motion.v[at(joint.v)] = rates[at(k)];
      continue;
    }
    const auto& X = kin.X_WB[at(k)];
    const Wide::Motion V = unrotate<Wide>(X.R, kin.V_WB[at(k)]);
    Free<Wide>::coordinates(X, &motion.q[at(joint.q)]);
    for (int i = 0; i < 3; ++i) motion.v[at(joint.v + i)] = V(i);
  }
  return motion;
}

std::vector<double> rounded(const std::vector<long double>& x) {
  std::vector<double> y;
  for (const auto value : x) y.push_back(static_cast<double>(value));
  return y;
}

// Rates of the pins in the tree, and of the cut ones by the bodies that they connect.
std::vector<long double> pin_rates(const System<Planar<double>>& cut, std::span<const double> v) {
  std::vector<long double> rates;
  long double turning = 0.0L;
  for (int b = 0; b < cut.body_count(); ++b) {
    const bool floats = cut.joint(b).type == JointType::kFree;
    const long double rate = v[at(cut.joint(b).v + (floats ? 2 : 0))];
    rates.push_back(floats ? rate - turning : rate);
    turning = floats ? rate : turning + rate;
  }
  return rates;
}

struct Errors {
  double rates = 0.0, sigma = 0.0;
};

// Errors of the rates of all pins, and of the impulses, which are zero, by the largest momentum.
Errors errors(const Model& model, const Motion& motion, const std::vector<long double>& exact,
              LaneChoice lanes) {
  const auto& cut = tables(model);
  const auto wide = cut.cast<long double>();
  Kinematics<Wide> kin(wide);
  place(wide, 0.0L, motion.q.data(), kin);
  move(wide, motion.v.data(), kin);
  std::vector<long double> momentum(at(cut.velocities));
  momenta(wide, kin, momentum.data());
  const auto q = rounded(motion.q), p = rounded(momentum);
  const auto formulation = make_formulation("recursive", model, {.lanes = lanes});
  EXPECT_EQ(formulation->plan().find("floating") != std::string::npos, lanes == LaneChoice::kAuto);
  const auto workspace = formulation->make_workspace();
  const StateView state{0.0, q.data(), p.data()};
  formulation->analyse(state, *workspace);
  EXPECT_EQ(formulation->rate(state, *workspace), Status::kOk);
  Errors errors{relative_error(pin_rates(cut, workspace->v), exact), 0.0};
  for (const double impulse : workspace->sigma)
    errors.sigma = std::max(errors.sigma, std::abs(impulse));
  double largest = 0.0;
  for (const double x : p) largest = std::max(largest, std::abs(x));
  errors.sigma /= largest;
  return errors;
}

class FloatingPrecision : public testing::TestWithParam<bool> {};

TEST_P(FloatingPrecision, IsThatOfShortChains) {
  const bool folded = GetParam();
  std::mt19937_64 random(20120611);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<long double> angles, rates;
  for (int k = 0; k < kBodies; ++k) {
    const double fold = folded ? (k % 2 == 0 ? 0.95 : -0.95) * std::numbers::pi : 0.0;
    angles.push_back(fold + 0.05 * uniform(random));
    rates.push_back(uniform(random));
  }
  const Model plain(rods(0)), cut(rods(kSegment));
  const auto motion = floating(tables(plain), tables(cut), angles, rates);
  const auto lanes = errors(cut, motion, rates, LaneChoice::kAuto);
  const auto general = errors(cut, motion, rates, LaneChoice::kNever);
  std::printf("  rates: in lanes %.2g, general %.2g; impulses %.2g, %.2g\n", lanes.rates,
              general.rates, lanes.sigma, general.sigma);
  EXPECT_LT(lanes.rates, folded ? 2e-11 : 2e-9);
  EXPECT_LT(lanes.rates, 2.0 * general.rates);
  EXPECT_LT(lanes.sigma, 2.0 * general.sigma);
}

INSTANTIATE_TEST_SUITE_P(Chains, FloatingPrecision, testing::Bool(),
                         [](const auto& info) { return info.param ? "folded" : "straight"; });

}  // namespace
}  // namespace hamiltree::test
