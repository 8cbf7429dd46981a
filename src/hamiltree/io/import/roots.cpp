#include "hamiltree/io/import/roots.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "hamiltree/io/import/mass.hpp"

namespace hamiltree {
namespace {

class Roots {
 public:
  explicit Roots(Mechanism& mechanism) : mechanism_(mechanism) {
    for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
      const auto& joint = mechanism.joints[j];
      joints_[joint.parent].push_back(j);
      joints_[joint.child].push_back(j);
      children_.insert(joint.child);
      names_.insert(joint.name);
    }
    for (const auto& body : mechanism.bodies) {
      if (body.mass > 0.0) heavy_.insert(body.name);
      if (!is_massless(body)) inert_.insert(body.name);
    }
    reach(kGround);
  }

  bool is_reached(const std::string& body) const { return reached_.contains(body); }
  bool is_child(const std::string& body) const { return children_.contains(body); }

  void reach(const std::string& body) {
    const auto more = connected(body, [](const JointDescription&) { return true; });
    reached_.insert(more.begin(), more.end());
  }

  // Whether a body, or one that fixed joints hold to it, has mass, or at least inertia.
  bool weighs(const std::string& body) const { return is_one_of(heavy_, body); }
  bool has_inertia(const std::string& body) const { return is_one_of(inert_, body); }

  std::string unused_joint_name(std::string name) {
    while (!names_.insert(name).second) name += "_root";
    return name;
  }

 private:
  bool is_one_of(const std::set<std::string>& bodies, const std::string& body) const {
    const auto held = connected(
        body, [](const JointDescription& joint) { return joint.type == JointType::kFixed; });
    return std::ranges::any_of(held, [&](const std::string& b) { return bodies.contains(b); });
  }

  template <class Counts>
  std::set<std::string> connected(const std::string& body, const Counts& counts) const {
    std::set<std::string> found{body};
    std::vector<std::string> waiting{body};
    while (!waiting.empty()) {
      const auto joints = joints_.find(waiting.back());
      waiting.pop_back();
      if (joints == joints_.end()) continue;
      for (const auto j : joints->second) {
        const auto& joint = mechanism_.joints[j];
        if (!counts(joint)) continue;
        for (const auto& next : {joint.parent, joint.child}) {
          if (found.insert(next).second) waiting.push_back(next);
        }
      }
    }
    return found;
  }

  Mechanism& mechanism_;
  std::map<std::string, std::vector<std::size_t>> joints_;
  std::set<std::string> children_, names_, heavy_, inert_, reached_;
};

Eigen::VectorXd free_coordinates(const Frame& X) {
  Eigen::VectorXd q(7);
  q << X.position, to_quat_wxyz(X.rotation);
  return q;
}

}  // namespace

void hold_roots(Mechanism& mechanism, const std::map<std::string, Frame>& at_start,
                const ImportOptions& options, ImportLog& log) {
  Roots roots(mechanism);
  for (const bool only_roots : {true, false}) {
    for (const auto& body : mechanism.bodies) {
      if (roots.is_reached(body.name) || (only_roots && roots.is_child(body.name))) continue;
      JointDescription joint;
      joint.where = body.where;
      joint.name = roots.unused_joint_name(body.name);
      joint.parent = kGround;
      joint.child = body.name;
      const auto known = at_start.find(body.name);
      const Frame X = known == at_start.end() ? Frame{} : known->second;
      if (options.fixed_base || !roots.weighs(body.name)) {
        joint.type = JointType::kFixed;
        joint.at_parent = X;
        if (!options.fixed_base && roots.has_inertia(body.name)) {
          log.note("link \"" + body.name +
                   "\" has inertia but no mass, so it is held as by --fixed-base");
        }
      } else {
        joint.type = JointType::kFree;
        joint.guess_q = free_coordinates(X);
        log.note("link \"" + body.name + "\" floats; --fixed-base holds it");
      }
      roots.reach(body.name);
      mechanism.add(joint);
    }
  }
}

}  // namespace hamiltree
