// Bodies without mass or without inertia between others: against the same mechanism said without
// them, against small masses, against the dense reference; and how fast the ballast that stands in
// for them is given back (model/ballast.hpp).
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numbers>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/formulations/ballast_return.hpp"
#include "hamiltree/formulations/dense/dense.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/model/with_parameters.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hamiltree/simulation/state.hpp"
#include "support/gravity.hpp"
#include "support/largest_difference.hpp"
#include "support/recorded.hpp"

namespace hamiltree {
namespace {

using test::column;
using test::kGravity;
using test::largest_difference;
using test::run;
using test::shipped;

constexpr std::uint64_t kSeed = 20260321;
constexpr std::array kFormulations{"hdca", "recursive", "dense", "dca", "aba"};

BodyDescription body(const std::string& name, double mass, const Eigen::Vector3d& com,
                     const Eigen::Vector3d& inertia) {
  BodyDescription result;
  result.name = name;
  result.mass = mass;
  result.com = com;
  result.inertia = inertia.asDiagonal();
  return result;
}

JointDescription joint(const std::string& name, JointType type, const std::string& parent,
                       const std::string& child, const Frame& at_parent = {},
                       const Frame& at_child = {}) {
  JointDescription result;
  result.name = name;
  result.type = type;
  result.parent = parent;
  result.child = child;
  result.at_parent = at_parent;
  result.at_child = at_child;
  return result;
}

// By how much each sweep shrinks the error of the velocities: the largest share of the ballast in
// the inertia of any motion that the loops allow,
//   max x^T M_b x / x^T (M + M_b) x
double contraction(const Model& model, double t, const Eigen::VectorXd& q) {
  return model.visit([&]<class Space>(const System<Space>& system) {
    if (system.ballasted.empty() || system.velocities == 0) return 0.0;
    auto carried = system;
    carried.bodies = system.ballasted;
    Kinematics<Space> kin(system);
    dense::Augmented bare(system.velocities, system.constraints);
    dense::Augmented full(system.velocities, system.constraints);
    Eigen::VectorXd unit(system.velocities);
    dense::assemble(system, t, q.data(), kin, unit, bare);
    dense::assemble(carried, t, q.data(), kin, unit, full);
    Eigen::MatrixXd Z = Eigen::MatrixXd::Identity(system.velocities, system.velocities);
    if (system.constraints > 0) {
      const auto svd = singular_value_decomposition(bare.A);
      const auto rank = (svd.values.array() > 1e-9 * svd.values(0)).count();
      Z = svd.V.rightCols(system.velocities - rank);
    }
    if (Z.cols() == 0) return 0.0;
    const auto [all, axes] = symmetric_eigen(Z.transpose() * full.M * Z);
    const Eigen::MatrixXd scaled = Z * axes * all.cwiseSqrt().cwiseInverse().asDiagonal();
    return symmetric_eigen(scaled.transpose() * (full.M - bare.M) * scaled).values.maxCoeff();
  });
}

struct Motion {
  Eigen::VectorXd v, v_dot, p_dot;
};

// From the momenta p, and from the velocities of it in formulations that take these.
Motion motion(const std::string& name, const Model& model, const Eigen::VectorXd& q,
              const Eigen::VectorXd& p, const Eigen::VectorXd& v) {
  const auto formulation = make_formulation(name, model);
  const auto workspace = formulation->make_workspace();
  const bool momenta = formulation->form() == StateForm::kMomenta;
  const StateView state{0.0, q.data(), momenta ? p.data() : v.data()};
  formulation->analyse(state, *workspace);
  const auto to_vector = [](std::span<const double> x) {
    return Eigen::VectorXd(
        Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size())));
  };
  Motion result;
  EXPECT_EQ(formulation->rate(state, *workspace), Status::kOk) << name;
  if (momenta) result.p_dot = to_vector(workspace->u_dot);
  EXPECT_EQ(formulation->accelerations(state, *workspace), Status::kOk) << name;
  result.v = to_vector(workspace->v);
  result.v_dot = to_vector(workspace->v_dot);
  return result;
}

double distance(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  if (a.size() == 0 || b.size() == 0) return 0.0;
  return (a - b).norm() / b.norm();
}

// ---- A cross without mass ----------------------------------------------------------------------

Frame turned(const Eigen::Vector3d& position, const Eigen::Vector3d& axis, double angle) {
  return {position, Eigen::AngleAxisd(angle, axis).toRotationMatrix()};
}

// A base on a pin, a universal joint, a link, a pin, a hand: the joint said as one, or as two pins
// with a cross between that weighs nothing. `light`: how much the hand and the link weigh; `size`:
// their part of the size that goes with the base.
Mechanism wrist(bool with_cross, double light, double size = 1.0) {
  const Frame z_to_x = turned({0.0, 0.0, 0.0}, Eigen::Vector3d::UnitY(), 0.5 * std::numbers::pi);
  const Frame z_to_y = turned({0.0, 0.0, 0.0}, Eigen::Vector3d::UnitX(), -0.5 * std::numbers::pi);
  const auto times = [](const Frame& a, const Frame& b) {
    return Frame{a.position + a.rotation * b.position, a.rotation * b.rotation};
  };
  Mechanism mechanism;
  mechanism.name = with_cross ? "massless cross" : "universal joint";
  mechanism.gravity = {1.0, -2.0, -kGravity};
  mechanism.add(body("base", 2.0, {0.1, 0.2, 0.3}, {0.1, 0.12, 0.09}));
  const double square = light * size * size;
  mechanism.add(body("link", light, size * Eigen::Vector3d(0.0, 0.1, 0.3),
                     square * Eigen::Vector3d(0.05, 0.04, 0.02)));
  mechanism.add(body("hand", light, size * Eigen::Vector3d(0.1, 0.0, 0.1),
                     square * Eigen::Vector3d(0.02, 0.03, 0.02)));
  mechanism.add(joint("root", JointType::kRevolute, kGround, "base",
                      turned(Eigen::Vector3d::Zero(), {0.6, 0.0, 0.8}, 0.4)));
  const Frame at_base = turned({0.2, 0.1, 0.5}, {0.0, 0.6, 0.8}, 0.7);
  const Frame at_link = turned(size * Eigen::Vector3d(0.0, 0.0, -0.1), {0.8, 0.6, 0.0}, -0.5);
  if (with_cross) {
    mechanism.add(body("cross", 0.0, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()));
    mechanism.add(
        joint("first", JointType::kRevolute, "base", "cross", times(at_base, z_to_x), z_to_x));
    mechanism.add(
        joint("second", JointType::kRevolute, "cross", "link", z_to_y, times(at_link, z_to_y)));
  } else {
    mechanism.add(joint("universal", JointType::kUniversal, "base", "link", at_base, at_link));
  }
  mechanism.add(joint("wrist", JointType::kRevolute, "link", "hand",
                      turned(size * Eigen::Vector3d(0.0, 0.0, 0.4), {0.0, 1.0, 0.0}, 1.0)));
  return mechanism;
}

struct Hand {
  double mass, size;
};

class Cross : public testing::TestWithParam<Hand> {};

// Both models have the same four coordinates in the same order.
TEST_P(Cross, TurnsAsTheUniversalJoint) {
  const Model cross(wrist(true, GetParam().mass, GetParam().size));
  const Model universal(wrist(false, GetParam().mass, GetParam().size));
  std::mt19937_64 random(kSeed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  double worst = 0.0;
  double largest_contraction = 0.0;
  std::string worst_case;
  for (int sample = 0; sample < 100; ++sample) {
    const auto draw = [&] {
      return Eigen::VectorXd(Eigen::VectorXd::NullaryExpr(4, [&] { return uniform(random); }));
    };
    const Eigen::VectorXd q = draw();
    // Momenta of rates of about 1 rad/s, whatever the masses.
    const Eigen::VectorXd v = draw();
    const auto probe = [&](const Model& model) {
      return model.visit([&]<class Space>(const System<Space>& system) {
        Kinematics<Space> kin(system);
        place(system, 0.0, q.data(), kin);
        move(system, v.data(), kin);
        Eigen::VectorXd p(4);
        momenta(system, kin, p.data());
        return p;
      });
    };
    const Eigen::VectorXd p = probe(universal);
    EXPECT_LE(distance(probe(cross), p), 1e-14);
    const auto expected = motion("dense", universal, q, p, v);
    largest_contraction = std::max(largest_contraction, contraction(cross, 0.0, q));
    for (const std::string name : kFormulations) {
      const auto found = motion(name, cross, q, p, v);
      for (const auto& [what, error] :
           {std::pair{"v", distance(found.v, expected.v)},
            std::pair{"v_dot", distance(found.v_dot, expected.v_dot)},
            std::pair{"p_dot", distance(found.p_dot, expected.p_dot)}}) {
        if (!(error > worst)) continue;
        worst = error;
        worst_case = name + " " + what;
      }
    }
  }
  std::printf(
      "seed %llu, hand of %g kg, size %g: worst %.2g (%s); contraction %.2g per sweep, to the "
      "power "
      "11: %.2g\n",
      static_cast<unsigned long long>(kSeed), GetParam().mass, GetParam().size, worst,
      worst_case.c_str(), largest_contraction, std::pow(largest_contraction, 11));
  // Measured: 6e-15, with the smallest hand 5e-14.
  EXPECT_LE(worst, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Masses, Cross,
                         testing::Values(Hand{2.0, 1.0}, Hand{0.5, 1.0}, Hand{0.1, 1.0},
                                         Hand{0.02, 1.0}, Hand{0.1, 0.2}, Hand{0.02, 0.1}));

// ---- Gimbal lock -------------------------------------------------------------------------------

// A rod on three pins through one point, with crosses between that weigh nothing: where the second
// has turned by a right angle, the first cross turns with nothing but itself.
Mechanism rod_on_three_pins() {
  const Frame z_to_x = turned({0.0, 0.0, 0.0}, Eigen::Vector3d::UnitY(), 0.5 * std::numbers::pi);
  const Frame z_to_y = turned({0.0, 0.0, 0.0}, Eigen::Vector3d::UnitX(), -0.5 * std::numbers::pi);
  Mechanism mechanism;
  mechanism.name = "rod on three pins";
  mechanism.gravity = {1.0, -2.0, -kGravity};
  mechanism.add(body("rod", 1.0, {0.02, 0.03, 0.3}, {0.04, 0.042, 0.003}));
  mechanism.add(body("outer", 0.0, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()));
  mechanism.add(body("inner", 0.0, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()));
  mechanism.add(joint("x", JointType::kRevolute, kGround, "outer", z_to_x, z_to_x));
  mechanism.add(joint("y", JointType::kRevolute, "outer", "inner", z_to_y, z_to_y));
  mechanism.add(joint("z", JointType::kRevolute, "inner", "rod"));
  return mechanism;
}

TEST(GimbalLock, OfMasslessCrossesCostsNoDigitsNearby) {
  const Model model(rod_on_three_pins());
  Eigen::VectorXd p(3);
  p << 0.11, -0.07, 0.013;
  for (const double from_lock : {0.3, 0.03, 0.01, 0.003}) {
    Eigen::VectorXd q(3);
    q << 0.4, 0.5 * std::numbers::pi - from_lock, -0.7;
    const auto v = motion("dense", model, q, p, p).v;
    const auto expected = motion("dense", model, q, p, v);
    for (const std::string name : kFormulations) {
      const auto found = motion(name, model, q, p, v);
      const double error =
          std::max(distance(found.v, expected.v), distance(found.v_dot, expected.v_dot));
      std::printf("%s, %g rad from the lock: %.2g; contraction by a sweep %.3g\n", name.c_str(),
                  from_lock, error, contraction(model, 0.0, q));
      // Pivots are as small as the square of the way to the lock.
      EXPECT_LE(error, 1e-14 / (from_lock * from_lock)) << name << " " << from_lock;
    }
  }
}

class Massless : public testing::TestWithParam<const char*> {};

// Falls through poses near the lock, in which the crosses spin at eighty radians a second.
TEST_P(Massless, RodOnThreePinsKeepsItsEnergyNearGimbalLock) {
  auto mechanism = rod_on_three_pins();
  mechanism.joints[0].initial_q = Eigen::VectorXd(Eigen::VectorXd::Constant(1, 0.4));
  mechanism.joints[0].initial_v = Eigen::VectorXd(Eigen::VectorXd::Constant(1, 0.02));
  mechanism.joints[1].initial_v = Eigen::VectorXd(Eigen::VectorXd::Constant(1, 6.0));
  const auto recording = run(Model(mechanism), GetParam(), 1e-9, 2.0, 0.01);
  double fastest = 0.0;
  for (const auto& sample : recording.samples) {
    fastest = std::max(fastest, std::abs(sample.v(0)));
  }
  std::printf("%s: cross at up to %.3g rad/s, energy %.2g, %ld steps\n", GetParam(), fastest,
              recording.summary.energy.max_relative_error, recording.summary.steps);
  EXPECT_GT(fastest, 50.0);
  EXPECT_LE(recording.summary.energy.max_relative_error, 1e-7);
}

TEST_P(Massless, CrossSwingsAsTheUniversalJoint) {
  const auto a = run(Model(wrist(true, 0.5)), GetParam(), 1e-10, 2.0, 0.1);
  const auto b = run(Model(wrist(false, 0.5)), GetParam(), 1e-10, 2.0, 0.1);
  const double largest = largest_difference(a, b);
  std::printf("%s: differs by %.2g rad, %ld and %ld steps\n", GetParam(), largest, a.summary.steps,
              b.summary.steps);
  EXPECT_LE(largest, 1e-8);  // measured: 1.3e-9
}

// ---- Point masses ------------------------------------------------------------------------------

// L q'' = -g sin q from rest at 1 rad comes back after 4 sqrt(L / g) K(sin(1/2)).
double period(double length) {
  double a = 1.0;
  double b = std::cos(0.5);
  for (int i = 0; i < 8; ++i) {  // K by the arithmetic-geometric mean
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return 2.0 * std::numbers::pi * std::sqrt(length / kGravity) / a;
}

Mechanism point_pendulum(SpaceKind space, bool with_rod) {
  Mechanism mechanism;
  mechanism.name = with_rod ? "point mass on a massless rod" : "point mass";
  mechanism.space = space;
  mechanism.gravity = {0.0, -kGravity, 0.0};
  const Eigen::Vector3d zero = Eigen::Vector3d::Zero();
  auto pin = joint("pin", JointType::kRevolute, kGround, with_rod ? "rod" : "bob");
  pin.initial_q = Eigen::VectorXd(Eigen::VectorXd::Constant(1, 1.0));
  if (with_rod) {
    mechanism.add(body("rod", 0.0, zero, zero));
    mechanism.add(body("bob", 0.7, zero, zero));
    mechanism.add(pin);
    mechanism.add(joint("weld", JointType::kFixed, "rod", "bob"));
    mechanism.joints.back().at_parent.position = {0.0, -0.4, 0.0};
  } else {
    mechanism.add(body("bob", 0.7, {0.0, -0.4, 0.0}, zero));
    mechanism.add(pin);
  }
  return mechanism;
}

TEST_P(Massless, PointMassSwingsAsTheSimplePendulum) {
  for (const auto space : {SpaceKind::kPlanar, SpaceKind::kSpatial}) {
    for (const bool with_rod : {false, true}) {
      const Model model(point_pendulum(space, with_rod));
      const double T = period(0.4);
      const auto recording = run(model, GetParam(), 1e-12, 2.0 * T, T);
      const auto q = column(recording, "q.pin");
      const double error = std::abs(q.back() - 1.0);
      std::printf("%s, %s %s: differs by %.2g rad after two periods; contraction %.2g\n",
                  GetParam(), space == SpaceKind::kPlanar ? "planar" : "spatial",
                  model.name().c_str(), error, contraction(model, 0.0, recording.samples[0].q));
      EXPECT_LE(error, 1e-9);
      EXPECT_LE(recording.summary.energy.max_relative_error, 1e-10);
    }
  }
}

// A flywheel whose mass nobody said: it would move nothing.
TEST_P(Massless, InertiaAloneIsEnough) {
  Mechanism mechanism;
  mechanism.name = "flywheel";
  mechanism.add(body("wheel", 0.0, Eigen::Vector3d::Zero(), {0.1, 0.1, 0.2}));
  mechanism.add(joint("axle", JointType::kRevolute, kGround, "wheel"));
  mechanism.joints.back().initial_q = Eigen::VectorXd(Eigen::VectorXd::Constant(1, 0.5));
  mechanism.add(JointSpringDamper{"axle", 0.8, 0.0, 0.0, {}});  // omega = 2 rad/s
  const auto recording = run(Model(mechanism), GetParam(), 1e-12, 2.0, 0.5);
  EXPECT_NEAR(column(recording, "q.axle").back(), 0.5 * std::cos(4.0), 1e-10);
}

// ---- Armature ----------------------------------------------------------------------------------

// A rotor of which the file says its armature only, on the ground or at the end of a heavy arm: a
// millionth of the arm's inertia is still what its joint moves.
Mechanism rotor(bool on_arm) {
  Mechanism mechanism;
  mechanism.name = "rotor";
  if (on_arm) {
    mechanism.add(body("arm", 5.0, {0.1, 0.0, 0.2}, {0.1, 0.2, 0.25}));
    mechanism.add(joint("shoulder", JointType::kRevolute, kGround, "arm"));
    mechanism.joints.back().initial_v = Eigen::VectorXd(Eigen::VectorXd::Constant(1, 0.7));
  }
  mechanism.add(body("shaft", 0.0, {0.0, 0.1, 0.0}, Eigen::Vector3d::Zero()));
  mechanism.add(joint("axle", JointType::kRevolute, on_arm ? "arm" : kGround, "shaft",
                      turned({0.3, 0.0, 0.1}, {0.6, 0.8, 0.0}, 1.2)));
  mechanism.joints.back().armature = 1e-6;
  mechanism.joints.back().initial_v = Eigen::VectorXd(Eigen::VectorXd::Constant(1, 2.0));
  mechanism.add(JointSpringDamper{"axle", 9e-6, 0.0, 0.0, {}});  // omega = 3 rad/s
  return mechanism;
}

TEST_P(Massless, ArmatureIsAllThatAJointMoves) {
  for (const bool on_arm : {false, true}) {
    const Model model(rotor(on_arm));
    const auto start = initial_state(model);
    const auto found = motion(GetParam(), model, start.q, start.p, start.v);
    const auto expected = motion("dense", model, start.q, start.p, start.v);
    const double v_dot_error = (found.v_dot - expected.v_dot).norm();
    std::printf("%s: v differs by %.2g, v_dot by %.2g\n", GetParam(), distance(found.v, start.v),
                v_dot_error);
    EXPECT_LE(distance(found.v, start.v), 1e-14);
    EXPECT_LE(v_dot_error, 1e-12 * (1.0 + expected.v_dot.norm()));
    const auto recording = run(model, GetParam(), 1e-11, 1.0, 0.5);
    if (!on_arm) {
      EXPECT_NEAR(column(recording, "q.axle").back(), 2.0 / 3.0 * std::sin(3.0), 1e-9);
    }
    EXPECT_LE(recording.summary.energy.max_relative_error, 1e-9);
  }
}

// A rod that is next to nothing at the end of a heavy one, in a mechanism that takes its inertia
// for none: it swings by its own inertia all the same.
TEST_P(Massless, TheLeastInertiaCounts) {
  Mechanism mechanism;
  mechanism.name = "needle";
  mechanism.space = SpaceKind::kPlanar;
  mechanism.gravity = {0.0, -kGravity, 0.0};
  mechanism.add(body("arm", 1.0, {0.2, 0.0, 0.0}, {0.01, 0.01, 0.01}));
  mechanism.add(body("needle", 1e-11, {0.1, 0.0, 0.0}, {1e-14, 1e-14, 1e-14}));
  mechanism.add(joint("shoulder", JointType::kRevolute, kGround, "arm"));
  Frame tip;
  tip.position = {0.4, 0.0, 0.0};
  mechanism.add(joint("hinge", JointType::kRevolute, "arm", "needle", tip));
  const Model model(mechanism);
  const Eigen::Vector2d q{0.3, 0.4}, v{1.0, -2.0};
  const auto found = motion(GetParam(), model, q, momenta_of(model, 0.0, q, v), v);
  std::printf("%s: v differs by %.2g\n", GetParam(), distance(found.v, v));
  EXPECT_LE(distance(found.v, v), 1e-4);  // of momenta, the needle's is 1e-13 of the arm's
}

// ---- Loops -------------------------------------------------------------------------------------

// It swings about its lowest pose, away from the dead centres of the crank, where a coupler and a
// rocker without mass would have to move infinitely fast. Cut at D whatever its bars weigh, so that
// coordinates compare.
Model massless_four_bar(const std::vector<std::string>& weightless, double factor) {
  auto mechanism =
      shipped("four_bar", {"joint.A.initial.q=-1.1", "joint.B.guess.q=0.5", "joint.C.guess.q=2.2",
                           "joint.D.guess.q=2.0", "joint.D.cut=true"})
          .mechanism();
  for (auto& b : mechanism.bodies) {
    if (std::find(weightless.begin(), weightless.end(), b.name) == weightless.end()) continue;
    b.mass *= factor;
    b.inertia *= factor;
  }
  return Model(mechanism);
}

// The limit of small masses, approached in proportion to them; and by all formulations.
TEST_P(Massless, FourBarIsTheLimitOfSmallMasses) {
  for (const std::vector<std::string>& weightless :
       {std::vector<std::string>{"coupler"}, {"coupler", "rocker"}, {"crank", "rocker"}}) {
    const auto model = massless_four_bar(weightless, 0.0);
    const auto limit = run(model, GetParam(), 1e-11, 2.0, 0.1);
    const auto reference = run(model, "dense", 1e-11, 2.0, 0.1);
    const auto difference = [&](const Recording& other) {
      return largest_difference(limit, other);
    };
    const double near =
        difference(run(massless_four_bar(weightless, 1e-7), GetParam(), 1e-11, 2.0, 0.1));
    const double nearer =
        difference(run(massless_four_bar(weightless, 1e-5), GetParam(), 1e-11, 2.0, 0.1));
    double largest_contraction = 0.0;
    for (const auto& sample : limit.samples) {
      largest_contraction = std::max(largest_contraction, contraction(model, sample.t, sample.q));
    }
    std::printf(
        "%s, %zu of 3 bars without mass: %.2g from dense, %.2g and %.2g from masses of 1e-7 "
        "and 1e-5; energy %.2g; contraction %.2g, to the power 11: %.2g\n",
        GetParam(), weightless.size(), difference(reference), near, nearer,
        limit.summary.energy.max_relative_error, largest_contraction,
        std::pow(largest_contraction, 11));
    // Measured: 2e-11 from dense, 12 times the mass at most, energy 1e-10.
    EXPECT_LE(difference(reference), 1e-8);
    EXPECT_LE(near, 1e-5);
    EXPECT_NEAR(std::log10(nearer / near), 2.0, 0.1);
    EXPECT_LE(limit.summary.energy.max_relative_error, 1e-9);
  }
}

// ---- Parameters ---------------------------------------------------------------------------------

// A bob on a rod without mass on a cart.
Mechanism crane(double bob) {
  Mechanism mechanism;
  mechanism.name = "crane";
  mechanism.space = SpaceKind::kPlanar;
  mechanism.gravity = {0.0, -kGravity, 0.0};
  mechanism.add(body("cart", 2.0, Eigen::Vector3d::Zero(), {0.1, 0.1, 0.1}));
  mechanism.add(body("rod", 0.0, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()));
  mechanism.add(body("bob", bob, {0.3, 0.1, 0.0}, Eigen::Vector3d::Constant(0.05 * bob)));
  mechanism.add(joint("rail", JointType::kPrismatic, kGround, "cart"));
  mechanism.add(joint("pivot", JointType::kRevolute, "cart", "rod"));
  Frame end;
  end.position = {0.8, 0.0, 0.0};
  mechanism.add(joint("hook", JointType::kRevolute, "rod", "bob", end));
  for (auto& each : mechanism.joints) {
    each.initial_q = Eigen::VectorXd::Constant(1, -0.4);
    each.initial_v = Eigen::VectorXd::Constant(1, 0.7);
  }
  return mechanism;
}

// Ballast is for bodies that lack inertia, not for those that get another one.
TEST_P(Massless, OtherBodiesTakeOtherMasses) {
  const Model expected(crane(5.0));
  const auto model =
      with_parameters(Model(crane(0.7)), {{"body.bob.mass", 5.0}, {"body.bob.inertia.zz", 0.25}});
  const auto [q, v, p] = initial_state(expected);
  const auto a = motion(GetParam(), expected, q, p, v), b = motion(GetParam(), model, q, p, v);
  EXPECT_LE(distance(a.v, b.v), 1e-14);
  EXPECT_LE((a.v_dot - b.v_dot).norm(), 1e-12 * a.v_dot.norm());
}

// ---- Refusals ----------------------------------------------------------------------------------

TEST(Undetermined, FreelySwingingMasslessLinkIsRefused) {
  Mechanism mechanism;
  mechanism.name = "loose end";
  mechanism.space = SpaceKind::kPlanar;
  mechanism.gravity = {0.0, -kGravity, 0.0};
  mechanism.add(body("arm", 1.0, {0.2, 0.0, 0.0}, {0.01, 0.01, 0.01}));
  mechanism.add(body("flap", 0.0, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()));
  mechanism.add(joint("shoulder", JointType::kRevolute, kGround, "arm"));
  mechanism.add(joint("hinge", JointType::kRevolute, "arm", "flap"));
  try {
    initial_state(Model(mechanism));
    FAIL() << "a link without inertia swings freely";
  } catch (const ModelError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("joint \"hinge\""), std::string::npos) << text;
    EXPECT_NE(text.find("undetermined"), std::string::npos) << text;
  }
}

// Pendulums on rods without mass, a light one among heavy ones: each subsystem stands for itself.
TEST(Undetermined, IsEachSubsystemForItself) {
  Mechanism m;
  m.name = "pendulums";
  const auto add = [&](const std::string& n, double mass) {
    m.add(body("rod_" + n, 0.0, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()));
    m.add(body("bob_" + n, mass, {0.5, 0.0, 0.0}, Eigen::Vector3d::Constant(0.1 * mass)));
    m.add(joint("A_" + n, JointType::kRevolute, kGround, "rod_" + n));
    m.add(joint("B_" + n, JointType::kRevolute, "rod_" + n, "bob_" + n,
                {{1.0, 0.0, 0.0}, Eigen::Matrix3d::Identity()}));
  };
  for (int i = 0; i < 5; ++i) add(std::to_string(i), 1.0);
  add("light", 1e-15);
  EXPECT_EQ(initial_state(Model(m)).q.size(), 12);
  m.add(body("nothing", 0.0, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()));
  m.add(joint("free", JointType::kFree, kGround, "nothing"));
  try {
    initial_state(Model(m));
    ADD_FAILURE() << "a body without mass floats";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("joint \"free\": its motion is undetermined"),
              std::string::npos)
        << error.what();
  }
}

// In the plane of its motion a planar joint has rows that hold nothing.
TEST(Undetermined, IsNoRodThatCarriesAnArmOnAPlate) {
  Mechanism mechanism;
  mechanism.name = "arm on a plate";
  mechanism.space = SpaceKind::kSpatial;
  mechanism.gravity = {0.0, -kGravity, 0.0};
  mechanism.add(body("rod", 0.0, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()));
  mechanism.add(body("arm", 1.0, {0.3, 0.1, 0.0}, {0.01, 0.02, 0.03}));
  auto shoulder = joint("shoulder", JointType::kRevolute, kGround, "rod");
  shoulder.initial_v = Eigen::VectorXd::Constant(1, 0.7);
  mechanism.add(shoulder);
  mechanism.add(joint("elbow", JointType::kRevolute, "rod", "arm",
                      {{0.6, 0.1, 0.0}, Eigen::Matrix3d::Identity()}));
  const auto free = initial_state(Model(mechanism));
  mechanism.add(joint("plate", JointType::kPlanar, kGround, "arm"));
  const auto on_plate = initial_state(Model(mechanism));
  EXPECT_GT(free.p.norm(), 0.1);
  EXPECT_LE((on_plate.p - free.p).norm(), 1e-15);
}

// A link falls at 100 m/s and its ballast, which only turns, feels nothing but rounding. Without an
// eye for that all forty sweeps are made.
TEST(BallastReturn, EndsWhereOnlyRoundingIsLeft) {
  auto mechanism = shipped("spatial_arm").mechanism();
  mechanism.bodies[1].inertia.setZero();
  const Model model(mechanism);
  const auto& system = std::get<System<Spatial<double>>>(model.tables());
  BallastReturn<Spatial<double>> ballast(system);
  int sweeps = 0;
  const auto motion = [&](int) {
    Spatial<double>::Motion V;
    V << 0.0, 0.0, 100.0, Eigen::Vector3d::Constant(1e-15 * std::sin(1.0 + 7.0 * sweeps));
    return V;
  };
  ballast.start(system, motion);
  while (ballast.next()) {
    ++sweeps;
    ballast.each_guess(system, [](int, const auto&, const auto&) {});
    ballast.take(system, motion);
  }
  std::printf("%d sweeps\n", sweeps);
  EXPECT_GE(sweeps, 2);
  EXPECT_LE(sweeps, 6);
}

Frame in_plane_frame(double x, double y, double angle) {
  return {{x, y, 0.0}, Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()).toRotationMatrix()};
}

// Two crossed sliders hold a carriage and a link without inertia; a pendulum on the carriage is all
// that moves. The link's ballast feels nothing but rounding, of which the search for its momentum
// made up to 1e66 rad/s, in one of four thousand states by hdca.
TEST_P(Massless, LinkThatLoopsHoldFeelsNothing) {
  Mechanism mechanism;
  mechanism.name = "held link";
  mechanism.space = SpaceKind::kPlanar;
  mechanism.gravity = {0.0, -kGravity, 0.0};
  mechanism.add(body("carriage", 3.4, {-0.15, 0.22, 0.0}, Eigen::Vector3d::Constant(0.3)));
  mechanism.add(body("link", 0.0, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()));
  mechanism.add(body("pendulum", 1.1, {-0.09, 0.08, 0.0}, Eigen::Vector3d::Constant(0.1)));
  const auto add = [&](const std::string& name, JointType type, const std::string& parent,
                       const std::string& child, const Frame& at_parent, const Frame& at_child,
                       bool is_cut) {
    auto added = joint(name, type, parent, child, at_parent, at_child);
    added.cut = is_cut;
    mechanism.add(added);
  };
  add("slider", JointType::kPrismatic, kGround, "link", in_plane_frame(-0.12, 0.46, -0.09),
      in_plane_frame(-0.93, 0.77, 1.36), false);
  add("hinge", JointType::kRevolute, "carriage", "link", in_plane_frame(-0.32, -0.41, 2.14),
      in_plane_frame(-0.3, 0.68, 2.97), false);
  add("pivot", JointType::kRevolute, "carriage", "pendulum", in_plane_frame(0.69, 0.37, 0.85),
      in_plane_frame(0.33, -0.19, -0.88), false);
  add("other slider", JointType::kPrismatic, kGround, "carriage", in_plane_frame(0.07, 0.15, 1.32),
      in_plane_frame(-0.51, -0.27, 4.04), true);
  const Model model(mechanism);
  const auto start = initial_state(model);
  const auto formulation = make_formulation(GetParam(), model);
  if (formulation->form() != StateForm::kMomenta) return;
  const auto workspace = formulation->make_workspace();
  formulation->analyse({0.0, start.q.data(), start.p.data()}, *workspace);
  std::mt19937_64 random(kSeed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  double fastest = 0.0;
  for (int trial = 0; trial < 40000; ++trial) {
    Eigen::VectorXd p = start.p;
    for (auto& x : p) x = uniform(random);
    ASSERT_EQ(formulation->velocities({0.0, start.q.data(), p.data()}, nullptr, *workspace),
              Status::kOk);
    for (const double v : workspace->v) fastest = std::max(fastest, std::abs(v));
  }
  std::printf("%s: up to %.3g rad/s\n", GetParam(), fastest);
  EXPECT_LE(fastest, 100.0);
}

// A pointer without inertia that turns as its wheel does, by a coupling: SPARK's impulses do not
// move it, and left the coupling open from the first step on.
TEST_P(Massless, PointerFollowsItsWheelBySpark) {
  Mechanism mechanism;
  mechanism.name = "pointer";
  mechanism.space = SpaceKind::kPlanar;
  mechanism.gravity = {0.0, -kGravity, 0.0};
  mechanism.add(body("wheel", 1.0, {0.3, 0.0, 0.0}, Eigen::Vector3d::Constant(0.1)));
  mechanism.add(body("pointer", 0.0, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()));
  mechanism.add(joint("A", JointType::kRevolute, kGround, "wheel"));
  mechanism.add(
      joint("B", JointType::kRevolute, "wheel", "pointer", in_plane_frame(0.2, 0.0, 0.0)));
  Coupling teeth;
  teeth.name = "teeth";
  teeth.joint = "B";
  teeth.to = "A";
  teeth.ratio = -2.0;
  mechanism.add(teeth);
  const Model model(mechanism);
  SimulationOptions options;
  options.formulation = GetParam();
  options.integrator = Spark{2, 1e-3};
  if (make_formulation(GetParam(), model)->form() != StateForm::kMomenta) return;
  const auto spark = Simulation(model, options).run_until(1.0, 0.1);
  const auto q_A = column(spark, "q.A");
  const auto q_B = column(spark, "q.B");
  ASSERT_EQ(q_A.size(), 11u);
  double open = 0.0;
  for (std::size_t i = 0; i < q_A.size(); ++i)
    open = std::max(open, std::abs(q_B[i] + 2.0 * q_A[i]));
  const auto expected = column(run(model, GetParam(), 1e-12, 1.0, 0.1), "q.B");
  const double error = std::abs(q_B.back() - expected.back());
  std::printf("%s: open by %.2g rad, error %.2g rad\n", GetParam(), open, error);
  EXPECT_LE(open, 1e-14);
  EXPECT_LE(error, 1e-10);
  EXPECT_TRUE(test::has_note(spark, "1000 steps did not converge"));
}

INSTANTIATE_TEST_SUITE_P(Formulations, Massless, testing::ValuesIn(kFormulations));

}  // namespace
}  // namespace hamiltree
