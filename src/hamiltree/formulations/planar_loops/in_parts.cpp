#include "hamiltree/formulations/planar_loops/in_parts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <utility>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/planar_loops/side_by_side.hpp"

namespace hamiltree::planar_loops {
namespace {

// Cuts open behind a body on the ground from which on it is the hub.
constexpr std::size_t kHubCuts = 4;
// Lanes from which on they pay, and bodies that they must spare the rest, unless they are asked
// for.
constexpr std::size_t kLeastLanes = 3;
constexpr int kLeastSpared = 12;

bool is_pin(const Joint<Planar<double>>& joint) {
  return joint.type == JointType::kRevolute && joint.drive == kNone && joint.armature == 0.0 &&
         joint.parent != joint.child;
}

bool is_linkage(const PlanarSystem& system) {
  return system.constraints > 0 && system.couplings.empty() && system.drives.empty() &&
         system.ballasted.empty() && std::ranges::all_of(system.joints, is_pin);
}

int root_of(const PlanarSystem& system, int b, int hub) {
  while (system.inboard(b) != kNone && system.inboard(b) != hub) b = system.inboard(b);
  return b;
}

std::array<int, 2> ends_of(const PlanarSystem& system, int c) {
  return {system.joint(c).child, system.joint(c).parent};
}

// The body on the ground behind which most cuts are open, if they are many. One that is pinned to
// the ground twice cannot be it.
int hub_of(const PlanarSystem& system) {
  std::map<int, std::size_t> cuts;
  for (int c = system.body_count(); c < system.joint_count(); ++c) {
    const auto [child, parent] = ends_of(system, c);
    const int one = child == kNone ? kNone : root_of(system, child, kNone);
    const int other = parent == kNone ? kNone : root_of(system, parent, kNone);
    if (one == other) continue;
    for (const int root : {one, other}) {
      if (root != kNone) ++cuts[root];
    }
  }
  for (int c = system.body_count(); c < system.joint_count(); ++c) {
    const auto [child, parent] = ends_of(system, c);
    if (child == kNone) cuts.erase(parent);
    if (parent == kNone) cuts.erase(child);
  }
  const auto most = std::ranges::max_element(
      cuts, [](const auto& x, const auto& y) { return x.second < y.second; });
  return most == cuts.end() || most->second < kHubCuts ? kGround : most->first;
}

// Trees on the ground and the hub, in an order in which neighbours are near.
class Trees {
 public:
  Trees(const PlanarSystem& system, int hub) : system_(system), hub_(hub) {
    std::map<int, std::size_t> tree_of_root;
    for (int b = 0; b < system.body_count(); ++b) {
      if (b == hub) continue;
      const auto [found, is_new] = tree_of_root.emplace(root_of(system, b, hub), trees_.size());
      if (is_new) trees_.emplace_back();
      trees_[found->second].push_back(b);
      place_[b] = {found->second, trees_[found->second].size() - 1};
    }
    find_cuts();
    sort();
    find_kinds();
  }

  std::size_t count() const { return trees_.size(); }
  // Bodies of some trees that follow one another, ascending.
  std::vector<int> bodies(std::size_t first, std::size_t count) const {
    std::vector<int> all;
    for (std::size_t i = first; i < first + count; ++i)
      all.insert(all.end(), trees_[order_[i]].begin(), trees_[order_[i]].end());
    std::ranges::sort(all);
    return all;
  }

  // `lanes` runs of `length` trees, one after the other, that are alike.
  struct Runs {
    std::size_t first = 0, length = 0, lanes = 0;
    int spared = 0;  // bodies that others carry along
  };
  // The tree from `first` on that spares most bodies.
  Runs best_runs(std::size_t first, std::size_t end) const {
    constexpr std::size_t kMany = 64;  // trees of which eight runs are best in any case
    const std::size_t count = end - first;
    Runs best;
    std::size_t most = 0;  // trees that others carry along
    for (std::size_t length = count / (count > kMany ? kLanes : kLeastLanes);
         length * (kLanes - 1) > most; --length) {
      std::size_t alike = 0;  // trees like those `length` further on, up to here
      for (std::size_t i = first; i + length < end; ++i) {
        alike = kinds_[i] == kinds_[i + length] ? alike + 1 : 0;
        const std::size_t lanes = std::min<std::size_t>(alike / length + 1, kLanes);
        const std::size_t spared = (lanes - 1) * length;
        if (lanes < kLeastLanes || spared <= most) continue;
        most = spared;
        best = {i + 1 - spared, length, lanes, 0};
      }
    }
    const auto one = bodies(best.first, best.length).size();
    best.spared = most == 0 ? 0 : static_cast<int>(one * (best.lanes - 1));
    return best;
  }

 private:
  struct Neighbour {
    int own = 0;  // body of the tree, its place there
    bool is_child = false;
    std::size_t tree = 0;  // kOnGround, kOnHub
    int other = 0;         // body of that tree
  };
  static constexpr std::size_t kOnGround = static_cast<std::size_t>(-1);
  static constexpr std::size_t kOnHub = static_cast<std::size_t>(-2);

  void find_cuts() {
    neighbours_.resize(trees_.size());
    for (int c = system_.body_count(); c < system_.joint_count(); ++c) {
      const auto ends = ends_of(system_, c);
      for (const std::size_t side : {0U, 1U}) {
        const int own = ends[side], other = ends[1 - side];
        if (own == kNone || own == hub_) continue;
        const auto [tree, body] = place_.at(own);
        Neighbour neighbour{static_cast<int>(body), side == 0, kOnGround, 0};
        if (other == hub_) {
          neighbour.tree = kOnHub;
        } else if (other != kNone) {
          neighbour.tree = place_.at(other).first;
          neighbour.other = static_cast<int>(place_.at(other).second);
        }
        neighbours_[tree].push_back(neighbour);
      }
    }
  }

  // Breadth first, one connected set after the other.
  void sort() {
    rank_.assign(trees_.size(), kOnGround);
    for (std::size_t start = 0; start < trees_.size(); ++start) {
      if (rank_[start] != kOnGround) continue;
      std::size_t next = order_.size();
      rank_[start] = order_.size();
      order_.push_back(start);
      for (; next < order_.size(); ++next) {
        for (const auto& neighbour : neighbours_[order_[next]]) {
          if (neighbour.tree >= kOnHub || rank_[neighbour.tree] != kOnGround) continue;
          rank_[neighbour.tree] = order_.size();
          order_.push_back(neighbour.tree);
        }
      }
    }
  }

  // Trees of one kind have the same bodies and the same cuts to trees as far off in the order.
  void find_kinds() {
    std::map<std::vector<int>, int> known;
    for (const auto tree : order_) {
      std::vector<int> kind;
      for (const int b : trees_[tree]) {
        const int in = system_.inboard(b);
        kind.push_back(in == kNone ? -1 : in == hub_ ? -2 : static_cast<int>(place_.at(in).second));
      }
      for (const auto& neighbour : neighbours_[tree]) {
        kind.push_back(neighbour.own);
        kind.push_back(neighbour.is_child ? 1 : 0);
        if (neighbour.tree >= kOnHub) {
          kind.push_back(neighbour.tree == kOnHub ? -2 : -1);
          kind.push_back(0);
          continue;
        }
        kind.push_back(3);
        kind.push_back(static_cast<int>(rank_[neighbour.tree]) - static_cast<int>(rank_[tree]));
        kind.push_back(neighbour.other);
      }
      kinds_.push_back(known.emplace(kind, static_cast<int>(known.size())).first->second);
    }
  }

  const PlanarSystem& system_;
  int hub_;
  std::vector<std::vector<int>> trees_;
  std::map<int, std::pair<std::size_t, std::size_t>> place_;  // tree of a body, and where there
  std::vector<std::vector<Neighbour>> neighbours_;
  std::vector<std::size_t> order_, rank_;
  std::vector<int> kinds_;  // in the order
};

class InParts {
 public:
  InParts(const PlanarSystem& system, LaneChoice choice, HubChoice hub)
      : system_(system),
        hub_(hub == HubChoice::kNever ? kGround : hub_of(system)),
        least_spared_(choice == LaneChoice::kAlways ? 1 : kLeastSpared),
        trees_(system, hub_) {
    if (choice != LaneChoice::kNever) take_runs(0, trees_.count());
    PartRequest request;
    request.hub = hub_;
    request.has_hub = true;
    for (const auto& [first, count] : left_) {
      const auto some = trees_.bodies(first, count);
      request.bodies.insert(request.bodies.end(), some.begin(), some.end());
    }
    if (choice == LaneChoice::kNever) request.bodies = trees_.bodies(0, trees_.count());
    std::ranges::sort(request.bodies);
    give(request);
    auto rest = make_part(system_, request);
    for (std::size_t i = 0; i < result_.given.size(); ++i) receive(rest.taken[i], result_.given[i]);
    share(rest);
    result_.rest = std::move(rest.linkage);
    result_.cuts = std::move(rest.cuts);
  }

  LinkageInParts take() { return std::move(result_); }

 private:
  void receive(const Part::Taken& taken, Given& given) const {
    const auto& from = result_.lane_groups[given.group].linkage.fronts[at(given.from)];
    given.into = taken.into;
    given.opens = taken.opens;
    given.to.resize(at(from.closing));
    given.to.insert(given.to.end(), taken.to.begin(), taken.to.end());
  }

  // Puts like runs of trees side by side, then what is left on both sides of them.
  void take_runs(std::size_t first, std::size_t end) {
    if (first >= end) return;
    const auto runs = trees_.best_runs(first, end);
    if (runs.spared < least_spared_ || !add_lane_group(runs)) {
      left_.push_back({first, end - first});
      return;
    }
    take_runs(first, runs.first);
    take_runs(runs.first + runs.lanes * runs.length, end);
  }

  bool add_lane_group(const Trees::Runs& runs) {
    std::vector<Part> parts;
    for (std::size_t lane = 0; lane < runs.lanes; ++lane) {
      PartRequest request;
      request.bodies = trees_.bodies(runs.first + lane * runs.length, runs.length);
      request.hub = hub_;
      parts.push_back(make_part(system_, request));
    }
    auto linkage = side_by_side(parts);
    if (!linkage) return false;
    LaneGroup group{std::move(*linkage), {}};
    for (const auto& part : parts) group.cuts.push_back(part.cuts);
    result_.lane_groups.push_back(std::move(group));
    parts_.push_back(std::move(parts));
    return true;
  }

  // Cuts that the lanes leave open.
  void give(PartRequest& request) {
    for (std::size_t group = 0; group < parts_.size(); ++group) {
      for (std::size_t lane = 0; lane < parts_[group].size(); ++lane) {
        const auto& part = parts_[group][lane];
        const auto& linkage = part.linkage;
        for (std::size_t f = linkage.body_fronts; f < linkage.fronts.size(); ++f) {
          const auto& front = linkage.fronts[f];
          if (front.into != kNoFront || front.closing == front.cuts) continue;
          std::vector<int> cuts;
          for (int i = front.first + front.closing; i < front.first + front.cuts; ++i)
            cuts.push_back(part.cuts[at(linkage.front_cuts[at(i)])]);
          request.given.push_back(cuts);
          auto& given = result_.given.emplace_back();
          given.group = group;
          given.lane = static_cast<int>(lane);
          given.from = static_cast<int>(f);
        }
      }
    }
  }

  void share(const Part& rest) {
    for (std::size_t group = 0; group < parts_.size(); ++group) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const auto& cuts = parts_[group][std::min(lane, parts_[group].size() - 1)].cuts;
        for (std::size_t k = 0; k < cuts.size(); ++k) {
          const auto end = rest.cuts.begin() + static_cast<std::ptrdiff_t>(rest.linkage.loop_cuts);
          const auto found = std::lower_bound(rest.cuts.begin(), end, cuts[k]);
          if (found == end || *found != cuts[k]) continue;
          result_.shared.push_back({group, static_cast<int>(lane), k,
                                    static_cast<std::size_t>(found - rest.cuts.begin())});
        }
      }
    }
  }

  const PlanarSystem& system_;
  int hub_;
  int least_spared_;
  Trees trees_;
  std::vector<std::pair<std::size_t, std::size_t>> left_;  // trees: first and how many
  std::vector<std::vector<Part>> parts_;                   // of each lane group
  LinkageInParts result_;
};

// About what a part costs: its bodies, and the blocks that its fronts go through. A lane more costs
// nothing, eight of them twice what one does.
constexpr double kLanesToOne = 2.0;
template <class K>
double cost_of(const Linkage<K>& linkage) {
  constexpr double kBody = 8.0;
  double cost = kBody * static_cast<double>(linkage.bodies.size());
  for (const auto& front : linkage.fronts) {
    const double open = front.cuts - front.closing;
    cost += open * open;
    for (int s = 0; s < front.closing; ++s) cost += (front.cuts - s) * (front.cuts - s);
  }
  return cost;
}
double cost_of(const LinkageInParts& linkage) {
  double cost = cost_of(linkage.rest);
  for (const auto& group : linkage.lane_groups) cost += kLanesToOne * cost_of(group.linkage);
  return cost;
}

}  // namespace

std::optional<LinkageInParts> linkage_of(const Model& model, LaneChoice lanes, HubChoice hub) {
  return model.visit(
      [&]<class Space>(const System<Space>& system) -> std::optional<LinkageInParts> {
        if constexpr (Space::kIsPlanar) {
          if (!is_linkage(system)) return std::nullopt;
          auto in_lanes = InParts(system, lanes, hub).take();
          if (lanes != LaneChoice::kAuto || in_lanes.lane_groups.empty()) return in_lanes;
          auto one_by_one = InParts(system, LaneChoice::kNever, hub).take();
          if (cost_of(in_lanes) < cost_of(one_by_one)) return in_lanes;
          return one_by_one;
        }
        return std::nullopt;
      });
}

std::optional<Part> whole_of(const Model& model) {
  return model.visit([]<class Space>(const System<Space>& system) -> std::optional<Part> {
    if constexpr (Space::kIsPlanar) {
      PartRequest all;
      for (int b = 0; b < system.body_count(); ++b) all.bodies.push_back(b);
      if (is_linkage(system)) return make_part(system, all);
    }
    return std::nullopt;
  });
}

}  // namespace hamiltree::planar_loops
