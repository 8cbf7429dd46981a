#include "hamiltree/io/import/urdf/urdf_elements.hpp"

#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/joint_parts.hpp"
#include "hamiltree/io/import/urdf/urdf.hpp"

namespace hamiltree::urdf {

Frame read_pose(const XmlElement& element) {
  return {element.vector_or("xyz", Eigen::Vector3d::Zero()),
          from_rpy(element.vector_or("rpy", Eigen::Vector3d::Zero()))};
}

Frame read_origin(const XmlElement& element) {
  const auto origin = element.child("origin");
  return origin ? read_pose(*origin) : Frame{};
}

// "ground" is the engine's word for what stands still, and need not be in the file.
std::string body_name(const std::string& link) {
  if (link == kWorld) return kGround;
  return link == kGround ? "ground_link" : link;
}

BodyDescription read_link(const XmlElement& link) {
  BodyDescription body;
  body.where = link.where();
  body.name = body_name(link.text("name"));
  const auto inertial = link.child("inertial");
  if (!inertial) return body;
  const Frame X = read_origin(*inertial);
  body.com = X.position;
  body.mass = inertial->required_child("mass").number("value");
  if (body.mass < 0.0) inertial->fail("mass must not be negative, it is " + to_text(body.mass));
  const auto inertia = inertial->child("inertia");
  if (!inertia) return body;  // a point mass, as in Drake
  const double xx = inertia->number("ixx"), yy = inertia->number("iyy"),
               zz = inertia->number("izz");
  const double xy = inertia->number_or("ixy", 0.0), xz = inertia->number_or("ixz", 0.0),
               yz = inertia->number_or("iyz", 0.0);
  Eigen::Matrix3d J;
  J << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  body.inertia = X.rotation * J * X.rotation.transpose();
  return body;
}

using JointTypes = std::map<std::string, JointType>;

const JointTypes kOfUrdf{
    {"revolute", JointType::kRevolute},   {"continuous", JointType::kRevolute},
    {"prismatic", JointType::kPrismatic}, {"fixed", JointType::kFixed},
    {"planar", JointType::kPlanar},       {"spherical", JointType::kSpherical}};
const JointTypes kOfDrake{{"ball", JointType::kSpherical},
                          {"spherical", JointType::kSpherical},
                          {"universal", JointType::kUniversal},
                          {"planar", JointType::kPlanar},
                          {"screw", JointType::kHelical}};

JointType read_type(const XmlElement& joint) {
  const bool of_drake = joint.name() == "drake:joint";
  const bool closes_loop = joint.name() != "joint" && !of_drake;
  JointTypes types = of_drake ? kOfDrake : kOfUrdf;
  if (closes_loop) types.insert(kOfDrake.begin(), kOfDrake.end());
  if (joint.name() == "joint") types["floating"] = JointType::kFree;
  const std::string type = joint.text("type");
  if (const auto found = types.find(type); found != types.end()) return found->second;
  if (type == "curvilinear") joint.fail("a joint along a curve (curvilinear) cannot be simulated");
  std::vector<std::string> known;
  for (const auto& [name, kind] : types) known.push_back(name);
  joint.fail_unknown("type", type, known);
}

void read_axis(const XmlElement& element, JointDescription& joint) {
  switch (joint.type) {
    case JointType::kRevolute:
    case JointType::kPrismatic:
    case JointType::kHelical:
    case JointType::kPlanar:
      break;
    default:
      return;
  }
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();
  if (const auto child = element.child("axis")) {
    axis = child->numbers("xyz", 3);
    if (axis.isZero(0.0)) child->fail("has no direction, it is zero");
  }
  align(joint, axis.stableNormalized());
}

namespace {

void read_damping(const XmlElement& dynamics, const JointDescription& joint, Mechanism& mechanism) {
  if (!dynamics.has("damping")) return;
  if (joint.type == JointType::kPlanar) {
    const Eigen::VectorXd d = dynamics.numbers("damping");
    if (d.size() == 3) {
      add_damping(mechanism, joint, {d(0), d(1), 0.0}, {0.0, 0.0, d(2)});
      return;
    }
  }
  add_damping(mechanism, joint, dynamics.number("damping"));
}

// Stops only where there is some way between them: many files write 0 and 0 for what never stops.
void read_limit(const XmlElement& limit, const JointDescription& joint, const std::string& type,
                Mechanism& mechanism, ImportLog& log) {
  if (type == "continuous" || !has_one_freedom(joint)) return;
  const bool has_lower = limit.has("lower"), has_upper = limit.has("upper");
  if (!has_lower && !has_upper) return;
  const auto end = [&](const char* name) {
    const std::string text = limit.text_or(name, "0");
    if (!is_endless(text)) return limit.number_or(name, 0.0);
    return text.starts_with('-') ? -kNoLimit : kNoLimit;
  };
  const double lower = end("lower"), upper = end("upper");
  if (!(lower < upper)) {
    log.warn(limit.where(), "limits of joint \"" + joint.name + "\", from " + to_text(lower) +
                                " to " + to_text(upper) + ", leave no way and are ignored");
    return;
  }
  const auto stop = [](double x) {
    return std::abs(x) < kNoLimit ? std::optional(x) : std::nullopt;
  };
  add_stops(mechanism, joint, stop(lower), stop(upper));
}

}  // namespace

void read_forces(const XmlElement& element, const JointDescription& joint, Mechanism& mechanism,
                 ImportLog& log) {
  if (joint.type == JointType::kFixed) return;
  if (const auto dynamics = element.child("dynamics")) {
    read_damping(*dynamics, joint, mechanism);
    add_friction(mechanism, joint, dynamics->number_or("friction", 0.0));
  }
  if (const auto limit = element.child("limit")) {
    read_limit(*limit, joint, element.text("type"), mechanism, log);
  }
}

}  // namespace hamiltree::urdf
