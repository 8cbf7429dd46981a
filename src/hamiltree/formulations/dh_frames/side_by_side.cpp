#include "hamiltree/formulations/dh_frames/side_by_side.hpp"

#include <algorithm>
#include <cstddef>

#include "hamiltree/base/index.hpp"

namespace hamiltree::dh_frames {
namespace {

// Code that does for both.
int common_case(int one, int other) {
  if (one == other) return one;
  for (const int link_case : {kAnyCase, kBranchCase, kPlaneBranchCase}) {
    if (one == link_case || other == link_case) return link_case;
  }
  const auto twist = [](int link_case) { return link_case & kTwistBits; };
  const bool are_screws = one < kAnyCase && other < kAnyCase;
  return are_screws && twist(one) == twist(other) ? one | other : kMixedCase;
}

Revolute<double> none() {
  Revolute<double> revolute;
  revolute.Jzz = 1.0;
  return revolute;
}

}  // namespace

Revolute<Pack> side_by_side(const RevolutesOfLanes& revolutes) {
  Revolute<Pack> all;
  all.link_case = -1;
  for (const auto* revolute : revolutes) {
    if (revolute != nullptr)
      all.link_case = all.link_case == -1 ? revolute->link_case
                                          : common_case(all.link_case, revolute->link_case);
  }
  for (int lane = 0; lane < kLanes; ++lane) {
    const auto revolute = revolutes[at(lane)] == nullptr ? none() : *revolutes[at(lane)];
    const auto set = [lane](Pack& all_lanes, double value) { all_lanes.set(lane, value); };
    set(all.sin_alpha, revolute.sin_alpha), set(all.cos_alpha, revolute.cos_alpha),
        set(all.a, revolute.a), set(all.d, revolute.d), set(all.sin2, revolute.sin2),
        set(all.sin_cos, revolute.sin_cos), set(all.twice_sin_cos, revolute.twice_sin_cos),
        set(all.cos2, revolute.cos2), set(all.cot, revolute.cot),
        set(all.sin_beta, revolute.sin_beta), set(all.cos_beta, revolute.cos_beta),
        set(all.b, revolute.b), set(all.mx, revolute.mx), set(all.my, revolute.my),
        set(all.mass, revolute.mass), set(all.Jxx, revolute.Jxx), set(all.Jxy, revolute.Jxy),
        set(all.Jxz, revolute.Jxz), set(all.Jyz, revolute.Jyz), set(all.Jzz, revolute.Jzz),
        set(all.d_mass, revolute.d_mass), set(all.a_mass, revolute.a_mass),
        set(all.b_mass, revolute.b_mass), set(all.mass_behind, revolute.mass_behind),
        set(all.mz, revolute.mz), set(all.Jyy, revolute.Jyy);
    for (std::size_t k = 0; k < 9; ++k) set(all.R[k], revolute.R[k]);
    for (std::size_t k = 0; k < 3; ++k)
      set(all.r[k], revolute.r[k]), set(all.r_mass[k], revolute.r_mass[k]);
  }
  return all;
}

void append(const Tree& tree, const std::array<int, kLanes>& revolutes, LaneRevolutes& to) {
  RevolutesOfLanes constants{};
  std::array<int, kLanes> coordinate, velocity;
  Pack sign(0.0), offset(0.0);
  for (int lane = 0; lane < kLanes; ++lane) {
    const int i = revolutes[at(lane)];
    coordinate[at(lane)] = velocity[at(lane)] = kNobody;
    if (i == kNobody) continue;
    constants[at(lane)] = &tree.revolutes[at(i)];
    const auto slot = at(tree.revolutes[at(i)].slot);
    coordinate[at(lane)] = tree.coordinate[slot];
    velocity[at(lane)] = tree.velocity[slot];
    sign.set(lane, tree.sign[slot]);
    offset.set(lane, tree.offset[slot]);
  }
  to.revolutes.push_back(side_by_side(constants));
  to.revolutes.back().slot = static_cast<int>(to.revolutes.size()) - 1;
  to.coordinate.push_back(coordinate);
  to.velocity.push_back(velocity);
  to.sign.push_back(sign);
  to.offset.push_back(offset);
}

bool are_connected_alike(const Tree& one, const Tree& other) {
  const auto same_case = [](const Revolute<double>& x, const Revolute<double>& y) {
    const auto is = [&](int link_case) {
      return (x.link_case == link_case) == (y.link_case == link_case);
    };
    return is(kRoot) && is(kFreeRoot);
  };
  return one.is_planar == other.is_planar && one.inboard == other.inboard &&
         one.coordinate == other.coordinate && one.velocity == other.velocity &&
         std::ranges::equal(one.revolutes, other.revolutes, same_case);
}

std::optional<TreeOf<Pack>> side_by_side(std::span<const Tree> trees) {
  const auto& first = trees.front();
  const auto of_lane = [&](std::size_t lane) -> const Tree& {
    return trees[std::min(lane, trees.size() - 1)];
  };
  for (const auto& tree : trees) {
    if (!are_connected_alike(first, tree)) return std::nullopt;
  }
  TreeOf<Pack> all;
  all.is_planar = first.is_planar;
  all.inboard = first.inboard;
  all.free_roots = first.free_roots;
  all.coordinate = first.coordinate;
  all.velocity = first.velocity;
  all.branchings = first.branchings;
  all.sign.resize(first.sign.size());
  all.offset.resize(first.offset.size());
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const auto& tree = of_lane(lane);
    const int place = static_cast<int>(lane);
    for (std::size_t i = 0; i < first.sign.size(); ++i) {
      all.sign[i].set(place, tree.sign[i]);
      all.offset[i].set(place, tree.offset[i]);
    }
    for (std::size_t k = 0; k < 3; ++k) all.gravity[k].set(place, tree.gravity[k]);
  }
  for (std::size_t i = 0; i < first.revolutes.size(); ++i) {
    RevolutesOfLanes revolutes{};
    for (std::size_t lane = 0; lane < kLanes; ++lane) revolutes[lane] = &of_lane(lane).revolutes[i];
    auto revolute = side_by_side(revolutes);
    const auto& as = first.revolutes[i];
    revolute.slot = as.slot, revolute.is_leaf = as.is_leaf, revolute.continues = as.continues;
    revolute.opens = as.opens, revolute.joins = as.joins, revolute.branches = as.branches;
    all.revolutes.push_back(revolute);
  }
  return all;
}

}  // namespace hamiltree::dh_frames
