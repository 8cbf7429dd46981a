#include "hamiltree/formulations/planar_loops/part.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "hamiltree/base/index.hpp"
#include "hamiltree/plan/plan.hpp"

namespace hamiltree::planar_loops {
namespace {

static_assert(kGround == kNone);

// Cuts open behind a pin from which on it is loose.
constexpr std::size_t kLooseCuts = 8;

Vector2<double> axes_of(const Pose<Planar<double>>& X) { return {X.R(0, 0), X.R(1, 0)}; }
Vector2<double> place_of(const Pose<Planar<double>>& X) { return {X.r.x(), X.r.y()}; }

class PartMaker {
 public:
  PartMaker(const PlanarSystem& system, const PartRequest& request)
      : system_(system), request_(request), bodies_(request.bodies) {
    if (request.hub != kGround) {
      bodies_.insert(std::ranges::lower_bound(bodies_, request.hub), request.hub);
    }
    for (std::size_t i = 0; i < bodies_.size(); ++i) local_[bodies_[i]] = static_cast<int>(i);
  }

  Part make() {
    find_cuts();
    for (const int b : bodies_) add_body(b);
    add_body_fronts();
    for (const int c : part_.cuts) add_cut(c);
    add_ground_fronts();
    add_ends();
    find_first_sources();
    part_.linkage.has_hub = request_.has_hub;
    const auto& g = system_.gravity;
    part_.linkage.gravity = {g.x(), g.y()};
    return std::move(part_);
  }

 private:
  bool is_hub(int b) const { return b != kGround && b == request_.hub; }
  bool is_own(int b) const { return !is_hub(b) && local_.contains(b); }

  void find_cuts() {
    std::set<int> cuts, given;
    for (const auto& some : request_.given) given.insert(some.begin(), some.end());
    for (int c = system_.body_count(); c < system_.joint_count(); ++c) {
      const auto& joint = system_.joint(c);
      if (is_own(joint.child) || is_own(joint.parent) || given.contains(c)) cuts.insert(c);
    }
    part_.cuts.assign(cuts.begin(), cuts.end());
    for (const int c : part_.cuts) {
      const auto& joint = system_.joint(c);
      const auto is_known = [&](int b) {
        return b == kGround || is_hub(b) || is_own(b) || given.contains(c);
      };
      local_cut_[c] = static_cast<int>(closes_.size());
      closes_.push_back(is_known(joint.child) && is_known(joint.parent));
    }
  }

  void add_body(int b) {
    const auto& joint = system_.joint(b);
    const auto& X = joint.reversed ? joint.X_CM : joint.X_PF;
    const bool is_copy = is_hub(b) && !request_.has_hub;
    Body<double> body;
    const int in = system_.inboard(b);
    body.inboard = in == kGround ? kGround : local_.at(in);
    body.at = place_of(X);
    body.sign = joint.reversed ? -1.0 : 1.0;
    body.offset = std::atan2(X.R(1, 0), X.R(0, 0));
    if (!is_copy) {
      const auto& own = system_.body(b);
      body.mass = own.mass;
      body.moments = {own.mass * own.com.x(), own.mass * own.com.y()};
      body.inertia = own.J_com(0) + own.mass * own.com.squaredNorm();
    }
    body.coordinate.number = joint.q;
    body.velocity.number = joint.v;
    if (is_hub(b)) part_.linkage.hub = local_.at(b);
    part_.linkage.bodies.push_back(body);
  }

  void add_cut(int c) {
    const auto& joint = system_.joint(c);
    Cut<double> cut;
    const auto here = [&](int b) {
      return b == kGround ? kGround : local_.contains(b) ? local_.at(b) : kElsewhere;
    };
    cut.child = here(joint.child);
    cut.parent = here(joint.parent);
    cut.at = place_of(joint.X_CM);
    cut.at_parent = place_of(joint.X_PF);
    cut.turn = axes_of(joint.X_CM);
    cut.row.number = joint.row;
    part_.linkage.cuts.push_back(cut);
  }

  // A front of cuts, those that close there first.
  int add_front(Retained retained, const std::vector<int>& closing, const std::vector<int>& open) {
    auto& linkage = part_.linkage;
    Front front;
    front.retained = retained;
    front.closing = static_cast<int>(closing.size());
    front.cuts = static_cast<int>(closing.size() + open.size());
    front.first = static_cast<int>(linkage.front_cuts.size());
    front.first_turning = linkage.turnings;
    front.first_pull = linkage.pulls;
    front.first_block = linkage.blocks;
    if (retained != Retained::kNothing) linkage.turnings += front.cuts;
    if (retained == Retained::kAll) linkage.pulls += front.cuts;
    linkage.blocks += front.cuts * (front.cuts + 1) / 2;
    linkage.front_cuts.insert(linkage.front_cuts.end(), closing.begin(), closing.end());
    linkage.front_cuts.insert(linkage.front_cuts.end(), open.begin(), open.end());
    linkage.to.resize(linkage.front_cuts.size());
    linkage.fronts.push_back(front);
    return static_cast<int>(linkage.fronts.size()) - 1;
  }
  int position(int front, int cut) const {
    const auto& linkage = part_.linkage;
    const auto& of = linkage.fronts[at(front)];
    const auto first = linkage.front_cuts.begin() + of.first;
    return static_cast<int>(std::find(first, first + of.cuts, cut) - first);
  }
  void connect(int from, int into) {
    auto& linkage = part_.linkage;
    auto& front = linkage.fronts[at(from)];
    front.into = into;
    for (int i = front.first + front.closing; i < front.first + front.cuts; ++i)
      linkage.to[at(i)] = position(into, linkage.front_cuts[at(i)]);
  }

  // Each body with cuts, from the tips. A cut closes at the first body that has both its ends
  // behind it. A pin behind which many are open becomes a cut itself: then only that is open
  // further in, and the order over the ground decides about the others. What is open behind trees
  // becomes nodes.
  void add_body_fronts() {
    auto& linkage = part_.linkage;
    linkage.loop_cuts = part_.cuts.size();
    std::map<int, std::map<int, int>> open;  // behind each body, and how many ends of each
    for (const int c : part_.cuts) {
      const auto& joint = system_.joint(c);
      for (const int b : {joint.child, joint.parent}) {
        if (is_own(b)) ++open[b][local_cut_.at(c)];
      }
    }
    std::map<int, std::vector<int>> children;  // with fronts
    for (auto b = bodies_.rbegin(); b != bodies_.rend(); ++b) {
      if (is_hub(*b) || open[*b].empty()) continue;
      const int in = system_.inboard(*b);
      const bool over_ground = in == kGround || is_hub(in);
      std::vector<int> here, rest;
      for (const auto& [cut, ends] : open[*b]) (ends == 2 ? here : rest).push_back(cut);
      const bool is_loose = !over_ground && rest.size() >= kLooseCuts;
      if (is_loose) {
        const int pin = static_cast<int>(closes_.size());
        local_cut_[*b] = pin;
        closes_.push_back(true);
        part_.cuts.push_back(*b);
        rest.push_back(pin);
        open[in][pin] = 1;
      }
      auto& body = linkage.bodies[at(local_.at(*b))];
      body.is_loose = is_loose;
      body.front = add_front(in == kGround ? Retained::kTurning : Retained::kAll, here, rest);
      for (const int child : children[*b]) connect(child, body.front);
      if (rest.empty()) continue;
      if (over_ground || is_loose) {
        nodes_.push_back({body.front, rest});
      } else {
        for (const int cut : rest) ++open[in][cut];
        children[in].push_back(body.front);
      }
    }
    linkage.body_fronts = linkage.fronts.size();
  }

  void add_ground_fronts() {
    add_given_nodes();
    const auto order = order_over_ground();
    std::vector<OverGround> compounds(order.plan.compounds.size());
    for (const auto& compound : order.plan.compounds) {
      if (compound.body != kNone) continue;
      compounds[at(compound.left)].is_side = compounds[at(compound.right)].is_side = true;
    }
    for (std::size_t c = 0; c < compounds.size(); ++c) add_ground_front(order, c, compounds);
  }

  // What is given from other parts.
  void add_given_nodes() {
    for (const auto& some : request_.given) {
      std::vector<int> cuts;
      for (const int c : some) cuts.push_back(local_cut_.at(c));
      nodes_.push_back({kNone, cuts});
    }
    part_.taken.resize(request_.given.size());
  }

  // In which the nodes are joined, and the cut that each link of the plan is.
  struct Order {
    Plan plan;
    std::vector<int> link_cut;
  };

  // That of minimum degree. Cuts that stay open are in no order's way.
  Order order_over_ground() const {
    const int count = static_cast<int>(nodes_.size());
    std::vector<PlanLink> links(nodes_.size());
    std::vector<std::vector<int>> nodes_of(part_.cuts.size());
    for (int i = 0; i < count; ++i) {
      links[at(i)].bodies = {i};
      for (const int k : nodes_[at(i)].open) nodes_of[at(k)].push_back(i);
    }
    std::vector<int> link_cut(nodes_.size(), kNone);
    for (std::size_t k = 0; k < nodes_of.size(); ++k) {
      if (nodes_of[k].empty() || !closes_[k]) continue;
      links.push_back({nodes_of[k], 2, true});
      link_cut.push_back(static_cast<int>(k));
    }
    return {make_minimum_degree_plan(count, links), link_cut};
  }

  // A compound of the order.
  struct OverGround {
    bool is_side = false;        // of a join
    int front = kNone;           // a node that closes nothing has none of its own
    std::vector<int> kept_open;  // what no order closes
  };

  void add_ground_front(const Order& order, std::size_t c, std::vector<OverGround>& compounds) {
    const auto& compound = order.plan.compounds[c];
    auto& own = compounds[c];
    const bool is_node = compound.body != kNone;
    own.kept_open = is_node ? never_closed(nodes_[c].open)
                            : joined(compounds[at(compound.left)].kept_open,
                                     compounds[at(compound.right)].kept_open);
    if (is_node && compound.eliminated.empty() && own.is_side) return;
    std::vector<int> closing, open;
    for (const int link : compound.eliminated) closing.push_back(order.link_cut[at(link)]);
    for (const int link : compound.kept) open.push_back(order.link_cut[at(link)]);
    open = joined(std::move(open), own.kept_open);
    own.front =
        add_front(request_.hub == kGround ? Retained::kNothing : Retained::kTurning, closing, open);
    for (const int k : closing) over_ground_.emplace(k, own.front);
    for (const int k : open) over_ground_.emplace(k, own.front);
    if (is_node) return take(static_cast<int>(c), own.front);
    for (const int side : {compound.left, compound.right}) {
      if (compounds[at(side)].front != kNone) {
        connect(compounds[at(side)].front, own.front);
      } else {
        take(side, own.front);
      }
    }
  }

  std::vector<int> never_closed(const std::vector<int>& cuts) const {
    std::vector<int> found;
    for (const int k : cuts)
      if (!closes_[at(k)]) found.push_back(k);
    return found;
  }
  static std::vector<int> joined(std::vector<int> first, const std::vector<int>& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
  }

  void take(int node, int into) {
    const auto& from = nodes_[at(node)];
    if (from.front != kNone) return connect(from.front, into);
    auto& taken = part_.taken[at(node) - (nodes_.size() - request_.given.size())];
    taken.into = into;
    for (const int k : from.open) taken.to.push_back(position(into, k));
  }

  // On the hub a cut acts in the first front over the ground that has it.
  void add_ends() {
    auto& linkage = part_.linkage;
    std::vector<std::vector<End>> ends(linkage.fronts.size());
    for (const int c : part_.cuts) {
      const auto& joint = system_.joint(c);
      for (const int b : {joint.child, joint.parent}) {
        if (!is_own(b) && !is_hub(b)) continue;
        End end;
        end.body = local_.at(b);
        end.cut = local_cut_.at(c);
        end.is_child = b == joint.child;
        const int front = is_hub(b) ? over_ground_.at(end.cut) : linkage.bodies[at(end.body)].front;
        end.position = position(front, end.cut);
        ends[at(front)].push_back(end);
      }
    }
    for (std::size_t f = 0; f < ends.size(); ++f) {
      linkage.fronts[f].first_end = static_cast<int>(linkage.ends.size());
      linkage.fronts[f].ends = static_cast<int>(ends[f].size());
      linkage.ends.insert(linkage.ends.end(), ends[f].begin(), ends[f].end());
    }
  }

  // In the order in which they hand over: trees, what is given, fronts over the ground.
  void find_first_sources() {
    auto& fronts = part_.linkage.fronts;
    const auto is_first = [&](int into) {
      return into != kNoFront && std::exchange(fronts[at(into)].is_first, false);
    };
    for (std::size_t f = 0; f < fronts.size(); ++f) {
      if (f == part_.linkage.body_fronts) {
        for (auto& taken : part_.taken) taken.opens = is_first(taken.into);
      }
      fronts[f].opens = is_first(fronts[f].into);
    }
  }

  // Cuts open over the ground: those of a tree with its front, or given.
  struct Node {
    int front = kNone;
    std::vector<int> open;
  };

  const PlanarSystem& system_;
  const PartRequest& request_;
  std::vector<int> bodies_;
  std::map<int, int> local_, local_cut_;
  std::vector<bool> closes_;  // of each cut
  std::vector<Node> nodes_;
  std::map<int, int> over_ground_;  // the first front there of each cut
  Part part_;
};

}  // namespace

Part make_part(const PlanarSystem& system, const PartRequest& request) {
  return PartMaker(system, request).make();
}

}  // namespace hamiltree::planar_loops
