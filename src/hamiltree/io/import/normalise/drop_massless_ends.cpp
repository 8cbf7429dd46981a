#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/mass.hpp"
#include "hamiltree/io/import/normalise/normalise.hpp"
#include "hamiltree/io/import/number_by_name.hpp"
#include "hamiltree/model/force_ends.hpp"

namespace hamiltree {
namespace {

class Ends {
 public:
  Ends(Mechanism& mechanism, Looks& looks, ImportLog& log)
      : mechanism_(mechanism),
        looks_(looks),
        log_(log),
        bodies_(number_by_name(mechanism.bodies)),
        body_gone_(mechanism.bodies.size()),
        joint_gone_(mechanism.joints.size()) {
    for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
      joints_[mechanism.joints[j].parent].insert(j);
      joints_[mechanism.joints[j].child].insert(j);
    }
    for (const auto& coupling : mechanism.couplings) {
      coupled_[coupling.joint].insert(coupling.to);
      coupled_[coupling.to].insert(coupling.joint);
    }
    for (const auto& force : mechanism.forces) {
      for_each_body_name(force, [&](const std::string& body) { pulled_.insert(body); });
    }
  }

  // Again where something is gone: what was coupled to that may have no motion now.
  void drop() {
    while (drop_some()) continue;
    erase(mechanism_.bodies, body_gone_);
    erase(mechanism_.joints, joint_gone_);
    drop_orphans(mechanism_);
  }

 private:
  // A body that nothing needs, and the only joint that it has, to the body inwards.
  struct End {
    std::size_t body, joint;
    std::string inner;
  };
  using JointsOfBodies = std::map<std::string, std::set<std::size_t>>;

  bool is_end(const BodyDescription& body, const JointsOfBodies& joints) const {
    const auto own = joints.find(body.name);
    return own != joints.end() && own->second.size() == 1 && is_massless(body) &&
           !pulled_.contains(body.name) &&
           !(mechanism_.joints[*own->second.begin()].armature > 0.0);
  }

  // From the ends inwards, each as long as what was behind it is gone.
  std::vector<End> find_ends() const {
    std::vector<End> ends;
    auto joints = joints_;
    auto gone = body_gone_;
    for (std::size_t first = 0; first < gone.size(); ++first) {
      for (auto b = first; !gone[b] && is_end(mechanism_.bodies[b], joints);) {
        const auto& name = mechanism_.bodies[b].name;
        const auto j = *joints.at(name).begin();
        const auto& joint = mechanism_.joints[j];
        const std::string& inner = joint.parent == name ? joint.child : joint.parent;
        gone[b] = true;
        joints.at(name).erase(j);
        joints.at(inner).erase(j);
        ends.push_back({b, j, inner});
        const auto next = bodies_.find(inner);
        if (next == bodies_.end()) break;
        b = next->second;
      }
    }
    return ends;
  }

  // All joints that are coupled to one at no end, or to one of these, so that they have a motion.
  std::set<std::string> coupled_joints(const std::vector<End>& ends) const {
    auto at_rest = joint_gone_;
    for (const auto& end : ends) at_rest[end.joint] = true;
    std::vector<std::string> waiting;
    for (std::size_t j = 0; j < at_rest.size(); ++j) {
      if (!at_rest[j]) waiting.push_back(mechanism_.joints[j].name);
    }
    std::set<std::string> seen, found;
    while (!waiting.empty()) {
      const std::string name = std::move(waiting.back());
      waiting.pop_back();
      const auto coupled = coupled_.find(name);
      if (coupled == coupled_.end() || !seen.insert(name).second) continue;
      waiting.insert(waiting.end(), coupled->second.begin(), coupled->second.end());
      found.insert(coupled->second.begin(), coupled->second.end());
    }
    return found;
  }

  // Ends whose joints have no motion, and all behind them.
  bool drop_some() {
    const auto ends = find_ends();
    const auto coupled = coupled_joints(ends);
    std::set<std::string> dropped;
    for (auto end = ends.rbegin(); end != ends.rend(); ++end) {
      if (dropped.contains(end->inner) || !coupled.contains(mechanism_.joints[end->joint].name))
        dropped.insert(mechanism_.bodies[end->body].name);
    }
    for (const auto& end : ends) {
      if (dropped.contains(mechanism_.bodies[end.body].name)) leave_out(end);
    }
    return !dropped.empty();
  }

  void leave_out(const End& end) {
    const auto& body = mechanism_.bodies[end.body];
    const auto& joint = mechanism_.joints[end.joint];
    log_.warn(body.where, "link \"" + body.name +
                              "\" has no mass and nothing behind it, so the motion of joint \"" +
                              joint.name + "\" is not defined; both are left out");
    body_gone_[end.body] = joint_gone_[end.joint] = true;
    leave_looks(body.name, joint);
    take_away(end.joint);
  }

  void leave_looks(const std::string& body, const JointDescription& joint) {
    const bool outward = joint.child == body;
    const Frame X = compose(joint.at_parent, inverse(joint.at_child));
    for (auto& visual : looks_) {
      if (visual.body != body) continue;
      visual.body = outward ? joint.parent : joint.child;
      visual.at = compose(outward ? X : inverse(X), visual.at);
    }
  }

  void take_away(std::size_t j) {
    const auto& joint = mechanism_.joints[j];
    joints_[joint.parent].erase(j);
    joints_[joint.child].erase(j);
    for (const auto& other : std::exchange(coupled_[joint.name], {})) {
      coupled_[other].erase(joint.name);
    }
  }

  template <class Description>
  static void erase(std::vector<Description>& all, const std::vector<bool>& gone) {
    std::size_t i = 0;
    std::erase_if(all, [&](const Description&) { return gone[i++]; });
  }

  Mechanism& mechanism_;
  Looks& looks_;
  ImportLog& log_;
  std::unordered_map<std::string, std::size_t> bodies_;
  std::vector<bool> body_gone_, joint_gone_;
  JointsOfBodies joints_;
  std::map<std::string, std::set<std::string>> coupled_;  // joints with joints
  std::set<std::string> pulled_;                          // bodies that forces act on
};

}  // namespace

namespace {

// A joint that is gone no longer moves what a tendon pulls.
template <class IsGone, class Force>
void drop_joints(const IsGone& is_gone, Force& tendon) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < tendon.joints.size(); ++i) {
    if (is_gone(tendon.joints[i])) continue;
    std::swap(tendon.joints[kept], tendon.joints[i]);
    tendon.ratios[kept++] = tendon.ratios[i];
  }
  tendon.joints.resize(kept);
  tendon.ratios.resize(kept);
}

}  // namespace

void drop_orphans(Mechanism& mechanism) {
  const auto joints = number_by_name(mechanism.joints);
  const auto gone = [&](const std::string& name) { return !joints.contains(name); };
  std::erase_if(mechanism.couplings,
                [&](const Coupling& c) { return gone(c.joint) || gone(c.to); });
  for (auto& force : mechanism.forces) {
    std::visit(
        [&](auto& f) {
          if constexpr (requires { f.ratios; }) drop_joints(gone, f);
        },
        force);
  }
  std::erase_if(mechanism.forces, [&](const ForceDescription& force) {
    return std::visit(
        [&]<class F>(const F& f) {
          if constexpr (requires { f.joint; }) return gone(f.joint);
          if constexpr (requires { f.ratios; }) {
            return f.points.empty() && std::ranges::all_of(f.joints, gone);
          }
          return false;
        },
        force);
  });
}

void drop_massless_ends(Mechanism& mechanism, Looks& looks, ImportLog& log) {
  if (std::ranges::all_of(mechanism.bodies, is_massless)) return;
  Ends(mechanism, looks, log).drop();
}

}  // namespace hamiltree
