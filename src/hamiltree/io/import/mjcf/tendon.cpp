#include "hamiltree/io/import/mjcf/tendon.hpp"

#include <algorithm>

#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/joint_parts.hpp"
#include "hamiltree/io/import/mjcf/actuator_spec.hpp"

namespace hamiltree::mjcf {
namespace {

bool pulls(const XmlElement& tendon) {
  return tendon.has("stiffness") || tendon.has("damping") || tendon.has("frictionloss") ||
         tendon.has("range");
}

// Two sites and nothing else on the way, no lengths without tension.
bool is_straight_spring(const XmlElement& tendon) {
  if (tendon.name() != "spatial" || tendon.children("site").size() != 2 ||
      tendon.children().size() != 2) {
    return false;
  }
  if (!tendon.has("springlength")) return true;
  const Eigen::VectorXd lengths = tendon.numbers("springlength");
  return lengths.size() == 1 || (lengths.size() == 2 && lengths(0) == lengths(1));
}

std::string why_left_out(const XmlElement& tendon) {
  const std::string what = !tendon.children("geom").empty()     ? "that wraps around a geom"
                           : !tendon.children("pulley").empty() ? "over a pulley"
                           : tendon.children("site").size() != 2
                               ? "over more than two sites"
                               : "without tension over a range of lengths";
  return "a tendon " + what + " is not simulated and left out";
}

void add_spring(const XmlElement& tendon, const Tree& tree, Mechanism& mechanism) {
  PointSpringDamper spring;
  spring.where = tendon.where();
  spring.name = tendon.text_or("name", "tendon_" + std::to_string(mechanism.forces.size() + 1));
  const auto sites = tendon.children("site");
  const auto place = [&](const XmlElement& site) -> const Place& {
    const auto found = tree.sites.find(site.text("site"));
    if (found == tree.sites.end()) {
      site.fail("there is no site \"" + site.text("site") + "\"");
    }
    return found->second;
  };
  const Place& a = place(sites[0]);
  const Place& b = place(sites[1]);
  spring.body_a = a.body;
  spring.body_b = b.body;
  spring.point_a = a.X.position;
  spring.point_b = b.X.position;
  spring.stiffness = tendon.number_or("stiffness", 0.0);
  spring.damping = tendon.number_or("damping", 0.0);
  const double given = tendon.has("springlength") ? tendon.numbers("springlength")(0) : -1.0;
  spring.rest_length = given >= 0.0 ? given
                                    : (apply(tree.at_start.at(a.body), spring.point_a) -
                                       apply(tree.at_start.at(b.body), spring.point_b))
                                          .norm();
  mechanism.add(spring);
}

FixedTendon fixed_tendon(const XmlElement& tendon, const Tree& tree, const Settings& settings,
                         const Mechanism& mechanism) {
  FixedTendon fixed;
  for (const auto& part : tendon.children("joint")) {
    const std::string name = part.text("joint");
    const auto joint = std::ranges::find(mechanism.joints, name, &JointDescription::name);
    if (joint == mechanism.joints.end()) part.fail("there is no joint \"" + name + "\"");
    if (!has_one_freedom(*joint)) part.fail("joint \"" + name + "\" is neither hinge nor slide");
    const double coefficient = part.number("coef");
    fixed.joints.push_back(name);
    fixed.coefficients.push_back(coefficient);
    const auto reference = tree.reference.find(name);
    if (reference != tree.reference.end()) fixed.at_start += coefficient * reference->second;
  }
  if (fixed.joints.empty()) tendon.fail("has no joint");
  if (tendon.has("range")) fixed.range = tendon.numbers("range", 2);
  Limit effort{tendon.text_or("actuatorfrclimited", "auto"), {}};
  if (tendon.has("actuatorfrcrange")) effort.range = tendon.numbers("actuatorfrcrange", 2);
  if (effort.holds(settings.compiler)) fixed.effort_range = effort.range;
  return fixed;
}

// Whether its range is enforced.
bool is_limited_tendon(const XmlElement& tendon, const Settings& settings) {
  Limit limit{tendon.text_or("limited", "auto"), {}};
  if (tendon.has("range")) limit.range = tendon.numbers("range", 2);
  return !settings.disabled.contains("limit") && limit.holds(settings.compiler);
}

// Parts of a tendon beside spring and damper.
void warn_of_rest(const XmlElement& tendon, const Settings& settings, ImportLog& log,
                  bool has_stops = false) {
  for (const char* what : {"frictionloss", "armature"}) {
    if (tendon.number_or(what, 0.0) != 0.0) {
      log.warn(tendon.where(), std::string("the ") + what + " of a tendon is not simulated");
    }
  }
  if (!has_stops && is_limited_tendon(tendon, settings)) {
    log.warn(tendon.where(), "the range of a tendon is not simulated, but of one joint alone");
  }
}

// Spring and damper along a fixed tendon. Its range is that of its joint, where it has only one.
void add_fixed(const XmlElement& tendon, const FixedTendon& fixed, const Settings& settings,
               const std::string& name, Mechanism& mechanism, ImportLog& log) {
  const double stiffness =
      settings.disabled.contains("spring") ? 0.0 : tendon.number_or("stiffness", 0.0);
  const double damping =
      settings.disabled.contains("damper") ? 0.0 : tendon.number_or("damping", 0.0);
  if (stiffness != 0.0 || damping != 0.0) {
    Eigen::VectorXd lengths = Eigen::VectorXd::Constant(1, -1.0);
    if (tendon.has("springlength")) lengths = tendon.numbers("springlength");
    if (lengths.size() == 2 && lengths(0) != lengths(1) && stiffness != 0.0) {
      log.warn(tendon.where(), "a tendon without tension over a range of lengths is left out");
      return;
    }
    const double rest = lengths(0) == -1.0 ? fixed.at_start : lengths(0);
    mechanism.add(Servo{name,
                        fixed.joints,
                        fixed.coefficients,
                        Polynomial{{stiffness * rest}},
                        stiffness,
                        damping,
                        {},
                        {},
                        tendon.where()});
  }
  const bool one_joint = fixed.joints.size() == 1;
  warn_of_rest(tendon, settings, log, one_joint);
  if (!one_joint || !is_limited_tendon(tendon, settings)) return;
  const auto joint =
      std::ranges::find(mechanism.joints, fixed.joints.front(), &JointDescription::name);
  const Eigen::Vector2d ends = *fixed.range / fixed.coefficients.front();
  add_stops(mechanism, *joint, ends.minCoeff(), ends.maxCoeff());
}

}  // namespace

std::map<std::string, FixedTendon> read_tendons(const XmlElement& root, const Settings& settings,
                                                const Tree& tree, Mechanism& mechanism,
                                                ImportLog& log) {
  std::map<std::string, FixedTendon> fixed;
  int number = 0;
  for (const auto& section : root.children("tendon")) {
    for (const auto& tendon : section.children()) {
      settings.defaults.complete(tendon, "");
      const std::string name = tendon.text_or("name", "tendon_" + std::to_string(++number));
      if (tendon.name() == "fixed") {
        const auto& one = fixed[name] = fixed_tendon(tendon, tree, settings, mechanism);
        add_fixed(tendon, one, settings, name, mechanism, log);
      } else if (!pulls(tendon)) {
        log.ignore("tendon");
      } else if (is_straight_spring(tendon)) {
        add_spring(tendon, tree, mechanism);
        warn_of_rest(tendon, settings, log);
      } else {
        log.warn(tendon.where(), why_left_out(tendon));
      }
    }
  }
  return fixed;
}

}  // namespace hamiltree::mjcf
