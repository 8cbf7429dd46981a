#include "hamiltree/model/subsystems.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/force_ends.hpp"
#include "hamiltree/model/topology/groups.hpp"

namespace hamiltree {
namespace {

// Calls f(body) for the bodies that a force acts on, by their names; the ground may be among them.
template <class F>
void for_each_body(const Mechanism& mechanism, const Model& model, const ForceDescription& force,
                   const F& f) {
  for_each_joint_name(force, [&](const std::string& name) {
    const auto& joint = mechanism.joints[at(model.described_joint(*model.find_joint(name)))];
    f(joint.parent);
    f(joint.child);
  });
  for_each_body_name(force, f);
}

// Numbers of consecutive things that begin at `first`.
void append(int first, int count, std::vector<int>& numbers) {
  for (int i = 0; i < count; ++i) numbers.push_back(first + i);
}

// Adds the numbers in the whole of what the part has; false if its tables are made otherwise.
template <class Space>
bool number(const Model& whole, const System<Space>& system, const std::vector<int>& couplings,
            Subsystem& part) {
  const auto& own = std::get<System<Space>>(part.model.tables());
  for (int j = 0; j < own.joint_count(); ++j) {
    const int there = whole.find_joint(part.model.joint_name(j)).value();
    const auto &here = own.joint(j), &joint = system.joint(there);
    if (here.is_cut() != joint.is_cut() || here.reversed != joint.reversed ||
        here.type != joint.type || here.constraints != joint.constraints) {
      return false;
    }
    part.joints.push_back(there);
    if (here.is_cut()) {
      append(joint.row, joint.constraints, part.rows);
    } else {
      append(joint.q, joint.coordinates, part.coordinates);
      append(joint.v, joint.velocities, part.velocities);
    }
  }
  if (system.couplings.size() != whole.mechanism().couplings.size()) return false;
  for (const int c : couplings) part.rows.push_back(system.couplings[at(c)].row);
  return true;
}

}  // namespace

std::vector<int> subsystem_numbers(const Model& model) {
  return model.visit([](const auto& system) {
    Groups groups(system.bodies.size());
    const auto connect = [&](int a, int b) {
      if (a != kNone && b != kNone) groups.unite(a, b);
    };
    for (const auto& joint : system.joints) connect(joint.parent, joint.child);
    for (const auto& coupling : system.couplings) {
      const auto &joint = system.joint(coupling.joint), &to = system.joint(coupling.to);
      connect(std::max(joint.parent, joint.child), std::max(to.parent, to.child));
    }
    // A force at one of its ends may depend on all of them.
    system.for_each_force([&](const auto& element) {
      int known = kNone;
      const auto on_body = [&](int body) {
        connect(known, body);
        if (body != kNone) known = body;
      };
      const auto on_joint = [&](int j, Uses) {
        on_body(std::max(system.joint(j).parent, system.joint(j).child));
      };
      for_each_end(element, on_body, on_joint);
    });
    // A controller may look at any joint.
    for (int b = 0; b < system.body_count() && !system.control_laws.empty(); ++b) connect(0, b);

    std::vector<int> numbers;
    int count = 0;
    for (int b = 0; b < system.body_count(); ++b) {
      const int least = groups.find(b);
      numbers.push_back(least == b ? count++ : numbers[at(least)]);
    }
    return numbers;
  });
}

std::optional<Subsystem> make_subsystem(const Model& whole, const std::vector<bool>& chosen) {
  if (!whole.has_own_tables()) return std::nullopt;
  const auto& mechanism = whole.mechanism();
  const auto is_chosen = [&](const std::string& name) {
    const int body = whole.find_body(name).value();
    return body != kNone && chosen[at(body)];
  };
  const auto is_moved = [&](const JointDescription& joint) {
    return is_chosen(joint.parent) || is_chosen(joint.child);
  };
  Mechanism part;
  part.name = mechanism.name;
  part.space = mechanism.space;
  part.gravity = mechanism.gravity;
  part.where = mechanism.where;
  for (const auto& body : mechanism.bodies) {
    if (is_chosen(body.name)) part.add(body);
  }
  for (const auto& joint : mechanism.joints) {
    if (is_moved(joint)) part.add(joint);
  }
  std::vector<int> couplings;
  for (std::size_t c = 0; c < mechanism.couplings.size(); ++c) {
    const auto& coupling = mechanism.couplings[c];
    const int joint = whole.described_joint(*whole.find_joint(coupling.joint));
    if (!is_moved(mechanism.joints[at(joint)])) continue;
    part.add(coupling);
    couplings.push_back(static_cast<int>(c));
  }
  for (const auto& force : mechanism.forces) {
    bool acts = false;
    for_each_body(mechanism, whole, force,
                  [&](const std::string& body) { acts = acts || is_chosen(body); });
    if (acts) part.add(force);
  }

  Subsystem result{Model(std::move(part)), {}, {}, {}, {}};
  const bool same =
      whole.visit([&](const auto& system) { return number(whole, system, couplings, result); });
  if (!same) return std::nullopt;
  return result;
}

}  // namespace hamiltree
