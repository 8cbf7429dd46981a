#include "hamiltree/io/import/urdf/urdf_loops.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/joint_parts.hpp"
#include "hamiltree/io/import/native_frame.hpp"
#include "hamiltree/io/import/urdf/urdf_elements.hpp"
#include "hamiltree/model/joints/joints.hpp"

namespace hamiltree::urdf {
namespace {

// A joint is closed at q = 0 that is open there by no more: m and the sines of angles. Files have
// few digits.
constexpr double kClosed = 1e-3;

// A joint between two frames that the file gives on either link.
void close(const XmlElement& element, const XmlElement& one, const Frame& at_one,
           const XmlElement& other, const Frame& at_other, const PosesAtZero& at_zero,
           Mechanism& mechanism, ImportLog& log) {
  JointDescription joint;
  joint.where = element.where();
  joint.name = element.text("name");
  joint.type = read_type(element);
  joint.parent = body_name(one.text("link"));
  joint.child = body_name(other.text("link"));
  joint.at_parent = at_one;
  joint.at_child = at_other;
  if (joint.type == JointType::kHelical) element.fail("a screw cannot close a loop here");
  read_axis(element, joint);
  start_at_zero(at_zero, joint);
  read_forces(element, joint, mechanism, log);
  mechanism.add(joint);
}

// The joints from a link to the root, each by its first parent.
std::vector<std::size_t> way_to_root(const Mechanism& mechanism, const InboardJoints& inboard,
                                     const std::string& link) {
  std::vector<std::size_t> way;
  for (auto found = inboard.find(link); found != inboard.end() && way.size() <= inboard.size();
       found = inboard.find(mechanism.joints[found->second].parent)) {
    way.push_back(found->second);
  }
  return way;
}

// A joint whose coordinate is the sum of those on a way, listed from its end: the only one that
// moves, or else a pin to a link without mass that slides along with the end but turns as it does,
// which takes that all turn about one direction.
std::string one_joint(const XmlElement& element, const std::vector<std::size_t>& way,
                      const std::string& side, Mechanism& mechanism) {
  const auto& joints = mechanism.joints;
  const auto moves = [&](std::size_t j) { return joints[j].type != JointType::kFixed; };
  if (std::ranges::count_if(way, moves) == 1) return joints[*std::ranges::find_if(way, moves)].name;
  if (way.empty()) element.fail("its " + side + " does not move against the other link");
  Frame X;  // of the end in the body where the way starts, at q = 0
  Eigen::Vector3d axis = Eigen::Vector3d::Zero();
  for (auto j = way.rbegin(); j != way.rend(); ++j) {
    const auto* joint = &joints[*j];
    const Frame X_joint = compose(X, joint->at_parent);
    const Eigen::Vector3d z = X_joint.rotation.col(2);
    if (moves(*j) && axis.isZero(0.0)) axis = z;
    if (moves(*j) && (joint->type != JointType::kRevolute || !z.isApprox(axis, 1e-6))) {
      element.fail("joint \"" + joint->name + "\" on the way to its " + side +
                   " does not turn about the direction of the others");
    }
    X = compose(X_joint, inverse(joint->at_child));
  }
  BodyDescription follower;
  follower.where = element.where();
  follower.name = element.text("name") + "_" + side;
  JointDescription pin, slide;
  pin.where = slide.where = element.where();
  pin.name = follower.name;
  pin.parent = joints[way.back()].parent;
  pin.child = slide.parent = follower.name;
  pin.at_parent.rotation = pin.at_child.rotation = turn_z_to(axis.normalized());
  slide.name = follower.name + "_slide";
  slide.type = JointType::kTranslational;
  slide.child = joints[way.front()].child;
  slide.at_parent.rotation = X.rotation;
  mechanism.add(follower).add(pin).add(slide);
  return pin.name;
}

}  // namespace

PosesAtZero poses_at_zero(const Mechanism& mechanism) {
  const auto inboard = inboard_joints(mechanism);
  std::map<std::string, std::vector<std::size_t>> outboard;
  for (const auto& [child, j] : inboard) outboard[mechanism.joints[j].parent].push_back(j);
  PosesAtZero placed{{kGround, {}}};
  std::vector<std::string> waiting{kGround};
  for (const auto& body : mechanism.bodies) {
    if (inboard.contains(body.name)) continue;
    placed.emplace(body.name, Frame{});
    waiting.push_back(body.name);
  }
  while (!waiting.empty()) {
    const std::string parent = std::move(waiting.back());
    waiting.pop_back();
    for (const auto j : outboard[parent]) {
      const auto& joint = mechanism.joints[j];
      placed[joint.child] =
          compose(placed.at(parent), compose(joint.at_parent, inverse(joint.at_child)));
      waiting.push_back(joint.child);
    }
  }
  return placed;
}

void start_at_zero(const PosesAtZero& at_zero, JointDescription& joint) {
  const auto parent = at_zero.find(joint.parent), child = at_zero.find(joint.child);
  if (parent == at_zero.end() || child == at_zero.end()) return;
  const Frame across = compose(inverse(compose(parent->second, joint.at_parent)),
                               compose(child->second, joint.at_child));
  if (joint.type == JointType::kSpherical) {
    joint.at_child.rotation = joint.at_child.rotation * across.rotation.transpose();
    return;
  }
  visit_joint<Spatial<double>>(joint.type, joint.pitch, [&](const auto& type) {
    Pose<Spatial<double>> X_FM;
    X_FM.R = across.rotation;
    X_FM.r = across.position;
    if (type.kCoordinates == 0 || type.residual(X_FM).norm() > kClosed) return;
    joint.guess_q = Eigen::VectorXd(type.kCoordinates);
    type.coordinates(X_FM, joint.guess_q->data());
  });
}

void read_loop_joint(const XmlElement& element, const PosesAtZero& at_zero, Mechanism& mechanism,
                     ImportLog& log) {
  const auto one = element.required_child("link1"), other = element.required_child("link2");
  close(element, one, read_pose(one), other, read_pose(other), at_zero, mechanism, log);
}

void read_loop(const XmlElement& element, const PosesAtZero& at_zero, Mechanism& mechanism,
               ImportLog& log) {
  const auto one = element.required_child("predecessor");
  const auto other = element.required_child("successor");
  close(element, one, read_origin(one), other, read_origin(other), at_zero, mechanism, log);
}

void read_mimic(const XmlElement& mimic, const JointDescription& joint, Mechanism& mechanism,
                ImportLog& log) {
  if (!can_mimic(joint, mimic.where(), log)) return;
  Coupling coupling;
  coupling.where = mimic.where();
  coupling.name = joint.name;
  coupling.joint = joint.name;
  coupling.to = mimic.text("joint");
  coupling.ratio = mimic.number_or("multiplier", 1.0);
  coupling.offset = mimic.number_or("offset", 0.0);
  if (coupling.ratio == 0.0) mimic.fail("multiplier is 0; write the joint as fixed");
  mechanism.add(coupling);
}

InboardJoints inboard_joints(const Mechanism& mechanism) {
  InboardJoints inboard;
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    inboard.emplace(mechanism.joints[j].child, j);
  }
  return inboard;
}

void read_coupling(const XmlElement& element, const InboardJoints& inboard, Mechanism& mechanism) {
  const auto one = element.required_child("predecessor").text("link");
  const auto other = element.required_child("successor").text("link");
  auto from_one = way_to_root(mechanism, inboard, body_name(one));
  auto from_other = way_to_root(mechanism, inboard, body_name(other));
  while (!from_one.empty() && !from_other.empty() && from_one.back() == from_other.back()) {
    from_one.pop_back();
    from_other.pop_back();
  }
  Coupling coupling;
  coupling.where = element.where();
  coupling.name = element.text("name");
  coupling.ratio = element.required_child("ratio").number("value");
  if (coupling.ratio == 0.0) element.fail("ratio must not be 0");
  coupling.to = one_joint(element, from_one, "predecessor", mechanism);
  coupling.joint = one_joint(element, from_other, "successor", mechanism);
  mechanism.add(coupling);
}

}  // namespace hamiltree::urdf
