// Limits, friction, bushings and wrenches: each by itself against its law, and all forces together
// against their power.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <string>
#include <vector>

#include "forces/states.hpp"
#include "hamiltree/forces/loads.hpp"
#include "hamiltree/model/model.hpp"
#include "support/random_mechanism.hpp"
#include "support/sample_mechanisms.hpp"

namespace hamiltree {
namespace {

using Eigen::VectorXd;
using test::generalized_loads;
using test::Moving;

constexpr std::uint64_t kSeed = 1777;
constexpr int kSamples = 40;
constexpr double kRounding = 1e-12;  // measured: 2e-14 at most

// Every force there is, on joints in the tree and on those that close loops.
Mechanism with_every_force(Mechanism m) {
  const bool planar = m.space == SpaceKind::kPlanar;
  const auto vector = [&](double x, double y, double z) {
    return Eigen::Vector3d(x, y, planar ? 0.0 : z);
  };
  for (const auto& joint : std::vector<JointDescription>(m.joints)) {
    if (joint.type == JointType::kSpherical)
      m.add(JointLimits{joint.name, {}, 0.4, 3.0, 0.4, 0.3, {}});
    if (JointFriction::takes(joint.type) && !joint.parent_motion)
      m.add(JointFriction{joint.name, 0.7, 0.2, 0.3, {}});
    if (joint_size(joint.type, m.space).velocities != 1) continue;
    m.add(JointLimits{joint.name, -0.6, 0.4, 3.0, 0.4, 0.3, {}});
    m.add(JointFriction{joint.name, 0.7, 0.2, 0.3, {}});
    m.add(CurveSpring{"curve of " + joint.name,
                      joint.name,
                      {-1.0, -0.2, 0.3, 0.9},
                      {-4.0, -0.5, 0.2, 6.0},
                      1.2,
                      0.1,
                      0.3,
                      {}});
  }
  Bushing bushing;
  bushing.name = "bushing";
  bushing.body_a = m.bodies.front().name;
  bushing.body_b = m.bodies.back().name;
  bushing.at_a.position = vector(0.2, -0.3, 0.1);
  bushing.at_b.position = vector(-0.1, 0.4, 0.2);
  const Eigen::Vector3d axis = planar ? Eigen::Vector3d(0, 0, 1) : Eigen::Vector3d(0.6, 0.0, 0.8);
  bushing.at_a.rotation = Eigen::AngleAxisd(0.7, axis).toRotationMatrix();
  bushing.translational_stiffness = {3.0, 1.0, 2.0};
  bushing.rotational_stiffness = {0.5, 4.0, 2.0};  // no triangle
  bushing.translational_damping = {0.3, 0.1, 0.2};
  bushing.rotational_damping = {0.1, 0.4, 0.3};
  bushing.angle_stiffness = 1.3;
  bushing.turn_stiffness = {0.7, 2.1, 1.6};
  bushing.rest_turn = {0.3, -0.2, 0.5};
  m.add(bushing);
  bushing.name = "ground bushing";
  bushing.body_a = kGround;
  m.add(bushing);
  // A rope that is slack where it is long enough, over two points of one body, with a line that
  // does not count.
  const std::vector<RopePoint> points{{kGround, vector(1.0, 0.2, 0.3)},
                                      {m.bodies.back().name, vector(0.2, -0.1, 0.1), 2.0},
                                      {m.bodies.back().name, vector(-0.2, 0.3, 0.0), 0.0},
                                      {m.bodies.front().name, vector(0.1, 0.1, -0.2), 0.5},
                                      {m.bodies.back().name, vector(0.4, 0.0, 0.2)}};
  m.add(PointSpringDamper{"rope", points, 2.0, 3.0, 0.3, 1.0, {}});
  m.add(Servo{"winch", {}, {}, Polynomial{{-0.5, 0.2}}, 0.6, 0.2, {}, 0.1, {}, points});
  m.add(TendonLimits{"leash", {}, {}, 2.0, 3.0, 5.0, 0.3, 0.4, {}, points});
  TendonLimits pair{"pair", {}, {}, -0.4, 0.3, 5.0, 0.3, {}, {}};
  for (const auto& joint : m.joints) {
    if (joint_size(joint.type, m.space).velocities != 1) continue;
    pair.joints.push_back(joint.name);
    pair.ratios.push_back(pair.joints.size() == 1 ? 1.5 : -0.7);
  }
  m.add(pair);
  for (const auto axes : {AppliedWrench::Axes::kWorld, AppliedWrench::Axes::kBody}) {
    AppliedWrench wrench{axes == AppliedWrench::Axes::kBody ? "thrust" : "push",
                         m.bodies.back().name,
                         vector(0.3, 0.2, -0.4),
                         {Sine{0.3, 1.1, 0.8, 0.2}, Polynomial{{2.0}}, {}},
                         {},
                         axes,
                         {}};
    wrench.moment.z = Polynomial{{0.2, 0.5}};
    if (!planar) {
      wrench.force.z = Polynomial{{-1.0}};
      wrench.moment.x = Sine{0.0, 0.4, 0.5, 0.1};
    }
    m.add(wrench);
  }
  Drag drag;
  drag.name = "water";
  drag.body = m.bodies.back().name;
  drag.at.position = vector(0.3, -0.1, 0.2);
  drag.at.rotation = bushing.at_a.rotation;
  drag.translational_damping = {0.3, 0.1, 0.2};
  drag.rotational_damping = {0.1, 0.4, 0.3};
  drag.translational_drag = {1.3, 0.4, 0.9};
  drag.rotational_drag = {0.5, 0.2, 0.7};
  m.add(drag);
  drag.name = "wind";
  drag.medium_velocity = vector(0.5, -1.5, 0.3);
  m.add(drag);
  return m;
}

class FurtherForces : public testing::TestWithParam<SpaceKind> {
 protected:
  template <class Check>
  void on_systems(const Check& check) {
    test::on_sample_systems(GetParam(), kSeed, kSamples, with_every_force, check);
  }
};

template <class Space>
ForcePower<double> power_at(const System<Space>& system, double t, const VectorXd& q,
                            const VectorXd& v) {
  Kinematics<Space> kin(system);
  place(system, t, q.data(), kin);
  move(system, v.data(), kin);
  return power(system, kin, t, q.data());
}

// dV/dt along v
template <class Space>
Dual moving_energy(const System<Space>& system, const VectorXd& q, const VectorXd& v) {
  const Moving<Space> moving(system, q, v);
  return potential_energy(moving.system, moving.kin, moving.q.data());
}

// The work of loads in any motion: they take it from the potential, or it is accounted for.
TEST_P(FurtherForces, PowerAccountsForAllThatLoadsDo) {
  on_systems([]<class Space>(const System<Space>& system, const VectorXd& q, const VectorXd& v) {
    const double t = 0.6;
    const auto P = power_at(system, t, q, v);
    const Dual V = moving_energy(system, q, v);
    const double all = v.dot(generalized_loads(system, t, q, v));
    EXPECT_NEAR(all + V.derivative, P.applied + P.dissipated,
                kRounding * (1.0 + std::abs(V.value) + std::abs(all)));
    EXPECT_LT(P.dissipated, 0.0);
    EXPECT_NE(P.applied, 0.0);
    EXPECT_FALSE(is_conservative(system));
  });
}

// One list of forces alone: at rest the gradient of its own potential, and in motion of the right
// kind.
TEST_P(FurtherForces, EachAloneIsOfItsKind) {
  on_systems([]<class Space>(const System<Space>& all, const VectorXd& q, const VectorXd& v) {
    const VectorXd rest = VectorXd::Zero(v.size());
    for (int kept = 0; kept < 4; ++kept) {
      System<Space> part = all;
      static_cast<ForceElements<Space>&>(part) = {};
      part.gravity.setZero();
      if (kept == 0)
        part.joint_stops = all.joint_stops, part.ball_stops = all.ball_stops,
        part.tendon_stops = all.tendon_stops, part.rope_stops = all.rope_stops;
      if (kept == 1) part.bushings = all.bushings;
      for (auto& b : part.bushings) b.has_turn_spring = false;  // applied
      if (kept == 2) part.frictions = all.frictions, part.body_frictions = all.body_frictions;
      if (kept == 3) part.wrenches = all.wrenches;
      const Dual V = moving_energy(part, q, v);
      const double applied = power_at(part, 0.3, q, v).applied;
      const double dissipated = power_at(part, 0.3, q, v).dissipated;
      if (kept != 3) {
        EXPECT_NEAR(v.dot(generalized_loads(part, 0.3, q, rest)), -V.derivative,
                    kRounding * (1.0 + V.value));
      }
      EXPECT_GE(V.value, 0.0);
      EXPECT_EQ(V.value > 0.0, kept < 2) << kept;
      EXPECT_EQ(applied != 0.0, kept == 3) << kept;
      EXPECT_LE(dissipated, 0.0);
      if (kept != 0) {
        EXPECT_EQ(dissipated < 0.0, kept != 3) << kept;  // stops are not always touched
      }
      EXPECT_FALSE(is_conservative(part)) << kept;
      for (auto& s : part.joint_stops) s.law.damping = 0.0;
      for (auto& s : part.ball_stops) s.law.damping = 0.0;
      for (auto& s : part.tendon_stops) s.law.damping = 0.0;
      for (auto& s : part.rope_stops) s.law.damping = 0.0;
      for (auto& b : part.bushings) b.damping.setZero();
      for (auto& b : part.bushings) b.rotational_damping.setZero();
      EXPECT_EQ(is_conservative(part), kept < 2) << kept;
      if (kept < 2) {
        EXPECT_EQ(power_at(part, 0.3, q, v).dissipated, 0.0);
      }
    }
  });
}

// A slider with one force, seen along its way.
double effort_of(const ForceDescription& force, double x, double x_dot) {
  auto m = test::one_body(SpaceKind::kPlanar, JointType::kPrismatic);
  m.add(force);
  return Model(m).visit([&](const auto& system) {
    return generalized_loads(system, 0.0, VectorXd::Constant(1, x),
                             VectorXd::Constant(1, x_dot))(0);
  });
}

constexpr double kStiffness = 40.0, kDamping = 3.0, kTransition = 0.02;
JointLimits limits() { return {"J", -0.5, 0.5, kStiffness, kDamping, kTransition, {}}; }

TEST(Limits, PushBackLinearlyBeyondTheTransition) {
  for (const double side : {-1.0, 1.0}) {
    const auto push = [&](double in, double in_rate) {
      return -side * effort_of(limits(), side * (0.5 + in), side * in_rate);
    };
    EXPECT_EQ(push(-0.1, 5.0), 0.0);
    EXPECT_NEAR(push(0.1, 0.0), kStiffness * (0.1 - kTransition / 2), 1e-12);
    EXPECT_NEAR(push(0.1, 0.7), kStiffness * (0.1 - kTransition / 2) + kDamping * 0.7, 1e-12);
    const double S = kStiffness * (0.1 - kTransition / 2);
    EXPECT_NEAR(push(0.1, -0.7), S * S / (S + kDamping * 0.7), 1e-12);
  }
}

TEST(Limits, NeverPullAndHaveAContinuousSlope) {
  constexpr double h = 1e-6;
  for (const double rate : {-20.0, -1.0, 0.0, 1.0}) {
    const auto slope = [&](double in) {
      return (effort_of(limits(), 0.5 + in, rate) - effort_of(limits(), 0.5 + in - h, rate)) / h;
    };
    for (double in = -0.01; in < 0.05; in += 0.001) {
      EXPECT_LE(effort_of(limits(), 0.5 + in, rate), 0.0) << in << ", " << rate;
    }
    // Second differences are of the order of h, also where the law changes.
    for (const double kink : {0.0, kTransition}) {
      EXPECT_NEAR(slope(kink + h), slope(kink), 0.1) << kink << ", " << rate;
    }
  }
  for (const double in : {0.005, 0.02, 0.1}) {
    const auto effort = [&](double rate) { return effort_of(limits(), 0.5 + in, rate); };
    EXPECT_NEAR((effort(h) - effort(0.0)) / h, (effort(0.0) - effort(-h)) / h, 1e-3);
  }
}

TEST(Limits, OfOneEndLeaveTheOtherFree) {
  JointLimits force{"J", {}, 0.5, kStiffness, 0.0, kTransition, {}};
  EXPECT_EQ(effort_of(force, -7.0, 0.0), 0.0);
  EXPECT_LT(effort_of(force, 0.6, 0.0), 0.0);
}

TEST(Limits, SetInOverAHundredthOfTheirRange) {
  JointLimits force{"J", -0.5, 1.5, kStiffness, 0.0, {}, {}};
  EXPECT_NEAR(effort_of(force, 1.6, 0.0), -kStiffness * (0.1 - 0.01), 1e-12);
}

TEST(Friction, IsSmoothCoulombAndViscous) {
  const JointFriction force{"J", 2.0, 0.5, 0.1, {}};
  for (const double rate : {-3.0, -0.05, 0.0, 0.02, 1.0}) {
    EXPECT_NEAR(effort_of(force, 0.3, rate), -2.0 * std::tanh(rate / 0.1) - 0.5 * rate, 1e-14);
  }
  EXPECT_EQ(effort_of(JointFriction{"J", 0.0, 0.5, 0.0, {}}, 0.3, 2.0), -1.0);
}

// A body that turns about the axis of a bushing: k sin(angle), and k (1 - cos(angle)).
TEST(Bushing, TurnsBackWithTheSine) {
  Mechanism m;
  m.space = SpaceKind::kSpatial;
  BodyDescription body;
  body.name = "B";
  body.mass = 1.0;
  body.inertia = Eigen::Matrix3d::Identity();
  m.add(body);
  JointDescription joint;
  joint.name = "J";
  joint.parent = kGround;
  joint.child = "B";
  for (int axis = 0; axis < 3; ++axis) {
    // The joint's z is the bushing's axis.
    Mechanism one = m;
    Eigen::Matrix3d R;
    for (int i = 0; i < 3; ++i) R.col(i) = Eigen::Vector3d::Unit((axis + 1 + i) % 3);
    joint.at_parent.rotation = joint.at_child.rotation = R;
    one.add(joint);
    Bushing bushing;
    bushing.name = "b";
    bushing.body_a = kGround;
    bushing.body_b = "B";
    bushing.rotational_stiffness = {2.0, 3.0, 4.0};
    one.add(bushing);
    Model(one).visit([&](const auto& system) {
      for (const double angle : {-2.0, 0.01, 0.5, 3.0}) {
        const VectorXd q = VectorXd::Constant(1, angle);
        const double k = 2.0 + axis;
        EXPECT_NEAR(generalized_loads(system, 0.0, q, VectorXd::Zero(1))(0), -k * std::sin(angle),
                    1e-13);
        EXPECT_NEAR(moving_energy(system, q, VectorXd::Zero(1)).value, k * (1.0 - std::cos(angle)),
                    1e-13);
      }
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Spaces, FurtherForces,
                         testing::Values(SpaceKind::kPlanar, SpaceKind::kSpatial),
                         [](const auto& info) {
                           return info.param == SpaceKind::kPlanar ? "Planar" : "Spatial";
                         });

}  // namespace
}  // namespace hamiltree
