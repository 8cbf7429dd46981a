#include "hamiltree/model/why_cut.hpp"

#include <algorithm>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/loop_joints.hpp"

namespace hamiltree {
namespace {

bool must_stay(const Mechanism& mechanism, const JointDescription& joint) {
  const auto couples = [&](const Coupling& c) {
    return c.joint == joint.name || c.to == joint.name;
  };
  return joint.type == JointType::kFree || joint.cut == false || joint.armature > 0.0 ||
         std::ranges::any_of(mechanism.couplings, couples);
}

}  // namespace

std::string why_cut(const Model& model, int joint) {
  const auto& mechanism = model.mechanism();
  const auto described = [&](int j) -> const JointDescription& {
    return mechanism.joints[at(model.described_joint(j))];
  };
  if (described(joint).cut == true) return "cut = true";
  return model.visit([&](const auto& system) -> std::string {
    const auto& cut = system.joint(joint);
    const auto others = tree_joints(system, joint);
    const auto stays = [&](int b) { return must_stay(mechanism, described(b)); };
    if (std::ranges::all_of(others, stays)) return "the others must stay";
    const auto is_massless = [&](int b) {
      return b != kNone && hamiltree::is_massless(mechanism.bodies[at(model.described_body(b))]);
    };
    const auto is_beside_massless = [&](int j) {
      return is_massless(system.joint(j).parent) || is_massless(system.joint(j).child);
    };
    if (!is_beside_massless(joint) && std::ranges::any_of(others, is_beside_massless))
      return "bodies without inertia carry others";
    const auto rows = [&](int b) { return system.joint(b).constraints; };
    const auto [least, most] = std::ranges::minmax(others, {}, rows);
    const bool fewest = cut.constraints <= rows(least) && cut.constraints < rows(most);
    return fewest ? "fewest rows" : "short paths to the ground";
  });
}

}  // namespace hamiltree
