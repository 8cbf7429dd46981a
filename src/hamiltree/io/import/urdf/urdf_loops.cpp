#include "hamiltree/io/import/urdf/urdf_loops.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "hamiltree/io/import/joint_parts.hpp"
#include "hamiltree/io/import/urdf/urdf_elements.hpp"

namespace hamiltree::urdf {
namespace {

// A joint between two frames that the file gives on either link.
void close(const XmlElement& element, const XmlElement& one, const Frame& at_one,
           const XmlElement& other, const Frame& at_other, Mechanism& mechanism, ImportLog& log) {
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
  read_forces(element, joint, mechanism, log);
  mechanism.add(joint);
}

// The joints from a link to the root, each by its first parent.
std::vector<const JointDescription*> way_to_root(const Mechanism& mechanism, std::string link) {
  std::vector<const JointDescription*> way;
  while (way.size() <= mechanism.joints.size()) {
    const auto inboard = std::ranges::find(mechanism.joints, link, &JointDescription::child);
    if (inboard == mechanism.joints.end()) break;
    way.push_back(&*inboard);
    link = inboard->parent;
  }
  return way;
}

}  // namespace

void read_loop_joint(const XmlElement& element, Mechanism& mechanism, ImportLog& log) {
  const auto one = element.required_child("link1"), other = element.required_child("link2");
  close(element, one, read_pose(one), other, read_pose(other), mechanism, log);
}

void read_loop(const XmlElement& element, Mechanism& mechanism, ImportLog& log) {
  const auto one = element.required_child("predecessor");
  const auto other = element.required_child("successor");
  close(element, one, read_origin(one), other, read_origin(other), mechanism, log);
}

void read_mimic(const XmlElement& mimic, const JointDescription& joint, Mechanism& mechanism,
                ImportLog& log) {
  if (!has_one_freedom(joint)) {
    log.warn(mimic.where(), "joint \"" + joint.name + "\" cannot mimic another, it is " +
                                to_name(joint.type) + "; ignored");
    return;
  }
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

void read_coupling(const XmlElement& element, Mechanism& mechanism) {
  const auto one = element.required_child("predecessor").text("link");
  const auto other = element.required_child("successor").text("link");
  auto from_one = way_to_root(mechanism, body_name(one));
  auto from_other = way_to_root(mechanism, body_name(other));
  while (!from_one.empty() && !from_other.empty() && from_one.back() == from_other.back()) {
    from_one.pop_back();
    from_other.pop_back();
  }
  const auto is_fixed = [](const JointDescription* j) { return j->type == JointType::kFixed; };
  std::erase_if(from_one, is_fixed);
  std::erase_if(from_other, is_fixed);
  if (from_one.size() != 1 || from_other.size() != 1) {
    element.fail("couples chains of " + std::to_string(from_one.size()) + " and " +
                 std::to_string(from_other.size()) +
                 " joints; only one joint can be coupled to one other");
  }
  Coupling coupling;
  coupling.where = element.where();
  coupling.name = element.text("name");
  coupling.joint = from_other.front()->name;
  coupling.to = from_one.front()->name;
  coupling.ratio = element.required_child("ratio").number("value");
  mechanism.add(coupling);
}

}  // namespace hamiltree::urdf
