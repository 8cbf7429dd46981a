// <composite> of MJCF: cables, body by body. Numbers of frames are those of MuJoCo 3.3.7.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numbers>
#include <string>

#include "hamiltree/io/import/frames.hpp"
#include "import_text.hpp"

namespace hamiltree {
namespace {

using Eigen::Vector3d;
using test::body_of;
using test::import_error;
using test::import_text;
using test::joint_of;

const std::string kRound = "<geom type='capsule' size='0.01'/>";

std::string in_world(const std::string& content, const std::string& head = "") {
  return "<mujoco>" + head + "<worldbody>\n" + content + "\n</worldbody></mujoco>";
}

std::string cable(const std::string& attributes, const std::string& content = kRound) {
  return "<composite type='cable' " + attributes + ">" + content + "</composite>";
}

Mechanism cable_of(const std::string& attributes, const std::string& content = kRound) {
  return import_text(in_world(cable(attributes, content))).mechanism;
}

void expect_quat(const Frame& X, const Eigen::Vector4d& wxyz) {
  const Eigen::Matrix3d expected = from_quat_wxyz(wxyz);
  EXPECT_LT((X.rotation - expected).norm(), 1e-5) << X.rotation << "\n\n" << expected;
}

TEST(MjcfComposite, FramesAlongACurveAreThoseOfMuJoCo) {
  const auto mechanism = cable_of(
      "curve='cos(s) sin(s) s' count='5 1 1' size='1 .3 1.2' quat='1 .2 .3 .4' initial='ball'");
  ASSERT_EQ(mechanism.bodies.size(), 4U);
  EXPECT_EQ(mechanism.bodies[0].name, "B_first");
  EXPECT_EQ(mechanism.bodies[1].name, "B_1");
  EXPECT_EQ(mechanism.bodies[3].name, "B_last");
  const auto &first = joint_of(mechanism, "J_1"), &last = joint_of(mechanism, "J_last");
  EXPECT_EQ(first.type, JointType::kSpherical);
  EXPECT_NEAR(first.at_parent.position.x(), 0.396546, 1e-6);
  expect_quat(first.at_parent, {0.944891, 0.0, 0.0, 0.327385});
  expect_quat(joint_of(mechanism, "J_2").at_parent, {-0.944353, 0.0, 0.197525, -0.263023});
  EXPECT_NEAR(last.at_parent.position.x(), 0.427397, 1e-6);
  expect_quat(last.at_parent, {0.942748, 0.0, -0.313866, 0.11276});
}

TEST(MjcfComposite, OfVertices) {
  const auto mechanism =
      cable_of("vertex='0 0 0  1 0 0  1 1 0  2 2 1' initial='free' prefix='d' offset='1 2 3'",
               "<geom type='box' size='7 .02 .03' mass='0.3'/><joint kind='main' damping='2'/>");
  ASSERT_EQ(mechanism.bodies.size(), 3U);
  EXPECT_EQ(joint_of(mechanism, "dJ_first").type, JointType::kFree);
  EXPECT_EQ(joint_of(mechanism, "dJ_first").guess_q->head<3>(), Vector3d(1.0, 2.0, 3.0));
  expect_quat(joint_of(mechanism, "dJ_1").at_parent, {0.707107, 0.0, 0.0, 0.707107});
  expect_quat(joint_of(mechanism, "dJ_last").at_parent, {0.888074, 0.0, -0.325058, -0.325058});
  // The box is as long as its edge, and ends where the next body begins.
  const auto& last = body_of(mechanism, "dB_last");
  EXPECT_EQ(last.mass, 0.3);
  EXPECT_NEAR(last.com.x(), 0.5 * std::sqrt(3.0), 1e-15);
  EXPECT_NEAR(last.inertia(0, 0), 0.1 * (0.02 * 0.02 + 0.03 * 0.03), 1e-15);
  EXPECT_NEAR(last.inertia(1, 1), 0.1 * (0.75 + 0.03 * 0.03), 1e-15);
  // Of the free joint no damper, of two balls one each.
  EXPECT_EQ(mechanism.forces.size(), 2U);
}

// Without a corner to go by, the turn of MuJoCo's frame.
TEST(MjcfComposite, StraightOnesLieAsMuJoCoTurnsThem) {
  const auto first = [](const std::string& curve, const std::string& size = "1") {
    return joint_of(cable_of("curve='" + curve + "' count='3' size='" + size + "'"), "J_first")
        .at_parent;
  };
  expect_quat(first("s"), {1.0, 0.0, 0.0, 0.0});
  expect_quat(first("s", "-1"), {0.0, 0.0, 0.0, 1.0});
  expect_quat(first("0 s"), {0.707107, 0.0, 0.0, 0.707107});
  expect_quat(first("0 0 s"), {0.0, 0.707107, 0.0, 0.707107});
  expect_quat(first("s s s"), {0.888074, 0.0, -0.325058, 0.325058});
}

TEST(MjcfComposite, HasNothingOfDefaultClasses) {
  const auto mechanism =
      import_text(in_world("<frame pos='0 0 1'>" + cable("curve='s' count='3'") + "</frame>",
                           "<default><geom mass='3'/><joint damping='2' stiffness='4'/></default>"))
          .mechanism;
  EXPECT_TRUE(mechanism.forces.empty());
  EXPECT_LT(body_of(mechanism, "B_first").mass, 1.0);
  EXPECT_EQ(joint_of(mechanism, "J_first").at_parent.position, Vector3d::UnitZ());
}

TEST(MjcfComposite, ItsSitesAndBodiesCanBeNamed) {
  const auto log = import_text("<mujoco><worldbody>" + cable("prefix='c' curve='s' count='4'") +
                               "</worldbody><equality><connect body1='cB_last' body2='world' "
                               "anchor='0.1 0 0'/></equality><actuator><motor site='cS_last' "
                               "gear='1 0 0 0 0 0'/></actuator></mujoco>");
  EXPECT_EQ(log.mechanism.joints.size(), 4U);
  const auto copies = import_text(in_world("<replicate count='2' offset='0 1 0'>" +
                                           cable("curve='s' count='4'") + "</replicate>"));
  EXPECT_EQ(body_of(copies.mechanism, "B_last1").name, "B_last1");
}

const std::string kElastic =
    "<plugin plugin='mujoco.elasticity.cable'><config key='twist' value='3'/>"
    "<config key='bend' value='5'/></plugin>";

TEST(MjcfComposite, ElasticOnesBendAndTwistBack) {
  const auto spring = [](const std::string& geom, const std::string& plugin = kElastic) {
    const auto mechanism = cable_of("vertex='0 0 0  1 0 0  1 2 0  1 2 4'", geom + plugin);
    EXPECT_EQ(mechanism.forces.size(), 2U);
    return std::get<Bushing>(mechanism.forces.back());
  };
  const double pi = std::numbers::pi, fourth = std::pow(0.1, 4);
  const auto round = spring("<geom type='cylinder' size='0.1'/>");
  EXPECT_EQ(round.body_a, "B_1");
  EXPECT_EQ(round.body_b, "B_last");
  EXPECT_EQ(round.at_a.position, Vector3d(2.0, 0.0, 0.0));
  EXPECT_LT((round.turn_stiffness - pi * fourth / 4.0 / 2.0 * Vector3d(2.0 * 3.0, 5.0, 5.0)).norm(),
            1e-18);
  EXPECT_NEAR(round.rest_turn.norm(), pi / 2.0, 1e-15);
  const auto strip = spring("<geom type='box' size='1 0.1 0.2'/>");
  EXPECT_NEAR(strip.turn_stiffness.y(), 5.0 * std::pow(0.4, 3) * 0.2 / 12.0 / 2.0, 1e-17);
  EXPECT_NEAR(strip.turn_stiffness.z(), 5.0 * std::pow(0.2, 3) * 0.4 / 12.0 / 2.0, 1e-17);
  // 0.229 of a b^3 with sides of 2 to 1
  EXPECT_NEAR(strip.turn_stiffness.x(), 3.0 * 0.229 * 0.4 * std::pow(0.2, 3) / 2.0, 2e-6);
  const auto even = spring("<geom type='capsule' size='0.1'/>",
                           "<plugin plugin='mujoco.elasticity.cable'><config key='twist' "
                           "value='4'/><config key='bend' value='8'/><config key='flat' "
                           "value='true'/></plugin>");
  EXPECT_TRUE(even.turn_stiffness.isZero(0.0));
  EXPECT_NEAR(even.angle_stiffness, pi * fourth, 1e-18);
}

// MuJoCo saves cables body by body.
TEST(MjcfComposite, BodiesOfASavedCableAreElasticToo) {
  const auto read = [](const std::string& inner, const std::string& joint = "type='ball'") {
    return "<mujoco><extension><plugin plugin='mujoco.elasticity.cable'><instance name='c'>"
           "<config key='twist' value='1'/><config key='bend' value='1'/></instance></plugin>"
           "</extension><worldbody>\n<body name='a'>" +
           kRound.substr(0, kRound.size() - 2) +
           " fromto='0 0 0 1 0 0'/><plugin instance='c'/><body name='b' pos='1 0 0'><joint " +
           joint + "/>" + kRound.substr(0, kRound.size() - 2) + " fromto='0 0 0 1 0 0'/><plugin " +
           inner + "/></body></body></worldbody></mujoco>";
  };
  EXPECT_EQ(import_text(read("instance='c'")).mechanism.forces.size(), 1U);
  EXPECT_EQ(import_error(read("instance='c'", "type='hinge'")),
            "m.xml:2: <plugin>: mujoco.elasticity.cable bends ball joints only, and there is none "
            "from body \"a\" to body \"b\"");
  const auto other = import_text(read("plugin='mine' instance='m'"));
  EXPECT_TRUE(other.mechanism.forces.empty());
  ASSERT_EQ(other.log.warning_count(), 1U);
  EXPECT_NE(other.log.lines()[0].find("forces of plugin \"mine\" are not simulated"),
            std::string::npos);
}

TEST(MjcfComposite, Refusals) {
  const auto error = [](const std::string& attributes, const std::string& content = kRound) {
    const std::string text = import_error(in_world(cable(attributes, content)));
    const std::string head = "m.xml:2: <composite>: ";
    EXPECT_EQ(text.substr(0, head.size()), head) << text;
    return text.substr(std::min(head.size(), text.size()));
  };
  EXPECT_EQ(import_error(in_world("<composite type='grid' count='3 3 1'/>")),
            "m.xml:2: <composite>: of type \"grid\" is not read, nor by MuJoCo of today; only "
            "cables are");
  EXPECT_EQ(error("curve='s' count='4'", ""), "needs a <geom> of type capsule, cylinder or box");
  EXPECT_EQ(error("curve='s' count='4'", "<geom size='1'/>"),
            "needs a <geom> of type capsule, cylinder or box");
  EXPECT_EQ(error("curve='s' count='1'"),
            "count must be a whole number above 1, and 1 in other directions");
  EXPECT_EQ(error("curve='s' count='4 2'"),
            "count must be a whole number above 1, and 1 in other directions");
  EXPECT_EQ(error("curve='s' count='4000'"),
            "has more bodies than elements may nest, the limit depth (256)");
  EXPECT_EQ(error("curve='tan(s)' count='4'"),
            "curve must be of s, cos(s), sin(s) and 0, not \"tan(s)\"");
  EXPECT_EQ(error("count='4'"), "two of its vertices in a row are the same point");
  EXPECT_EQ(error("vertex='0 0 0 1'"), "vertex needs three numbers a point");
  EXPECT_EQ(error("vertex='0 0 0 1 0 0' count='2'"), "has both vertex and count");
  EXPECT_EQ(error("curve='s' count='4' initial='fix'"),
            "initial must be ball, free or none, not \"fix\"");
  EXPECT_EQ(import_error(in_world(
                cable("curve='s' count='4'",
                      kRound + "<plugin plugin='mujoco.elasticity.cable'><config key='bend' "
                               "value='soft'/></plugin>"))),
            "m.xml:2: <plugin>: bend must be a number not below 0, it is \"soft\"");
}

}  // namespace
}  // namespace hamiltree
