// <attach> of MJCF: another model under a prefix, with its own head and default classes, beside the
// same robot written out. MuJoCo 4.0 gives both the same bodies, ranges and actuators.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "hamiltree/hamiltree.hpp"
#include "import_text.hpp"
#include "support/own_path.hpp"

namespace hamiltree {
namespace {

namespace fs = std::filesystem;

constexpr const char* kArm = R"(<mujoco model="arm">
  <compiler angle="radian" eulerseq="XYZ" meshdir="meshes"/>
  <default>
    <geom density="500"/>
    <default class="soft"><joint damping="0.3" range="-1 1.5"/><position kp="40"/></default>
  </default>
  <asset><mesh file="tip.obj"/></asset>
  <worldbody>
    <body name="upper" pos="0.1 0 0.2" euler="0.4 0.3 0.2" childclass="soft">
      <joint name="shoulder" axis="0 1 0" ref="0.2"/>
      <geom type="capsule" size="0.04 0.2" pos="0 0 0.2"/>
      <body name="lower" pos="0 0 0.4">
        <joint name="elbow" axis="0 1 0"/>
        <geom type="mesh" mesh="tip"/>
        <site name="end" pos="0 0 0.3"/>
      </body>
    </body>
    <body name="apart"><freejoint/><geom size="0.1"/></body>
  </worldbody>
  <tendon>
    <fixed name="both"><joint joint="shoulder" coef="1"/><joint joint="elbow" coef="-2"/></fixed>
  </tendon>
  <equality><joint joint1="elbow"/><connect body1="lower" body2="apart" anchor="0 0 0"/></equality>
  <actuator>
    <position class="soft" name="drive" joint="elbow"/><motor name="pull" tendon="both" gear="3"/>
  </actuator>
</mujoco>)";

constexpr const char* kTip =
    "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

// The arm with a prefix, its angles in degrees, its defaults written out. No joint of it has the
// armature of the outer default class.
std::string written_out(const std::string& p) {
  return "<body name='" + p + "upper' pos='0.1 0 0.2' quat='" +
         // Rz(0.2) Ry(0.3) Rx(0.4) about axes at rest: eulerseq XYZ turns about x first
         "0.9671841473204752 0.18083557991740754 0.16533875799493103 0.0672042655833245'>"
         "<joint name='" +
         p +
         "shoulder' axis='0 1 0' ref='11.459155902616466' damping='0.3' armature='0' "
         "range='-57.29577951308232 85.94366926962348'/>"
         "<geom type='capsule' size='0.04 0.2' pos='0 0 0.2' density='500'/>"
         "<body name='" +
         p + "lower' pos='0 0 0.4'><joint name='" + p +
         "elbow' axis='0 1 0' "
         "damping='0.3' armature='0' range='-57.29577951308232 85.94366926962348'/>"
         "<geom type='mesh' mesh='tip' density='500'/><site name='" +
         p +
         "end' pos='0 0 0.3'/>"
         "</body></body>";
}

std::string machinery(const std::string& p) {
  return "<tendon><fixed name='" + p + "both'><joint joint='" + p +
         "shoulder' coef='1'/>"
         "<joint joint='" +
         p +
         "elbow' coef='-2'/></fixed></tendon>"
         "<equality><joint joint1='" +
         p +
         "elbow'/></equality>"
         "<actuator><position kp='40' name='" +
         p + "drive' joint='" + p +
         "elbow'/>"
         "<motor name='" +
         p + "pull' tendon='" + p + "both' gear='3'/></actuator>";
}

class Attached : public testing::Test {
 protected:
  Attached() : folder_(test::own_path("attached")) {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "parts/meshes");
    write("parts/arm.xml", kArm);
    write("parts/meshes/tip.obj", kTip);
  }
  ~Attached() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }

  Mechanism read(const std::string& text) const {
    write("main.xml", text);
    ImportLog log;
    return import_mechanism(text, (folder_ / "main.xml").string(), {}, log);
  }

  std::string error(const std::string& text) const {
    try {
      read(text);
    } catch (const ModelError& e) {
      return e.what();
    }
    return "no ModelError";
  }

  fs::path folder_;
};

// The head of the outer model is not that of the inner one: neither its defaults nor its unit.
std::string outer(const std::string& assets, const std::string& left, const std::string& right,
                  const std::string& rest = "") {
  return "<mujoco><default><geom density='9000'/><joint armature='0.5'/></default><asset>" +
         assets +
         "</asset><worldbody><body name='base' pos='0 0 1'><joint name='turn'/>"
         "<geom type='box' size='0.2 0.2 0.1'/>" +
         left + "<frame pos='0 -0.3 0' euler='0 0 180'>" + right + "</frame></body></worldbody>" +
         rest + "</mujoco>";
}

void expect_same_parts(const Mechanism& a, const Mechanism& b) {
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    EXPECT_EQ(a.bodies[i].name, b.bodies[i].name);
    EXPECT_NEAR(a.bodies[i].mass, b.bodies[i].mass, 1e-12);
    EXPECT_LT((a.bodies[i].com - b.bodies[i].com).norm(), 1e-13);
    EXPECT_LT((a.bodies[i].inertia - b.bodies[i].inertia).norm(), 1e-12);
  }
  ASSERT_EQ(a.joints.size(), b.joints.size());
  for (std::size_t i = 0; i < a.joints.size(); ++i) {
    const auto &x = a.joints[i], &y = b.joints[i];
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.parent, y.parent);
    EXPECT_NEAR(x.armature, y.armature, 1e-15) << x.name;
    EXPECT_EQ(x.drive.has_value(), y.drive.has_value()) << x.name;
    EXPECT_LT((x.at_parent.position - y.at_parent.position).norm(), 1e-13) << x.name;
    EXPECT_LT((x.at_parent.rotation - y.at_parent.rotation).norm(), 1e-13) << x.name;
  }
  ASSERT_EQ(a.forces.size(), b.forces.size());
  for (const auto* joint : {"left_elbow", "right_shoulder"}) {
    const auto *x = test::force_on<JointLimits>(a, joint),
               *y = test::force_on<JointLimits>(b, joint);
    ASSERT_TRUE(x != nullptr && y != nullptr) << joint;
    EXPECT_NEAR(*x->lower, *y->lower, 1e-14);
    EXPECT_NEAR(*x->upper, *y->upper, 1e-14);
  }
  for (std::size_t i = 0; i < a.forces.size(); ++i) {
    const auto *x = std::get_if<Servo>(&a.forces[i]), *y = std::get_if<Servo>(&b.forces[i]);
    ASSERT_EQ(x == nullptr, y == nullptr);
    if (x == nullptr) continue;
    EXPECT_EQ(x->name, y->name);
    EXPECT_EQ(x->joints, y->joints);
    EXPECT_EQ(x->ratios, y->ratios);
    EXPECT_EQ(x->stiffness, y->stiffness);
  }
}

TEST_F(Attached, TwiceUnderPrefixesIsTheRobotWrittenOut) {
  const auto attached = read(outer("<model name='limb' file='parts/arm.xml'/>",
                                   "<attach model='limb' body='upper' prefix='left_'/>",
                                   "<attach model='limb' body='upper' prefix='right_'/>"));
  const auto plain =
      read(outer("<mesh name='tip' file='parts\\meshes\\tip.obj'/>", written_out("left_"),
                 written_out("right_"), machinery("left_") + machinery("right_")));
  expect_same_parts(attached, plain);
}

TEST_F(Attached, WithoutABodyTheWholeWorldIsTaken) {
  const auto whole = read(
      "<mujoco><asset><model name='arm' file='parts/arm.xml'/></asset><worldbody><attach "
      "model='arm' "
      "prefix='a/'/></worldbody></mujoco>");
  EXPECT_EQ(whole.bodies.size(), 3U);
  EXPECT_EQ(test::joint_of(whole, "connect").parent, "a/lower");  // all that it names is there
}

TEST_F(Attached, AModelWithoutANameHasThatOfItsFile) {
  const std::string content =
      "<worldbody><body name='b'><joint name='j'/><geom size='1' mass='2'/></body></worldbody>";
  write("a.xml", "<mujoco>" + content + "</mujoco>");
  write("b.xml", "<mujoco model='inner'>" + content + "</mujoco>");
  const auto attach = [](const std::string& model) {
    return "<mujoco><asset><model file='a.xml'/><model file='b.xml'/></asset><worldbody><attach "
           "model='" +
           model + "' prefix='p_'/></worldbody></mujoco>";
  };
  EXPECT_EQ(read(attach("inner")).bodies.front().name, "p_b");
  EXPECT_EQ(read(attach("MuJoCo Model")).bodies.front().name, "p_b");
  EXPECT_NE(error(attach("b")).find("no model \"b\" among the assets"), std::string::npos);
}

TEST_F(Attached, ABodyOfTheSameModelIsCopied) {
  const auto twice = read(
      "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='1' mass='2'/></body>"
      "<frame pos='1 0 0'><attach body='b' prefix='c_'/></frame></worldbody>"
      "<actuator><motor name='m' joint='j'/></actuator></mujoco>");
  ASSERT_EQ(twice.bodies.size(), 2U);
  EXPECT_EQ(test::joint_of(twice, "c_j").at_parent.position.x(), 1.0);
  EXPECT_EQ(twice.forces.size(), 2U);
}

TEST_F(Attached, IsRefusedWithWhatIsMissing) {
  const auto attach = [&](const std::string& attributes, const std::string& file) {
    return error("<mujoco><asset><model name='m' file='" + file +
                 "'/></asset><worldbody><attach prefix='p' " + attributes +
                 "/></worldbody></mujoco>");
  };
  EXPECT_NE(attach("model='x'", "parts/arm.xml").find("no model \"x\" among the assets"),
            std::string::npos);
  EXPECT_NE(attach("model='m' body='x'", "parts/arm.xml").find("there is no body \"x\""),
            std::string::npos);
  EXPECT_NE(attach("model='m'", "parts/none.xml").find("\"parts/none.xml\" cannot be read"),
            std::string::npos);
  EXPECT_NE(attach("", "parts/arm.xml").find("needs a model, body or frame"), std::string::npos);
  write("odd.xml", "<mujoco><compiler autolimits='false'/><worldbody/></mujoco>");
  EXPECT_NE(attach("model='m'", "odd.xml").find("autolimits is not that of the model"),
            std::string::npos);
  write("self.xml",
        "<mujoco><asset><model name='s' file='self.xml'/></asset><worldbody>"
        "<attach model='s' prefix='p'/></worldbody></mujoco>");
  EXPECT_NE(attach("model='m'", "self.xml").find("attach each other deeper"), std::string::npos);
  for (const std::string kind : {"body", "frame"}) {
    EXPECT_NE(error("<mujoco><worldbody><" + kind + " name='b'><attach " + kind +
                    "='b' prefix='x_'/></" + kind + "></worldbody></mujoco>")
                  .find("attaches the " + kind + " \"b\", in which it stands"),
              std::string::npos);
  }
  write("fitted.xml", "<mujoco><compiler fitaabb='true'/><worldbody/></mujoco>");
  EXPECT_NE(attach("model='m'", "fitted.xml").find("fitaabb is not that of the model"),
            std::string::npos);
}

}  // namespace
}  // namespace hamiltree
