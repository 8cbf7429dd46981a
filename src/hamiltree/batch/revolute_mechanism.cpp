#include "hamiltree/batch/revolute_mechanism.hpp"

#include <algorithm>
#include <utility>

#include "hamiltree/formulations/dh_frames/compile.hpp"
#include "hamiltree/formulations/dh_frames/side_by_side.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/formulations/planar_loops/in_parts.hpp"
#include "hamiltree/formulations/planar_loops/side_by_side.hpp"
#include "hamiltree/model/in_plane.hpp"
#include "hamiltree/simulation/initial_state.hpp"

namespace hamiltree {
namespace {

// Whether a linkage, which is `model` in its plane, has redundant rows. One loop of revolutes has
// none unless all of them coincide.
bool is_redundant(const Model& linkage, const Model& model) {
  if (linkage.loop_count() == 1) return false;
  const auto start = initial_state(model);  // of both
  const auto formulation = make_formulation("recursive", linkage);
  const auto workspace = formulation->make_workspace();
  return formulation->analyse({0.0, start.q.data(), start.p.data()}, *workspace).redundant > 0;
}

}  // namespace

std::optional<RevoluteMechanism> revolute_mechanism(const Model& model) {
  if (auto tree = dh_frames::tree_of(model)) return std::move(*tree);
  const auto plane = in_plane(model);
  const auto& planar = plane ? plane->model : model;
  auto linkage = planar_loops::whole_of(planar);
  if (!linkage || is_redundant(planar, model)) return std::nullopt;
  return std::move(*linkage);
}

bool are_connected_alike(const RevoluteMechanism& one, const RevoluteMechanism& other) {
  if (one.index() != other.index()) return false;
  if (const auto* tree = std::get_if<dh_frames::Tree>(&one))
    return dh_frames::are_connected_alike(*tree, std::get<dh_frames::Tree>(other));
  return planar_loops::are_alike(std::get<planar_loops::Part>(one).linkage,
                                 std::get<planar_loops::Part>(other).linkage);
}

bool are_alike(const RevoluteMechanism& one, const RevoluteMechanism& other) {
  const auto same_case = [](const auto& x, const auto& y) { return x.link_case == y.link_case; };
  const auto* tree = std::get_if<dh_frames::Tree>(&one);
  return are_connected_alike(one, other) &&
         (tree == nullptr ||
          std::ranges::equal(tree->revolutes, std::get<dh_frames::Tree>(other).revolutes,
                             same_case));
}

}  // namespace hamiltree
