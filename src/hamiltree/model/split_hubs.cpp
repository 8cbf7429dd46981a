#include "hamiltree/model/split_hubs.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/force_ends.hpp"
#include "hamiltree/model/joint_tables.hpp"
#include "hamiltree/model/topology/groups.hpp"

namespace hamiltree {
namespace {

constexpr int kFewestLegs = 8;    // with four a weld costs more than it spares
constexpr int kLegsOfAPiece = 2;  // measured: 1 to 4 are within a tenth

// Among all bodies but one: those that hang together without it.
class Parts {
 public:
  template <class Space>
  Parts(const System<Space>& system, int without) : parts_(system.bodies.size()) {
    for (const auto& j : system.joints) {
      if (j.parent == without || j.child == without) continue;
      if (j.parent == kNone || j.child == kNone) {
        grounded_.insert(std::max(j.parent, j.child));
      } else {
        parts_.unite(j.parent, j.child);
      }
    }
  }

  int find(int b) { return parts_.find(b); }
  std::set<int> grounded() {
    std::set<int> parts;
    for (const int b : grounded_) parts.insert(find(b));
    return parts;
  }

 private:
  Groups parts_;
  std::set<int> grounded_;  // bodies with a joint on the ground
};

// The legs of a body, each with its joints on it: what leads to the ground without it.
template <class Space>
std::vector<std::vector<int>> legs_of(const System<Space>& system, int hub) {
  Parts parts(system, hub);
  const auto grounded = parts.grounded();
  std::map<int, std::vector<int>> legs;
  for (int j = 0; j < system.joint_count(); ++j) {
    const auto& joint = system.joint(j);
    if (joint.parent != hub && joint.child != hub) continue;
    const int other = joint.parent == hub ? joint.child : joint.parent;
    if (other == kNone || !grounded.contains(parts.find(other))) continue;
    legs[parts.find(other)].push_back(j);
  }
  std::vector<std::vector<int>> result;
  for (auto& [part, joints] : legs) result.push_back(std::move(joints));
  return result;
}

// As many as a hub has are rare: legs are looked for only there.
template <class Space>
std::vector<int> joints_on_bodies(const System<Space>& system) {
  std::vector<int> count(system.bodies.size());
  for (const auto& joint : system.joints) {
    for (const int body : {joint.parent, joint.child}) {
      if (body != kNone) ++count[at(body)];
    }
  }
  return count;
}

template <class Space>
void split(int hub, const std::vector<std::vector<int>>& legs, System<Space>& system,
           std::vector<int>& numbers) {
  const int pieces = (static_cast<int>(legs.size()) + kLegsOfAPiece - 1) / kLegsOfAPiece;
  for (std::size_t leg = 0; leg < legs.size(); ++leg) {
    const int piece = hub + 1 + static_cast<int>(leg) / kLegsOfAPiece;
    for (const int j : legs[leg]) {
      auto& joint = system.joints[at(j)];
      // Numbered from below, so that the others do not take it for theirs.
      (joint.parent == hub ? joint.parent : joint.child) = -1 - piece;
    }
  }
  const auto moved = [&](int index) { return index > hub ? index + pieces : index; };
  for (auto& joint : system.joints) {
    for (int* body : {&joint.parent, &joint.child})
      *body = *body < kNone ? -1 - *body : moved(*body);
  }
  for (int& number : numbers) number = moved(number);
  for (auto& coupling : system.couplings)
    coupling.joint = moved(coupling.joint), coupling.to = moved(coupling.to);
  system.for_each_force([&](auto& element) {
    const auto move = [&](int& index) { index = moved(index); };
    for_each_end(element, move, [&](int& joint, Uses) { move(joint); });
  });

  auto& inertia = system.bodies[at(hub)];
  const double share = 1.0 / (pieces + 1);
  inertia.mass *= share;
  inertia.J_com *= share;
  inertia.J_com_inverse *= 1.0 / share;
  const auto own = inertia;
  system.bodies.insert(system.bodies.begin() + hub + 1, at(pieces), own);
  // Welded in a binary tree.
  std::vector<Joint<Space>> welds;
  for (int k = 0; k < pieces; ++k) {
    Joint<Space> weld;
    weld.parent = k == 0 ? hub : hub + 1 + (k - 1) / 2;
    weld.child = hub + 1 + k;
    weld.q = system.joint(hub).q, weld.v = system.joint(hub).v;  // and takes none
    set_type(weld.type, 0.0, weld);
    welds.push_back(weld);
  }
  system.joints.insert(system.joints.begin() + hub + 1, welds.begin(), welds.end());
}

template <class Space>
std::optional<SplitHubs<Space>> split_all(const System<Space>& whole) {
  if (!whole.ballasted.empty() || !whole.control_laws.empty()) return std::nullopt;
  std::optional<SplitHubs<Space>> result;
  const auto joints_on = joints_on_bodies(whole);
  // From the last on: what is split moves only what comes behind.
  for (int b = whole.body_count(); b-- > 0;) {
    if (whole.inboard(b) != kNone || joints_on[at(b)] < kFewestLegs) continue;
    const auto& present = result ? result->system : whole;
    const auto legs = legs_of(present, b);
    if (static_cast<int>(legs.size()) < kFewestLegs) continue;
    if (!result) {
      result = {whole, std::vector<int>(whole.joints.size())};
      std::iota(result->joints.begin(), result->joints.end(), 0);
    }
    split(b, legs, result->system, result->joints);
  }
  return result;
}

}  // namespace

std::optional<SplitHubs<Planar<double>>> split_hubs(const System<Planar<double>>& whole) {
  return split_all(whole);
}
std::optional<SplitHubs<Spatial<double>>> split_hubs(const System<Spatial<double>>& whole) {
  return split_all(whole);
}

}  // namespace hamiltree
