#include "hamiltree/io/export/model/native_writer.hpp"

#include <map>
#include <optional>
#include <string_view>

#include "hamiltree/io/controller/controller_file.hpp"
#include "hamiltree/io/export/model/field_lines.hpp"
#include "hamiltree/io/export/model/toml_text.hpp"
#include "hamiltree/io/export/model/written_tree.hpp"
#include "hamiltree/io/import/native.hpp"

namespace hamiltree {
namespace {

using namespace toml_text;

const std::string kIsNotNative = " cannot be written in a native model file";

// All that acts along one joint.
struct AlongJoint {
  double stiffness = 0.0, rest = 0.0, damping = 0.0;
  std::optional<JointLimits> limits;
  std::optional<JointFriction> friction;
};

class NativeWriter {
 public:
  NativeWriter(const Mechanism& mechanism, const Looks& looks, const std::filesystem::path& folder)
      : mechanism_(mechanism),
        looks_(looks),
        folder_(folder.empty() ? std::filesystem::current_path() : absolute(folder)),
        space_(mechanism.space) {
    for (const auto& force : mechanism.forces) {
      std::visit([&](const auto& f) { gather(f); }, force);
    }
  }

  std::string text() {
    line("format", std::to_string(kNativeFormat));
    if (!mechanism_.name.empty()) line("name", quoted(mechanism_.name));
    line("space", quoted(space_ == SpaceKind::kPlanar ? "planar" : "spatial"));
    line("gravity", vector(mechanism_.gravity, space_));
    for (const auto& body : mechanism_.bodies) write(body);
    for (const auto& joint : mechanism_.joints) write(joint);
    for (const auto& coupling : mechanism_.couplings) write(coupling);
    for (const auto& force : mechanism_.forces) {
      std::visit([&](const auto& f) { write(f); }, force);
    }
    for (const auto& sensor : mechanism_.sensors) {
      std::visit([&](const auto& s) { write_sensor(s); }, sensor);
    }
    for (const auto& event : mechanism_.events) write(event);
    for (const auto& visual : looks_) write(visual);
    return std::move(text_);
  }

 private:
  void gather(const JointSpringDamper& f) {
    auto& along = along_[f.joint];
    add_spring(f, along.stiffness, along.rest);
    along.damping += f.damping;
  }
  void gather(const JointLimits& f) {
    auto& limits = along_[f.joint].limits;
    if (limits) refuse_to_write("joint", f.joint, f.where, "two stops in one joint" + kIsNotNative);
    limits = f;
  }
  void gather(const JointFriction& f) {
    auto& friction = along_[f.joint].friction;
    if (friction)
      refuse_to_write("joint", f.joint, f.where, "two frictions in one joint" + kIsNotNative);
    friction = f;
  }
  template <class Other>
  void gather(const Other&) {}

  void head(const char* kind, const std::string& name) {
    text_ += std::string("\n[[") + kind + "]]\n";
    line("name", quoted(name));
  }
  // Nothing for an empty value.
  void line(std::string_view key, const std::string& value) {
    if (!value.empty()) text_ += std::string(key) + " = " + value + '\n';
  }
  void number_line(std::string_view key, double value) {
    if (value != 0.0) line(key, number(value));
  }
  void vector_line(std::string_view key, const Eigen::Vector3d& x) {
    if (!x.isZero(0.0)) line(key, vector(x, space_));
  }

  void write(const BodyDescription& body) {
    head("body", body.name);
    line("mass", number(body.mass));
    vector_line("com", body.com);
    const Eigen::Matrix3d& J = body.inertia;
    if (space_ == SpaceKind::kPlanar) {
      line("inertia", number(J(2, 2)));
    } else if (J.isDiagonal(0.0)) {
      line("inertia", array(J.diagonal()));
    } else {
      Eigen::VectorXd six(6);
      six << J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2);
      line("inertia", array(six));
    }
    if (body.accept_inertia) line("accept_inertia", "true");
  }

  static std::string coordinates(const std::optional<Eigen::VectorXd>& values) {
    if (!values) return {};
    return values->size() == 1 ? number((*values)(0)) : array(*values);
  }

  void write(const JointDescription& joint) {
    head("joint", joint.name);
    line("type", quoted(to_name(joint.type)));
    line("parent", quoted(joint.parent));
    line("child", quoted(joint.child));
    line("at_parent", frame(joint.at_parent, space_));
    line("at_child", frame(joint.at_child, space_));
    number_line("pitch", joint.pitch);
    number_line("armature", joint.armature);
    if (joint.drive) line("drive", function(*joint.drive));
    if (joint.parent_motion) line("parent_motion", motion(*joint.parent_motion));
    line("initial",
         table({{"q", coordinates(joint.initial_q)}, {"v", coordinates(joint.initial_v)}}));
    line("guess", table({{"q", coordinates(joint.guess_q)}}));
    if (joint.cut) line("cut", *joint.cut ? "true" : "false");
    if (joint.branch) line("branch", std::to_string(*joint.branch));
    const auto along = along_.find(joint.name);
    if (along != along_.end()) write(along->second);
  }

  static std::string motion(const FrameMotion& motion) {
    std::vector<std::pair<std::string, std::string>> parts;
    for (const auto& part : kFrameMotionParts) {
      if (const auto& f = motion.*part.function) parts.emplace_back(part.name, function(*f));
    }
    return table(parts);
  }

  void write(const AlongJoint& along) {
    if (along.stiffness > 0.0) {
      line("spring", table({{"stiffness", number(along.stiffness)}, {"rest", number(along.rest)}}));
    }
    if (along.damping > 0.0) line("damper", table({{"damping", number(along.damping)}}));
    const auto optional = [](const std::optional<double>& value) {
      return value ? number(*value) : std::string();
    };
    if (const auto& l = along.limits) {
      line("limits", table({{"lower", optional(l->lower)},
                            {"upper", optional(l->upper)},
                            {"stiffness", number(l->stiffness)},
                            {"damping", number(l->damping)},
                            {"transition", optional(l->transition)}}));
    }
    if (const auto& f = along.friction) {
      line("friction", table({{"coulomb", number(f->coulomb)},
                              {"viscous", number(f->viscous)},
                              {"velocity_scale", number(f->velocity_scale)}}));
    }
  }

  void write(const Coupling& coupling) {
    head("coupling", coupling.name);
    line("joint", quoted(coupling.joint));
    line("to", quoted(coupling.to));
    if (coupling.higher.empty()) {
      line("ratio", number(coupling.ratio));
      number_line("offset", coupling.offset);
    } else {
      const auto c = coupling.polynomial();
      line("polynomial", array(Eigen::VectorXd::Map(c.data(), std::ssize(c))));
    }
  }

  void write(const JointSpringDamper&) {}  // stand in their joint
  void write(const JointLimits&) {}
  void write(const JointFriction&) {}
  template <class Force>
  void write(const Force& f) {
    if constexpr (requires { Force::kType; }) {
      head("force", f.name);
      line("type", quoted(Force::kType));
      text_ += field_lines(f, space_);
    } else {
      refuse_to_write("force", f.name, f.where, "a function" + kIsNotNative);
    }
  }

  void write(const Controller& controller) {
    const auto* held = controller.law.target<HeldEfforts>();
    const auto* said =
        held == nullptr ? nullptr : dynamic_cast<const ControllerFile*>(held->controller.get());
    if (said == nullptr) {
      refuse_to_write("force", controller.name, controller.where,
                      "a controller without a file" + kIsNotNative);
    }
    head("controller", said->name);
    line("file", quoted(absolute(said->file).lexically_proximate(folder_).string()));
    line("period", number(said->period));
    std::vector<std::string> inputs;
    std::vector<std::pair<std::string, std::string>> variables;
    const auto add_variable = [&](const std::string& name, const std::string& variable) {
      if (variable != name) variables.emplace_back(quoted(name), quoted(variable));
    };
    for (const auto& input : said->inputs) {
      inputs.push_back((input.is_rate ? "v." : "q.") + input.joint);
      add_variable(inputs.back(), input.variable);
    }
    for (std::size_t i = 0; i < controller.joints.size(); ++i)
      add_variable(controller.joints[i], said->outputs[i]);
    line("inputs", array(inputs));
    line("joints", array(controller.joints));
    line("variables", table(variables));
    line("timeout", number(said->timeout));
  }

  template <class Sensor>
  void write_sensor(const Sensor& s) {
    head("sensor", s.name);
    line("type", quoted(type_of(s)));
    if constexpr (requires { s.body; }) line("body", quoted(s.body));
    if constexpr (requires { s.position; }) vector_line("position", s.position);
    if constexpr (requires { s.joint; }) line("joint", quoted(s.joint));
  }
  static const char* type_of(const BodySensor&) { return "body"; }
  static const char* type_of(const PointSensor&) { return "point"; }
  static const char* type_of(const JointSensor&) { return "joint"; }
  static const char* type_of(const ReactionSensor&) { return "reaction"; }
  static const char* type_of(const EnergySensor&) { return "energy"; }

  void write(const EventDescription& event) {
    head("event", event.name);
    line("channel", quoted(event.channel));
    number_line("value", event.value);
    if (event.crossing != Crossing::kAny) {
      line("crossing", quoted(event.crossing == Crossing::kRising ? "rising" : "falling"));
    }
    if (event.stops) line("action", quoted("stop"));
  }

  void write(const Visual& visual) {
    text_ += "\n[[visual]]\n";
    line("body", quoted(visual.body));
    std::visit([&](const auto& shape) { write_shape(shape); }, visual.shape);
    line("at", frame(visual.at, SpaceKind::kSpatial));
    if (visual.rgba) line("rgba", array(*visual.rgba));
  }
  void write_shape(const BoxShape& box) {
    line("type", quoted("box"));
    line("size", array(box.size));
  }
  void write_shape(const CylinderShape& cylinder) {
    line("type", quoted("cylinder"));
    line("radius", number(cylinder.radius));
    line("length", number(cylinder.length));
  }
  void write_shape(const CapsuleShape& capsule) {
    line("type", quoted("capsule"));
    line("radius", number(capsule.radius));
    line("length", number(capsule.length));
  }
  void write_shape(const SphereShape& sphere) {
    line("type", quoted("sphere"));
    line("radius", number(sphere.radius));
  }
  void write_shape(const EllipsoidShape& ellipsoid) {
    line("type", quoted("ellipsoid"));
    line("radii", array(ellipsoid.radii));
  }
  void write_shape(const MeshShape& mesh) {
    line("type", quoted("mesh"));
    line("file", quoted(mesh.file));
    if (mesh.scale != Eigen::Vector3d::Ones()) line("scale", array(mesh.scale));
  }

  const Mechanism& mechanism_;
  const Looks& looks_;
  std::filesystem::path folder_;  // where the file is to be
  SpaceKind space_;
  std::map<std::string, AlongJoint> along_;
  std::string text_;
};

}  // namespace

std::string to_native(const Mechanism& mechanism, const Looks& looks) {
  return to_native(mechanism, looks, std::filesystem::path(mechanism.where.file).parent_path());
}

std::string to_native(const Mechanism& mechanism, const Looks& looks,
                      const std::filesystem::path& folder) {
  return NativeWriter(mechanism, looks, folder).text();
}

}  // namespace hamiltree
