#include "hamiltree/io/import/mjcf/mjcf_tree.hpp"

#include <algorithm>
#include <optional>

#include "hamiltree/base/counted.hpp"
#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/joint_parts.hpp"
#include "hamiltree/io/import/mass.hpp"
#include "hamiltree/io/import/mjcf/actuator_spec.hpp"
#include "hamiltree/io/import/mjcf/mass.hpp"
#include "hamiltree/io/import/mjcf/mjcf_joint.hpp"
#include "hamiltree/io/import/mjcf/renaming.hpp"
#include "hamiltree/io/import/number_by_name.hpp"
#include "hamiltree/math/dense_solvers.hpp"

namespace hamiltree::mjcf {

std::string body_name(const std::string& name) {
  if (name == "world") return kGround;
  return name == kGround ? "ground_body" : name;
}

namespace {

class TreeReader {
 public:
  TreeReader(const Settings& settings, Meshes& meshes, GeomLooks& looks, Mechanism& mechanism,
             ImportLog& log)
      : settings_(settings), meshes_(meshes), looks_(looks), mechanism_(mechanism), log_(log) {}

  Tree read(const XmlElement& root) {
    collect_names(root, names_);  // so that those made up are others
    tree_.at_start[kGround] = {};
    for (const auto& world : root.children("worldbody")) {
      read_content(world, kGround, {}, world.text_or("childclass", ""), nullptr);
    }
    scale_masses();
    const auto bodies = number_by_name(mechanism_.bodies);
    for (auto& solid : tree_.solids) solid.body = mechanism_.bodies[bodies.at(solid.body.name)];
    lift();
    add_loose_armature();
    return std::move(tree_);
  }

 private:
  std::string name_of(const XmlElement& element, const std::string& stem) {
    if (element.has("name") && !element.text("name").empty()) return element.text("name");
    return unused_name(stem, names_);
  }

  // The geoms of a body.
  struct Geoms {
    bool weigh = true;  // or <inertial> says what the body weighs
    BodyDescription all;
    int count = 0;  // of those that weigh something
    Eigen::Matrix3d first_axes = Eigen::Matrix3d::Identity();
    bool has_fluid_shape = false;

    void add(const Frame& X, const GeomWeight& part) {
      if (count++ == 0) first_axes = X.rotation * part.axes;
      add_mass(all, X, part.body);
    }
  };

  // The contents of a body or of a <frame> in it, at X in the body; `geoms` is null in the world.
  void read_content(const XmlElement& element, const std::string& body, const Frame& X,
                    const std::string& childclass, Geoms* geoms) {
    for (const auto& child : element.children()) {
      const std::string kind = child.name();
      if (kind == "frame") {
        read_content(child, body, compose(X, settings_.compiler.pose(child)),
                     child.text_or("childclass", childclass), geoms);
      } else if (kind == "body") {
        read_body(child, body, X, childclass);
      } else if (kind == "geom") {
        settings_.defaults.complete(child, childclass);
        looks_.read(child, body, X);
        if (geoms == nullptr) continue;
        if (child.text_or("fluidshape", "none") != "none") geoms->has_fluid_shape = true;
        if (!geoms->weigh) continue;
        if (const auto part = read_geom(child, settings_.compiler, meshes_, log_))
          geoms->add(X, *part);
      } else if (kind == "site") {
        settings_.defaults.complete(child, childclass);
        if (child.has("name")) {
          tree_.sites[child.text("name")] = {body, compose(X, site_pose(child))};
        }
      } else if (kind == "inertial") {
        if (geoms == nullptr) child.fail("the world stands still and has no inertia");
      } else if (kind == "flexcomp") {
        child.fail("is flexible, and only rigid bodies are simulated");
      } else if (kind == "attach") {
        child.fail("is not read; write its bodies out");
      }
    }
  }

  Frame site_pose(const XmlElement& site) const {
    if (!site.has("fromto")) return settings_.compiler.pose(site);
    const Eigen::VectorXd ends = site.numbers("fromto", 6);
    return {0.5 * (ends.head<3>() + ends.tail<3>()), Eigen::Matrix3d::Identity()};
  }

  // A part of a body, and the frame around it.
  struct Framed {
    XmlElement element;
    Frame X;
    std::string childclass;
  };
  // The parts of these kinds that the body itself has.
  void find_parts(const XmlElement& element, const std::set<std::string>& kinds, const Frame& X,
                  const std::string& childclass, std::vector<Framed>& parts) const {
    for (const auto& child : element.children()) {
      if (kinds.contains(child.name())) {
        parts.push_back({child, X, childclass});
      } else if (child.name() == "frame") {
        find_parts(child, kinds, compose(X, settings_.compiler.pose(child)),
                   child.text_or("childclass", childclass), parts);
      }
    }
  }

  std::optional<Framed> find_inertial(const XmlElement& body) const {
    std::vector<Framed> inertials;
    find_parts(body, {"inertial"}, {}, "", inertials);
    if (inertials.empty()) return std::nullopt;
    if (inertials.size() > 1) inertials[1].element.fail("the body has another one already");
    return inertials.front();
  }

  void read_body(const XmlElement& element, const std::string& parent, const Frame& X_frame,
                 const std::string& outer_class) {
    const std::string childclass = element.text_or("childclass", outer_class);
    const Frame X = compose(X_frame, settings_.compiler.pose(element));
    BodyDescription body;
    body.where = element.where();
    body.name = body_name(name_of(element, "body"));
    if (body.name == kGround) element.fail("the name \"world\" is that of what stands still");
    if (tree_.at_start.contains(body.name)) {
      element.fail("another body has this name already");
    }
    tree_.at_start[body.name] = compose(tree_.at_start.at(parent), X);
    add_joints(element, parent, X, body, childclass);
    Solid solid;
    const auto inertial = find_inertial(element);
    if (inertial) weigh(*inertial, body, solid.axes);
    const std::size_t index = mechanism_.bodies.size();
    mechanism_.add(body);
    const double lifted = element.number_or("gravcomp", 0.0);
    if (lifted != 0.0) lifted_.emplace_back(index, lifted);
    Geoms geoms;
    geoms.weigh = uses_geoms(inertial.has_value());
    read_content(element, body.name, {}, childclass, &geoms);
    take_geoms(geoms.all, mechanism_.bodies[index]);
    if (geoms.all.mass > 0.0)
      solid.axes = geoms.count == 1 ? geoms.first_axes : Eigen::Matrix3d::Identity();
    take_alignment(element, mechanism_.bodies[index], solid.axes);
    solid.body.name = body.name;
    solid.has_fluid_shape = geoms.has_fluid_shape;
    tree_.solids.push_back(std::move(solid));
  }

  // A body with children stays as it is, and so does one that stands in its inertial frame.
  void take_alignment(const XmlElement& element, const BodyDescription& body,
                      const Eigen::Matrix3d& axes) {
    std::vector<Framed> parts;
    find_parts(element, {"joint", "freejoint", "body"}, {}, "", parts);
    const auto& joint = mechanism_.joints.back();
    if (parts.size() != 1 || joint.child != body.name || joint.type != JointType::kFree) return;
    const auto& joint_element = parts.front().element;
    const std::string align = joint_element.text_or("align", "auto");
    if (align == "auto" ? !settings_.compiler.aligns_free : align != "true") return;
    const bool is_inertial =
        body.com.isZero(0.0) && body.inertia.isDiagonal(0.0) && axes.isIdentity(0.0);
    if (!is_inertial) tree_.aligned.push_back({joint_element, joint.name, body.name});
  }

  // Each joint but the last moves a body without mass, in whose frame the next one stands.
  void add_joints(const XmlElement& element, std::string parent, Frame X,
                  const BodyDescription& body, const std::string& childclass) {
    std::vector<Framed> joints;
    find_parts(element, {"joint", "freejoint"}, {}, childclass, joints);
    if (joints.empty()) {
      JointDescription weld;
      weld.where = body.where;
      weld.name = fresh_joint_name(body.name + "_weld");
      weld.type = JointType::kFixed;
      weld.parent = parent;
      weld.child = body.name;
      weld.at_parent = X;
      mechanism_.add(weld);
    }
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const auto& [joint_element, X_frame, joint_class] = joints[i];
      const bool last = i + 1 == joints.size();
      if (joint_element.name() == "joint") {
        settings_.defaults.complete(joint_element, joint_class);
      }
      const std::string name = joint_name(joint_element, body.name);
      const std::string child = last ? body.name : body.name + "/" + name;
      const auto joint =
          read_joint(joint_element, {name, parent, child, X, X_frame}, settings_, mechanism_);
      if (!last) {
        BodyDescription between;
        between.where = joint.where;
        between.name = child;
        mechanism_.add(between);
        tree_.at_start[child] = tree_.at_start.at(body.name);
      }
      tree_.joints.push_back(name);
      if (joint.guess_q && joint.guess_q->size() == 1) tree_.reference[name] = (*joint.guess_q)(0);
      if (has_one_freedom(joint)) {
        const double unit = joint.type == JointType::kRevolute ? settings_.compiler.angle : 1.0;
        tree_.spring_reference[name] = unit * joint_element.number_or("springref", 0.0);
      }
      take_ranges(joint_element, joint);
      take_spring_damper(joint_element, joint);
      take_loose_armature(joint_element, joint);
      mechanism_.add(joint);
      parent = child;
      X = {};
    }
  }

  void take_loose_armature(const XmlElement& element, const JointDescription& joint) {
    const double armature = element.number_or("armature", 0.0);
    if (armature == 0.0 || has_one_freedom(joint) || joint.parent != kGround) return;
    if (armature < 0.0) element.fail("armature must not be negative");
    loose_armature_.push_back({joint.child, armature, joint.type == JointType::kFree});
  }

  // Armature on all velocities against the world is the inertia of a sphere, of a free joint also a
  // mass at the body's frame, which gravity does not feel.
  void add_loose_armature() {
    const auto bodies = number_by_name(mechanism_.bodies);
    for (const auto& [name, armature, is_free] : loose_armature_) {
      BodyDescription rotor;
      rotor.name = name;
      rotor.where = mechanism_.bodies[bodies.at(name)].where;
      rotor.inertia = armature * Eigen::Matrix3d::Identity();
      rotor.mass = is_free ? armature : 0.0;
      add_mass(mechanism_.bodies[bodies.at(name)], {}, rotor);
      carry_weight(name + "_armature", rotor, 1.0, mechanism_);
    }
  }

  void take_ranges(const XmlElement& element, const JointDescription& joint) {
    if (!has_one_freedom(joint)) return;
    const double unit = joint.type == JointType::kRevolute ? settings_.compiler.angle : 1.0;
    if (element.has("range")) tree_.ranges[joint.name] = unit * element.numbers("range", 2);
    const Limit limit = effort_limit(element);
    if (limit.holds(settings_.compiler) && limit.range) {
      tree_.effort_ranges[joint.name] = *limit.range;
      if (element.boolean_or("actuatorgravcomp", false)) lifted_within_.push_back(joint);
    }
  }

  void take_spring_damper(const XmlElement& element, const JointDescription& joint) {
    if (!has_spring_damper(element)) return;
    const Eigen::VectorXd given = element.numbers("springdamper", 2);
    if (!(given.minCoeff() > 0.0)) element.fail("springdamper needs two numbers above 0");
    const double unit = joint.type == JointType::kRevolute ? settings_.compiler.angle : 1.0;
    tree_.spring_dampers.push_back(
        {joint.name, given(0), given(1), unit * element.number_or("springref", 0.0)});
  }

  static Limit effort_limit(const XmlElement& element) {
    Limit limit{element.text_or("actuatorfrclimited", "auto"), {}};
    if (element.has("actuatorfrcrange")) limit.range = element.numbers("actuatorfrcrange", 2);
    return limit;
  }

  std::string joint_name(const XmlElement& element, const std::string& body) {
    if (!element.has("name")) return fresh_joint_name(body + "_joint");
    const std::string name = element.text("name");
    if (!joint_names_.insert(name).second) element.fail("another joint has this name already");
    return name;
  }

  std::string fresh_joint_name(const std::string& stem) {
    std::string name = stem;
    for (int i = 2; names_.contains(name) || !joint_names_.insert(name).second; ++i)
      name = stem + "_" + std::to_string(i);
    return name;
  }

  bool uses_geoms(bool has_inertial) const {
    const auto from_geoms = settings_.compiler.inertia_from_geoms;
    return from_geoms == Compiler::FromGeoms::kAlways ||
           (from_geoms == Compiler::FromGeoms::kWithoutInertial && !has_inertial);
  }

  void weigh(const Framed& inertial, BodyDescription& body, Eigen::Matrix3d& axes) const {
    const auto weight = read_inertial(inertial.element, inertial.X, settings_.compiler);
    axes = inertial.X.rotation * settings_.compiler.pose(inertial.element).rotation;
    body.mass = weight.mass;
    body.com = weight.com;
    body.inertia = weight.inertia;
  }

  // Geoms without mass leave the body what its <inertial> says.
  void take_geoms(const BodyDescription& geoms, BodyDescription& body) const {
    const auto& compiler = settings_.compiler;
    if (geoms.mass > 0.0) {
      body.mass = geoms.mass;
      body.com = geoms.com;
      body.inertia = geoms.inertia;
    }
    body.mass = std::max(body.mass, compiler.least_mass);
    if (!(compiler.least_inertia > 0.0)) return;
    const auto [moments, axes] = principal_axes(body.inertia);
    if (moments(0) < compiler.least_inertia) {
      body.inertia =
          axes * moments.cwiseMax(compiler.least_inertia).asDiagonal() * axes.transpose();
    }
  }

  // Forces that carry a part of the weight of bodies, as gravcomp says.
  void lift() {
    if (settings_.disabled.contains("passive")) return;
    for (const auto& [index, part] : lifted_) {
      const auto& body = mechanism_.bodies[index];
      carry_weight(body.name + "_gravcomp", body, part, mechanism_);
    }
    if (!lifted_.empty()) {
      for (const auto& joint : lifted_within_) {
        log_.warn(joint.where, "joint \"" + joint.name +
                                   "\": its actuatorfrcrange does not bound gravity compensation, "
                                   "as actuatorgravcomp would have it");
      }
      log_.note("forces carry the weight of " +
                counted(static_cast<long>(lifted_.size()), "body", "bodies") +
                " (gravcomp); they stay as they are where gravity is changed");
    }
  }

  void scale_masses() {
    if (!(settings_.compiler.total_mass > 0.0)) return;
    double mass = 0.0;
    for (const auto& body : mechanism_.bodies) mass += body.mass;
    if (mass == 0.0) return;
    for (auto& body : mechanism_.bodies) {
      body.mass *= settings_.compiler.total_mass / mass;
      body.inertia *= settings_.compiler.total_mass / mass;
    }
  }

  const Settings& settings_;
  Meshes& meshes_;
  GeomLooks& looks_;
  Mechanism& mechanism_;
  ImportLog& log_;
  Tree tree_;
  std::set<std::string> names_, joint_names_;
  struct LooseArmature {
    std::string body;
    double armature;
    bool is_free;
  };
  std::vector<LooseArmature> loose_armature_;
  std::vector<std::pair<std::size_t, double>> lifted_;  // bodies, and the part of their weight
  std::vector<JointDescription> lifted_within_;  // whose actuators would do so, within their range
};

}  // namespace

Tree read_tree(const XmlElement& root, const Settings& settings, Meshes& meshes, GeomLooks& looks,
               Mechanism& mechanism, ImportLog& log) {
  return TreeReader(settings, meshes, looks, mechanism, log).read(root);
}

}  // namespace hamiltree::mjcf
