// SDF: frames, nested models, second parents, versions, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "hamiltree/hamiltree.hpp"
#include "hamiltree/io/import/frames.hpp"
#include "import_text.hpp"

namespace hamiltree {
namespace {

using test::body_of;
using test::force_on;
using test::import_error;
using test::import_text;
using test::joint_of;
using test::model_file;

std::string sdf(const std::string& content, const std::string& version = "1.9") {
  return "<sdf version='" + version + "'>\n<model name='m'>\n" + content + "</model></sdf>\n";
}
std::string sdf_link(const std::string& name, const std::string& pose = "0 0 0 0 0 0") {
  return "<link name='" + name + "'><pose>" + pose + "</pose></link>\n";
}
std::string sdf_joint(const std::string& type, const std::string& rest,
                      const std::string& parent = "a", const std::string& child = "b") {
  return "<joint name='j' type='" + type + "'><parent>" + parent + "</parent><child>" + child +
         "</child>" + rest + "</joint>\n";
}
const std::string kAxis = "<axis><xyz>0 0 1</xyz></axis>";

// Of a fixed joint, or one that its limits hold: what mimics it stands where that puts it.
TEST(Sdf, JointsThatMimicOneThatCannotMoveAreHeld) {
  const auto read = [](const std::string& leader, const std::string& follower,
                       const std::string& of_follower = "") {
    return import_text(
        sdf(sdf_link("a") + sdf_link("b") + sdf_link("c") + leader + "<joint name='k' type='" +
            follower + "'><parent>b</parent><child>c</child><axis><xyz>0 1 0</xyz>" + of_follower +
            "<mimic joint='j'><multiplier>2</multiplier><offset>.1</offset>"
            "<reference>0.3</reference></mimic></axis></joint>"));
  };
  const auto held_at = [](double q) {
    const std::string end = std::to_string(q);
    return "<limit><lower>" + end + "</lower><upper>" + end + "</upper></limit>";
  };
  const auto pin = [&](double q) {
    return sdf_joint("revolute", "<axis><xyz>0 0 1</xyz>" + held_at(q) + "</axis>");
  };
  const auto place_of = [](const test::Imported& read) {
    return std::get<Polynomial>(joint_of(read.mechanism, "k").drive.value()).coefficients.at(0);
  };
  EXPECT_NEAR(place_of(read(sdf_joint("fixed", ""), "revolute")), -0.5, 1e-15);
  const auto held = read(pin(0.25), "revolute");
  EXPECT_NEAR(place_of(held), 0.0, 1e-15);
  EXPECT_TRUE(held.mechanism.couplings.empty());
  EXPECT_EQ(held.log.warning_count(), 0U);

  // Both are held: as the coupling would have it, or not.
  EXPECT_EQ(read(pin(0.3), "revolute", held_at(0.1)).log.warning_count(), 0U);
  const auto apart = read(pin(0.25), "revolute", held_at(0.1));
  EXPECT_EQ(apart.log.lines().front().substr(0, 14), "warning: m.xml");
  EXPECT_TRUE(apart.log.lines().front().ends_with(
      "coupling \"k\" is left out, for joints \"k\" and \"j\" are held elsewhere"))
      << apart.log.lines().front();
  EXPECT_NEAR(place_of(apart), 0.1, 1e-15);
  EXPECT_EQ(read(sdf_joint("revolute", kAxis), "fixed").log.warning_count(), 1U);
}

TEST(Sdf, FramesNestedModelsAndSecondParents) {
  const auto m = load(model_file("frames.sdf")).mechanism();
  EXPECT_EQ(m.name, "frames");
  ASSERT_EQ(m.bodies.size(), 5U);  // three bars, the bob and the cross of its joint
  const auto& A = joint_of(m, "linkage::A");
  EXPECT_EQ(A.parent, kGround);
  EXPECT_LT((A.at_parent.position - Eigen::Vector3d(1, 2, 3)).norm(), 1e-15);
  // y of a model that is turned by 90 degrees is -x of the world.
  EXPECT_LT((A.at_parent.rotation.col(2) - Eigen::Vector3d(-1, 0, 0)).norm(), 1e-15);
  EXPECT_EQ(force_on<JointSpringDamper>(m, "linkage::A")->stiffness, 0.2);
  const auto& C = joint_of(m, "linkage::C");
  EXPECT_LT((C.at_child.position - Eigen::Vector3d(-0.2, 0, 0.4)).norm(), 1e-15);
  const auto run = Simulation(Model(m)).run_until(2.0, 1.0);
  EXPECT_LT(run.summary.constraint.position_max, 1e-12);
  EXPECT_GT(std::abs(run.samples.back().q(0)), 1e-3);
}

TEST(Sdf, WhatIsMissingIsOneKilogram) {
  const auto m = import_text(sdf(sdf_link("a"))).mechanism;
  EXPECT_EQ(m.bodies.at(0).mass, 1.0);
  EXPECT_EQ(m.bodies[0].inertia, Eigen::Matrix3d(Eigen::Matrix3d::Identity()));
  EXPECT_EQ(m.gravity, Eigen::Vector3d(0, 0, -9.8));
  EXPECT_EQ(joint_of(m, "a").type, JointType::kFree);
}

// libsdformat (in Drake 1.51) reads these, and refuses the others.
TEST(Sdf, SomeElementsMayBeEmpty) {
  const auto axis = [](const std::string& dynamics, const std::string& limit = "") {
    return sdf("<link name='a'><gravity/><inertial><mass/></inertial></link>" + sdf_link("b") +
               sdf_joint("revolute", "<axis><xyz>0 0 1</xyz><limit>" + limit +
                                         "</limit><dynamics>" + dynamics +
                                         "</dynamics><use_parent_model_frame/></axis>"));
  };
  const auto m = import_text(axis("<damping/><friction> </friction>")).mechanism;
  EXPECT_EQ(body_of(m, "a").mass, 1.0);
  EXPECT_TRUE(m.forces.empty());
  for (const std::string name : {"spring_reference", "spring_stiffness"}) {
    EXPECT_NE(import_error(axis("<" + name + "/>")).find("must be a number"), std::string::npos);
  }
  for (const std::string name : {"lower", "upper"}) {
    EXPECT_NE(import_error(axis("", "<" + name + "/>")).find("must be a number"),
              std::string::npos);
  }
}

TEST(Sdf, PosesInDegreesAndQuaternions) {
  const auto q_of = [](const std::string& pose) {
    return *joint_of(import_text(sdf("<link name='a'>" + pose + "</link>")).mechanism, "a").guess_q;
  };
  const double h = std::sqrt(0.5);
  const Eigen::VectorXd degrees = q_of("<pose degrees='true'>1 2 3 90 0 0</pose>");
  EXPECT_NEAR(degrees(4), h, 1e-15);
  const Eigen::VectorXd quat = q_of("<pose rotation_format='quat_xyzw'>1 2 3 0 0 2 2</pose>");
  EXPECT_NEAR(quat(3), h, 1e-15);
  EXPECT_NEAR(quat(6), h, 1e-15);
}

// The axis of a joint is in its own frame, up to 1.4 in that of the model.
TEST(Sdf, AxesFollowTheVersion) {
  const auto z_in_world = [](const std::string& version) {
    const auto m = import_text(sdf(sdf_link("b", "0 0 0 1.5707963267948966 0 0") +
                                       sdf_joint("revolute", kAxis, "world"),
                                   version))
                       .mechanism;
    return Eigen::Vector3d(joint_of(m, "j").at_parent.rotation.col(2));
  };
  EXPECT_LT((z_in_world("1.9") - Eigen::Vector3d(0, -1, 0)).norm(), 1e-15);
  EXPECT_LT((z_in_world("1.4") - Eigen::Vector3d(0, 0, 1)).norm(), 1e-15);
}

TEST(Sdf, StopsAtOnePlaceHoldTheJoint) {
  const auto read = [](const std::string& limit) {
    return import_text(
        sdf(sdf_link("b") + sdf_joint("revolute",
                                      "<axis><xyz>0 0 1</xyz><limit>" + limit + "</limit></axis>",
                                      "world")));
  };
  const auto held = read("<lower>0.2</lower><upper>0.2</upper>");
  const auto& drive = joint_of(held.mechanism, "j").drive;
  ASSERT_TRUE(drive);
  EXPECT_EQ(std::get<Polynomial>(*drive).coefficients, std::vector{0.2});
  EXPECT_EQ(held.log.warning_count(), 0U);
  const auto crossed = read("<lower>1</lower><upper>0</upper>");
  EXPECT_FALSE(joint_of(crossed.mechanism, "j").drive);
  EXPECT_EQ(crossed.log.warning_count(), 1U);
}

TEST(Sdf, RotorsOfDrakeAreArmature) {
  const auto m =
      import_text(sdf(sdf_link("a") + sdf_link("b") +
                      sdf_joint("revolute", kAxis + "<drake:rotor_inertia>0.5"
                                                    "</drake:rotor_inertia><drake:gear_ratio>4"
                                                    "</drake:gear_ratio>")))
          .mechanism;
  EXPECT_EQ(joint_of(m, "j").armature, 8.0);
}

TEST(Sdf, ScrewsOfOldAndNewFiles) {
  const auto pitch = [](const std::string& version, const std::string& element) {
    return joint_of(
               import_text(sdf(sdf_link("a") + sdf_link("b") + sdf_joint("screw", kAxis + element),
                               version))
                   .mechanism,
               "j")
        .pitch;
  };
  EXPECT_DOUBLE_EQ(pitch("1.10", "<screw_thread_pitch>0.5</screw_thread_pitch>"),
                   0.25 / std::numbers::pi);
  EXPECT_DOUBLE_EQ(pitch("1.6", "<thread_pitch>-4</thread_pitch>"), 0.25);
}

// theta_2 = -ratio theta_1, and the second pin is the other way round.
TEST(Sdf, GearboxesAreCouplings) {
  const std::string pin = "<axis><xyz>0 0 -1</xyz></axis>";
  const auto m =
      import_text(
          sdf(sdf_link("a") + sdf_link("b") + sdf_link("c") +
              "<joint name='in' type='revolute'><parent>c</parent><child>a</child>" + kAxis +
              "</joint><joint name='out' type='revolute'><parent>c</parent>" + "<child>b</child>" +
              pin + "</joint>" +
              sdf_joint("gearbox",
                        kAxis + "<axis2><xyz>0 0 1</xyz></axis2><gearbox_ratio>5</gearbox_ratio>"
                                "<gearbox_reference_body>c</gearbox_reference_body>")))
          .mechanism;
  ASSERT_EQ(m.couplings.size(), 1U);
  EXPECT_EQ(m.couplings[0].joint, "out");
  EXPECT_EQ(m.couplings[0].to, "in");
  EXPECT_EQ(m.couplings[0].ratio, 5.0);
}

// Each axis of a universal joint may follow, and be followed.
TEST(Sdf, MimicsNameTheirAxes) {
  const auto universal = [](const std::string& name, const std::string& child,
                            const std::string& mimic) {
    return "<joint name='" + name + "' type='universal'><parent>world</parent><child>" + child +
           "</child><axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz>" + mimic +
           "</axis2></joint>\n";
  };
  const auto following = [&](const std::string& axis) {
    return sdf(
        sdf_link("a") + sdf_link("b") + universal("leader", "a", "") +
        universal("follower", "b",
                  "<mimic joint='leader' axis='" + axis + "'><multiplier>2</multiplier></mimic>"));
  };
  EXPECT_THROW(import_text(following("axis3")), ModelError);
  const auto m = import_text(following("axis2")).mechanism;
  ASSERT_EQ(m.couplings.size(), 1U);
  EXPECT_EQ(m.couplings[0].joint, "follower_axis2");
  EXPECT_EQ(m.couplings[0].to, "leader_axis2");
  EXPECT_EQ(m.couplings[0].ratio, 2.0);
  auto alone = following("axis2");
  alone.replace(alone.find("joint='leader'"), 14, "joint='absent'");
  EXPECT_NE(
      import_error(alone).find(
          "coupling \"follower_axis2\": joint \"absent_axis2\" is not a joint of this mechanism"),
      std::string::npos);
}

// Up to SDF 1.5 it stood in <physics>, and nowhere else.
TEST(Sdf, OldWorldsHaveTheirGravityInPhysics) {
  const auto gravity = [](const std::string& version, const std::string& beside = "") {
    return import_text("<sdf version='" + version +
                       "'><world name='w'><physics type='ode'><gravity>0 0 -1.62</gravity>"
                       "</physics>" +
                       beside + "<model name='m'><link name='a'/></model></world></sdf>");
  };
  EXPECT_EQ(gravity("1.4").mechanism.gravity, Eigen::Vector3d(0, 0, -1.62));
  EXPECT_EQ(gravity("1.5").mechanism.gravity, Eigen::Vector3d(0, 0, -1.62));
  const auto later = gravity("1.6", "<gravity>0 0 -3.7</gravity>");
  EXPECT_EQ(later.mechanism.gravity, Eigen::Vector3d(0, 0, -3.7));
  EXPECT_EQ(later.log.warning_count(), 1U);
}

TEST(Sdf, FlagsMayBeCapital) {
  const auto m = import_text(sdf("<static>True</static>" + sdf_link("a"))).mechanism;
  EXPECT_TRUE(m.bodies.empty());
}

// A link that gravity does not act on falls no faster than its neighbour pulls it: not at all here.
TEST(Sdf, GravityCanBeOffForALink) {
  auto m = import_text(sdf("<link name='a'><gravity>false</gravity>"
                           "<inertial><pose>0.3 0.1 0 0 0 0</pose></inertial></link>"))
               .mechanism;
  const auto run = Simulation(Model(m)).run_until(1.0, 1.0);
  EXPECT_LT(run.samples.back().v.norm(), 1e-12);
}

TEST(Sdf, IncludedModelsAreLeftOut) {
  const auto text = sdf(sdf_link("a") + "<include><uri>model://sun</uri></include>");
  const auto lines = import_text(text).log.lines();
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines[0],
            "warning: m.xml:4: the included model \"model://sun\" is not there, it is left out");
  // What a plugin is told is not warned of line by line.
  const auto plugin = sdf(sdf_link("a") +
                          "<include><uri>model://sun</uri><plugin name='p' "
                          "filename='f'><gain>3</gain></plugin></include>");
  EXPECT_EQ(import_text(plugin).log.warning_count(), 1U);
}

// Gazebo Classic looks a name up from outside of all models as well, as in files of its time.
TEST(Sdf, NamesInOldFilesMayComeFromOutside) {
  const auto joint = sdf_joint("revolute", kAxis, "m::inner::a", "m::b");
  const auto content = sdf_link("b") + "<model name='inner'>" + sdf_link("a") + "</model>" + joint;
  const auto alone = import_text(sdf(content, "1.6")).mechanism;
  EXPECT_EQ(joint_of(alone, "j").parent, "inner::a");
  EXPECT_EQ(joint_of(alone, "j").child, "b");
  const auto in_world = [&](const std::string& text) {
    return "<sdf version='1.6'><world name='w'><model name='m'>" + text + "</model></world></sdf>";
  };
  EXPECT_EQ(joint_of(import_text(in_world(content)).mechanism, "m::j").parent, "m::inner::a");
  // A name without a model is one of this model only.
  EXPECT_EQ(import_error(in_world(sdf_link("b") + sdf_joint("revolute", kAxis, "m", "b"))),
            "m.xml:2: <joint name=\"j\">: parent \"m\" is no frame here");
  EXPECT_EQ(import_error(sdf(content, "1.7")),
            "m.xml:5: <joint name=\"j\">: child \"m::b\" is no frame here");
}

TEST(Sdf, TheSavedStateOfAWorldIsWarnedOf) {
  const auto world = [](const std::string& state) {
    return import_text("<sdf version='1.6'>\n<world name='w'><model name='m'>" + sdf_link("a") +
                       "</model>\n" + state + "</world></sdf>");
  };
  const auto saved = world(
      "<state world_name='w'><sim_time>3 0</sim_time><model name='m'><pose>0 0 1 0 0 0</pose>"
      "<link name='a'><velocity>1 0 0 0 0 0</velocity></link></model></state>");
  EXPECT_EQ(saved.log.lines()[0],
            "warning: m.xml:4: the saved <state> is not read: models start where they are placed, "
            "at rest");
  EXPECT_EQ(world("<state world_name='w'><sim_time>3 0</sim_time></state>").log.warning_count(),
            0U);
}

TEST(Sdf, FixedBase) {
  const auto text =
      sdf(sdf_link("a", "0 0 1 0 0 0") + sdf_link("b") + sdf_joint("revolute", kAxis));
  EXPECT_EQ(import_text(text, {.fixed_base = true}).mechanism.bodies.size(), 1U);
}

TEST(Sdf, Refusals) {
  const std::string two = sdf_link("a") + sdf_link("b");
  EXPECT_EQ(import_error("<sdf>\n</sdf>"), "m.xml:1: <sdf>: attribute version is missing");
  EXPECT_EQ(import_error(sdf(sdf_link("a"), "1.1")),
            "m.xml:1: <sdf>: version 1.1 is older than 1.2, which is the oldest read");
  EXPECT_EQ(import_error(sdf("")), "m.xml:2: <model name=\"m\">: has no link");
  EXPECT_EQ(import_error(sdf(two + sdf_joint("revolute", kAxis, "a", "c"))),
            "m.xml:5: <joint name=\"j\">: child \"c\" is no frame here");
  EXPECT_EQ(import_error(sdf(two + sdf_joint("revolute", kAxis, "a", "world"))),
            "m.xml:5: <joint name=\"j\">: the child must be a link that can move");
  EXPECT_EQ(import_error(sdf(two + "<frame name='f' attached_to='f'/>\n")),
            "m.xml:5: <frame name=\"f\">: its pose is relative to itself, through relative_to or "
            "attached_to");
  EXPECT_EQ(import_error(sdf(two, "9.9")),
            "m.xml:1: <sdf>: version must be one of SDF, as 1.9, not \"9.9\"");
  EXPECT_EQ(import_error(sdf(two + "<frame name='a'/>\n")),
            "m.xml:5: <frame name=\"a\">: another element beside it has this name already");
  EXPECT_EQ(import_error(sdf(two + sdf_joint("rotary", kAxis))),
            "m.xml:5: <joint name=\"j\">: unknown type \"rotary\"; known types are revolute, "
            "continuous, prismatic, screw, ball, fixed, universal, revolute2, gearbox");
  EXPECT_EQ(import_error(sdf(two + sdf_joint("revolute",
                                             "<axis><xyz>0 0 1</xyz><dynamics>"
                                             "<damping>-1</damping></dynamics></axis>"))),
            "m.xml:5: joint \"j\": damping must not be negative, it is -1");
  EXPECT_EQ(import_error(sdf(two + "<include><uri>x</uri><placement_frame>f</placement_frame>"
                                   "</include>")),
            "m.xml:5: <include>: placement_frame needs a <pose>");
  EXPECT_EQ(import_error(sdf(two + "<link name='c'><inertial><pose relative_to='a'>1 0 0 0 0 0"
                                   "</pose></inertial></link>")),
            "m.xml:5: <pose>: a centre of mass is placed in its link, not relative to another "
            "frame");
}

// As onshape-to-robot writes it.
TEST(Sdf, ACentreOfMassMaySayThatItIsRelativeToItsLink) {
  const auto m = import_text(sdf("<link name='c'><inertial><pose relative_to='c'>1 0 0 0 0 0</pose>"
                                 "</inertial></link>"))
                     .mechanism;
  ASSERT_EQ(m.bodies.size(), 1U);
  EXPECT_EQ(m.bodies[0].com, Eigen::Vector3d(1.0, 0.0, 0.0));
}

}  // namespace
}  // namespace hamiltree
