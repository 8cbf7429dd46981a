#include "hamiltree/model/validate.hpp"

#include <algorithm>

#include "hamiltree/base/index.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/model/checks.hpp"
#include "hamiltree/model/validate_force.hpp"
#include "hamiltree/model/validate_joint.hpp"

namespace hamiltree {
namespace {

// Names stand in the head of tables and in messages, which are one line, and in XML, which has no
// control characters.
void check_characters(const std::string& kind, const std::string& name,
                      const SourceLocation& where) {
  if (name.find_first_of("\r\n") != std::string::npos)
    refuse(where, kind, "the name has a line break");
  if (std::ranges::any_of(name, [](unsigned char c) { return c < ' ' || c == 0x7F; }))
    refuse(where, kind, "the name has a control character");
}

void add_name(NameTable& table, const std::string& kind, const std::string& name,
              const SourceLocation& where) {
  const auto element = titled(kind, name);
  if (name.empty()) refuse(where, kind, "the name is missing");
  check_characters(kind, name, where);
  if (name == kGround) refuse(where, element, "the name is reserved for the ground itself");
  if (!table.emplace(name, static_cast<int>(table.size())).second) {
    refuse(where, element, "another " + kind + " has this name already");
  }
}

void check_body(const BodyDescription& body, SpaceKind space) {
  const auto element = titled("body", body.name);
  check_not_negative(body.mass, "mass", body.where, element);
  check_vector(body.com, space, "com", body.where, element);
  check_numbers(body.inertia, "inertia", body.where, element);
  if (space == SpaceKind::kSpatial) {
    if (const auto problem = inertia_problem(body.inertia, body.accept_inertia))
      refuse(body.where, element, *problem, "inertia");
  } else {
    check_not_negative(body.inertia(2, 2), "inertia", body.where, element);
  }
}

void check_coupling(const Coupling& coupling, const Mechanism& mechanism, const NameTable& joints) {
  const auto element = titled("coupling", coupling.name);
  const auto check_end = [&](const char* key, const std::string& name) {
    if (one_dof_joint(mechanism, joints, name, coupling.where, element, key).drive) {
      refuse(coupling.where, element,
             "joint \"" + name + "\" is driven, so nothing can be coupled to it", key);
    }
  };
  check_end("joint", coupling.joint);
  check_end("to", coupling.to);
  if (coupling.joint == coupling.to) {
    refuse(coupling.where, element, "couples joint \"" + coupling.joint + "\" to itself", "to");
  }
  check_number(coupling.ratio, "ratio", coupling.where, element);
  if (coupling.ratio == 0.0 && coupling.higher.empty())
    refuse(coupling.where, element,
           "ratio, or a number of polynomial behind the first, must not be 0", "ratio");
  check_number(coupling.offset, "offset", coupling.where, element);
  for (const double c : coupling.higher) check_number(c, "polynomial", coupling.where, element);
  if (!coupling.higher.empty() && coupling.higher.back() == 0.0)
    refuse(coupling.where, element, "the last coefficient of polynomial must not be 0",
           "polynomial");
}

struct SensorCheck {
  const Names& names;
  SpaceKind space;

  void operator()(const BodySensor& s) const {
    known_body(s.body, s.where, titled("sensor", s.name));
  }
  void operator()(const PointSensor& s) const {
    const auto element = titled("sensor", s.name);
    known_body(s.body, s.where, element);
    check_vector(s.position, space, "position", s.where, element);
  }
  void operator()(const JointSensor& s) const {
    check_known_joint(names.joints, s.joint, s.where, titled("sensor", s.name));
  }
  void operator()(const ReactionSensor& s) const {
    check_known_joint(names.joints, s.joint, s.where, titled("sensor", s.name));
  }
  void operator()(const EnergySensor&) const {}

  void known_body(const std::string& body, const SourceLocation& where,
                  const std::string& element) const {
    if (!names.bodies.contains(body)) {
      refuse(where, element, "body \"" + body + "\" is not a body of this mechanism", "body");
    }
  }
};

// Motions meet where loops are singular. Where there are loops, those that start so are asked.
void check_branches(const Mechanism& mechanism) {
  if (mechanism.joints.size() > mechanism.bodies.size() || !mechanism.couplings.empty()) return;
  for (const auto& joint : mechanism.joints) {
    if (!joint.branch) continue;
    refuse(joint.where, titled("joint", joint.name),
           "branch is " + std::to_string(*joint.branch) + ", but there is no loop", "branch");
  }
}

}  // namespace

Names validate(const Mechanism& mechanism) {
  check_characters("mechanism", mechanism.name, mechanism.where);
  check_vector(mechanism.gravity, mechanism.space, "gravity", mechanism.where, "mechanism");
  if (mechanism.bodies.empty()) {
    refuse(mechanism.where, "mechanism", "has no body: nothing in it has mass and is free to move");
  }
  Names names;
  for (const auto& body : mechanism.bodies) {
    add_name(names.bodies, "body", body.name, body.where);
    check_body(body, mechanism.space);
  }
  for (const auto& joint : mechanism.joints) {
    add_name(names.joints, "joint", joint.name, joint.where);
    check_joint(joint, mechanism, names.bodies);
  }
  NameTable couplings;
  for (const auto& coupling : mechanism.couplings) {
    add_name(couplings, "coupling", coupling.name, coupling.where);
    check_coupling(coupling, mechanism, names.joints);
  }
  check_branches(mechanism);
  NameTable forces;
  for (const auto& force : mechanism.forces) {
    std::visit(
        [&]<class F>(const F& f) {
          // Elements within a joint go by the joint's name.
          if constexpr (requires { f.name; }) add_name(forces, "force", f.name, f.where);
        },
        force);
    check_force(force, mechanism, names);
  }
  NameTable events;
  for (const auto& event : mechanism.events) {
    add_name(events, "event", event.name, event.where);
    check_number(event.value, "value", event.where, titled("event", event.name));
  }
  NameTable sensors;
  for (const auto& sensor : mechanism.sensors) {
    std::visit([&](const auto& s) { add_name(sensors, "sensor", s.name, s.where); }, sensor);
    std::visit(SensorCheck{names, mechanism.space}, sensor);
  }
  return names;
}

}  // namespace hamiltree
