#include "hamiltree/formulations/dh_frames/into_lanes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "hamiltree/base/counted.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/formulations/dh_frames/chain_blocks.hpp"
#include "hamiltree/formulations/dh_frames/connect.hpp"
#include "hamiltree/formulations/dh_frames/side_by_side.hpp"

namespace hamiltree::dh_frames {
namespace {

using Lanes = std::array<int, kLanes>;  // a revolute for each lane, or kNobody

class Divider {
 public:
  Divider(const Tree& tree, const Costs& costs)
      : tree_(tree),
        costs_(costs),
        children_(tree.revolutes.size()),
        behind_(tree.revolutes.size(), 1) {
    for (std::size_t i = tree.revolutes.size(); i-- > 0;) {
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
    double least = costs_.revolute * static_cast<double>(tree_.revolutes.size());
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
    double cost = costs_.revolute * static_cast<double>(tree_.revolutes.size());
    std::vector<std::vector<int>> groups;
    for (std::size_t first = 0; first < subtrees_.size(); first += kLanes) {
      const auto count = std::min<std::size_t>(kLanes, subtrees_.size() - first);
      const std::span roots(subtrees_.data() + first, count);
      double serial = 0.0;
      for (const int root : roots) serial += costs_.revolute * behind(root);
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

  // Subtrees laid over one another, the first child over the first: revolutes side by side and the
  // place of each one's inboard, depth first.
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
    result.revolutes.clear();
    result.inboard.clear();
    std::vector<bool> is_cut(tree_.revolutes.size(), false);  // off, or behind what is
    for (const auto& roots : groups) {
      for (const int root : roots) is_cut[at(root)] = true;
    }
    std::vector<int> place(tree_.revolutes.size(), kNobody);
    for (std::size_t i = 0; i < tree_.revolutes.size(); ++i) {
      const int inboard = tree_.inboard[i];
      is_cut[i] = is_cut[i] || (inboard != kNobody && is_cut[at(inboard)]);
      if (is_cut[i]) continue;
      place[i] = static_cast<int>(result.revolutes.size());
      result.revolutes.push_back(tree_.revolutes[i]);
      result.inboard.push_back(inboard == kNobody ? kNobody : place[at(inboard)]);
    }
    keep_slots(result);
    std::vector<bool> receives(result.revolutes.size(), false);
    for (const auto& roots : groups) {
      for (const int root : roots) receives[at(place[at(tree_.inboard[at(root)])])] = true;
    }
    result.branchings = connect(result.inboard, receives, result.revolutes);
    for (const auto& roots : groups) result.lane_groups.push_back(group(roots, place, result));
    return result;
  }

  // The revolutes that are left, one after the other.
  void keep_slots(Tree& tree) const {
    tree.coordinate.clear(), tree.velocity.clear(), tree.sign.clear(), tree.offset.clear();
    std::size_t free_root = 0;
    for (auto& revolute : tree.revolutes) {
      const auto from = at(revolute.slot);
      const std::size_t count = revolute.link_case == kFreeRoot ? 6 : 1;
      revolute.slot = static_cast<int>(tree.sign.size());
      if (revolute.link_case == kFreeRoot) tree.free_roots[free_root++].slot = revolute.slot;
      for (std::size_t k = from; k < from + count; ++k) {
        tree.coordinate.push_back(tree_.coordinate[k]);
        tree.velocity.push_back(tree_.velocity[k]);
        tree.sign.push_back(tree_.sign[k]);
        tree.offset.push_back(tree_.offset[k]);
      }
    }
  }

  LaneGroup group(const std::vector<int>& roots, const std::vector<int>& place,
                  const Tree& rest) const {
    LaneGroup result;
    const auto [places, inboard] = overlay(roots);
    for (const auto& lanes : places) append(tree_, lanes, result);
    result.branchings = connect(inboard, {}, result.revolutes);
    result.joins.fill(kNobody);
    for (std::size_t lane = 0; lane < roots.size(); ++lane) {
      const int before = place[at(tree_.inboard[at(roots[lane])])];
      result.joins[lane] = rest.revolutes[at(before)].branches;
    }
    return result;
  }

  const Tree& tree_;
  const Costs& costs_;
  std::vector<std::vector<int>> children_;  // most bodies behind them first
  std::vector<int> behind_;                 // revolutes, each itself included
  std::vector<int> subtrees_;
};

bool is_chain(const Tree& tree) {
  const bool follow =
      std::ranges::all_of(std::span(tree.revolutes).subspan(1),
                          [](const Revolute<double>& revolute) { return revolute.continues; });
  return follow && tree.revolutes.front().link_case == kRoot;
}

std::size_t bodies_in(const LaneRevolutes& revolutes) {
  std::size_t bodies = 0;
  for (const auto& lanes : revolutes.velocity)
    bodies += kLanes - static_cast<std::size_t>(std::ranges::count(lanes, kNobody));
  return bodies;
}

}  // namespace

double Costs::of(const Tree& tree) const {
  double cost = revolute * static_cast<double>(tree.revolutes.size());
  for (const auto& group : tree.lane_groups)
    cost += lane_step * static_cast<double>(group.revolutes.size()) + hand_over;
  if (tree.chain) {
    for (const auto& chain_block : tree.chain->chain_blocks)
      cost += segment_step * static_cast<double>(chain_block.revolutes.size()) + joins;
  }
  return cost;
}

Tree into_lanes(const Tree& tree, const Costs& costs, std::size_t chain_block_bodies) {
  const auto lengths = is_chain(tree) ? segment_lengths(tree.revolutes.size(), chain_block_bodies)
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
      .revolute = 1.0, .lane_step = 1.0, .hand_over = 0.0, .segment_step = 1.0, .joins = 0.0};
  if (choice == LaneChoice::kNever) return tree;
  return into_lanes(tree, choice == LaneChoice::kAuto ? costs_of(tree) : kAtAnyPrice);
}

std::string plan_of(const Tree& tree) {
  const auto predicted = ", predicted " + to_text(std::round(costs_of(tree).of(tree))) + " ns";
  if (tree.chain) {
    const auto& chain_blocks = tree.chain->chain_blocks;
    std::size_t bodies = 0;
    for (const auto& chain_block : chain_blocks) bodies += bodies_in(chain_block);
    const auto segments =
        chain_blocks.size() == 1 ? "eight" : std::to_string(chain_blocks.size()) + " times eight";
    return counted(static_cast<long>(bodies), "body", "bodies") + " in DH frames, " + segments +
           " segments of " + std::to_string(chain_blocks.front().revolutes.size()) + " in lanes" +
           predicted;
  }
  std::size_t steps = 0, bodies = tree.revolutes.size();
  for (const auto& group : tree.lane_groups) {
    steps += group.revolutes.size();
    bodies += bodies_in(group);
  }
  const auto text = counted(static_cast<long>(bodies), "body", "bodies") + " in DH frames";
  if (steps == 0) return text + predicted;
  return text + ", all but " + std::to_string(tree.revolutes.size()) + " in " +
         std::to_string(steps) + " steps of eight lanes" + predicted;
}

}  // namespace hamiltree::dh_frames
