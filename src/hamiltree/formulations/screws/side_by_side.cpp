#include "hamiltree/formulations/screws/side_by_side.hpp"

#include <algorithm>
#include <cstddef>

#include "hamiltree/base/index.hpp"

namespace hamiltree::screws {
namespace {

// Code that does for both.
int common_way(int one, int other) {
  if (one == other) return one;
  for (const int way : {kAnyWay, kBranchWay, kPlaneBranchWay}) {
    if (one == way || other == way) return way;
  }
  const auto turn = [](int way) { return way & kTurnBits; };
  const bool are_screws = one < kAnyWay && other < kAnyWay;
  return are_screws && turn(one) == turn(other) ? one | other : kMixedWay;
}

Pin<double> nobody() {
  Pin<double> pin;
  pin.Jzz = 1.0;
  return pin;
}

bool are_alike(const Tree& one, const Tree& other) {
  const auto same_way = [](const Pin<double>& x, const Pin<double>& y) {
    const auto is = [&](int way) { return (x.way == way) == (y.way == way); };
    return is(kRoot) && is(kFreeRoot);
  };
  return one.is_planar == other.is_planar && one.inboard == other.inboard &&
         one.coordinate == other.coordinate && one.velocity == other.velocity &&
         std::ranges::equal(one.pins, other.pins, same_way);
}

}  // namespace

Pin<Pack> side_by_side(const PinsOfLanes& pins) {
  Pin<Pack> all;
  all.way = -1;
  for (const auto* pin : pins) {
    if (pin != nullptr) all.way = all.way == -1 ? pin->way : common_way(all.way, pin->way);
  }
  for (int lane = 0; lane < kLanes; ++lane) {
    const auto pin = pins[at(lane)] == nullptr ? nobody() : *pins[at(lane)];
    const auto set = [lane](Pack& all_lanes, double value) { all_lanes.set(lane, value); };
    set(all.sin_alpha, pin.sin_alpha), set(all.cos_alpha, pin.cos_alpha), set(all.a, pin.a),
        set(all.d, pin.d), set(all.sin2, pin.sin2), set(all.sin_cos, pin.sin_cos),
        set(all.twice_sin_cos, pin.twice_sin_cos), set(all.cos2, pin.cos2), set(all.cot, pin.cot),
        set(all.sin_beta, pin.sin_beta), set(all.cos_beta, pin.cos_beta), set(all.b, pin.b),
        set(all.mx, pin.mx), set(all.my, pin.my), set(all.mass, pin.mass), set(all.Jxx, pin.Jxx),
        set(all.Jxy, pin.Jxy), set(all.Jxz, pin.Jxz), set(all.Jyz, pin.Jyz), set(all.Jzz, pin.Jzz),
        set(all.d_mass, pin.d_mass), set(all.a_mass, pin.a_mass), set(all.b_mass, pin.b_mass),
        set(all.mass_behind, pin.mass_behind), set(all.mz, pin.mz), set(all.Jyy, pin.Jyy);
    for (std::size_t k = 0; k < 9; ++k) set(all.R[k], pin.R[k]);
    for (std::size_t k = 0; k < 3; ++k) set(all.r[k], pin.r[k]), set(all.r_mass[k], pin.r_mass[k]);
  }
  return all;
}

void append(const Tree& tree, const std::array<int, kLanes>& pins, LanePins& to) {
  PinsOfLanes constants{};
  std::array<int, kLanes> coordinate, velocity;
  Pack sign(0.0), offset(0.0);
  for (int lane = 0; lane < kLanes; ++lane) {
    const int i = pins[at(lane)];
    coordinate[at(lane)] = velocity[at(lane)] = kNobody;
    if (i == kNobody) continue;
    constants[at(lane)] = &tree.pins[at(i)];
    const auto slot = at(tree.pins[at(i)].slot);
    coordinate[at(lane)] = tree.coordinate[slot];
    velocity[at(lane)] = tree.velocity[slot];
    sign.set(lane, tree.sign[slot]);
    offset.set(lane, tree.offset[slot]);
  }
  to.pins.push_back(side_by_side(constants));
  to.pins.back().slot = static_cast<int>(to.pins.size()) - 1;
  to.coordinate.push_back(coordinate);
  to.velocity.push_back(velocity);
  to.sign.push_back(sign);
  to.offset.push_back(offset);
}

std::optional<TreeOf<Pack>> side_by_side(std::span<const Tree> trees) {
  const auto& first = trees.front();
  const auto of_lane = [&](std::size_t lane) -> const Tree& {
    return trees[std::min(lane, trees.size() - 1)];
  };
  for (const auto& tree : trees) {
    if (!are_alike(first, tree)) return std::nullopt;
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
  for (std::size_t i = 0; i < first.pins.size(); ++i) {
    PinsOfLanes pins{};
    for (std::size_t lane = 0; lane < kLanes; ++lane) pins[lane] = &of_lane(lane).pins[i];
    auto pin = side_by_side(pins);
    const auto& as = first.pins[i];
    pin.slot = as.slot, pin.is_leaf = as.is_leaf, pin.continues = as.continues;
    pin.opens = as.opens, pin.joins = as.joins, pin.branches = as.branches;
    all.pins.push_back(pin);
  }
  return all;
}

}  // namespace hamiltree::screws
