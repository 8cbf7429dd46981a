#include "hamiltree/formulations/choice/lane_places.hpp"

#include <map>

#include "hamiltree/base/index.hpp"

namespace hamiltree {
namespace {

// Lanes name their revolutes by the velocity in the state.
std::map<int, int> bodies_by_velocity(const Model& model) {
  return model.visit([](const auto& system) {
    std::map<int, int> bodies;
    for (int b = 0; b < system.body_count(); ++b) bodies[system.joint(b).v] = b;
    return bodies;
  });
}

}  // namespace

std::vector<LanePlace> lane_places(const Choice& choice) {
  if (!has_lanes(choice.kernel)) return {};
  const auto& tree = std::get<dh_frames::Tree>(choice.kernel);
  const auto bodies = bodies_by_velocity(choice.computed());
  std::vector<LanePlace> places(at(choice.model.body_count()));
  const auto add = [&](const dh_frames::LaneRevolutes& revolutes, int group) {
    for (const auto& step : revolutes.velocity) {
      for (int lane = 0; lane < kLanes; ++lane) {
        if (step[at(lane)] != dh_frames::kNobody)
          places[at(bodies.at(step[at(lane)]))] = {group, lane};
      }
    }
  };
  const auto add_all = [&](const auto& groups) {
    for (std::size_t group = 0; group < groups.size(); ++group)
      add(groups[group], static_cast<int>(group));
  };
  if (tree.chain) add_all(tree.chain->chain_blocks);
  add_all(tree.lane_groups);
  return places;
}

}  // namespace hamiltree
