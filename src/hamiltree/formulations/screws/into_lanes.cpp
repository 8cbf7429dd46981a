#include "hamiltree/formulations/screws/into_lanes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "hamiltree/base/text.hpp"
#include "hamiltree/formulations/screws/connect.hpp"
#include "hamiltree/formulations/screws/side_by_side.hpp"
#include "hamiltree/formulations/screws/stretches.hpp"

namespace hamiltree::screws {
namespace {

using Lanes = std::array<int, kLanes>;  // a pin for each lane, or kNobody

class Divider {
 public:
  Divider(const Tree& tree, const Costs& costs)
      : tree_(tree), costs_(costs), children_(tree.pins.size()), behind_(tree.pins.size(), 1) {
    for (std::size_t i = tree.pins.size(); i-- > 0;) {
      const int inboard = tree.inboard[i];
      std::ranges::reverse(children_[i]);
      if (inboard == kNobody) {
        subtrees_.insert(subtrees_.end(), children_[i].begin(), children_[i].end());
        continue;
      }
      children_[at(inboard)].push_back(static_cast<int>(i));
      behind_[at(inboard)] += behind_[i];
    }
  }

  Tree divide() {
    // Divide the largest subtree, again and again; the best of all divisions is taken.
    constexpr std::size_t kMostSubtrees = 64;
    double least = costs_.pin * static_cast<double>(tree_.pins.size());
    std::vector<std::vector<int>> best;
    while (!subtrees_.empty() && subtrees_.size() <= kMostSubtrees) {
      std::ranges::stable_sort(subtrees_, [&](int x, int y) { return behind(x) > behind(y); });
      auto [cost, groups] = group();
      if (cost < least) least = cost, best = std::move(groups);
      int largest = subtrees_.front();
      while (children_[at(largest)].size() == 1) largest = children_[at(largest)].front();
      const auto& parts = children_[at(largest)];
      subtrees_.erase(subtrees_.begin());
      subtrees_.insert(subtrees_.end(), parts.begin(), parts.end());
    }
    return cut(best);
  }

 private:
  int behind(int i) const { return behind_[at(i)]; }

  // Eight by eight, as they come; what is not faster in lanes stays with the tree.
  std::pair<double, std::vector<std::vector<int>>> group() const {
    double cost = costs_.pin * static_cast<double>(tree_.pins.size());
    std::vector<std::vector<int>> groups;
    for (std::size_t first = 0; first < subtrees_.size(); first += kLanes) {
      const auto count = std::min<std::size_t>(kLanes, subtrees_.size() - first);
      const std::span roots(subtrees_.data() + first, count);
      double serial = 0.0;
      for (const int root : roots) serial += costs_.pin * behind(root);
      const double at_least = costs_.lane_step * behind(roots.front()) + costs_.hand_over;
      if (at_least >= serial) continue;
      const double lanes =
          costs_.lane_step * static_cast<double>(overlay(roots).first.size()) + costs_.hand_over;
      if (lanes >= serial) continue;
      cost += lanes - serial;
      groups.emplace_back(roots.begin(), roots.end());
    }
    return {cost, std::move(groups)};
  }

  // Subtrees laid over one another, the first child over the first: pins side by side and the place
  // of each one's inboard, depth first.
  std::pair<std::vector<Lanes>, std::vector<int>> overlay(std::span<const int> roots) const {
    std::vector<Lanes> places;
    std::vector<int> inboard;
    Lanes first;
    first.fill(kNobody);
    std::ranges::copy(roots, first.begin());
    std::vector<std::pair<Lanes, int>> waiting{{first, kNobody}};
    while (!waiting.empty()) {
      const auto [lanes, before] = waiting.back();
      waiting.pop_back();
      const int place = static_cast<int>(places.size());
      places.push_back(lanes);
      inboard.push_back(before);
      std::size_t most = 0;
      for (const int i : lanes) {
        if (i != kNobody) most = std::max(most, children_[at(i)].size());
      }
      for (std::size_t k = most; k-- > 0;) {
        Lanes next;
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          const int i = lanes[lane];
          next[lane] = i != kNobody && k < children_[at(i)].size() ? children_[at(i)][k] : kNobody;
        }
        waiting.emplace_back(next, place);
      }
    }
    return {std::move(places), std::move(inboard)};
  }

  Tree cut(const std::vector<std::vector<int>>& groups) const {
    Tree result = tree_;
    result.pins.clear();
    result.inboard.clear();
    std::vector<bool> is_cut(tree_.pins.size(), false);  // off, or behind what is
    for (const auto& roots : groups) {
      for (const int root : roots) is_cut[at(root)] = true;
    }
    std::vector<int> place(tree_.pins.size(), kNobody);
    for (std::size_t i = 0; i < tree_.pins.size(); ++i) {
      const int inboard = tree_.inboard[i];
      is_cut[i] = is_cut[i] || (inboard != kNobody && is_cut[at(inboard)]);
      if (is_cut[i]) continue;
      place[i] = static_cast<int>(result.pins.size());
      result.pins.push_back(tree_.pins[i]);
      result.inboard.push_back(inboard == kNobody ? kNobody : place[at(inboard)]);
    }
    keep_slots(result);
    std::vector<bool> receives(result.pins.size(), false);
    for (const auto& roots : groups) {
      for (const int root : roots) receives[at(place[at(tree_.inboard[at(root)])])] = true;
    }
    result.branchings = connect(result.inboard, receives, result.pins);
    for (const auto& roots : groups) result.banks.push_back(bank(roots, place, result));
    return result;
  }

  // Of the pins that are left, one after the other.
  void keep_slots(Tree& tree) const {
    tree.coordinate.clear(), tree.velocity.clear(), tree.sign.clear(), tree.offset.clear();
    std::size_t free_root = 0;
    for (auto& pin : tree.pins) {
      const auto from = at(pin.slot);
      const std::size_t count = pin.way == kFreeRoot ? 6 : 1;
      pin.slot = static_cast<int>(tree.sign.size());
      if (pin.way == kFreeRoot) tree.free_roots[free_root++].slot = pin.slot;
      for (std::size_t k = from; k < from + count; ++k) {
        tree.coordinate.push_back(tree_.coordinate[k]);
        tree.velocity.push_back(tree_.velocity[k]);
        tree.sign.push_back(tree_.sign[k]);
        tree.offset.push_back(tree_.offset[k]);
      }
    }
  }

  Bank bank(const std::vector<int>& roots, const std::vector<int>& place, const Tree& rest) const {
    Bank result;
    const auto [places, inboard] = overlay(roots);
    for (const auto& lanes : places) append(tree_, lanes, result);
    result.branchings = connect(inboard, {}, result.pins);
    result.joins.fill(kNobody);
    for (std::size_t lane = 0; lane < roots.size(); ++lane) {
      const int before = place[at(tree_.inboard[at(roots[lane])])];
      result.joins[lane] = rest.pins[at(before)].branches;
    }
    return result;
  }

  const Tree& tree_;
  const Costs& costs_;
  std::vector<std::vector<int>> children_;  // most bodies behind them first
  std::vector<int> behind_;                 // pins, each itself included
  std::vector<int> subtrees_;
};

bool is_chain(const Tree& tree) {
  const bool follow = std::ranges::all_of(std::span(tree.pins).subspan(1),
                                          [](const Pin<double>& pin) { return pin.continues; });
  return follow && tree.pins.front().way == kRoot;
}

std::size_t bodies_in(const LanePins& pins) {
  std::size_t bodies = 0;
  for (const auto& lanes : pins.velocity)
    bodies += kLanes - static_cast<std::size_t>(std::ranges::count(lanes, kNobody));
  return bodies;
}

}  // namespace

double Costs::of(const Tree& tree) const {
  double cost = pin * static_cast<double>(tree.pins.size());
  for (const auto& bank : tree.banks)
    cost += lane_step * static_cast<double>(bank.pins.size()) + hand_over;
  if (tree.chain) {
    for (const auto& stretch : tree.chain->stretches)
      cost += segment_step * static_cast<double>(stretch.pins.size()) + joins;
  }
  return cost;
}

Tree into_lanes(const Tree& tree, const Costs& costs, std::size_t stretch_bodies) {
  const auto lengths = is_chain(tree) ? segment_lengths(tree.pins.size(), stretch_bodies)
                                      : std::vector<std::size_t>{};
  if (!lengths.empty()) {
    Tree chain;
    chain.is_planar = tree.is_planar;
    chain.gravity = tree.gravity;
    chain.chain = chain_of(tree, lengths);
    if (costs.of(chain) < costs.of(tree)) return chain;
  }
  return Divider(tree, costs).divide();
}

Tree into_lanes(const Tree& tree, LaneChoice choice) {
  constexpr Costs kAtAnyPrice{
      .pin = 1.0, .lane_step = 1.0, .hand_over = 0.0, .segment_step = 1.0, .joins = 0.0};
  if (choice == LaneChoice::kNever) return tree;
  return into_lanes(tree, choice == LaneChoice::kAuto ? costs_of(tree) : kAtAnyPrice);
}

std::string plan_of(const Tree& tree) {
  const auto predicted = ", predicted " + to_text(std::round(costs_of(tree).of(tree))) + " ns";
  if (tree.chain) {
    const auto& stretches = tree.chain->stretches;
    std::size_t bodies = 0;
    for (const auto& stretch : stretches) bodies += bodies_in(stretch);
    const auto segments =
        stretches.size() == 1 ? "eight" : std::to_string(stretches.size()) + " times eight";
    return std::to_string(bodies) + " bodies in screw frames, " + segments + " segments of " +
           std::to_string(stretches.front().pins.size()) + " in lanes" + predicted;
  }
  std::size_t steps = 0, bodies = tree.pins.size();
  for (const auto& bank : tree.banks) {
    steps += bank.pins.size();
    bodies += bodies_in(bank);
  }
  const auto text = std::to_string(bodies) + " bodies in screw frames";
  if (steps == 0) return text + predicted;
  return text + ", all but " + std::to_string(tree.pins.size()) + " in " + std::to_string(steps) +
         " steps of eight lanes" + predicted;
}

}  // namespace hamiltree::screws
