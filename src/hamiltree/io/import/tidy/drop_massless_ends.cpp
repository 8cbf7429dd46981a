#include <algorithm>
#include <map>
#include <string>

#include "hamiltree/io/import/mass.hpp"
#include "hamiltree/io/import/tidy/tidy.hpp"

namespace hamiltree {
namespace {

bool acts_on(const ForceDescription& force, const std::string& body) {
  return std::visit(
      [&]<class F>(const F& f) {
        if constexpr (requires { f.body_a; }) return f.body_a == body || f.body_b == body;
        if constexpr (requires { f.body; }) return f.body == body;
        return false;
      },
      force);
}

// The only joint of a body that nothing needs, or null.
const JointDescription* idle_joint(const Mechanism& mechanism, const BodyDescription& body) {
  if (!is_massless(body)) return nullptr;
  const JointDescription* only = nullptr;
  for (const auto& joint : mechanism.joints) {
    if (joint.parent != body.name && joint.child != body.name) continue;
    if (only != nullptr) return nullptr;
    only = &joint;
  }
  if (only == nullptr || only->armature > 0.0) return nullptr;
  const auto couplings = std::ranges::count_if(mechanism.couplings, [&](const Coupling& c) {
    return c.joint == only->name || c.to == only->name;
  });
  const bool pulled = std::ranges::any_of(
      mechanism.forces, [&](const ForceDescription& f) { return acts_on(f, body.name); });
  return couplings > 1 || pulled ? nullptr : only;
}

}  // namespace

void drop_orphans(Mechanism& mechanism) {
  const auto gone = [&](const std::string& name) {
    return std::ranges::find(mechanism.joints, name, &JointDescription::name) ==
           mechanism.joints.end();
  };
  std::erase_if(mechanism.couplings,
                [&](const Coupling& c) { return gone(c.joint) || gone(c.to); });
  std::erase_if(mechanism.forces, [&](const ForceDescription& force) {
    return std::visit(
        [&]<class F>(const F& f) {
          if constexpr (requires { f.joint; }) return gone(f.joint);
          return false;
        },
        force);
  });
}

void drop_massless_ends(Mechanism& mechanism, ImportLog& log) {
  if (std::ranges::all_of(mechanism.bodies, is_massless)) return;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
      const auto body = mechanism.bodies[b];
      const JointDescription* joint = idle_joint(mechanism, body);
      if (joint == nullptr) continue;
      log.warn(body.where, "link \"" + body.name +
                               "\" has no mass and nothing behind it, so the motion of joint \"" +
                               joint->name + "\" is not defined; both are left out");
      mechanism.joints.erase(mechanism.joints.begin() + (joint - mechanism.joints.data()));
      mechanism.bodies.erase(mechanism.bodies.begin() + static_cast<std::ptrdiff_t>(b));
      drop_orphans(mechanism);
      changed = true;
      --b;
    }
  }
}

}  // namespace hamiltree
