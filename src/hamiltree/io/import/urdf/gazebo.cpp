#include "hamiltree/io/import/urdf/gazebo.hpp"

#include <iterator>
#include <vector>

#include "hamiltree/base/counted.hpp"
#include "hamiltree/io/import/sdf/sdf_joints.hpp"
#include "hamiltree/io/import/sdf/sdf_visual.hpp"
#include "hamiltree/io/import/sdf/words.hpp"
#include "hamiltree/io/import/urdf/urdf_elements.hpp"

namespace hamiltree::urdf {
namespace {

// Of SDF, in which Gazebo reads them: the axes of joints are in their own frames.
constexpr sdf::Version kVersion{7};

std::vector<XmlElement> parts_of_model(const XmlElement& robot, const char* name, ImportLog& log) {
  std::vector<XmlElement> parts;
  for (const auto& gazebo : robot.children("gazebo")) {
    if (!is_of_model(gazebo)) continue;
    for (const auto& part : gazebo.children(name)) {
      check_vocabulary(part, sdf::words(), log);
      parts.push_back(part);
    }
  }
  return parts;
}

void add_links_of_robot(const XmlElement& robot, const PosesAtZero& at_zero,
                        const sdf::Scope& scope, sdf::FrameGraph& graph) {
  for (const auto& link : robot.children("link")) {
    const std::string name = link.text("name");
    const auto placed = at_zero.find(body_name(name));
    if (name == kWorld || placed == at_zero.end()) continue;
    auto& node = graph.add(sdf::Kind::kLink, name, link, scope);
    node.name = placed->first;
    node.X = placed->second;
    graph.remember_link(node);
  }
}

sdf::Node& add_link(const XmlElement& link, const sdf::Scope& scope, sdf::FrameGraph& graph,
                    Mechanism& mechanism, ImportedLooks& looks, ImportLog& log) {
  auto& node = graph.add(sdf::Kind::kLink, link.text("name"), link, scope);
  node.name = body_name(node.name);
  set_pose(link, node, log);
  graph.remember_link(node);
  BodyDescription body;
  body.where = link.where();
  body.name = node.name;
  sdf::read_inertial(link, body, log);
  mechanism.add(body);
  sdf::read_visuals(link, body.name, looks);
  return node;
}

}  // namespace

bool is_of_model(const XmlElement& gazebo) { return gazebo.text_or("reference", "").empty(); }

std::map<std::string, Frame> read_gazebo(const XmlElement& robot, const PosesAtZero& at_zero,
                                         Mechanism& mechanism, ImportedLooks& looks,
                                         ImportLog& log) {
  const auto links = parts_of_model(robot, "link", log);
  const auto joints = parts_of_model(robot, "joint", log);
  if (links.empty() && joints.empty()) return {};
  sdf::FrameGraph graph;
  const auto& scope = graph.add_scope("", graph.world());
  add_links_of_robot(robot, at_zero, scope, graph);
  std::vector<sdf::Node*> added, joined;
  for (const auto& link : links) {
    added.push_back(&add_link(link, scope, graph, mechanism, looks, log));
  }
  for (const auto& joint : joints) {
    auto& node = graph.add_hidden(sdf::Kind::kJoint, joint.text("name"), joint, scope);
    set_pose(joint, node, log);
    node.attached_name = sdf::read_end(joint, "child");
    joined.push_back(&node);
  }
  graph.resolve();
  sdf::JointReader reader(graph, kVersion, mechanism, log);
  for (auto* joint : joined) reader.read(*joint);
  for (const auto* joint : joined) {
    if (joint->element->text("type") == "gearbox") reader.read_gearbox(*joint);
    reader.read_mimics(*joint);
  }
  log.note(counted(std::ssize(joints), "joint") + " and " + counted(std::ssize(links), "link") +
           " in <gazebo> are read, as by Gazebo");
  std::map<std::string, Frame> places;
  for (const auto* link : added) places[link->name] = link->X_W;
  return places;
}

}  // namespace hamiltree::urdf
