#include "hamiltree/model/in_segments.hpp"

#include <algorithm>
#include <utility>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/force_ends.hpp"
#include "hamiltree/model/joint_tables.hpp"

namespace hamiltree {
namespace {

// By tree joint, whether it may close a loop.
template <class Space>
std::vector<bool> may_be_cut(const System<Space>& system) {
  std::vector<bool> may(at(system.body_count()), system.control_laws.empty());
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    const bool has_place =
        joint.type == JointType::kRevolute || joint.type == JointType::kPrismatic;
    if (!has_place || joint.drive != kNone || joint.armature > 0.0) may[at(b)] = false;
  }
  const auto keep = [&](int joint) {
    if (joint < system.body_count()) may[at(joint)] = false;
  };
  system.for_each_force([&](const auto& element) {
    for_each_end(
        element, [](int) {},
        [&](int joint, Uses uses) {
          if (uses == Uses::kPosition) keep(joint);
        });
  });
  for (const auto& coupling : system.couplings) keep(coupling.joint), keep(coupling.to);
  return may;
}

// The tables of the cut system from those of the whole.
template <class Space>
System<Space> cut_at(const System<Space>& whole, const std::vector<int>& bases) {
  System<Space> system = whole;
  std::vector<int> now(whole.joints.size());  // index of each joint of the whole
  for (int j = 0; j < whole.joint_count(); ++j) now[at(j)] = j;
  for (const int b : bases) {
    now[at(b)] = system.joint_count();
    system.joints.push_back(whole.joint(b));
    Joint<Space> base;
    base.type = JointType::kFree;
    base.child = b;
    set_type(base.type, 0.0, base);
    system.joints[at(b)] = base;
  }
  system.coordinates = system.velocities = system.constraints = 0;
  for (int j = 0; j < system.joint_count(); ++j) {
    auto& joint = system.joints[at(j)];
    const bool cut = j >= system.body_count();
    joint.q = cut ? kNone : system.coordinates;
    joint.v = cut ? kNone : system.velocities;
    joint.row = cut ? system.constraints : kNone;
    (cut ? system.constraints : system.velocities) += cut ? joint.constraints : joint.velocities;
    if (!cut) system.coordinates += joint.coordinates;
  }
  for (auto& coupling : system.couplings) coupling.row = system.constraints++;
  system.for_each_force([&](auto& element) {
    for_each_end(
        element, [](int) {}, [&](int& joint, Uses) { joint = now[at(joint)]; });
  });
  system.row_scales.clear();
  add_row_scales(system);
  return system;
}

}  // namespace

InSegments in_segments(const Model& model, int bodies) {
  return model.visit([&](const auto& system) {
    InSegments result{model, {}, 0};
    const auto may = may_be_cut(system);
    std::vector<int> depth(may.size());  // bodies from the segment's first one to this one
    for (int b = 0; b < system.body_count(); ++b) {
      const int inboard = system.inboard(b);
      depth[at(b)] = inboard == kNone ? 1 : depth[at(inboard)] + 1;
      if (depth[at(b)] > bodies && may[at(b)]) {
        result.bases.push_back(b);
        depth[at(b)] = 1;
      }
      result.longest = std::max(result.longest, depth[at(b)]);
    }
    if (result.bases.empty()) return result;
    result.model = model.with_tables(cut_at(system, result.bases), result.bases);
    return result;
  });
}

}  // namespace hamiltree
