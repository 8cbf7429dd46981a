#include "hamiltree/io/import/mjcf/actuator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>

#include "hamiltree/base/counted.hpp"
#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/joint_parts.hpp"
#include "hamiltree/io/import/mjcf/controls.hpp"
#include "hamiltree/io/import/mjcf/free_inertias.hpp"
#include "hamiltree/io/import/mjcf/renaming.hpp"
#include "hamiltree/io/import/number_by_name.hpp"
#include "hamiltree/io/import/time_functions.hpp"

namespace hamiltree::mjcf {
namespace {

constexpr const char* kLeaveOut = "; --no-actuators leaves all actuators out";

// The transmission of an actuator: joints and how far each moves it, or a rope.
struct Pull {
  std::vector<std::string> joints;
  std::vector<double> ratios;
  std::optional<Eigen::Vector2d> range;              // of the joint or tendon
  std::optional<Eigen::Vector2d> effort_range = {};  // of all actuators of a tendon, before gears
  double gear = 1.0;
  std::vector<RopePoint> points = {};
};

class ActuatorReader {
 public:
  ActuatorReader(const Settings& settings, const Tree& tree, const Tendons& tendons,
                 Mechanism& mechanism, ImportLog& log)
      : settings_(settings),
        tree_(tree),
        tendons_(tendons),
        mechanism_(mechanism),
        log_(log),
        joints_(number_by_name(mechanism.joints)) {
    for (const auto& force : mechanism.forces) {
      std::visit([&](const auto& f) { take_name(f); }, force);
    }
    for (const auto& joint : mechanism.joints) joint_to_.emplace(joint.child, &joint);
  }

  void read(const XmlElement& root, const ImportOptions& options) {
    for (const auto& option : root.children("option")) {
      if (!option.has("actuatorgroupdisable")) continue;
      for (const double group : option.numbers("actuatorgroupdisable")) off_.insert(group);
    }
    std::vector<Driven> actuators;
    for (const auto& section : root.children("actuator")) {
      for (const auto& element : section.children()) actuators.push_back(driven(element));
    }
    add_armatures(actuators);
    for (auto& actuator : actuators) complete(actuator);
    const auto inputs = read_inputs(root, actuators, settings_, options);
    for (std::size_t i = 0; i < actuators.size(); ++i) add(actuators[i], inputs[i]);
    warn_of_shared_ranges(actuators);
  }

 private:
  template <class Force>
  void take_name(const Force& f) {
    if constexpr (requires { f.name; }) names_.insert(f.name);
  }

  Driven driven(const XmlElement& element) {
    const std::string name = element.text_or("name", "");
    return {element,
            unused_name(name.empty() ? "actuator_" + std::to_string(++unnamed_) : name, names_),
            read_actuator_spec(element, settings_.defaults)};
  }

  // Pulls nothing that moves without contacts.
  static bool is_idle(const Driven& actuator) { return actuator.spec.gain == "adhesion"; }

  // Its group is one that the options disable.
  bool is_off(const Driven& actuator) const { return off_.contains(actuator.spec.group); }

  [[noreturn]] static void refuse(const Driven& actuator, const std::string& sentence) {
    actuator.element.fail(sentence + kLeaveOut);
  }

  const JointDescription& joint(const Driven& actuator, const char* attribute) const {
    const std::string name = actuator.element.text(attribute);
    const auto found = joints_.find(name);
    if (found == joints_.end()) actuator.element.fail("there is no joint \"" + name + "\"");
    return mechanism_.joints[found->second];
  }

  static const char* joint_attribute(const Driven& actuator) {
    return actuator.element.has("joint") ? "joint" : "jointinparent";
  }

  // Nothing for one that does not pull along joints with one degree of freedom.
  std::optional<Pull> pull_of(const Driven& actuator) const {
    const auto& element = actuator.element;
    const double gear = actuator.spec.gear(0);
    if (element.has("tendon")) {
      const std::string name = element.text("tendon");
      if (const auto rope = tendons_.spatial.find(name); rope != tendons_.spatial.end()) {
        const auto& [points, range, effort_range] = rope->second;
        if (points.empty()) {
          refuse(actuator, "pulls a tendon that wraps around a geom, which is not simulated");
        }
        return Pull{{}, {}, range, effort_range, gear, points};
      }
      const auto found = tendons_.fixed.find(name);
      if (found == tendons_.fixed.end()) element.fail("there is no tendon \"" + name + "\"");
      const auto& tendon = found->second;
      Pull pull{tendon.joints, tendon.coefficients, tendon.range, tendon.effort_range, gear};
      for (double& ratio : pull.ratios) ratio *= gear;
      return pull;
    }
    if (!element.has("joint") && !element.has("jointinparent")) return std::nullopt;
    const auto& one = joint(actuator, joint_attribute(actuator));
    if (!has_one_freedom(one)) return std::nullopt;
    const auto known = tree_.ranges.find(one.name);
    return Pull{{one.name},
                {gear},
                known == tree_.ranges.end() ? std::nullopt : std::optional(known->second)};
  }

  void add_armatures(const std::vector<Driven>& actuators) {
    for (const auto& actuator : actuators) {
      const double armature = actuator.spec.armature;
      if (armature == 0.0) continue;
      const auto pull = pull_of(actuator);
      if (!pull || pull->joints.size() != 1) refuse(actuator, "has armature, but not on one joint");
      mechanism_.joints[joints_.at(pull->joints.front())].armature +=
          armature * pull->ratios.front() * pull->ratios.front();
    }
  }

  // Facts that only the rest of the model can give: ranges that are inherited, and damping by its
  // ratio to the critical one of the inertia that is moved.
  void complete(Driven& actuator) {
    auto& spec = actuator.spec;
    if (!(spec.inherit_range > 0.0) && !(spec.damping_ratio > 0.0)) return;
    const auto pull = pull_of(actuator);
    if (!pull) refuse(actuator, "has dampratio or inheritrange, but not on joints or tendons");
    if (spec.inherit_range > 0.0) {
      if (!pull->range) actuator.element.fail("inherits a range, but its target has none");
      const double mean = pull->range->mean();
      const double radius = spec.inherit_range * ((*pull->range)(1) - mean);
      auto& limit = spec.dynamics == "integrator" ? spec.activation : spec.control;
      limit.range = Eigen::Vector2d(mean - radius, mean + radius);
    }
    if (spec.damping_ratio > 0.0) {
      if (!pull->points.empty()) refuse(actuator, "has dampratio, but pulls a spatial tendon");
      std::vector<std::size_t> joints;
      for (const auto& name : pull->joints) joints.push_back(joints_.at(name));
      if (!inertias_) inertias_.emplace(tree_, mechanism_);
      spec.bias_prm(2) = -spec.damping_ratio * 2.0 *
                         std::sqrt(spec.gain_prm(0) * inertias_->along(joints, pull->ratios));
    }
  }

  void check_kind(const Driven& actuator) const {
    const auto& [dynamics, gain, bias] =
        std::tie(actuator.spec.dynamics, actuator.spec.gain, actuator.spec.bias);
    constexpr std::array kDynamics{"none", "integrator", "filter", "filterexact"};
    const auto is_not = [&](const std::string& word, const auto& known) {
      return std::ranges::find(known, word) == known.end();
    };
    if (is_not(gain, std::array{"fixed", "affine"})) {
      refuse(actuator, "actuators of type " + gain + " are not simulated");
    }
    if (is_not(bias, std::array{"none", "affine"})) {
      refuse(actuator, "actuators with a bias of type " + bias + " are not simulated");
    }
    if (is_not(dynamics, kDynamics)) {
      refuse(actuator, "actuators with dynamics of type " + dynamics + " are not simulated");
    }
  }

  // The force as effort(t) - stiffness length - damping velocity.
  struct Law {
    TimeFunction effort;
    double stiffness, damping;
    std::optional<double> lower, upper;
  };

  Law law_of(const Driven& actuator, const TimeFunction& input) const {
    const auto& spec = actuator.spec;
    Law law{scaled(input, spec.gain_prm(0), spec.bias_prm(0)),
            -spec.bias_prm(1),
            -spec.bias_prm(2),
            {},
            {}};
    if (!spec.gain_prm.tail<2>().isZero(0.0)) {
      const auto value = constant_value(input);
      if (!value) {
        actuator.element.fail(
            "its gain depends on length or velocity; only a constant control of "
            "such an actuator is simulated");
      }
      law.stiffness -= *value * spec.gain_prm(1);
      law.damping -= *value * spec.gain_prm(2);
    }
    if (spec.force.holds(settings_.compiler)) {
      if (!spec.force.range || !((*spec.force.range)(0) <= (*spec.force.range)(1))) {
        actuator.element.fail("forcerange must ascend");
      }
      law.lower = (*spec.force.range)(0);
      law.upper = (*spec.force.range)(1);
    }
    return law;
  }

  void add(const Driven& actuator, const TimeFunction& input) {
    if (is_idle(actuator)) {
      log_.ignore("adhesion");
      return;
    }
    if (is_off(actuator)) {
      log_.ignore("actuator of a disabled group");
      return;
    }
    check_kind(actuator);
    const Law law = law_of(actuator, input);
    if (const auto pull = pull_of(actuator)) {
      add_servo(actuator, *pull, law);
    } else {
      add_wrench(actuator, law);
    }
  }

  void add_servo(const Driven& actuator, const Pull& pull, const Law& law) {
    if (!pull.points.empty()) return add_rope_servo(actuator, pull, law);
    Servo servo{actuator.name, pull.joints,   pull.ratios,
                law.effort,    law.stiffness, law.damping,
                law.lower,     law.upper,     actuator.element.where()};
    if (pull.effort_range) hold_effort(*pull.effort_range, 1.0, servo);
    const auto found = tree_.effort_ranges.find(pull.joints.front());
    if (pull.joints.size() == 1 && found != tree_.effort_ranges.end()) {
      hold_effort(found->second, pull.ratios.front(), servo);
    }
    mechanism_.add(std::move(servo));
  }

  // Length, rate and force of the actuator are gear times, or a gear-th, of those of the rope.
  void add_rope_servo(const Driven& actuator, const Pull& pull, const Law& law) {
    const double gear = pull.gear;
    Servo servo{actuator.name,
                {},
                {},
                scaled(law.effort, gear),
                gear * gear * law.stiffness,
                gear * gear * law.damping,
                {},
                {},
                actuator.element.where(),
                pull.points};
    if (law.lower) hold_effort({*law.lower, *law.upper}, 1.0 / gear, servo);
    if (pull.effort_range) hold_effort(*pull.effort_range, 1.0 / gear, servo);
    mechanism_.add(std::move(servo));
  }

  // The range of the effort on a joint or tendon, as far as one servo alone can keep it.
  static void hold_effort(const Eigen::Vector2d& range, double ratio, Servo& servo) {
    if (ratio == 0.0) return;
    const double a = range(0) / ratio, b = range(1) / ratio;
    const double lower = std::min(a, b), upper = std::max(a, b);
    servo.lower = std::clamp(servo.lower.value_or(lower), lower, upper);
    servo.upper = std::clamp(servo.upper.value_or(upper), lower, upper);
  }

  // The sum of what several actuators do is not held in a range, nor what those do to a joint that
  // pull elsewhere.
  void warn_of_shared_ranges(const std::vector<Driven>& actuators) const {
    std::map<std::string, int> count, count_on_tendon;
    std::set<std::string> moved;
    for (const auto& actuator : actuators) {
      if (is_idle(actuator) || is_off(actuator)) continue;
      const auto pull = pull_of(actuator);
      moved.merge(joints_between(pulled_bodies(actuator, pull)));
      if (!pull) continue;
      for (const auto& joint : pull->joints) count[joint] += pull->joints.size() == 1 ? 1 : 2;
      if (pull->effort_range && ++count_on_tendon[actuator.element.text("tendon")] == 2) {
        log_.warn(actuator.element.where(),
                  "tendon \"" + actuator.element.text("tendon") +
                      "\": its actuatorfrcrange bounds each of its actuators, not their sum");
      }
    }
    for (const auto& [joint, range] : tree_.effort_ranges) {
      const auto& where = mechanism_.joints[joints_.at(joint)].where;
      const std::string start = "joint \"" + joint + "\": its actuatorfrcrange bounds ";
      if (count[joint] > 1) log_.warn(where, start + "each actuator of its own, not their sum");
      if (moved.contains(joint))
        log_.warn(where, start + "no actuator of a site or spatial tendon");
    }
  }

  // The bodies between which a rope or site pulls; none for other actuators.
  std::vector<std::string> pulled_bodies(const Driven& actuator,
                                         const std::optional<Pull>& pull) const {
    std::vector<std::string> bodies;
    if (pull) {
      for (const auto& point : pull->points) bodies.push_back(point.body);
    } else if (actuator.element.has("site")) {
      bodies = {kGround, tree_.sites.at(actuator.element.text("site")).body};
    }
    return bodies;
  }

  // The joints that carry some of these bodies, but not all.
  std::set<std::string> joints_between(const std::vector<std::string>& bodies) const {
    std::map<std::string, std::size_t> carried;
    for (std::string body : bodies) {
      while (body != kGround) {
        const auto& joint = *joint_to_.at(body);
        ++carried[joint.name];
        body = joint.parent;
      }
    }
    std::set<std::string> between;
    for (const auto& [joint, count] : carried) {
      if (count < bodies.size()) between.insert(joint);
    }
    return between;
  }

  // For a site, or a body with a free joint.
  void add_wrench(const Driven& actuator, const Law& law) {
    const auto& element = actuator.element;
    const Eigen::Vector3d force = actuator.spec.gear.head<3>(),
                          moment = actuator.spec.gear.tail<3>();
    if (element.has("site") && !element.has("refsite")) {
      // The length of a site is none.
      const auto found = tree_.sites.find(element.text("site"));
      if (found == tree_.sites.end()) {
        element.fail("there is no site \"" + element.text("site") + "\"");
      }
      const auto& [body, X] = found->second;
      push(actuator, law, body, X.position, X.rotation * force, X.rotation * moment,
           AppliedWrench::Axes::kBody);
      return;
    }
    if (element.has("joint") || element.has("jointinparent")) {
      const auto& one = joint(actuator, joint_attribute(actuator));
      if (one.type == JointType::kFree) return push_free(actuator, law, one);
      if (one.type == JointType::kSpherical && one.parent == kGround) {
        return push_ball(actuator, law, one);
      }
    }
    refuse(actuator, "what it pulls is not simulated: only joints, tendons and single sites are");
  }

  void push_free(const Driven& actuator, const Law& law, const JointDescription& free) {
    const auto& gear = actuator.spec.gear;
    const bool in_parent = actuator.element.has("jointinparent");
    if (!gear.head<3>().isZero(0.0)) {
      push(actuator, law, free.child, Eigen::Vector3d::Zero(), gear.head<3>(),
           Eigen::Vector3d::Zero(), AppliedWrench::Axes::kWorld);
    }
    if (!gear.tail<3>().isZero(0.0)) {
      push(actuator, law, free.child, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero(),
           gear.tail<3>(), in_parent ? AppliedWrench::Axes::kWorld : AppliedWrench::Axes::kBody);
    }
  }

  void push_ball(const Driven& actuator, const Law& law, const JointDescription& ball) {
    if (law.stiffness != 0.0) refuse(actuator, "feedback of a ball joint is not simulated");
    const bool in_parent = actuator.element.has("jointinparent");
    push(actuator, law, ball.child, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero(),
         actuator.spec.gear.head<3>(),
         in_parent ? AppliedWrench::Axes::kWorld : AppliedWrench::Axes::kBody);
  }

  void push(const Driven& actuator, const Law& law, const std::string& body,
            const Eigen::Vector3d& position, const Eigen::Vector3d& force,
            const Eigen::Vector3d& moment, AppliedWrench::Axes axes) {
    if (law.damping != 0.0)
      refuse(actuator, "feedback of the velocity is simulated of joints only");
    if (body == kGround) return;
    AppliedWrench wrench;
    wrench.name =
        pushed_.insert(actuator.name).second ? actuator.name : unused_name(actuator.name, names_);
    wrench.body = body;
    wrench.position = position;
    wrench.axes = axes;
    wrench.where = actuator.element.where();
    const TimeFunction effort = within(law, actuator);
    const auto along = [&](const Eigen::Vector3d& gear) {
      TimeVector vector;
      for (int i = 0; i < 3; ++i) {
        if (gear(i) != 0.0) {
          vector.*kTimeVectorParts[static_cast<std::size_t>(i)].function = scaled(effort, gear(i));
        }
      }
      return vector;
    };
    wrench.force = along(force);
    wrench.moment = along(moment);
    mechanism_.add(std::move(wrench));
  }

  // A force in time, held in its range.
  static TimeFunction within(const Law& law, const Driven& actuator) {
    if (!law.lower) return law.effort;
    if (const auto value = constant_value(law.effort)) {
      return Polynomial{{std::clamp(*value, *law.lower, *law.upper)}};
    }
    const auto bounds = bounds_of(law.effort);
    if (!bounds || bounds->first < *law.lower || bounds->second > *law.upper) {
      actuator.element.fail("its control lets the force leave forcerange");
    }
    return law.effort;
  }

  const Settings& settings_;
  const Tree& tree_;
  const Tendons& tendons_;
  Mechanism& mechanism_;
  ImportLog& log_;
  std::unordered_map<std::string, std::size_t> joints_;
  std::unordered_map<std::string, const JointDescription*> joint_to_;  // in the tree, by its child
  std::set<std::string> names_, pushed_;
  std::set<double> off_;                  // groups that the options disable
  std::optional<FreeInertias> inertias_;  // made where they are asked for
  int unnamed_ = 0;
};

long count_actuators(const XmlElement& root) {
  long count = 0;
  for (const auto& section : root.children("actuator")) count += std::ssize(section.children());
  return count;
}

}  // namespace

void read_actuators(const XmlElement& root, const Settings& settings, const Tree& tree,
                    const Tendons& tendons, const ImportOptions& options, Mechanism& mechanism,
                    ImportLog& log) {
  const long count = count_actuators(root);
  if (options.no_actuators || settings.disabled.contains("actuation")) {
    if (count > 0) log.note(counted(count, "actuator is", "actuators are") + " left out");
    return;
  }
  ActuatorReader(settings, tree, tendons, mechanism, log).read(root, options);
  if (count > 0 && options.control.empty() && options.keyframe.empty()) {
    log.note("the controls of " + counted(count, "actuator") +
             " are 0; --keyframe or --control says others");
  }
}

}  // namespace hamiltree::mjcf
