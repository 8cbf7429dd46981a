#include <map>
#include <set>
#include <string>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/io/import/normalise/normalise.hpp"
#include "hamiltree/io/import/number_by_name.hpp"
#include "hamiltree/model/topology/groups.hpp"

namespace hamiltree {
namespace {

// Nodes of bodies, the ground first.
class Nodes {
 public:
  explicit Nodes(const Mechanism& mechanism)
      : bodies_(number_by_name(mechanism.bodies)), groups_(mechanism.bodies.size() + 1) {}

  // Whether the joint connects what was apart.
  bool connect(const JointDescription& joint) {
    const int a = node(joint.parent), b = node(joint.child);
    if (groups_.find(a) == groups_.find(b)) return false;
    groups_.unite(a, b);
    return true;
  }

 private:
  int node(const std::string& body) const {
    return body == kGround ? 0 : static_cast<int>(bodies_.at(body)) + 1;
  }

  std::unordered_map<std::string, std::size_t> bodies_;
  Groups groups_;
};

}  // namespace

void free_loops(Mechanism& mechanism) {
  std::set<std::string> held;
  for (const auto& coupling : mechanism.couplings) held.insert({coupling.joint, coupling.to});
  Nodes nodes(mechanism);
  for (const auto& joint : mechanism.joints) {
    if (joint.type == JointType::kFree) nodes.connect(joint);
  }
  std::vector<std::size_t> closing;
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    const auto& joint = mechanism.joints[j];
    if (joint.type == JointType::kFree) continue;
    if (!held.contains(joint.name) && !(joint.armature > 0.0)) continue;
    const bool may_close = !(joint.armature > 0.0) && joint.type != JointType::kRevolute;
    if (!nodes.connect(joint) && !may_close) closing.push_back(j);
  }
  auto bodies = number_by_name(mechanism.bodies);
  auto joints = number_by_name(mechanism.joints);
  for (const std::size_t j : closing) {
    BodyDescription end;
    JointDescription weld;
    end.where = weld.where = mechanism.joints[j].where;
    end.name = mechanism.joints[j].name + "_end";
    while (bodies.contains(end.name)) end.name += "_";
    weld.name = mechanism.joints[j].name + "_weld";
    while (joints.contains(weld.name)) weld.name += "_";
    bodies.emplace(end.name, mechanism.bodies.size());
    joints.emplace(weld.name, mechanism.joints.size());
    weld.type = JointType::kFixed;
    weld.parent = mechanism.joints[j].child;
    weld.child = end.name;
    mechanism.joints[j].child = end.name;
    mechanism.add(end);
    mechanism.add(weld);
  }
}

}  // namespace hamiltree
