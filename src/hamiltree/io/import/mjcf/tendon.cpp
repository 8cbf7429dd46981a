#include "hamiltree/io/import/mjcf/tendon.hpp"

#include <algorithm>
#include <set>

#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/joint_parts.hpp"
#include "hamiltree/io/import/mjcf/actuator_spec.hpp"
#include "hamiltree/io/import/mjcf/coefficient.hpp"

namespace hamiltree::mjcf {
namespace {

bool pulls(const XmlElement& tendon) {
  return tendon.has("stiffness") || tendon.has("damping") || tendon.has("frictionloss") ||
         tendon.has("range") || tendon.has("armature");
}

// Spring and damper of a tendon: no force between the two lengths.
struct Elastic {
  double stiffness, damping, shortest, longest;
};

// -1 is the length with all joints at `springref`.
Elastic read_elastic(const XmlElement& tendon, const Settings& settings, double at_springs) {
  const auto value = [&](const char* key, const char* flag) {
    return settings.disabled.contains(flag) ? 0.0 : linear_coefficient(tendon, key);
  };
  Eigen::VectorXd lengths = Eigen::VectorXd::Constant(1, -1.0);
  if (tendon.has("springlength")) lengths = tendon.numbers("springlength");
  if (lengths.size() < 1 || lengths.size() > 2)
    tendon.fail("springlength must be one or two numbers");
  const auto length = [&](Eigen::Index i) { return lengths(i) == -1.0 ? at_springs : lengths(i); };
  const Elastic result{value("stiffness", "spring"), value("damping", "damper"), length(0),
                       length(lengths.size() == 2 ? 1 : 0)};
  if (!(result.shortest <= result.longest)) tendon.fail("springlength must ascend");
  return result;
}

const Place& site_of(const XmlElement& element, const Tree& tree) {
  const std::string name = element.text("site");
  const auto found = tree.sites.find(name);
  if (found == tree.sites.end()) element.fail("there is no site \"" + name + "\"");
  return found->second;
}

// Points and pulleys in their order: a pulley begins a branch, of which a part counts.
std::vector<RopePoint> rope_of(const XmlElement& tendon, const Tree& tree) {
  std::vector<RopePoint> points;
  double ratio = 1.0;
  for (const auto& element : tendon.children()) {
    if (element.name() == "pulley") {
      const double divisor = element.number("divisor");
      if (!(divisor > 0.0)) element.fail("divisor must be positive");
      if (!points.empty()) points.back().ratio = 0.0;
      ratio = 1.0 / divisor;
    } else {
      const auto& [body, X] = site_of(element, tree);
      points.push_back({body, X.position, ratio});
    }
  }
  if (points.size() < 2) tendon.fail("needs two sites or more");
  points.back().ratio = 1.0;
  return points;
}

double length_at_springs(const std::vector<RopePoint>& points, const Tree& tree,
                         const Mechanism& mechanism) {
  auto poses = tree.at_start;
  for (const auto& joint : mechanism.joints) {  // from the world outwards
    if (joint.type == JointType::kFree) continue;
    const auto known = tree.spring_reference.find(joint.name);
    const double q = known == tree.spring_reference.end() ? 0.0 : known->second;
    poses[joint.child] = compose(poses.at(joint.parent), pose_across(joint, q));
  }
  double length = 0.0;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const auto place = [&](const RopePoint& point) {
      return apply(poses.at(point.body), point.position);
    };
    length += points[i].ratio * (place(points[i + 1]) - place(points[i])).norm();
  }
  return length;
}

std::optional<Eigen::Vector2d> read_effort_range(const XmlElement& tendon,
                                                 const Settings& settings) {
  Limit effort{tendon.text_or("actuatorfrclimited", "auto"), {}};
  if (tendon.has("actuatorfrcrange")) effort.range = tendon.numbers("actuatorfrcrange", 2);
  return effort.holds(settings.compiler) ? effort.range : std::nullopt;
}

SpatialTendon spatial_tendon(const XmlElement& tendon, const Tree& tree, const Settings& settings) {
  SpatialTendon spatial;
  if (tendon.children("geom").empty()) spatial.points = rope_of(tendon, tree);
  if (tendon.has("range")) spatial.range = tendon.numbers("range", 2);
  spatial.effort_range = read_effort_range(tendon, settings);
  return spatial;
}

void add_spring(const XmlElement& tendon, const SpatialTendon& spatial, const Tree& tree,
                const Settings& settings, const std::string& name, Mechanism& mechanism) {
  const auto elastic =
      read_elastic(tendon, settings, length_at_springs(spatial.points, tree, mechanism));
  if (elastic.stiffness == 0.0 && elastic.damping == 0.0) return;
  PointSpringDamper spring{
      name, spatial.points, elastic.stiffness, elastic.longest, elastic.damping,
      {},   tendon.where()};
  if (elastic.shortest != elastic.longest) spring.slack = elastic.longest - elastic.shortest;
  mechanism.add(std::move(spring));
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
    fixed.at_springs += coefficient * tree.spring_reference.at(name);
  }
  if (fixed.joints.empty()) tendon.fail("has no joint");
  if (tendon.has("range")) fixed.range = tendon.numbers("range", 2);
  fixed.effort_range = read_effort_range(tendon, settings);
  return fixed;
}

// Whether its range is enforced.
bool is_limited_tendon(const XmlElement& tendon, const Settings& settings) {
  Limit limit{tendon.text_or("limited", "auto"), {}};
  if (tendon.has("range")) limit.range = tendon.numbers("range", 2);
  return !settings.disabled.contains("limit") && limit.holds(settings.compiler);
}

// Parts of a tendon beside spring, damper and stops.
void warn_of_rest(const XmlElement& tendon, ImportLog& log) {
  for (const char* what : {"frictionloss", "armature"}) {
    if (tendon.number_or(what, 0.0) != 0.0) {
      log.warn(tendon.where(), std::string("the ") + what + " of a tendon is not simulated");
    }
  }
}

// The stops of a tendon over several joints or of a rope.
TendonLimits limits_of(const XmlElement& tendon, const std::string& name,
                       const Eigen::Vector2d& range) {
  TendonLimits limits;
  limits.name = name + "_range";
  limits.lower = range(0);
  limits.upper = range(1);
  limits.where = tendon.where();
  return limits;
}

// Spring and damper along a fixed tendon. Its range is that of its joint, where it has only one.
void add_fixed(const XmlElement& tendon, const FixedTendon& fixed, const Settings& settings,
               const std::string& name, Mechanism& mechanism, ImportLog& log) {
  const auto elastic = read_elastic(tendon, settings, fixed.at_springs);
  if (elastic.stiffness != 0.0 && elastic.shortest != elastic.longest) {
    log.warn(
        tendon.where(),
        "a fixed tendon without tension over a range of lengths is not simulated and left out");
    return;
  }
  if (elastic.stiffness != 0.0 || elastic.damping != 0.0) {
    mechanism.add(Servo{name,
                        fixed.joints,
                        fixed.coefficients,
                        Polynomial{{elastic.stiffness * elastic.longest}},
                        elastic.stiffness,
                        elastic.damping,
                        {},
                        {},
                        tendon.where()});
  }
  warn_of_rest(tendon, log);
  if (!is_limited_tendon(tendon, settings)) return;
  if (fixed.joints.size() > 1) {
    auto limits = limits_of(tendon, name, *fixed.range);
    limits.joints = fixed.joints;
    limits.ratios = fixed.coefficients;
    mechanism.add(std::move(limits));
    return;
  }
  const auto joint =
      std::ranges::find(mechanism.joints, fixed.joints.front(), &JointDescription::name);
  const Eigen::Vector2d ends = *fixed.range / fixed.coefficients.front();
  add_stops(mechanism, *joint, ends.minCoeff(), ends.maxCoeff());
}

std::set<std::string> pulled_by_actuators(const XmlElement& root) {
  std::set<std::string> pulled;
  for (const auto& section : root.children("actuator")) {
    for (const auto& actuator : section.children()) pulled.insert(actuator.text_or("tendon", ""));
  }
  return pulled;
}

}  // namespace

Tendons read_tendons(const XmlElement& root, const Settings& settings, const Tree& tree,
                     Mechanism& mechanism, ImportLog& log) {
  Tendons tendons;
  const auto pulled = pulled_by_actuators(root);
  int number = 0;
  for (const auto& section : root.children("tendon")) {
    for (const auto& tendon : section.children()) {
      settings.defaults.complete(tendon, "");
      const std::string name = tendon.text_or("name", "tendon_" + std::to_string(++number));
      if (tendon.name() == "fixed") {
        const auto& one = tendons.fixed[name] = fixed_tendon(tendon, tree, settings, mechanism);
        add_fixed(tendon, one, settings, name, mechanism, log);
        continue;
      }
      const auto& one = tendons.spatial[name] = spatial_tendon(tendon, tree, settings);
      if (!pulls(tendon)) {
        if (!pulled.contains(name)) log.ignore("tendon");
      } else if (one.points.empty()) {
        log.warn(tendon.where(), "a tendon that wraps around a geom is not simulated and left out");
      } else {
        add_spring(tendon, one, tree, settings, name, mechanism);
        warn_of_rest(tendon, log);
        if (is_limited_tendon(tendon, settings)) {
          auto limits = limits_of(tendon, name, *one.range);
          limits.points = one.points;
          mechanism.add(std::move(limits));
        }
      }
    }
  }
  return tendons;
}

}  // namespace hamiltree::mjcf
