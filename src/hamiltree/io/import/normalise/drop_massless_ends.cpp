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
        numbers_(number_by_name(mechanism.joints)) {
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

  void drop() {
    std::vector<bool> body_gone(mechanism_.bodies.size()), joint_gone(mechanism_.joints.size());
    // Again where something is gone, for what is coupled to that may be idle by now.
    for (bool goes_on = true; std::exchange(goes_on, false);) {
      for (std::size_t first = 0; first < body_gone.size(); ++first) {
        // From an end inwards, as long as what was behind it is gone.
        for (auto b = first; !body_gone[b] && is_idle(mechanism_.bodies[b]);) {
          const auto& body = mechanism_.bodies[b];
          const auto j = *joints_[body.name].begin();
          const auto& joint = mechanism_.joints[j];
          log_.warn(body.where,
                    "link \"" + body.name +
                        "\" has no mass and nothing behind it, so the motion of joint \"" +
                        joint.name + "\" is not defined; both are left out");
          body_gone[b] = joint_gone[j] = goes_on = true;
          leave_looks(body.name, joint);
          take_away(j);
          const auto next = bodies_.find(joint.parent == body.name ? joint.child : joint.parent);
          if (next == bodies_.end()) break;
          b = next->second;
        }
      }
    }
    erase(mechanism_.bodies, body_gone);
    erase(mechanism_.joints, joint_gone);
    drop_orphans(mechanism_);
  }

 private:
  // Whether nothing needs the body and the only joint that it has.
  bool is_end(const std::string& name) {
    const auto body = bodies_.find(name);
    const auto& joints = joints_[name];
    if (body == bodies_.end() || joints.size() != 1 || pulled_.contains(name)) return false;
    return is_massless(mechanism_.bodies[body->second]) &&
           !(mechanism_.joints[*joints.begin()].armature > 0.0);
  }

  // An end whose joint follows, or leads, one that is none has a motion.
  bool is_idle(const BodyDescription& body) {
    if (!is_end(body.name)) return false;
    std::set<std::string> group;
    std::vector<std::string> waiting{mechanism_.joints[*joints_[body.name].begin()].name};
    while (!waiting.empty()) {
      const std::string name = std::move(waiting.back());
      waiting.pop_back();
      if (!group.insert(name).second) continue;
      const auto& joint = mechanism_.joints[numbers_.at(name)];
      if (!is_end(joint.parent) && !is_end(joint.child)) return false;
      waiting.insert(waiting.end(), coupled_[name].begin(), coupled_[name].end());
    }
    return true;
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
  std::unordered_map<std::string, std::size_t> bodies_, numbers_;  // numbers of joints
  std::map<std::string, std::set<std::size_t>> joints_;            // of each body
  std::map<std::string, std::set<std::string>> coupled_;           // joints with joints
  std::set<std::string> pulled_;                                   // bodies that forces act on
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
