#include "hamiltree/formulations/planar_loops/side_by_side.hpp"

#include <algorithm>
#include <cstddef>

#include "hamiltree/base/index.hpp"

namespace hamiltree::planar_loops {

bool are_alike(const Linkage<double>& one, const Linkage<double>& other) {
  const auto same = [](const auto& x, const auto& y, auto... of) {
    return std::ranges::equal(
        x, y, [=](const auto& a, const auto& b) { return ((a.*of == b.*of) && ...); });
  };
  return one.hub == other.hub && one.body_fronts == other.body_fronts &&
         one.loop_cuts == other.loop_cuts && one.front_cuts == other.front_cuts &&
         one.to == other.to &&
         same(one.bodies, other.bodies, &Body<double>::inboard, &Body<double>::front,
              &Body<double>::is_loose) &&
         same(one.cuts, other.cuts, &Cut<double>::child, &Cut<double>::parent) &&
         same(one.ends, other.ends, &End::body, &End::cut, &End::position, &End::is_child) &&
         same(one.fronts, other.fronts, &Front::retained, &Front::cuts, &Front::closing,
              &Front::ends, &Front::into);
}

std::optional<Linkage<Pack>> side_by_side(const std::vector<Part>& parts) {
  const auto& first = parts.front().linkage;
  for (const auto& part : parts) {
    if (!are_alike(part.linkage, first)) return std::nullopt;
  }
  using Of = const Linkage<double>&;
  const auto of_lane = [&](std::size_t lane) -> Of {
    return parts[std::min(lane, parts.size() - 1)].linkage;
  };
  const auto in_lanes = [&](const auto& number) {
    Pack all(0.0);
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      all.set(static_cast<int>(lane), number(of_lane(lane)));
    return all;
  };
  const auto both = [&](const auto& vector) {
    return Vector2<Pack>{in_lanes([&](Of of) { return vector(of).x; }),
                         in_lanes([&](Of of) { return vector(of).y; })};
  };
  const auto places = [&](const auto& place) {
    Place<Pack> all;
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      all.number[lane] = place(of_lane(lane)).number;
    return all;
  };
  Linkage<Pack> all;
  for (std::size_t b = 0; b < first.bodies.size(); ++b) {
    all.bodies.push_back({first.bodies[b].inboard, first.bodies[b].front, first.bodies[b].is_loose,
                          both([b](Of of) { return of.bodies[b].at; }),
                          in_lanes([b](Of of) { return of.bodies[b].sign; }),
                          in_lanes([b](Of of) { return of.bodies[b].offset; }),
                          in_lanes([b](Of of) { return of.bodies[b].mass; }),
                          both([b](Of of) { return of.bodies[b].moments; }),
                          in_lanes([b](Of of) { return of.bodies[b].inertia; }),
                          places([b](Of of) { return of.bodies[b].coordinate; }),
                          places([b](Of of) { return of.bodies[b].velocity; })});
  }
  for (std::size_t k = 0; k < first.cuts.size(); ++k) {
    all.cuts.push_back({first.cuts[k].child, first.cuts[k].parent,
                        both([k](Of of) { return of.cuts[k].at; }),
                        both([k](Of of) { return of.cuts[k].at_parent; }),
                        both([k](Of of) { return of.cuts[k].turn; }),
                        places([k](Of of) { return of.cuts[k].row; })});
  }
  all.loop_cuts = first.loop_cuts;
  all.ends = first.ends;
  all.fronts = first.fronts;
  all.body_fronts = first.body_fronts;
  all.front_cuts = first.front_cuts;
  all.to = first.to;
  all.turnings = first.turnings;
  all.pulls = first.pulls;
  all.blocks = first.blocks;
  all.hub = first.hub;
  all.has_hub = first.has_hub;
  all.gravity = both([](Of of) { return of.gravity; });
  return all;
}

}  // namespace hamiltree::planar_loops
