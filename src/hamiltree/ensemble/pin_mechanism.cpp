#include "hamiltree/ensemble/pin_mechanism.hpp"

#include <algorithm>
#include <utility>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/formulations/screws/compile.hpp"
#include "hamiltree/simulation/initial_state.hpp"

namespace hamiltree {
namespace {

bool is_pin(const Joint<Planar<double>>& joint) {
  return joint.type == JointType::kRevolute && joint.drive == kNone && joint.armature == 0.0;
}

// One loop of pins is never redundant unless all of them coincide.
bool is_redundant(const Model& model) {
  if (model.loop_count() == 1) return false;
  const auto start = initial_state(model);
  const auto formulation = make_formulation("recursive", model);
  const auto workspace = formulation->make_workspace();
  return formulation->analyse({0.0, start.q.data(), start.p.data()}, *workspace).redundant > 0;
}

std::optional<PinMechanism> with_loops(const Model& model, const System<Planar<double>>& system) {
  if (!system.couplings.empty() || !std::ranges::all_of(system.joints, is_pin)) return std::nullopt;
  auto open = system;
  open.joints.resize(system.bodies.size());
  open.constraints = 0;
  open.row_scales.clear();
  auto tree = screws::make_tree(open);
  if (!tree || is_redundant(model)) return std::nullopt;
  PinMechanism pins{std::move(*tree), {}, {}};
  for (int b = 0; b < system.body_count(); ++b) {
    if (system.joint(b).q != b || system.joint(b).v != b) return std::nullopt;
    const auto& X = system.joint(b).X_PF;
    pins.pins.push_back({system.inboard(b), X.r.x(), X.r.y(), X.R(0, 0), X.R(1, 0)});
  }
  for (int c = system.body_count(); c < system.joint_count(); ++c) {
    const auto& joint = system.joint(c);
    pins.closings.push_back({joint.parent,
                             joint.child,
                             {joint.X_PF.r.x(), joint.X_PF.r.y()},
                             {joint.X_CM.r.x(), joint.X_CM.r.y()}});
  }
  return pins;
}

}  // namespace

std::optional<PinMechanism> pin_mechanism(const Model& model) {
  return model.visit([&]<class Space>(const System<Space>& system) -> std::optional<PinMechanism> {
    if (system.constraints == 0) {
      auto tree = screws::make_tree(system);
      if (tree) return PinMechanism{std::move(*tree), {}, {}};
    } else if constexpr (Space::kIsPlanar) {
      return with_loops(model, system);
    }
    return std::nullopt;
  });
}

bool are_alike(const PinMechanism& one, const PinMechanism& other) {
  const auto same_way = [](const auto& x, const auto& y) { return x.way == y.way; };
  const auto same_inboard = [](const auto& x, const auto& y) { return x.inboard == y.inboard; };
  const auto same_bodies = [](const auto& x, const auto& y) {
    return x.parent == y.parent && x.child == y.child;
  };
  return one.tree.is_planar == other.tree.is_planar && one.tree.inboard == other.tree.inboard &&
         one.tree.coordinate == other.tree.coordinate && one.tree.velocity == other.tree.velocity &&
         std::ranges::equal(one.tree.pins, other.tree.pins, same_way) &&
         std::ranges::equal(one.pins, other.pins, same_inboard) &&
         std::ranges::equal(one.closings, other.closings, same_bodies);
}

}  // namespace hamiltree
