#include "hamiltree/simulation/recording_header.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/forces/loads.hpp"
#include "hamiltree/model/joints/joints.hpp"
#include "hamiltree/simulation/sample_numbers.hpp"

namespace hamiltree {
namespace {

// The channels of a joint: suffix and unit per coordinate, velocity and momentum.
struct JointChannels {
  std::vector<Channel> q, v, p;
};

const std::string kAxes = "xyz";

void add_slide(const std::string& axis, JointChannels& to) {
  to.q.push_back({axis.empty() ? "" : "." + axis, "m"});
  to.v.push_back({axis.empty() ? "" : ".v" + axis, "m/s"});
  to.p.push_back({axis.empty() ? "" : ".p" + axis, "kg m/s"});
}

void add_turn(const std::string& q, const std::string& v, const std::string& p, JointChannels& to) {
  if (!q.empty()) to.q.push_back({q, "rad"});
  to.v.push_back({v, "rad/s"});
  to.p.push_back({p, "kg m^2/s"});
}

// By the motions that a joint leaves free. One motion alone needs no suffix, one turn among slides
// no axis.
template <class J>
JointChannels channels_of_type() {
  constexpr bool kHasQuaternion = J::kCoordinates != J::kVelocities;
  const auto turns = std::ranges::count_if(J::kMotion, [](int i) { return i >= J::kLinear; });
  JointChannels channels;
  for (const int i : J::kMotion) {
    if (i < J::kLinear) {
      add_slide(J::kVelocities == 1 ? "" : kAxes.substr(at(i), 1), channels);
    } else if (J::kVelocities == 1) {
      channels = {{{"", "rad"}}, {{"", "rad/s"}}, {{"", "kg m^2/s"}}};
    } else if (turns == 1) {
      add_turn(".angle", ".omega", ".l", channels);
    } else {
      const auto axis = kAxes.substr(at(i - J::kLinear), 1);
      add_turn(kHasQuaternion ? "" : ".angle_" + axis, ".omega_" + axis, ".l" + axis, channels);
    }
  }
  if constexpr (kHasQuaternion) {
    for (const char* part : {"w", "x", "y", "z"}) {
      channels.q.push_back({std::string(".quat_") + part, ""});
    }
  }
  return channels;
}

JointChannels channels_of(JointType type, SpaceKind space) {
  return visit_joint(type, space, []<class J>(const J&) { return channels_of_type<J>(); });
}

void append(std::vector<Channel>& to, const std::string& prefix,
            const std::vector<Channel>& channels) {
  for (const auto& channel : channels) to.push_back({prefix + channel.name, channel.unit});
}

std::vector<std::string> names_of(const Model& model, const std::vector<int>& joints,
                                  std::vector<Channel> JointChannels::*kind) {
  std::vector<std::string> names;
  for (const int j : joints) {
    const auto& joint = model.mechanism().joints[at(model.described_joint(j))];
    const auto channels = channels_of(joint.type, model.space());
    for (const auto& channel : channels.*kind) names.push_back(joint.name + channel.name);
  }
  return names;
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
  // One number in the plane, a vector in space.
  void angular(const std::string& prefix, const std::string& unit) {
    if (planar()) {
      out.push_back({prefix, unit});
    } else {
      vector(prefix, unit);
    }
  }
  const JointDescription& described(const std::string& joint) const {
    return model.mechanism().joints[at(model.described_joint(*model.find_joint(joint)))];
  }
  void operator()(const BodySensor& s) {
    vector(s.name + ".position", "m");
    if (planar()) {
      out.push_back({s.name + ".angle", "rad"});
    } else {
      for (const char* part : {"w", "x", "y", "z"}) out.push_back({s.name + ".quat_" + part, ""});
    }
    vector(s.name + ".velocity", "m/s");
    angular(s.name + ".omega", "rad/s");
  }
  void operator()(const PointSensor& s) {
    vector(s.name + ".position", "m");
    vector(s.name + ".velocity", "m/s");
  }
  void operator()(const JointSensor& s) {
    const auto channels = channels_of(described(s.joint).type, model.space());
    append(out, s.name + ".q", channels.q);
    append(out, s.name + ".v", channels.v);
  }
  void operator()(const ReactionSensor& s) {
    const auto& joint = described(s.joint);
    for (const char* axes : {".", ".joint_"}) {  // of the world, of the joint
      vector(s.name + axes + "force", "N");
      angular(s.name + axes + "moment", "N m");
    }
    if (joint.drive) {
      out.push_back({s.name + ".drive", joint.type == JointType::kPrismatic ? "N" : "N m"});
    }
  }
  void operator()(const EnergySensor& s) {
    for (const char* part : {"kinetic", "potential", "total"}) {
      out.push_back({s.name + "." + part, "J"});
    }
  }
};

// Names of joints and sensors are free, and may give two numbers the same.
void check_names(const RecordingHeader& header, const SourceLocation& model) {
  std::set<std::string> names{"t"};
  const auto check = [&](const std::string& name) {
    if (!names.insert(name).second)
      throw ModelError(model, "model \"" + header.model + "\"",
                       "a recording of model \"" + header.model + "\" would have two numbers \"" +
                           name + "\": give the joint or sensor another name");
  };
  for (const auto* channels :
       {&header.q, &header.outside_q, &header.v, &header.outside_v, &header.p, &header.sensors}) {
    for (const auto& channel : *channels) check(channel.name);
  }
  for (const auto& number : sample_numbers(header)) check(number.name);
}

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
    if (!joint.drive) {  // what is driven is no state
      const auto channels = channels_of(joint.type, model.space());
      append(header.q, "q." + joint.name, channels.q);
      append(header.v, "v." + joint.name, channels.v);
      append(header.p, "p." + joint.name, channels.p);
    }
    header.bodies.push_back(
        {model.body_name(b), {}, mechanism.bodies[at(model.described_body(b))].com});
  }
  for (int j = 0; j < model.joint_count(); ++j) {
    const auto& joint = mechanism.joints[at(model.described_joint(j))];
    if (j < model.body_count() && !joint.drive) continue;
    const auto channels = channels_of(joint.type, model.space());
    append(header.outside_q, "q." + joint.name, channels.q);
    append(header.outside_v, "v." + joint.name, channels.v);
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
  header.conservative = model.visit([](const auto& system) { return is_conservative(system); });
  SensorChannels channels{model, header.sensors};
  for (const auto& sensor : mechanism.sensors) std::visit(channels, sensor);
  check_names(header, mechanism.where);
  return header;
}

std::vector<Jump> jumps_of_sensors(const Model& model, bool counts_turns) {
  std::vector<Jump> all;
  for (const auto& sensor : model.mechanism().sensors) {
    const auto* of_joint = std::get_if<JointSensor>(&sensor);
    const bool is_of_cut = of_joint && *model.find_joint(of_joint->joint) >= model.body_count();
    const bool may_jump = is_of_cut ? !counts_turns : std::holds_alternative<BodySensor>(sensor);
    std::vector<Channel> channels;
    std::visit(SensorChannels{model, channels}, sensor);
    for (const auto& channel : channels) {
      all.push_back(!may_jump               ? Jump::kNone
                    : channel.unit == "rad" ? Jump::kByATurn
                    : channel.unit.empty()  ? Jump::kToOtherSign
                                            : Jump::kNone);
    }
  }
  return all;
}

std::vector<std::string> coordinate_names(const Model& model, const std::vector<int>& joints) {
  return names_of(model, joints, &JointChannels::q);
}
std::vector<std::string> velocity_names(const Model& model, const std::vector<int>& joints) {
  return names_of(model, joints, &JointChannels::v);
}

std::vector<std::string> channel_labels(const std::vector<Channel>& channels) {
  std::vector<std::string> labels;
  for (const auto& channel : channels)
    labels.push_back(channel.name + (channel.unit.empty() ? "" : ", " + channel.unit));
  return labels;
}

}  // namespace hamiltree
