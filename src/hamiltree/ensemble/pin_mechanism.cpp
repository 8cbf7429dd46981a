#include "hamiltree/ensemble/pin_mechanism.hpp"

#include <algorithm>
#include <utility>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/formulations/linkages/in_parts.hpp"
#include "hamiltree/formulations/linkages/side_by_side.hpp"
#include "hamiltree/formulations/screws/compile.hpp"
#include "hamiltree/simulation/initial_state.hpp"

namespace hamiltree {
namespace {

// One loop of pins is never redundant unless all of them coincide.
bool is_redundant(const Model& model) {
  if (model.loop_count() == 1) return false;
  const auto start = initial_state(model);
  const auto formulation = make_formulation("recursive", model);
  const auto workspace = formulation->make_workspace();
  return formulation->analyse({0.0, start.q.data(), start.p.data()}, *workspace).redundant > 0;
}

bool trees_are_alike(const screws::Tree& one, const screws::Tree& other) {
  const auto same_way = [](const auto& x, const auto& y) { return x.way == y.way; };
  return one.is_planar == other.is_planar && one.inboard == other.inboard &&
         one.coordinate == other.coordinate && one.velocity == other.velocity &&
         std::ranges::equal(one.pins, other.pins, same_way);
}

}  // namespace

std::optional<PinMechanism> pin_mechanism(const Model& model) {
  if (auto tree = screws::tree_of(model)) return std::move(*tree);
  auto linkage = linkages::whole_of(model);
  if (!linkage || is_redundant(model)) return std::nullopt;
  return std::move(*linkage);
}

bool are_alike(const PinMechanism& one, const PinMechanism& other) {
  if (one.index() != other.index()) return false;
  if (const auto* tree = std::get_if<screws::Tree>(&one))
    return trees_are_alike(*tree, std::get<screws::Tree>(other));
  return linkages::are_alike(std::get<linkages::Part>(one).linkage,
                             std::get<linkages::Part>(other).linkage);
}

}  // namespace hamiltree
