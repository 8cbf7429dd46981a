#include "hamiltree/io/export/model/at_start.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hamiltree/simulation/probe.hpp"

namespace hamiltree {
namespace {

constexpr double kRounding = 1e-12;  // m or rad

void set_start(const Eigen::VectorXd& q, JointDescription& joint) {
  if (q.size() == 0 || joint.initial_q) return;
  if (joint.guess_q ? (q - *joint.guess_q).isZero(kRounding) : q.isZero(kRounding)) return;
  joint.guess_q = q;
}

Mechanism started(Mechanism mechanism, const Model& model) {
  const auto start = initial_state(model);
  const auto probe = make_probe(model);
  probe->set(0.0, start.q.data(), start.v.data());
  Eigen::VectorXd outside_q, outside_v;
  probe->outside(outside_q, outside_v);
  model.visit([&](const auto& system) {
    Eigen::Index next = 0;  // of those outside
    for (int j = 0; j < system.joint_count(); ++j) {
      const auto& joint = system.joint(j);
      auto& described = mechanism.joints[at(model.described_joint(j))];
      if (joint.has_velocity()) {
        set_start(start.q.segment(joint.q, joint.coordinates), described);
      } else {
        set_start(outside_q.segment(next, joint.coordinates), described);
        next += joint.coordinates;
      }
    }
  });
  return mechanism;
}

// Guesses decide between cuts that cost the same.
void keep_tree(const Model& model, Mechanism& mechanism) {
  const Model started(mechanism);
  const auto is_cut = [](const Model& m, const std::string& name) {
    return *m.find_joint(name) >= m.body_count();
  };
  const auto stays = [&](const JointDescription& joint) {
    return is_cut(started, joint.name) == is_cut(model, joint.name);
  };
  if (std::ranges::all_of(mechanism.joints, stays)) return;
  for (auto& joint : mechanism.joints)
    if (is_cut(model, joint.name)) joint.cut = true;
}

bool is_driven(const JointDescription& joint) { return joint.drive || joint.parent_motion; }

}  // namespace

Mechanism at_start(const Mechanism& mechanism) {
  try {
    const Model model(mechanism);
    const bool is_closed = model.constraint_count() > 0;
    if (!is_closed || std::ranges::any_of(mechanism.joints, is_driven)) return mechanism;
    auto result = started(mechanism, model);
    keep_tree(model, result);
    return result;
  } catch (const ModelError&) {
    return mechanism;  // can be written all the same
  }
}

}  // namespace hamiltree
