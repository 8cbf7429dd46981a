#include "hamiltree/io/import/native_joint.hpp"

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "hamiltree/io/import/native_elements.hpp"
#include "hamiltree/io/import/native_force.hpp"
#include "hamiltree/io/import/native_frame.hpp"
#include "hamiltree/io/import/native_time_function.hpp"
#include "hamiltree/model/joints/joints.hpp"

namespace hamiltree {
namespace {

constexpr int kMostBranches = 1000;

JointType read_joint_type(TomlReader& reader, SpaceKind space) {
  const std::string name = reader.text("type");
  const auto type = joint_type_from_name(name);
  if (!type) reader.fail_unknown("type", name, joint_type_names(space));
  if (!exists_in(*type, space)) {
    reader.fail("type", "a " + name + " joint needs space = \"spatial\"");
  }
  return *type;
}

Eigen::VectorXd read_coordinates(TomlReader& reader, JointType type, SpaceKind space) {
  const auto size = joint_size(type, space);
  Eigen::VectorXd q = reader.number_or_numbers("q", size.coordinates);
  if (size.coordinates > size.velocities) {  // the last four are a quaternion
    q.tail<4>() = to_unit_quat_wxyz(reader, "q", q.tail<4>());
  }
  return q;
}

// initial = { q, v }, guess = { q }
void read_start(TomlReader& reader, SpaceKind space, JointDescription& joint) {
  for (const char* key : {"initial", "guess"}) {
    if (reader.has(key) && joint.type == JointType::kFixed) {
      reader.fail(key, "a fixed joint has no coordinates, so no " + std::string(key));
    }
  }
  if (auto initial = reader.table("initial")) {
    if (initial->has("q")) joint.initial_q = read_coordinates(*initial, joint.type, space);
    if (initial->has("v")) {
      joint.initial_v = initial->number_or_numbers("v", joint_size(joint.type, space).velocities);
    }
    initial->finish();
  }
  if (auto guess = reader.table("guess")) {
    joint.guess_q = read_coordinates(*guess, joint.type, space);
    guess->finish();
  }
}

// spring = { stiffness, rest } and damper = { damping } make one force.
void read_joint_spring_damper(TomlReader& reader, const JointDescription& joint,
                              std::vector<ForceDescription>& forces) {
  auto spring = reader.table("spring");
  auto damper = reader.table("damper");
  if (!spring && !damper) return;
  JointSpringDamper force;
  force.joint = joint.name;
  force.where = spring ? spring->where() : damper->where();
  if (spring) {
    force.stiffness = spring->number("stiffness");
    force.rest = spring->number_or("rest", 0.0);
    spring->finish();
  }
  if (damper) {
    force.damping = damper->number("damping");
    damper->finish();
  }
  forces.emplace_back(std::move(force));
}

// limits = { lower, upper, stiffness, damping, transition },
// friction = { coulomb, viscous, velocity_scale }
template <class Force>
void read_inner_force(TomlReader& reader, std::string_view key, const JointDescription& joint,
                      SpaceKind space, std::vector<ForceDescription>& forces) {
  auto table = reader.table(key);
  if (!table) return;
  if constexpr (std::same_as<Force, JointFriction>) {
    if (!table->has("coulomb") && !table->has("viscous"))
      table->fail("coulomb", "friction needs coulomb, viscous or both");
  }
  Force force;
  force.joint = joint.name;
  force.where = table->where();
  Force::fields(force, FieldReader(*table, space, true));
  table->finish();
  forces.emplace_back(std::move(force));
}

bool takes_axis(JointType type, SpaceKind space) {
  return visit_joint(type, space, []<class J>(const J&) { return J::kTakesAxis; });
}

void read_pitch(TomlReader& reader, JointDescription& joint) {
  if (joint.type == JointType::kHelical) {
    joint.pitch = reader.number("pitch");
  } else if (reader.has("pitch")) {
    reader.fail("pitch", std::string("a ") + to_name(joint.type) + " joint has no pitch");
  }
}

int read_branch(TomlReader& reader) {
  const auto branch = reader.integer("branch");
  if (branch < 1 || branch > kMostBranches) {
    reader.fail("branch", "branch must be the number of a motion, from 1 on, it is " +
                              std::to_string(branch));
  }
  return static_cast<int>(branch);
}

}  // namespace

JointDescription read_joint(TomlReader& reader, SpaceKind space,
                            std::vector<ForceDescription>& forces) {
  JointDescription joint;
  joint.where = reader.where();
  joint.name = read_name(reader, "joint");
  joint.type = read_joint_type(reader, space);
  joint.parent = reader.text("parent");
  joint.child = reader.text("child");
  joint.at_parent = read_frame(reader, "at_parent", space);
  joint.at_child = read_frame(reader, "at_child", space);
  if (reader.has("axis") && !takes_axis(joint.type, space)) {
    reader.fail("axis", std::string("a ") + to_name(joint.type) + " joint " +
                            (space == SpaceKind::kPlanar ? "in the plane " : "") + "has no axis");
  }
  read_axis(reader, space, joint.at_parent, joint.at_child);
  read_pitch(reader, joint);
  joint.armature = reader.number_or("armature", 0.0);
  joint.drive = read_time_function(reader, "drive");
  joint.parent_motion = read_frame_motion(reader, "parent_motion", space);
  read_start(reader, space, joint);
  if (reader.has("cut")) joint.cut = reader.boolean("cut");
  if (reader.has("branch")) joint.branch = read_branch(reader);
  read_joint_spring_damper(reader, joint, forces);
  read_inner_force<JointLimits>(reader, "limits", joint, space, forces);
  read_inner_force<JointFriction>(reader, "friction", joint, space, forces);
  reader.finish();
  return joint;
}

}  // namespace hamiltree
