// States of systems in which their forces can be looked at, and what the forces do there.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hamiltree/forces/loads.hpp"
#include "hamiltree/model/model.hpp"
#include "support/on_duals.hpp"
#include "support/random_mechanism.hpp"
#include "support/sample_mechanisms.hpp"

namespace hamiltree::test {

// A body "B" of unit mass and moments on a joint "J", with all else as descriptions begin.
inline Mechanism one_body(SpaceKind space, JointType type) {
  Mechanism m;
  m.space = space;
  BodyDescription body;
  body.name = "B";
  body.mass = 1.0;
  body.inertia = Eigen::Matrix3d::Identity();
  m.add(body);
  JointDescription joint;
  joint.name = "J";
  joint.type = type;
  joint.parent = kGround;
  joint.child = "B";
  m.add(joint);
  return m;
}

template <class Space>
using Dualised = typename Space::template Rebind<Dual>;

// The system with its cut moved so that its loop is closed at q, the cut's own coordinate being
// q_cut: a spring on a cut is defined on closed loops only.
template <class Space>
System<Space> closed_at(System<Space> system, const Eigen::VectorXd& q, double q_cut) {
  Kinematics<Space> kin(system);
  place(system, 0.0, q.data(), kin);
  for (int c = system.body_count(); c < system.joint_count(); ++c) {
    auto& joint = system.joints[static_cast<std::size_t>(c)];
    const Pose<Space> X_FM = visit_joint<Space>(joint, [&]<class J>(const J& type) -> Pose<Space> {
      if constexpr (J::kCoordinates == 1) return type.pose(&q_cut);
      return {};
    });
    joint.X_PF = inverse(kin.pose(joint.parent)) * child_frame(system, kin, c) * inverse(X_FM);
  }
  return system;
}

// Calls check(system, q, v) on trees with every joint and loops with springs and actuators on their
// cuts, as equip(mechanism) makes them, at random states from the seed on.
template <class Equip, class Check>
void on_sample_systems(SpaceKind space, std::uint64_t first_seed, int samples, const Equip& equip,
                       const Check& check) {
  const std::vector<Mechanism> mechanisms{sample_tree(space),
                                          sample_loop(space, JointType::kRevolute),
                                          sample_loop(space, JointType::kPrismatic)};
  for (std::size_t m = 0; m < mechanisms.size(); ++m) {
    const Model model(equip(mechanisms[m]));
    for (int i = 0; i < samples; ++i) {
      const auto seed = first_seed + static_cast<std::uint64_t>(i);
      SCOPED_TRACE("mechanism " + std::to_string(m) + ", seed " + std::to_string(seed));
      RandomMechanism random(seed);
      model.visit([&](const auto& system) {
        Eigen::VectorXd q = random.vector(system.coordinates, 1.5);
        normalise_coordinates(system, q.data());
        const Eigen::VectorXd v = random.vector(system.velocities);
        check(closed_at(system, q, random.uniform(-3.0, 3.0)), q, v);
      });
    }
  }
}

// Generalized loads at (q, v): accumulated over subtrees and projected on the joints.
template <class Space>
Eigen::VectorXd generalized_loads(const System<Space>& system, double t, const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& v) {
  Kinematics<Space> kin(system);
  Loads<Space> loads(system);
  place(system, t, q.data(), kin);
  move(system, v.data(), kin);
  evaluate_loads(system, kin, t, q.data(), loads);
  accumulate(system, kin, loads.body);
  Eigen::VectorXd Q = Eigen::VectorXd::Zero(system.velocities);
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    if (joint.velocities == 1) Q(joint.v) = loads.effort[at(b)];
    add_free(joint, kin.joint(b).to_joint_force(at_joint(system, kin, b, loads.body[at(b)])),
             Q.data());
  }
  return Q;
}

// A system over dual numbers, placed at q and moving with v: values have their rates as
// derivatives.
template <class Space>
struct Moving {
  System<Dualised<Space>> system;
  Kinematics<Dualised<Space>> kin;
  std::vector<Dual> q;

  Moving(const System<Space>& original, const Eigen::VectorXd& q_value, const Eigen::VectorXd& v)
      : system(original.template cast<Dual>()), kin(system) {
    Eigen::VectorXd q_dot(original.coordinates);
    coordinate_rates(original, q_value.data(), v.data(), q_dot.data());
    for (Eigen::Index i = 0; i < q_value.size(); ++i) q.emplace_back(q_value(i), q_dot(i));
    place(system, Dual(0.0), q.data(), kin);
  }
};

}  // namespace hamiltree::test
