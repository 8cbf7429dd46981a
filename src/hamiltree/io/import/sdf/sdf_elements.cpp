#include "hamiltree/io/import/sdf/sdf_elements.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/joint_parts.hpp"
#include "hamiltree/io/import/sdf/sdf_collisions.hpp"
#include "hamiltree/io/import/small_letters.hpp"

namespace hamiltree::sdf {
namespace {

constexpr int kOldest = 2, kNewest = 12;
constexpr double kEndless = 1e15;  // files write 1e16 where a joint never stops

// Numbers that libsdformat takes for missing where their element is empty; of others it is an
// error.
bool may_be_empty(std::string_view name) {
  return name == "mass" || name == "damping" || name == "friction";
}

}  // namespace

Version read_version(const XmlElement& root, ImportLog& log) {
  const std::string text = root.text("version");
  const auto minor = text.starts_with("1.") ? parse_number(text.substr(2)) : std::nullopt;
  if (!minor || *minor != std::floor(*minor) || *minor < 0.0 || *minor > 1e6) {
    root.fail("version must be one of SDF, as 1.9, not \"" + text + "\"");
  }
  if (*minor < kOldest)
    root.fail("version " + text + " is older than 1.2, which is the oldest read");
  if (*minor > kNewest) {
    log.warn(root.where(), "version " + text + " is newer than this program knows (1.12)");
  }
  return {static_cast<int>(*minor)};
}

Frame read_pose(const XmlElement& pose) {
  const std::string format = pose.text_or("rotation_format", "euler_rpy");
  const bool degrees = pose.boolean_or("degrees", false);
  if (format != "euler_rpy" && format != "quat_xyzw") {
    pose.fail("rotation_format must be euler_rpy or quat_xyzw, not \"" + format + "\"");
  }
  if (pose.content().empty()) return {};
  if (format == "quat_xyzw") {
    if (degrees) pose.fail("a quaternion has no degrees");
    const Eigen::VectorXd x = pose.content_numbers(7);
    if (x.tail<4>().isZero(0.0)) pose.fail("the quaternion is zero");
    return {x.head<3>(), from_quat_wxyz({x(6), x(3), x(4), x(5)})};
  }
  const Eigen::VectorXd x = pose.content_numbers(6);
  const double unit = degrees ? std::numbers::pi / 180.0 : 1.0;
  return {x.head<3>(), from_rpy(unit * x.tail<3>())};
}

Frame read_own_pose(const XmlElement& element) {
  const auto pose = element.child("pose");
  return pose ? read_pose(*pose) : Frame{};
}

bool read_flag(const XmlElement& element, const char* child, bool fallback) {
  const auto found = element.child(child);
  if (!found || found->content().empty()) return fallback;
  const std::string text = in_small_letters(found->content());
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  found->fail("must be true or false, not \"" + text + "\"");
}

double read_number(const XmlElement& element, const char* child, double fallback) {
  const auto found = element.child(child);
  if (!found || (may_be_empty(child) && found->content().empty())) return fallback;
  return found->content_number();
}

void read_inertial(const XmlElement& link, BodyDescription& body, ImportLog& log) {
  body.mass = 1.0;
  body.inertia.setIdentity();
  const auto inertial = link.child("inertial");
  if (!inertial) return;
  if (inertial->boolean_or("auto", false)) {
    take_mass_of_collisions(link, *inertial, body, log);
    return;
  }
  const auto pose = inertial->child("pose");
  const std::string frame = pose ? pose->text_or("relative_to", "") : "";
  if (!frame.empty() && frame != link.text("name"))
    pose->fail("a centre of mass is placed in its link, not relative to another frame");
  const Frame X = read_own_pose(*inertial);
  body.com = X.position;
  body.mass = read_number(*inertial, "mass", 1.0);
  if (body.mass < 0.0) inertial->fail("mass must not be negative, it is " + to_text(body.mass));
  if (const auto inertia = inertial->child("inertia")) {
    const auto entry = [&](const char* name, double fallback) {
      return read_number(*inertia, name, fallback);
    };
    const double xx = entry("ixx", 1.0), yy = entry("iyy", 1.0), zz = entry("izz", 1.0);
    const double xy = entry("ixy", 0.0), xz = entry("ixz", 0.0), yz = entry("iyz", 0.0);
    body.inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  }
  body.inertia = X.rotation * body.inertia * X.rotation.transpose();
}

// Up to 1.9 the number is -1 over the advance; files of any version may have either.
double read_pitch(const XmlElement& joint, Version version) {
  double pitch = 0.0;
  const auto now = joint.child("screw_thread_pitch");
  const auto old = joint.child("thread_pitch");
  constexpr int kNewPitch = 10;
  if (now || (!old && version.minor >= kNewPitch)) {
    pitch = (now ? now->content_number() : 1.0) / (2.0 * std::numbers::pi);
  } else {
    const double inverse = old ? old->content_number() : 1.0;
    if (inverse == 0.0) old->fail("must not be 0");
    pitch = -1.0 / inverse;
  }
  if (pitch == 0.0) joint.fail("the pitch of a screw must not be 0");
  return pitch;
}

namespace {

// Nothing where the joint never stops.
std::optional<double> read_stop(const XmlElement& limit, const char* name) {
  const auto element = limit.child(name);
  if (!element) return std::nullopt;
  if (is_endless(element->content())) return std::nullopt;
  const double value = element->content_number();
  return std::abs(value) < kEndless ? std::optional(value) : std::nullopt;
}

// Where both ends are one, the joint is held there.
void read_limit(const XmlElement& limit, JointDescription& joint, Mechanism& mechanism,
                ImportLog& log) {
  const auto lower = read_stop(limit, "lower"), upper = read_stop(limit, "upper");
  if (lower && upper && *lower == *upper) {
    joint.drive = Polynomial{{*lower}};
    return;
  }
  if (lower && upper && !(*lower < *upper)) {
    log.warn(limit.where(), "limits of joint \"" + joint.name + "\", from " + to_text(*lower) +
                                " to " + to_text(*upper) + ", leave no way and are ignored");
    return;
  }
  add_stops(mechanism, joint, lower, upper);
}

}  // namespace

void read_axis_forces(const XmlElement& axis, JointDescription& joint, bool stops,
                      Mechanism& mechanism, ImportLog& log) {
  const bool one = has_one_freedom(joint);
  if (const auto dynamics = axis.child("dynamics")) {
    add_damping(mechanism, joint, read_number(*dynamics, "damping", 0.0));
    if (one) {
      add_friction(mechanism, joint, read_number(*dynamics, "friction", 0.0));
      add_spring(mechanism, joint, read_number(*dynamics, "spring_stiffness", 0.0),
                 read_number(*dynamics, "spring_reference", 0.0));
    }
  }
  const auto limit = axis.child("limit");
  if (one && stops && limit) read_limit(*limit, joint, mechanism, log);
  if (read_number(axis, "initial_position", 0.0) != 0.0) {
    log.warn(axis.where(), "the initial position of joint \"" + joint.name + "\" is not used");
  }
}

}  // namespace hamiltree::sdf
