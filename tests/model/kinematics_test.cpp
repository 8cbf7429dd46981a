// Kinematics of whole mechanisms: velocities are derivatives of poses, momenta derivatives of the
// kinetic energy, and a joint written the other way round describes the same mechanism.
#include "hamiltree/model/kinematics.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/model/loops.hpp"
#include "hamiltree/model/model.hpp"
#include "support/random_mechanism.hpp"
#include "support/random_space.hpp"
#include "support/rates.hpp"
#include "support/sample_mechanisms.hpp"
#include "support/scaled.hpp"

namespace hamiltree {
namespace {

using test::derivatives_of;
using test::difference;
using test::RandomMechanism;
using test::rotation_rate;
using test::Topology;

constexpr std::uint64_t kSeed = 20170301;
constexpr int kSamples = 25;         // per space
constexpr double kRounding = 1e-12;  // sums over up to 10 bodies; measured: 4e-15 at most
constexpr double kTime = 0.2;        // s

std::vector<Dual> seeded(const double* value, const double* derivative, int size) {
  std::vector<Dual> x(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = Dual(value[i], derivative[i]);
  return x;
}

// Calls check(system, q, v) on random trees and loops, at random coordinates and velocities.
template <class Check>
void on_random_systems(SpaceKind space, const Check& check) {
  for (int i = 0; i < kSamples; ++i) {
    const auto seed = kSeed + static_cast<std::uint64_t>(i);
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMechanism random(seed);
    const Model model(random.make(space, i % 2 == 0 ? Topology::kTree : Topology::kSingleLoop));
    model.visit([&](const auto& system) {
      Eigen::VectorXd q = random.vector(system.coordinates);
      normalise_coordinates(system, q.data());
      check(system, q, random.vector(system.velocities));
    });
  }
}

class KinematicsTest : public testing::TestWithParam<SpaceKind> {};

TEST_P(KinematicsTest, VelocitiesAreDerivativesOfPoses) {
  on_random_systems(GetParam(), []<class Space>(const System<Space>& system,
                                                const Eigen::VectorXd& q,
                                                const Eigen::VectorXd& v) {
    Kinematics<Space> kin(system);
    place(system, kTime, q.data(), kin);
    move(system, v.data(), kin);
    Eigen::VectorXd q_dot(system.coordinates);
    coordinate_rates(system, q.data(), v.data(), q_dot.data());

    const auto dual_system = system.template cast<Dual>();
    Kinematics<typename Space::template Rebind<Dual>> dual_kin(dual_system);
    place(dual_system, Dual(kTime, 1.0), seeded(q.data(), q_dot.data(), system.coordinates).data(),
          dual_kin);
    for (int b = 0; b < system.body_count(); ++b) {
      const auto& V = kin.V_WB[static_cast<std::size_t>(b)];
      const auto& R = kin.pose(b).R;
      EXPECT_LE(difference(derivatives_of(dual_kin.pose(b).r), linear<Space>(V)), kRounding);
      EXPECT_LE(difference(derivatives_of(dual_kin.pose(b).R),
                           rotation_rate<Space>(R, Space::unrotate_angular(R, angular<Space>(V)))),
                kRounding);
      // A point of the body somewhere else
      const typename Space::Position x = Space::Position::Constant(0.7);
      EXPECT_LE(difference(derivatives_of(dual_kin.pose(b) * x.template cast<Dual>()),
                           linear<Space>(kin.velocity_at(b, kin.pose(b) * x))),
                kRounding);
    }
  });
}

TEST_P(KinematicsTest, MomentaAreDerivativesOfTheKineticEnergy) {
  on_random_systems(
      GetParam(), []<class Space>(const System<Space>& system, const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& v) {
        Kinematics<Space> kin(system);
        place(system, kTime, q.data(), kin);
        move(system, v.data(), kin);
        Eigen::VectorXd p(system.velocities);
        momenta(system, kin, p.data());
        // Drives carry energy of their own.
        if (system.drives.empty()) {
          EXPECT_NEAR(kinetic_energy(system, kin), 0.5 * p.dot(v), kRounding);
        }

        const auto dual_system = system.template cast<Dual>();
        Kinematics<typename Space::template Rebind<Dual>> dual_kin(dual_system);
        const Eigen::VectorXd still = Eigen::VectorXd::Zero(system.coordinates);
        place(dual_system, Dual(kTime), seeded(q.data(), still.data(), system.coordinates).data(),
              dual_kin);
        for (int k = 0; k < system.velocities; ++k) {
          const Eigen::VectorXd e = Eigen::VectorXd::Unit(system.velocities, k);
          move(dual_system, seeded(v.data(), e.data(), system.velocities).data(), dual_kin);
          EXPECT_NEAR(p(k), kinetic_energy(dual_system, dual_kin).derivative, kRounding);
        }
      });
}

// Half the sum of m v^2 + omega J omega over the centres of mass, from derivatives of their world
// positions: kinetic_energy() takes none of these steps.
TEST_P(KinematicsTest, KineticEnergyIsThatOfTheBodies) {
  on_random_systems(
      GetParam(), []<class Space>(const System<Space>& system, const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& v) {
        Kinematics<Space> kin(system);
        place(system, kTime, q.data(), kin);
        move(system, v.data(), kin);
        Eigen::VectorXd q_dot(system.coordinates);
        coordinate_rates(system, q.data(), v.data(), q_dot.data());
        const auto dual_system = system.template cast<Dual>();
        Kinematics<typename Space::template Rebind<Dual>> dual_kin(dual_system);
        place(dual_system, Dual(kTime, 1.0),
              seeded(q.data(), q_dot.data(), system.coordinates).data(), dual_kin);
        double energy = 0.0;
        for (int b = 0; b < system.body_count(); ++b) {
          const auto& body = system.body(b);
          const auto com = dual_kin.pose(b) * body.com.template cast<Dual>();
          const auto omega = Space::unrotate_angular(
              kin.pose(b).R, angular<Space>(kin.V_WB[static_cast<std::size_t>(b)]));
          energy +=
              0.5 * (body.mass * derivatives_of(com).squaredNorm() + omega.dot(body.J_com * omega));
        }
        EXPECT_NEAR(kinetic_energy(system, kin), energy, kRounding);
      });
}

// At a joint that moves as joints do, the relative motion of its sides is H v in its coordinates,
// and what its drive adds.
TEST_P(KinematicsTest, TreeJointsMoveAlongTheirMotionSubspace) {
  on_random_systems(
      GetParam(), []<class Space>(const System<Space>& system, const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& v) {
        Kinematics<Space> kin(system);
        place(system, kTime, q.data(), kin);
        move(system, v.data(), kin);
        for (int b = 0; b < system.body_count(); ++b) {
          const auto& joint = system.joint(b);
          const auto V = free_motion(system, kin, b);
          for (int i = 0; i < joint.constraints; ++i) {
            EXPECT_NEAR(V(joint.constrained[static_cast<std::size_t>(i)]), 0.0, kRounding);
          }
          EXPECT_LE(difference(V, from_free(joint, v.data())), kRounding);
          const typename Space::Motion moved =
              kin.joint(b).to_world_motion(V) + prescribed_motion(system, kin, b);
          EXPECT_LE(difference(relative_motion(system, kin, b), moved), kRounding);
          const auto X = relative_pose(system, kin, b);
          EXPECT_LE(difference(X.R, joint_pose(joint, q.data()).R), kRounding);
          EXPECT_LE(difference(X.r, joint_pose(joint, q.data()).r), kRounding);
        }
      });
}

TEST_P(KinematicsTest, NormalisingCoordinatesMovesNothing) {
  on_random_systems(GetParam(), []<class Space>(const System<Space>& system,
                                                const Eigen::VectorXd& q, const Eigen::VectorXd&) {
    Eigen::VectorXd drifted = q;
    for (int b = 0; b < system.body_count(); ++b) {
      const auto& joint = system.joint(b);
      if (joint.coordinates == joint.velocities) continue;
      drifted.segment<4>(joint.q + joint.coordinates - 4) *= 1.7;  // the quaternion
    }
    Eigen::VectorXd normal = drifted;
    normalise_coordinates(system, normal.data());
    EXPECT_LE(difference(normal, q), kRounding);
    Kinematics<Space> kin(system);
    Kinematics<Space> drifted_kin(system);
    place(system, kTime, q.data(), kin);
    place(system, kTime, drifted.data(), drifted_kin);
    for (int b = 0; b < system.body_count(); ++b) {
      EXPECT_LE(difference(kin.pose(b).R, drifted_kin.pose(b).R), kRounding);
    }
  });
}

// Joints whose inverse is the same joint with the opposite sign of its coordinates.
bool turns_by_sign(const JointDescription& joint) {
  const bool type = joint.type == JointType::kRevolute || joint.type == JointType::kPrismatic ||
                    joint.type == JointType::kHelical || joint.type == JointType::kCylindrical ||
                    joint.type == JointType::kTranslational;
  return type && !joint.drive && !joint.parent_motion;
}

// The same mechanism with every such joint written the other way round. Its coordinates, velocities
// and momenta are those of the original with the opposite sign; everything that moves is the same.
Mechanism reversed(Mechanism mechanism, std::vector<std::string>& names) {
  for (auto& joint : mechanism.joints) {
    if (!turns_by_sign(joint) || joint.parent == kGround || joint.child == kGround) continue;
    std::swap(joint.parent, joint.child);
    std::swap(joint.at_parent, joint.at_child);
    names.push_back(joint.name);
  }
  const auto turned = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (auto& coupling : mechanism.couplings) {
    if (turned(coupling.joint)) {
      coupling.ratio = -coupling.ratio;
      coupling.offset = -coupling.offset;
    }
    if (turned(coupling.to)) coupling.ratio = -coupling.ratio;
  }
  for (auto& force : mechanism.forces) {
    if (auto* spring = std::get_if<JointSpringDamper>(&force); spring && turned(spring->joint)) {
      spring->rest = -spring->rest;
    }
    if (auto* motor = std::get_if<Actuator>(&force); motor && turned(motor->joint)) {
      motor->effort = test::scaled(motor->effort, -1.0, 1.0);
    }
  }
  return mechanism;
}

// x of one model's velocities (or coordinates) in the other's order and signs, joint by joint.
template <class Space>
Eigen::VectorXd translated(const Model& from, const System<Space>& from_system, const Model& to,
                           const System<Space>& to_system, const std::vector<std::string>& turned,
                           const Eigen::VectorXd& x, bool coordinates) {
  Eigen::VectorXd y(coordinates ? to_system.coordinates : to_system.velocities);
  for (int b = 0; b < from.body_count(); ++b) {
    const auto& name = from.joint_name(b);
    const auto& a = from_system.joint(b);
    const auto& c = to_system.joint(*to.find_joint(name));
    const bool turn = std::find(turned.begin(), turned.end(), name) != turned.end();
    for (int i = 0; i < (coordinates ? a.coordinates : a.velocities); ++i) {
      const double value = x((coordinates ? a.q : a.v) + i);
      y((coordinates ? c.q : c.v) + i) = turn ? -value : value;
    }
  }
  return y;
}

TEST_P(KinematicsTest, ReversedJointsDescribeTheSameMechanism) {
  int turned_joints = 0;
  for (int i = 0; i < kSamples; ++i) {
    const auto seed = kSeed + static_cast<std::uint64_t>(i);
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMechanism random(seed);
    const Mechanism mechanism = random.make(GetParam(), Topology::kTree);
    std::vector<std::string> turned;
    const Model there(mechanism);
    const Model back(reversed(mechanism, turned));
    turned_joints += static_cast<int>(turned.size());
    there.visit([&]<class Space>(const System<Space>& system) {
      const auto& other = *back.visit([](const auto& s) -> const System<Space>* {
        if constexpr (std::is_same_v<decltype(s), const System<Space>&>) return &s;
        return nullptr;
      });
      Eigen::VectorXd q = random.vector(system.coordinates);
      normalise_coordinates(system, q.data());
      const Eigen::VectorXd p = random.vector(system.velocities);
      const Eigen::VectorXd q_back = translated(there, system, back, other, turned, q, true);
      const Eigen::VectorXd p_back = translated(there, system, back, other, turned, p, false);

      Kinematics<Space> kin(system);
      Kinematics<Space> kin_back(other);
      place(system, 0.2, q.data(), kin);
      place(other, 0.2, q_back.data(), kin_back);
      const auto user_pose = [](const Model& model, const Kinematics<Space>& k, int b) {
        const auto& frame = model.user_frame(b);
        constexpr int n = Space::kLinear;
        return k.pose(b) *
               Pose<Space>{frame.rotation.topLeftCorner<n, n>(), frame.position.head<n>()};
      };
      for (int b = 0; b < there.body_count(); ++b) {
        const auto X = user_pose(there, kin, b);
        const auto X_back = user_pose(back, kin_back, *back.find_body(there.body_name(b)));
        EXPECT_LE(difference(X.R, X_back.R), kRounding);
        EXPECT_LE(difference(X.r, X_back.r), kRounding);
      }

      const auto rates = [](const Model& model, const Eigen::VectorXd& q_now,
                            const Eigen::VectorXd& p_now) {
        const auto formulation = make_formulation("recursive", model);
        const auto workspace = formulation->make_workspace();
        EXPECT_EQ(formulation->rate({0.2, q_now.data(), p_now.data()}, *workspace), Status::kOk);
        return std::pair{
            Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(
                workspace->v.data(), static_cast<Eigen::Index>(workspace->v.size()))),
            Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(
                workspace->u_dot.data(), static_cast<Eigen::Index>(workspace->u_dot.size())))};
      };
      const auto [v, p_dot] = rates(there, q, p);
      const auto [v_back, p_dot_back] = rates(back, q_back, p_back);
      const double size = 1.0 + std::max(v.cwiseAbs().sum(), p_dot.cwiseAbs().sum());
      EXPECT_LE(difference(translated(there, system, back, other, turned, v, false), v_back),
                kRounding * size);
      EXPECT_LE(
          difference(translated(there, system, back, other, turned, p_dot, false), p_dot_back),
          kRounding * size * size);
    });
  }
  EXPECT_GT(turned_joints, kSamples);
}

// Two bodies that fly, with a joint of any type from A to B, and a body that swings on B. Whichever
// of the two carries the free joint, they are the same mechanism: from B the tree runs against the
// joint.
Mechanism flying(SpaceKind space, JointType type, const std::string& first) {
  test::SampleMechanism sample(space);
  const auto a = sample.add(JointType::kFree, kGround);
  const auto b = sample.add(type, a);
  sample.add(JointType::kRevolute, b);
  sample.add_spring("J2");
  sample.add_actuator("J2");
  sample.add_point_spring(kGround, a);
  sample.add_point_spring(a, "B2");
  Mechanism mechanism = sample.get();
  // With frames at its bodies' origins, the coordinates of the free joint are the body's pose.
  mechanism.joints[0].child = first;
  mechanism.joints[0].at_parent = mechanism.joints[0].at_child = {};
  if (joint_size(type, space).velocities == 1) {
    mechanism.add(JointSpringDamper{"J1", 2.0, 0.1, 0.3, {}});
  }
  return mechanism;
}

// Quantities on which both sides must agree at a state: poses, velocities and accelerations of the
// bodies as the user sees them, and rates of the momenta.
template <class Space>
struct Motion {
  std::vector<Pose<Space>> X;                // of the user's frames
  std::vector<typename Space::Motion> V, A;  // at their origins, world axes; A: rates of V
};

template <class Space>
Motion<Space> motion_of(const Model& model, const System<Space>& original, const Eigen::VectorXd& q,
                        const Eigen::VectorXd& v) {
  using Dualised = typename Space::template Rebind<Dual>;
  const auto recursive = make_formulation("recursive", model);
  const auto workspace = recursive->make_workspace();
  Kinematics<Space> kin(original);
  place(original, kTime, q.data(), kin);
  move(original, v.data(), kin);
  Eigen::VectorXd p(original.velocities);
  momenta(original, kin, p.data());
  EXPECT_EQ(recursive->accelerations({kTime, q.data(), p.data()}, *workspace), Status::kOk);
  EXPECT_LE(difference(test::to_vector(workspace->v), v), kRounding);
  const auto v_dot = test::to_vector(workspace->v_dot);
  EXPECT_EQ(recursive->rate({kTime, q.data(), p.data()}, *workspace), Status::kOk);
  const auto q_dot = test::to_vector(workspace->q_dot);
  // The momenta of a tree are those of its motion.
  EXPECT_LE(difference(test::to_vector(workspace->u_dot),
                       test::momentum_rates(model, kTime, q, v, q_dot, v_dot)),
            10.0 * kRounding * (1.0 + v_dot.norm()));

  const auto system = original.template cast<Dual>();
  Kinematics<Dualised> moving(system);
  place(system, Dual(kTime, 1.0), test::to_duals(q, q_dot).data(), moving);
  move(system, test::to_duals(v, v_dot).data(), moving);
  Motion<Space> motion;
  for (std::size_t b = 0; b < model.mechanism().bodies.size(); ++b) {
    const int i = *model.find_body(model.mechanism().bodies[b].name);
    const auto& frame = model.user_frame(i);
    constexpr int n = Space::kLinear;
    const Pose<Space> X_BU{frame.rotation.topLeftCorner<n, n>(), frame.position.head<n>()};
    motion.X.push_back(kin.pose(i) * X_BU);
    const auto origin = moving.pose(i) * X_BU.r.template cast<Dual>().eval();
    const auto V = moving.velocity_at(i, origin);
    motion.V.push_back(test::values_of(V));
    motion.A.push_back(derivatives_of(V));
  }
  return motion;
}

// The state of the mechanism with B first that is the state (q, v) of the one with A first.
template <class Space>
void change_root(const Model& from, const System<Space>& a, const Model& to, const System<Space>& b,
                 const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& q_to,
                 Eigen::VectorXd& v_to) {
  for (const auto* name : {"J1", "J2"}) {
    const auto& here = a.joint(*from.find_joint(name));
    const auto& there = b.joint(*to.find_joint(name));
    q_to.segment(there.q, there.coordinates) = q.segment(here.q, here.coordinates);
    v_to.segment(there.v, there.velocities) = v.segment(here.v, here.velocities);
  }
  Kinematics<Space> kin(a);
  place(a, kTime, q.data(), kin);
  move(a, v.data(), kin);
  const int body = *from.find_body("B1");
  const auto& frame = from.user_frame(body);
  constexpr int n = Space::kLinear;
  const Pose<Space> X =
      kin.pose(body) * Pose<Space>{frame.rotation.topLeftCorner<n, n>(), frame.position.head<n>()};
  const auto& free = b.joint(*to.find_joint("J0"));
  Free<Space>::coordinates(X, q_to.data() + free.q);
  v_to.template segment<Space::kDimension>(free.v) =
      unrotate<Space>(X.R, kin.velocity_at(body, X.r));
}

TEST_P(KinematicsTest, JointsOfEveryTypeMoveTheSameWithTheTreeAgainstThem) {
  for (const auto& name : joint_type_names(GetParam())) {
    SCOPED_TRACE(name);
    const auto type = *joint_type_from_name(name);
    const Model with(flying(GetParam(), type, "B0"));
    const Model against(flying(GetParam(), type, "B1"));
    RandomMechanism random(kSeed);
    with.visit([&]<class Space>(const System<Space>& system) {
      const auto& other = *against.visit([](const auto& s) -> const System<Space>* {
        if constexpr (std::is_same_v<decltype(s), const System<Space>&>) return &s;
        return nullptr;
      });
      EXPECT_FALSE(system.joint(*with.find_joint("J1")).reversed);
      EXPECT_TRUE(other.joint(*against.find_joint("J1")).reversed);
      for (int i = 0; i < kSamples; ++i) {
        Eigen::VectorXd q = random.vector(system.coordinates);
        normalise_coordinates(system, q.data());
        const Eigen::VectorXd v = random.vector(system.velocities);
        Eigen::VectorXd q_to(other.coordinates);
        Eigen::VectorXd v_to(other.velocities);
        change_root(with, system, against, other, q, v, q_to, v_to);
        const auto here = motion_of(with, system, q, v);
        const auto there = motion_of(against, other, q_to, v_to);
        for (std::size_t b = 0; b < here.X.size(); ++b) {
          EXPECT_LE(difference(here.X[b].R, there.X[b].R), kRounding) << "body " << b;
          EXPECT_LE(difference(here.X[b].r, there.X[b].r), kRounding) << "body " << b;
          EXPECT_LE(difference(here.V[b], there.V[b]), kRounding) << "body " << b;
          EXPECT_LE(difference(here.A[b], there.A[b]), 10.0 * kRounding * (1.0 + here.A[b].norm()))
              << "body " << b;
        }
      }
    });
  }
}

// The same mechanism described in other body frames: centres of mass, inertias, joint frames and
// points of springs all change, and nothing that moves does.
Mechanism redescribed(Mechanism mechanism, RandomMechanism& random) {
  const bool planar = mechanism.space == SpaceKind::kPlanar;
  for (auto& body : mechanism.bodies) {
    Eigen::Vector3d r = random.vector(3);
    if (planar) r(2) = 0.0;
    const Eigen::Vector3d axis = planar ? Eigen::Vector3d::UnitZ().eval()
                                        : Eigen::Vector3d(random.vector(3)).normalized().eval();
    const Eigen::Matrix3d R = Eigen::AngleAxisd(random.uniform(-3.0, 3.0), axis).toRotationMatrix();
    const auto point = [&](Eigen::Vector3d& x) { x = R.transpose() * (x - r); };
    const auto frame = [&](Frame& f) {
      point(f.position);
      f.rotation = R.transpose() * f.rotation;
    };
    point(body.com);
    const Eigen::Matrix3d J = R.transpose() * body.inertia * R;
    body.inertia = 0.5 * (J + J.transpose());
    for (auto& joint : mechanism.joints) {
      if (joint.parent == body.name) frame(joint.at_parent);
      if (joint.child == body.name) frame(joint.at_child);
    }
    for (auto& force : mechanism.forces) {
      auto* spring = std::get_if<PointSpringDamper>(&force);
      if (spring == nullptr) continue;
      for (auto& end : spring->points) {
        if (end.body == body.name) point(end.position);
      }
    }
  }
  return mechanism;
}

TEST_P(KinematicsTest, BodyFramesAreAMatterOfDescription) {
  for (int i = 0; i < kSamples; ++i) {
    const auto seed = kSeed + static_cast<std::uint64_t>(i);
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMechanism random(seed);
    const auto topology = i % 2 == 0 ? Topology::kTree : Topology::kSingleLoop;
    const Mechanism mechanism = random.make(GetParam(), topology);
    const Model there(mechanism);
    const Model here(redescribed(mechanism, random));
    Eigen::VectorXd q = random.vector(there.coordinate_count());
    there.visit([&](const auto& system) { normalise_coordinates(system, q.data()); });
    const Eigen::VectorXd p = random.vector(there.velocity_count());
    const auto a = test::rates("dense", there, 0.2, q, p);
    const auto b = test::rates("dense", here, 0.2, q, p);
    EXPECT_LE((a.v - b.v).norm(), 1e-10 * (1.0 + a.v.norm()));
    EXPECT_LE((a.p_dot - b.p_dot).norm(), 1e-10 * (1.0 + a.p_dot.norm()));
  }
}

INSTANTIATE_TEST_SUITE_P(Random, KinematicsTest,
                         testing::Values(SpaceKind::kPlanar, SpaceKind::kSpatial),
                         [](const auto& info) {
                           return info.param == SpaceKind::kPlanar ? "Planar" : "Spatial";
                         });

// A crank of one degree of freedom, by hand: the user's joint goes from the body to the ground, so
// a positive angle turns the ground against the body.
TEST(ReversedJoint, TurnsTheOtherWay) {
  Mechanism mechanism;
  mechanism.space = SpaceKind::kPlanar;
  mechanism.add(
      BodyDescription{"bar", 1.0, {0.5, 0.0, 0.0}, Eigen::Matrix3d::Identity(), false, {}});
  JointDescription pin;
  pin.name = "pin";
  pin.parent = "bar";
  pin.child = kGround;
  mechanism.add(pin);
  const Model model(mechanism);
  model.visit([]<class Space>(const System<Space>& system) {
    EXPECT_TRUE(system.joint(0).reversed);
    Kinematics<Space> kin(system);
    const double q = 0.3;
    const double v = 2.0;
    place(system, 0.0, &q, kin);
    move(system, &v, kin);
    EXPECT_NEAR(kin.pose(0).R(1, 0), std::sin(-0.3), 1e-15);
    EXPECT_EQ(kin.V_WB[0](Space::kDimension - 1), -2.0);
    double p = 0.0;
    momenta(system, kin, &p);
    EXPECT_NEAR(p, (1.0 + 0.25) * 2.0, 1e-15);  // (J + m c^2) v
  });
}

}  // namespace
}  // namespace hamiltree
