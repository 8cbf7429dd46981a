#include "hamiltree/simulation/recording_header.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/base/index.hpp"

namespace hamiltree {
namespace {

// The channels of a joint: suffix and unit per coordinate, velocity and momentum.
struct JointChannels {
  std::vector<Channel> q, v, p;
};

JointChannels operator+(JointChannels a, const JointChannels& b) {
  a.q.insert(a.q.end(), b.q.begin(), b.q.end());
  a.v.insert(a.v.end(), b.v.begin(), b.v.end());
  a.p.insert(a.p.end(), b.p.begin(), b.p.end());
  return a;
}

JointChannels translation(const std::string& axes) {
  JointChannels channels;
  for (const char axis : axes) {
    channels.q.push_back({std::string(".") + axis, "m"});
    channels.v.push_back({std::string(".v") + axis, "m/s"});
    channels.p.push_back({std::string(".p") + axis, "kg m/s"});
  }
  return channels;
}

JointChannels turn_in_the_plane() {
  return {{{".angle", "rad"}}, {{".omega", "rad/s"}}, {{".l", "kg m^2/s"}}};
}

JointChannels turn_in_space() {
  JointChannels channels;
  for (const char part : {'w', 'x', 'y', 'z'}) {
    channels.q.push_back({std::string(".quat_") + part, ""});
  }
  for (const char axis : {'x', 'y', 'z'}) {
    channels.v.push_back({std::string(".omega_") + axis, "rad/s"});
    channels.p.push_back({std::string(".l") + axis, "kg m^2/s"});
  }
  return channels;
}

JointChannels channels_of(JointType type, bool planar) {
  switch (type) {
    case JointType::kRevolute:
      return {{{"", "rad"}}, {{"", "rad/s"}}, {{"", "kg m^2/s"}}};
    case JointType::kPrismatic:
      return {{{"", "m"}}, {{"", "m/s"}}, {{"", "kg m/s"}}};
    case JointType::kCylindrical:
      return translation("z") + turn_in_the_plane();
    case JointType::kSpherical:
      return turn_in_space();
    case JointType::kPlanar:
      return translation("xy") + turn_in_the_plane();
    case JointType::kTranslational:
      return translation("xyz");
    case JointType::kHelical:
      return {{{"", "rad"}}, {{"", "rad/s"}}, {{"", "kg m^2/s"}}};
    case JointType::kUniversal:
      return {{{".angle_x", "rad"}, {".angle_y", "rad"}},
              {{".omega_x", "rad/s"}, {".omega_y", "rad/s"}},
              {{".lx", "kg m^2/s"}, {".ly", "kg m^2/s"}}};
    case JointType::kPinInSlot:
      return translation("x") + turn_in_the_plane();
    case JointType::kFixed:
      return {};
    case JointType::kFree:
      break;
  }
  return planar ? translation("xy") + turn_in_the_plane() : translation("xyz") + turn_in_space();
}

void append(std::vector<Channel>& to, const std::string& prefix,
            const std::vector<Channel>& channels) {
  for (const auto& channel : channels) to.push_back({prefix + channel.name, channel.unit});
}

// Channels of each kind of sensor, in the order in which the Probe reads them.
struct SensorChannels {
  const Model& model;
  std::vector<Channel>& out;

  bool planar() const { return model.space() == SpaceKind::kPlanar; }
  void vector(const std::string& prefix, const std::string& unit) {
    for (const char* axis : {".x", ".y", ".z"}) {
      if (planar() && axis[1] == 'z') continue;
      out.push_back({prefix + axis, unit});
    }
  }
  void operator()(const BodySensor& s) {
    vector(s.name + ".position", "m");
    if (planar()) {
      out.push_back({s.name + ".angle", "rad"});
    } else {
      for (const char* part : {"w", "x", "y", "z"}) out.push_back({s.name + ".quat_" + part, ""});
    }
    vector(s.name + ".velocity", "m/s");
    if (planar()) {
      out.push_back({s.name + ".omega", "rad/s"});
    } else {
      vector(s.name + ".omega", "rad/s");
    }
  }
  void operator()(const PointSensor& s) {
    vector(s.name + ".position", "m");
    vector(s.name + ".velocity", "m/s");
  }
  void operator()(const JointSensor& s) {
    const int j = *model.find_joint(s.joint);
    const auto type = model.mechanism().joints[at(model.described_joint(j))].type;
    const auto channels = channels_of(type, planar());
    append(out, s.name + ".q", channels.q);
    append(out, s.name + ".v", channels.v);
  }
  void operator()(const ReactionSensor& s) {
    for (const std::string prefix : {"", "joint_"}) {
      vector(s.name + "." + prefix + "force", "N");
      if (planar()) {
        out.push_back({s.name + "." + prefix + "moment", "N m"});
      } else {
        vector(s.name + "." + prefix + "moment", "N m");
      }
    }
    const int j = *model.find_joint(s.joint);
    const auto& joint = model.mechanism().joints[at(model.described_joint(j))];
    if (!joint.drive) return;
    out.push_back({s.name + ".drive", joint.type == JointType::kPrismatic ? "N" : "N m"});
  }
  void operator()(const EnergySensor& s) {
    for (const char* part : {"kinetic", "potential", "total"}) {
      out.push_back({s.name + "." + part, "J"});
    }
  }
};

}  // namespace

RecordingHeader make_header(const Model& model) {
  const auto& mechanism = model.mechanism();
  RecordingHeader header;
  header.model = model.name();
  header.planar = model.space() == SpaceKind::kPlanar;
  header.gravity = mechanism.gravity;
  header.length = model.visit([](const auto& system) { return system.length; });
  for (int b = 0; b < model.body_count(); ++b) {
    const auto& joint = mechanism.joints[at(model.described_joint(b))];
    const auto channels =
        joint.drive ? JointChannels{} : channels_of(joint.type, header.planar);
    append(header.q, "q." + model.joint_name(b), channels.q);
    append(header.v, "v." + model.joint_name(b), channels.v);
    append(header.p, "p." + model.joint_name(b), channels.p);
    header.bodies.push_back(
        {model.body_name(b), {}, mechanism.bodies[at(model.described_body(b))].com});
  }
  for (const auto& joint : mechanism.joints) {
    for (const auto& [body, frame] :
         {std::pair{joint.parent, joint.at_parent}, std::pair{joint.child, joint.at_child}}) {
      // A free joint is no place where anything acts.
      if (joint.type == JointType::kFree) continue;
      const int b = *model.find_body(body);
      auto& handles = b == kNone ? header.ground_handles : header.bodies[at(b)].handles;
      handles.push_back(frame.position);
    }
  }
  SensorChannels channels{model, header.sensors};
  for (const auto& sensor : mechanism.sensors) std::visit(channels, sensor);
  return header;
}

}  // namespace hamiltree
