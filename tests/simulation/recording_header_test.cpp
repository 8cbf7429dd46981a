// The columns of a recording: which there are, in which order, in which unit.
#include "hamiltree/simulation/recording_header.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hamiltree {
namespace {

// A chain of bodies, body_1 on the ground, with joints A, B, ... of these types.
Mechanism chain(SpaceKind space, const std::vector<JointType>& types) {
  Mechanism m;
  m.space = space;
  std::string parent = kGround;
  for (std::size_t i = 0; i < types.size(); ++i) {
    BodyDescription body;
    body.name = "body_" + std::to_string(i + 1);
    body.mass = 1.0;
    body.inertia = Eigen::Matrix3d::Identity();
    JointDescription joint;
    joint.name = std::string(1, static_cast<char>('A' + i));
    joint.type = types[i];
    joint.pitch = types[i] == JointType::kHelical ? 0.1 : 0.0;
    joint.parent = parent;
    joint.child = body.name;
    parent = body.name;
    m.add(body).add(joint);
  }
  return m;
}

using Columns = std::vector<std::string>;

// "name unit" of each channel.
Columns columns(const std::vector<Channel>& channels) {
  Columns result;
  for (const auto& channel : channels) {
    result.push_back(channel.name + (channel.unit.empty() ? "" : " " + channel.unit));
  }
  return result;
}

RecordingHeader header_of(const Mechanism& mechanism) { return make_header(Model(mechanism)); }

TEST(RecordingHeader, NamesCoordinatesVelocitiesAndMomenta) {
  const auto spatial =
      header_of(chain(SpaceKind::kSpatial, {JointType::kHelical, JointType::kUniversal}));
  EXPECT_EQ(columns(spatial.q), (Columns{"q.A rad", "q.B.angle_x rad", "q.B.angle_y rad"}));
  EXPECT_EQ(columns(spatial.v), (Columns{"v.A rad/s", "v.B.omega_x rad/s", "v.B.omega_y rad/s"}));
  EXPECT_EQ(columns(spatial.p), (Columns{"p.A kg m^2/s", "p.B.lx kg m^2/s", "p.B.ly kg m^2/s"}));
  const auto planar = header_of(chain(SpaceKind::kPlanar, {JointType::kPinInSlot}));
  EXPECT_EQ(columns(planar.q), (Columns{"q.A.x m", "q.A.angle rad"}));
  EXPECT_EQ(columns(planar.v), (Columns{"v.A.vx m/s", "v.A.omega rad/s"}));
  EXPECT_EQ(columns(planar.p), (Columns{"p.A.px kg m/s", "p.A.l kg m^2/s"}));
}

// A joint "B.vx" beside a planar joint "B"; a sensor whose name is the prefix of a joint's numbers.
TEST(RecordingHeader, RefusesTwoNumbersOfOneName) {
  const auto why_refused = [](const Mechanism& mechanism) -> std::string {
    try {
      header_of(mechanism);
    } catch (const ModelError& error) {
      return error.what();
    }
    return "nothing";
  };
  auto m = chain(SpaceKind::kPlanar, {JointType::kRevolute, JointType::kPinInSlot});
  EXPECT_EQ(why_refused(m), "nothing");
  m.joints[0].name = "B.vx";
  m.name = "cart";
  m.where = {"cart.toml", 3};
  EXPECT_EQ(
      why_refused(m),
      "cart.toml:3: a recording of model \"cart\" would have two numbers \"v.B.vx\": give the "
      "joint or sensor another name");
  m.joints[0].name = "q";
  EXPECT_EQ(why_refused(m), "nothing");
  m.add(JointSensor{"v", "B", {}});
  EXPECT_EQ(why_refused(m), "nothing");
  m.sensors.clear();
  m.add(JointSensor{"v", "q", {}});
  EXPECT_EQ(why_refused(m),
            "cart.toml:3: a recording of model \"cart\" would have two numbers \"v.q\": give the "
            "joint or sensor another name");
}

TEST(RecordingHeader, LeavesOutWhatIsDriven) {
  auto m = chain(SpaceKind::kPlanar, {JointType::kRevolute, JointType::kPrismatic});
  m.joints[0].drive = Sine{};
  m.add(JointSensor{"shaft", "A", {}});
  const auto header = header_of(m);
  EXPECT_EQ(columns(header.q), Columns{"q.B m"});
  EXPECT_EQ(columns(header.v), Columns{"v.B m/s"});
  EXPECT_EQ(columns(header.p), Columns{"p.B kg m/s"});
  EXPECT_EQ(columns(header.sensors), (Columns{"shaft.q rad", "shaft.v rad/s"}));
}

TEST(RecordingHeader, NamesReactions) {
  auto planar = chain(SpaceKind::kPlanar, {JointType::kRevolute});
  planar.add(ReactionSensor{"pin", "A", {}});
  EXPECT_EQ(columns(header_of(planar).sensors),
            (Columns{"pin.force.x N", "pin.force.y N", "pin.moment N m", "pin.joint_force.x N",
                     "pin.joint_force.y N", "pin.joint_moment N m"}));
  auto spatial = chain(SpaceKind::kSpatial, {JointType::kSpherical});
  spatial.add(ReactionSensor{"ball", "A", {}});
  EXPECT_EQ(columns(header_of(spatial).sensors),
            (Columns{"ball.force.x N", "ball.force.y N", "ball.force.z N", "ball.moment.x N m",
                     "ball.moment.y N m", "ball.moment.z N m", "ball.joint_force.x N",
                     "ball.joint_force.y N", "ball.joint_force.z N", "ball.joint_moment.x N m",
                     "ball.joint_moment.y N m", "ball.joint_moment.z N m"}));
}

TEST(RecordingHeader, NamesDrivingEfforts) {
  const auto last_of = [](JointType type) {
    auto m = chain(SpaceKind::kSpatial, {type});
    m.joints[0].drive = Sine{};
    m.add(ReactionSensor{"motor", "A", {}});
    return columns(header_of(m).sensors).back();
  };
  EXPECT_EQ(last_of(JointType::kRevolute), "motor.drive N m");
  EXPECT_EQ(last_of(JointType::kHelical), "motor.drive N m");
  EXPECT_EQ(last_of(JointType::kPrismatic), "motor.drive N");
}

}  // namespace
}  // namespace hamiltree
