#include "hamiltree/io/import/urdf/urdf.hpp"

#include <algorithm>
#include <map>
#include <numbers>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "hamiltree/base/counted.hpp"
#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/joint_parts.hpp"
#include "hamiltree/io/import/mass.hpp"
#include "hamiltree/io/import/named_file.hpp"
#include "hamiltree/io/import/roots.hpp"
#include "hamiltree/io/import/small_letters.hpp"
#include "hamiltree/io/import/urdf/gazebo.hpp"
#include "hamiltree/io/import/urdf/urdf_elements.hpp"
#include "hamiltree/io/import/urdf/urdf_loops.hpp"
#include "hamiltree/io/import/urdf/urdf_visual.hpp"
#include "hamiltree/io/import/urdf/words.hpp"

namespace hamiltree {
namespace urdf {
namespace {

class Reader {
 public:
  Reader(const XmlElement& robot, const std::filesystem::path& file, const ImportOptions& options,
         ImportLog& log, ImportedLooks& looks)
      : robot_(robot),
        file_(file),
        options_(options),
        log_(log),
        imported_looks_(looks),
        looks_(robot, looks) {}

  Mechanism read() {
    check_vocabulary(robot_, words(), log_);
    warn_of_gazebo();
    mechanism_.name = robot_.text_or("name", file_.stem().string());
    mechanism_.where = robot_.where();
    mechanism_.gravity = {0.0, 0.0, -kUsualGravity};
    for (const auto& link : robot_.children("link")) add_link(link);
    for (const auto& element : robot_.children()) {
      if (element.name() == "joint" || element.name() == "drake:joint") add_joint(element);
    }
    at_zero_ = poses_at_zero(mechanism_);
    place_second_parents();
    add_loops();
    auto at_start = read_gazebo(robot_, at_zero_, mechanism_, imported_looks_, log_);
    at_start.insert(at_zero_.begin(), at_zero_.end());
    const auto inboard = inboard_joints(mechanism_);
    for (const auto& element : robot_.children("coupling")) {
      read_coupling(element, inboard, mechanism_);
    }
    for (const auto& element : robot_.children("force_element")) add_springs(element);
    add_rotors();
    if (armatures_ > 0) {
      log_.note("armature of " + counted(armatures_, "joint") +
                " is taken as inertia of rotors, though URDF has none");
    }
    hold_roots(mechanism_, at_start, options_, log_);
    return std::move(mechanism_);
  }

 private:
  // What moves otherwise in Gazebo: what <gazebo> says of links and joints. Flags that change
  // nothing are none of that.
  void warn_of_gazebo() {
    static const std::map<std::string, std::set<std::string>> kMoving{
        {"joint", {}},
        {"link", {}},
        {"springStiffness", {"0", "0.0"}},
        {"dampingFactor", {"0", "0.0"}},
        {"turnGravityOff", {"false", "no", "0"}},
        {"gravity", {"true", "yes", "1"}},
        {"static", {"false", "no", "0"}}};
    for (const auto& gazebo : robot_.children("gazebo")) {
      for (const auto& element : gazebo.children()) {
        const auto moving = kMoving.find(element.name());
        if (moving == kMoving.end() || moving->second.contains(in_small_letters(element.content())))
          continue;
        const bool is_read = element.name() == "joint" || element.name() == "link";
        if (is_read && is_of_model(gazebo)) continue;
        log_.warn(element.where(), "<" + element.name() +
                                       "> in <gazebo> is not read; in Gazebo the robot moves "
                                       "otherwise by it");
      }
    }
  }

  void add_link(const XmlElement& link) {
    auto body = read_link(link);
    if (!links_.insert(body.name).second) link.fail("another link has this name already");
    looks_.read(link, body.name);
    const auto inertials = link.children("inertial");
    if (inertials.size() > 1)
      log_.warn(inertials[1].where(), "a link has one <inertial>; this one is ignored");
    if (!inertials.empty() && !inertials.front().child("inertia")) {
      log_.warn(inertials.front().where(),
                "link \"" + body.name + "\" has no <inertia>; it is a point mass");
    }
    if (body.name != kGround) {
      mechanism_.add(body);
    } else if (!is_massless(body)) {
      log_.warn(link.where(), "the link \"world\" stands still, so its mass is ignored");
    }
  }

  std::string known_link(const XmlElement& element) const {
    const std::string name = body_name(element.text("link"));
    if (name != kGround && !links_.contains(name)) {
      element.fail("link \"" + name + "\" is not in this file");
    }
    return name;
  }

  void add_joint(const XmlElement& element) {
    JointDescription joint;
    joint.where = element.where();
    joint.name = element.text("name");
    joint.type = read_type(element);
    joint.parent = known_link(element.required_child("parent"));
    joint.child = known_link(element.required_child("child"));
    if (joint.child == kGround) element.fail("the child must be a link that can move");
    joint.at_parent = read_origin(element);
    if (joint.type == JointType::kHelical) {
      const auto pitch = element.required_child("drake:screw_thread_pitch");
      joint.pitch = pitch.number("value") / (2.0 * std::numbers::pi);
      if (joint.pitch == 0.0) pitch.fail("must not be 0; without a pitch the joint is revolute");
    }
    // A second parent says nothing of the child's side; that follows from the pose at q = 0.
    if (!parents_.insert(joint.child).second) second_.push_back(mechanism_.joints.size());
    read_axis(element, joint);
    read_forces(element, joint, mechanism_, log_);
    read_armature(element, joint);
    const auto mimics = element.children("mimic");
    if (!mimics.empty()) read_mimic(mimics.front(), joint, mechanism_, log_);
    if (mimics.size() > 1)
      log_.warn(mimics[1].where(), "a joint follows one other; this <mimic> is ignored");
    mechanism_.add(joint);
  }

  // `armature` of <dynamics>, which URDF has not, but Fourier's robots and tools that identify
  // motors write: inertia of the rotor that the joint feels, as in MJCF.
  void read_armature(const XmlElement& element, JointDescription& joint) {
    const auto dynamics = element.child("dynamics");
    if (!dynamics || !dynamics->has("armature") || joint.type == JointType::kFixed) return;
    if (!has_one_freedom(joint)) {
      log_.warn(dynamics->where(),
                "armature is simulated along joints with one degree of freedom "
                "only");
      return;
    }
    joint.armature = dynamics->number("armature");
    ++armatures_;
  }

  void place_second_parents() {
    for (const auto j : second_) {
      auto& joint = mechanism_.joints[j];
      const auto parent = at_zero_.find(joint.parent), child = at_zero_.find(joint.child);
      if (parent == at_zero_.end() || child == at_zero_.end()) {
        throw ModelError(joint.where, "joint \"" + joint.name + "\"",
                         "joint \"" + joint.name +
                             "\": gives its child a second parent, and joints that are parents "
                             "of each other leave its place open");
      }
      joint.at_child = compose(inverse(child->second), compose(parent->second, joint.at_parent));
    }
  }

  void add_loops() {
    for (const auto& element : robot_.children("loop_joint")) {
      known_link(element.required_child("link1"));
      known_link(element.required_child("link2"));
      read_loop_joint(element, at_zero_, mechanism_, log_);
    }
    for (const auto& element : robot_.children("loop")) {
      known_link(element.required_child("predecessor"));
      known_link(element.required_child("successor"));
      read_loop(element, at_zero_, mechanism_, log_);
    }
    add_closed_loops();
  }

  void add_closed_loops() {
    auto yaml = file_;
    yaml.replace_extension(".yaml");
    std::error_code ignored;
    if (file_.empty() || !std::filesystem::is_regular_file(yaml, ignored)) return;
    try {
      yaml = named_file(file_, yaml.filename().string(), options_);
    } catch (const std::runtime_error& error) {
      throw ModelError({yaml.string(), 0}, "", error.what());
    }
    read_closed_loops(yaml, at_zero_, mechanism_, log_);
  }

  // Rotors of Drake: their inertia times the square of the gear ratio is the joint's armature.
  void add_rotors() {
    for (const auto& transmission : robot_.children("transmission")) {
      const auto actuator = transmission.child("actuator");
      const auto rotor = actuator ? actuator->child("drake:rotor_inertia") : std::nullopt;
      if (!rotor) continue;
      const auto gear = actuator->child("drake:gear_ratio");
      const double ratio = gear ? gear->number("value") : 1.0;
      const auto end = transmission.required_child("joint");
      const auto joint =
          std::ranges::find(mechanism_.joints, end.text("name"), &JointDescription::name);
      if (joint == mechanism_.joints.end()) {
        end.fail("joint \"" + end.text("name") + "\" is not in this file");
      }
      if (has_one_freedom(*joint)) joint->armature += rotor->number("value") * ratio * ratio;
    }
  }

  // Other forces are unknown elements, which are warned of.
  void add_springs(const XmlElement& element) {
    if (element.children().empty()) element.required_child("torsional_spring");
    for (const auto& spring : element.children("torsional_spring")) {
      JointSpringDamper force;
      force.where = element.where();
      force.joint = spring.required_child("joint").text("name");
      force.stiffness = spring.number("stiffness");
      force.rest = spring.number_or("rest_angle", 0.0);
      mechanism_.add(force);
    }
  }

  XmlElement robot_;
  std::filesystem::path file_;
  const ImportOptions& options_;
  ImportLog& log_;
  ImportedLooks& imported_looks_;
  VisualReader looks_;
  Mechanism mechanism_;
  std::set<std::string> links_, parents_;  // all links; those with a parent
  std::vector<std::size_t> second_;        // joints that give their child a further parent
  PosesAtZero at_zero_;
  int armatures_ = 0;  // joints whose <dynamics> says one
};

}  // namespace
}  // namespace urdf

Mechanism read_urdf(const XmlDocument& document, const std::filesystem::path& file,
                    const ImportOptions& options, ImportLog& log, ImportedLooks& looks) {
  return urdf::Reader(document.root(), file, options, log, looks).read();
}

}  // namespace hamiltree
