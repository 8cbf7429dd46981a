// Random mechanisms in one room that nothing but the ground connects.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <map>
#include <string>

#include "hamiltree/model/model.hpp"
#include "support/beside.hpp"
#include "support/random_mechanism.hpp"

namespace hamiltree::test {

// Random mechanisms beside one another, two in planes of their own and one in space, with a state
// off the loops.
struct Workshop {
  explicit Workshop(std::uint64_t seed) : random(seed) {
    mechanism.name = "workshop";
    mechanism.space = SpaceKind::kSpatial;
    add("a.", [](auto& r) { return r.make_in_one_plane(Topology::kSingleLoop, Extent::kFull); });
    add("b.", [](auto& r) { return r.make(SpaceKind::kSpatial, Topology::kSingleLoop); });
    add("c.", [](auto& r) { return r.make_in_one_plane(Topology::kFloatingLoop, Extent::kFull); });
  }

  template <class Make>
  void add(const std::string& prefix, const Make& make) {
    const auto own = make(random);
    const Model model(own);
    const Eigen::VectorXd closed =
        model.visit([&](const auto& system) { return random.closed_pose(model, system); });
    mechanism.gravity = own.gravity;
    put_beside(mechanism, own, prefix);
    model.visit([&](const auto& system) {
      for (int b = 0; b < system.body_count(); ++b)
        poses[prefix + model.joint_name(b)] =
            closed.segment(system.joint(b).q, system.joint(b).coordinates);
    });
  }

  Eigen::VectorXd pose(const Model& model) {
    return model.visit([&](const auto& system) {
      Eigen::VectorXd q(system.coordinates);
      for (int b = 0; b < system.body_count(); ++b)
        q.segment(system.joint(b).q, system.joint(b).coordinates) = poses.at(model.joint_name(b));
      return q;
    });
  }

  RandomMechanism random;
  Mechanism mechanism;
  std::map<std::string, Eigen::VectorXd> poses;  // by joint
};

}  // namespace hamiltree::test
