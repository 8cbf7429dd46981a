// MJCF: defaults, poses, masses of geoms, equalities, includes, keyframes, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "hamiltree/hamiltree.hpp"
#include "hamiltree/io/import/time_functions.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "import_text.hpp"
#include "support/own_path.hpp"

namespace hamiltree {
namespace {

using test::body_of;
using test::force_on;
using test::import_error;
using test::import_text;
using test::joint_of;
using test::model_file;

constexpr double kPi = std::numbers::pi;

Mechanism read_mjcf(const std::string& name, const ImportOptions& options = {}) {
  ImportLog log;
  return read_model(model_file(name), options, log).mechanism();
}

std::string mujoco(const std::string& world, const std::string& rest = "") {
  return "<mujoco>\n" + rest + "<worldbody>\n" + world + "</worldbody>\n</mujoco>\n";
}
const std::string kBall = "<geom size='0.1'/>";

TEST(Mjcf, GeomsHaveTheMassOfTheirShape) {
  const auto mass_of = [](const std::string& geom) {
    return import_text(mujoco("<body name='b'><freejoint/><geom " + geom + "/></body>"))
        .mechanism.bodies.at(0);
  };
  EXPECT_NEAR(mass_of("size='0.1'").mass, 1000.0 * 4.0 / 3.0 * kPi * 1e-3, 1e-12);
  EXPECT_NEAR(mass_of("type='box' size='1 2 3' density='2'").mass, 96.0, 1e-12);
  EXPECT_NEAR(mass_of("type='box' size='1 2 3' mass='3'").inertia(0, 0), 13.0, 1e-12);
  EXPECT_NEAR(mass_of("type='cylinder' size='2 3' density='1'").mass, 24.0 * kPi, 1e-12);
  EXPECT_NEAR(mass_of("type='cylinder' size='2 3' mass='1'").inertia(2, 2), 2.0, 1e-12);
  EXPECT_NEAR(mass_of("type='ellipsoid' size='1 2 3' mass='5'").inertia(0, 0), 13.0, 1e-12);
  const auto capsule = mass_of("type='capsule' size='1' fromto='0 0 0 4 0 0' density='3'");
  EXPECT_NEAR(capsule.mass, 16.0 * kPi, 1e-12);
  EXPECT_NEAR(capsule.com.x(), 2.0, 1e-15);
  EXPECT_NEAR(capsule.inertia(0, 0), 12.0 * kPi / 2.0 + 4.0 * kPi * 0.4, 1e-12);
}

TEST(Mjcf, InertialWinsOverGeomsUnlessTheCompilerSaysOtherwise) {
  const auto mass_with = [](const std::string& compiler) {
    return import_text(mujoco("<body name='b'><freejoint/><geom size='1' mass='2'/>"
                              "<inertial pos='0 0 0' mass='5' diaginertia='1 1 1'/></body>",
                              compiler))
        .mechanism.bodies.at(0)
        .mass;
  };
  EXPECT_EQ(mass_with(""), 5.0);
  EXPECT_EQ(mass_with("<compiler inertiafromgeom='true'/>"), 2.0);
  EXPECT_EQ(mass_with("<compiler settotalmass='7'/>"), 7.0);
}

// As MuJoCo has it: there is nothing to take the mass from.
TEST(Mjcf, InertialStaysWhereGeomsWeighNothing) {
  for (const std::string geom : {"", "<geom size='1' mass='0'/>", "<geom size='1' group='4'/>"}) {
    const auto m =
        import_text(mujoco("<body name='b'><freejoint/>" + geom +
                               "<inertial pos='1 2 3' mass='5' diaginertia='1 2 2'/></body>",
                           "<compiler inertiafromgeom='true' inertiagrouprange='0 3'/>"))
            .mechanism;
    EXPECT_EQ(body_of(m, "b").mass, 5.0) << geom;
    EXPECT_EQ(body_of(m, "b").com, Eigen::Vector3d(1, 2, 3)) << geom;
  }
}

// Not what stands on the diagonal: the moments are 0.0205 -+ sqrt(0.0005^2 + 0.01^2) and 0.03.
TEST(Mjcf, BoundOfInertiaIsThatOfPrincipalMoments) {
  const auto m = import_text(mujoco("<body name='b'><freejoint/><inertial pos='0 0 0' mass='1' "
                                    "fullinertia='0.02 0.021 0.03 0.01 0 0'/></body>",
                                    "<compiler boundinertia='0.02'/>"))
                     .mechanism;
  const double large = 0.0205 + std::hypot(0.0005, 0.01);
  const Eigen::Vector2d axis = Eigen::Vector2d(0.01, large - 0.02).normalized();
  Eigen::Matrix3d J = Eigen::Vector3d(0.02, 0.02, 0.03).asDiagonal();
  J.topLeftCorner<2, 2>() += (large - 0.02) * axis * axis.transpose();
  EXPECT_LT((body_of(m, "b").inertia - J).norm(), 1e-16);
}

// So the search for a closed start begins where the file is closed, whichever joint of a loop is
// cut.
TEST(Mjcf, JointsOfEqualitiesAreAtZeroAtTheStart) {
  const std::string world =
      "<body name='a' euler='0 0 90'><joint/>" + kBall +
      "<body name='b' pos='1 0 0' euler='0 0 -20'><joint/>" + kBall +
      "<site name='b1' pos='1 0 0'/><site name='b2' pos='1 0 1' euler='30 0 0'/></body></body>"
      "<site name='w1' pos='0 2 0'/><site name='w2' pos='0 2 1' euler='10 20 30'/>";
  Eigen::Matrix3d R;  // of b in the world
  R << std::cos(7 * kPi / 18), -std::sin(7 * kPi / 18), 0, std::sin(7 * kPi / 18),
      std::cos(7 * kPi / 18), 0, 0, 0, 1;
  for (const std::string equality :
       {"<connect name='e' site1='b1' site2='w1'/><connect site1='w2' site2='b2'/>",
        "<connect name='e' body1='b' anchor='1 0 0'/><connect body1='b' anchor='1 0 1'/>",
        "<connect name='e' body1='b' anchor='1 0 0'/>", "<connect name='e' site1='w2' site2='b2'/>",
        "<weld name='e' body1='b' body2='world' torquescale='0'/>",
        "<weld name='e' site1='b2' site2='w2' torquescale='0'/>"}) {
    const auto m = import_text(mujoco(world, "<equality>" + equality + "</equality>")).mechanism;
    const auto& joint = joint_of(m, "e");
    ASSERT_EQ(joint.child, "b");
    EXPECT_LT((R * joint.at_child.rotation - joint.at_parent.rotation).norm(), 1e-14) << equality;
  }
}

TEST(Mjcf, FullInertiaIsInTheOrderOfTheFormat) {
  const auto m = import_text(mujoco("<body name='b'><freejoint/><inertial pos='1 2 3' mass='1' "
                                    "fullinertia='2 3 4 0.1 0.2 0.3'/></body>"))
                     .mechanism;
  const auto& J = body_of(m, "b").inertia;
  EXPECT_EQ(J.diagonal(), Eigen::Vector3d(2, 3, 4));
  EXPECT_EQ(Eigen::Vector3d(J(0, 1), J(0, 2), J(1, 2)), Eigen::Vector3d(0.1, 0.2, 0.3));
}

TEST(Mjcf, ClassesAreInherited) {
  const auto tree = read_mjcf("tree.xml");
  EXPECT_EQ(joint_of(tree, "reach").type, JointType::kPrismatic);
  EXPECT_EQ(joint_of(tree, "reach").armature, 0.01);
  EXPECT_NEAR((*joint_of(tree, "lift").guess_q)(0), kPi / 9.0, 1e-15);
  EXPECT_NEAR((*joint_of(tree, "elbow").guess_q)(0), -kPi / 4.0, 1e-15);
  const auto* spring = force_on<JointSpringDamper>(tree, "pan");
  ASSERT_NE(spring, nullptr);
  EXPECT_NEAR(spring->rest, kPi / 6.0, 1e-15);
  EXPECT_EQ(import_error(mujoco("<body>\n<joint class='no'/></body>")),
            "m.xml:4: <joint>: there is no default class \"no\"");
}

// The coordinates of the pose that the file gives are `ref`.
TEST(Mjcf, BodiesStandWhereTheFileSaysAtRef) {
  const auto m = import_text(mujoco("<body name='b' pos='1 0 0'><joint name='j' axis='0 0 1' "
                                    "pos='0 1 0' ref='90'/><geom size='0.1'/></body>"))
                     .mechanism;
  auto with_sensor = m;
  with_sensor.add(BodySensor{"b", "b", {}});
  const auto first = Simulation(Model(with_sensor)).run_until(1e-3, 1e-3).samples.front();
  EXPECT_NEAR(first.q(0), kPi / 2.0, 1e-15);
  EXPECT_NEAR(first.sensors(0), 1.0, 1e-15);  // the centre of mass, in the body's origin
  EXPECT_NEAR(first.sensors(1), 0.0, 1e-15);
}

TEST(Mjcf, TwoConnectsOnALineAreAPin) {
  const auto m = read_mjcf("hinge.xml");
  const auto& pin = joint_of(m, "connect");
  EXPECT_EQ(pin.type, JointType::kRevolute);
  EXPECT_NEAR(std::abs(pin.at_parent.rotation(1, 2)), 1.0, 1e-12);
  EXPECT_THROW(joint_of(m, "connect_2"), std::out_of_range);
  const Model model(m);
  EXPECT_EQ(model.loop_count(), 1);
  SimulationOptions options;
  const auto run = Simulation(model, options).run_until(2.0, 1.0);
  EXPECT_LT(run.summary.constraint.position_max, 1e-12);
}

// Held at a second point, a ball turns about the line through both: where it starts and how far it
// may go are angles about it.
TEST(Mjcf, ABallHeldAtAPointIsAPin) {
  const std::string bodies =
      "<mujoco><worldbody><body name='a'><joint name='slide' type='slide'/>" + kBall +
      "<body name='b'><joint name='ball' type='ball' armature='0.3' limited='true' range='0 50'/>"
      "<geom size='0.1' pos='1 0 0'/></body></body></worldbody><equality>";
  const std::string keys =
      "</equality><keyframe><key name='k' qpos='0.2 0.8 0 0.6 0'/></keyframe></mujoco>";
  const auto pin = import_text(bodies + "<connect body1='a' body2='b' anchor='0 2 0'/>" + keys,
                               {.keyframe = "k"})
                       .mechanism;
  const auto& joint = joint_of(pin, "ball");
  EXPECT_EQ(joint.type, JointType::kRevolute);
  ASSERT_EQ(joint.guess_q->size(), 1);
  EXPECT_NEAR((*joint.guess_q)(0), 2.0 * std::atan2(0.6, 0.8), 1e-15);
  const auto* limits = std::get_if<JointLimits>(&pin.forces.front());
  ASSERT_NE(limits, nullptr);
  EXPECT_EQ(limits->lower, -*limits->upper);
  const auto start = initial_state(Model(pin));
  EXPECT_NEAR(start.q(1), 2.0 * std::atan2(0.6, 0.8), 1e-12);
  const auto held = import_text(bodies +
                                    "<connect body1='a' body2='b' anchor='0 2 0'/>"
                                    "<connect body1='a' body2='b' anchor='1 0 0'/>" +
                                    keys,
                                {.keyframe = "k"})
                        .mechanism;
  EXPECT_EQ(held.joints.size(), 1U);
}

// A body between two balls whose other bodies are welded together turns about the line through
// both, with the rotors and the friction of both.
TEST(Mjcf, TwoBallsBetweenTheSameBodiesAreAPin) {
  const auto text = [](const std::string& second) {
    return "<mujoco><worldbody><body name='a'><joint name='slide' type='slide'/>" + kBall +
           "<body name='b'><joint name='one' type='ball' armature='0.3' frictionloss='0.2'/>" +
           kBall + "<body name='c' pos='1 0 0'><joint name='two' type='ball' armature='0.2' " +
           second + "/>" + kBall +
           "</body></body></body></worldbody><equality><weld body1='a' body2='c'/></equality>"
           "</mujoco>";
  };
  const auto m = import_text(text("frictionloss='0.1'")).mechanism;
  ASSERT_EQ(m.joints.size(), 2U);
  const auto& pin = joint_of(m, "one");
  EXPECT_EQ(pin.type, JointType::kRevolute);
  EXPECT_NEAR(pin.armature, 0.5, 1e-15);
  double friction = 0.0;
  for (const auto& force : m.forces) {
    if (const auto* one = std::get_if<JointFriction>(&force)) {
      EXPECT_EQ(one->joint, "one");
      friction += one->coulomb;
    }
  }
  EXPECT_NEAR(friction, 0.3, 1e-15);
  EXPECT_NO_THROW(Model{m});
  EXPECT_NE(
      import_error(text("limited='true' range='0 50'"))
          .find("joint \"two\": its limits are not simulated, for joint \"one\" holds another "
                "point of the same bodies"),
      std::string::npos);
}

// A tendon over a joint that a weld holds at 0.4 rad, a turn further as the keyframe has it: its
// spring and its range count that joint's part of its length.
TEST(Mjcf, TendonsCountJointsThatAreHeld) {
  const auto m = import_text(
                     "<mujoco><compiler angle='radian'/><worldbody><body name='a'>"
                     "<joint name='slide' type='slide'/>" +
                         kBall + "<body name='b'><joint name='pin' axis='0 0 1'/>" + kBall +
                         "</body></body></worldbody><equality><weld body1='a' body2='b' "
                         "relpose='0 0 0 " +
                         std::to_string(std::cos(0.2)) + " 0 0 " + std::to_string(std::sin(0.2)) +
                         "'/></equality><tendon><fixed stiffness='3' springlength='0.5' "
                         "range='-1 9' limited='true'><joint joint='slide' coef='2'/>"
                         "<joint joint='pin' coef='-0.5'/></fixed></tendon>"
                         "<keyframe><key name='k' qpos='0 6.6'/></keyframe></mujoco>",
                     {.keyframe = "k"})
                     .mechanism;
  ASSERT_EQ(m.joints.size(), 1U);
  const double held = -0.5 * (0.4 + 2.0 * kPi);
  bool has_spring = false, has_stops = false;
  for (const auto& force : m.forces) {
    if (const auto* spring = std::get_if<Servo>(&force)) {
      has_spring = true;
      EXPECT_EQ(spring->joints, std::vector<std::string>{"slide"});
      EXPECT_NEAR(constant_value(spring->effort).value(), 3.0 * (0.5 - held), 1e-5);
    } else if (const auto* stops = std::get_if<TendonLimits>(&force)) {
      has_stops = true;
      EXPECT_NEAR(*stops->lower, -1.0 - held, 1e-5);
      EXPECT_NEAR(*stops->upper, 9.0 - held, 1e-5);
    }
  }
  EXPECT_TRUE(has_spring && has_stops);
}

TEST(Mjcf, ThreeConnectsHoldEverything) {
  const auto two_bodies = "<body name='a'><freejoint/>" + kBall +
                          "</body><body name='b' pos='1 0 0'>" + "<freejoint/>" + kBall + "</body>";
  const auto connect = [](const std::string& anchor) {
    return "<connect body1='a' body2='b' anchor='" + anchor + "'/>";
  };
  const auto m =
      import_text("<mujoco><worldbody>" + two_bodies + "</worldbody><equality>" + connect("0 0 0") +
                  connect("0 1 0") + connect("0 0 1") + "</equality></mujoco>")
          .mechanism;
  ASSERT_EQ(m.bodies.size(), 1U);
  EXPECT_NEAR(m.bodies[0].com.x(), 0.5, 1e-15);
  ASSERT_EQ(m.joints.size(), 1U);
}

// q_wheel - ref = 0.1 - 2 q_A
TEST(Mjcf, JointEqualitiesAreCouplings) {
  const auto m = read_mjcf("hinge.xml");
  ASSERT_EQ(m.couplings.size(), 1U);
  EXPECT_EQ(m.couplings[0].joint, "wheel");
  EXPECT_EQ(m.couplings[0].ratio, -2.0);
  EXPECT_NEAR(m.couplings[0].offset, 0.3, 1e-15);
}

TEST(Mjcf, AKeyframeIsWhereItStarts) {
  const auto m = read_mjcf("hinge.xml", {.keyframe = "turned"});
  EXPECT_EQ((*joint_of(m, "A").guess_q)(0), 0.4);
  ImportLog log;
  EXPECT_THROW(read_model(model_file("hinge.xml"), {.keyframe = "no"}, log), UsageError);
}

TEST(Mjcf, KeyframesWithoutANameGoByTheirNumber) {
  const std::string text =
      "<mujoco><worldbody><body><joint name='j'/><geom size='0.1' pos='1 0 0'/></body></worldbody>"
      "<keyframe><key name='a' qpos='0.1'/></keyframe>"
      "<keyframe><key qpos='0.2'/></keyframe></mujoco>";
  EXPECT_EQ((*import_text(text, {.keyframe = "1"}).mechanism.joints[0].guess_q)(0), 0.2);
  try {
    import_text(text, {.keyframe = "0"});
    ADD_FAILURE() << "a keyframe with a name was found by its number";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "--keyframe: there is no keyframe \"0\"; there are: a, 1");
  }
}

// Of zeros alone, as in keyframes of Fourier's GR-1 and the Unitree Z1: MuJoCo 4.0 puts the body
// where it would be without a turn.
TEST(Mjcf, AQuaternionOfZerosInAKeyframeIsNoTurn) {
  const auto read = import_text(
      "<mujoco><worldbody><body name='b' quat='1 2 3 4'><freejoint name='j'/><geom size='1'/>"
      "</body></worldbody><keyframe><key name='k' qpos='1 2 3 0 0 0 0'/></keyframe></mujoco>",
      {.keyframe = "k"});
  Eigen::VectorXd q(7);
  q << 1, 2, 3, 1, 0, 0, 0;
  EXPECT_EQ(joint_of(read.mechanism, "j").guess_q, q);
  EXPECT_TRUE(read.log.lines().at(0).ends_with(
      "a quaternion in qpos is zero and taken for no turn, as by MuJoCo"))
      << read.log.lines()[0];
}

// qvel of a free body: its linear velocity in world axes, its angular velocity in its own.
TEST(Mjcf, AKeyframeGivesVelocities) {
  const std::string text = R"(<mujoco><compiler angle="radian"/><option gravity="0 0 0"/><worldbody>
    <body name="b"><freejoint name="free"/><geom type="box" size="0.3 0.2 0.1"/>
      <body name="a"><joint name="A" axis="0 1 0"/><geom size="0.1"/></body></body></worldbody>
    <keyframe><key name="k" qpos="1 2 3 0.5 0.5 0.5 0.5 0.3" qvel="1 2 3 0.1 0.2 0.3 0.7"/>
      <key name="short" qvel="1 2"/></keyframe></mujoco>)";
  const auto read = import_text(text, {.keyframe = "k"});
  EXPECT_TRUE(read.log.lines().empty());
  auto m = read.mechanism;
  EXPECT_EQ((*joint_of(m, "A").initial_v)(0), 0.7);
  m.add(PointSensor{"base", "b", {0.0, 0.0, 0.0}, {}});
  const auto run = Simulation(Model(m)).run_until(0.01, 0.01);
  const Eigen::VectorXd& start = run.samples.front().sensors;
  EXPECT_LT((start.head<3>() - Eigen::Vector3d(1.0, 2.0, 3.0)).norm(), 1e-14);
  EXPECT_LT((start.segment<3>(3) - Eigen::Vector3d(1.0, 2.0, 3.0)).norm(), 1e-14);
  EXPECT_LT((*joint_of(m, "free").initial_v -  // world x, y, z are the body's y, z, x
             (Eigen::VectorXd(6) << 2.0, 3.0, 1.0, 0.1, 0.2, 0.3).finished())
                .norm(),
            1e-14);
  EXPECT_THROW(import_text(text, {.keyframe = "short"}), ModelError);

  std::string held = text;
  held.insert(held.find("<keyframe>"), "<equality><joint joint1='A'/></equality>");
  const auto without = import_text(held, {.keyframe = "k"});
  EXPECT_FALSE(joint_of(without.mechanism, "A").initial_v);
  EXPECT_TRUE(without.log.lines().at(0).ends_with(
      "the velocities of a keyframe (qvel) are not read where there are equalities"))
      << without.log.lines()[0];
}

// The keyframe of a loop that it leaves open is where the search for a closed pose starts.
TEST(Mjcf, AKeyframeThatLeavesALoopOpenIsAGuess) {
  const std::string text = R"(<mujoco><compiler angle="radian"/><worldbody>
    <body name="a"><joint name="A" axis="0 1 0"/><geom size="0.1"/>
      <body name="b" pos="0.2 0 0"><joint name="B" axis="0 1 0"/><geom size="0.1"/>
        <body name="c" pos="0.5 0 0.3"><joint name="C" axis="0 1 0"/><geom size="0.1"/></body>
      </body></body></worldbody>
    <equality><connect body1="c" anchor="0.1 0 -0.3"/></equality>
    <keyframe><key name="k" qpos="0.5 -0.2 0.3"/></keyframe></mujoco>)";
  auto m = import_text(text, {.keyframe = "k"}).mechanism;
  m.add(PointSensor{"end", "c", {0.1, 0.0, -0.3}, {}});
  const auto run = Simulation(Model(m)).run_until(0.01, 0.01);
  const Eigen::VectorXd& end = run.samples.front().sensors;
  EXPECT_LT((end.head<3>() - Eigen::Vector3d(0.8, 0.0, 0.0)).norm(), 1e-12);
  const Eigen::VectorXd& q = run.samples.front().q;
  EXPECT_LT((q - Eigen::Vector3d(0.5, -0.2, 0.3)).norm(), 0.6);
  EXPECT_GT(q.norm(), 0.1);  // nor the pose of the file
}

TEST(Mjcf, IncludedFilesArePartOfTheFile) {
  const auto folder = test::own_path("mjcf_include");
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "outer.xml") << "<mujoco><worldbody><body name='b'>\n<include "
                                         "file='inner.xml'/></body></worldbody></mujoco>";
  std::ofstream(folder / "inner.xml")
      << "<mujocoinclude>\n<joint/>\n<geom size='x'/></mujocoinclude>";
  try {
    load(folder / "outer.xml");
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.where().file, (folder / "inner.xml").string());
    EXPECT_EQ(error.where().line, 3);
  }
  std::ofstream(folder / "inner.xml") << "<mujoco><include file='inner.xml'/></mujoco>";
  EXPECT_THROW(load(folder / "outer.xml"), ModelError);
  std::filesystem::remove_all(folder);
}

// Beside the model, else beside the file that includes it, as in MuJoCo.
TEST(Mjcf, IncludedFilesIncludeThoseBesideThem) {
  const auto folder = test::own_path("mjcf_include_nested");
  std::filesystem::create_directories(folder / "parts" / "deep");
  std::ofstream(folder / "outer.xml")
      << "<mujoco><worldbody><include file='parts/body.xml'/></worldbody></mujoco>";
  std::ofstream(folder / "parts" / "body.xml")
      << "<mujocoinclude><body><joint/><include file='deep/geom.xml'/></body></mujocoinclude>";
  std::ofstream(folder / "parts" / "deep" / "geom.xml")
      << "<mujocoinclude><geom size='1' mass='3'/><include file='../more.xml'/></mujocoinclude>";
  std::ofstream(folder / "parts" / "more.xml")
      << "<mujocoinclude><geom size='1' mass='4'/></mujocoinclude>";
  const auto mass = [&] { return load(folder / "outer.xml").mechanism().bodies.at(0).mass; };
  EXPECT_EQ(mass(), 7.0);
  std::filesystem::create_directories(folder / "deep");
  std::ofstream(folder / "deep" / "geom.xml")
      << "<mujocoinclude><geom size='1' mass='5'/></mujocoinclude>";
  EXPECT_EQ(mass(), 5.0);
  std::filesystem::remove_all(folder);
}

// As the Shadow Hand's files do, and MuJoCo allows: once by each name.
TEST(Mjcf, AFileIsIncludedOftenThroughLinks) {
  const auto folder = test::own_path("mjcf_include_links");
  std::filesystem::create_directories(folder);
  const auto read = [&](const std::string& second) {
    std::ofstream(folder / "outer.xml")
        << "<mujoco><worldbody><body name='a'><joint/><include file='geom.xml'/></body>"
           "<body name='b'><joint/><include file='" +
               second + "'/></body></worldbody></mujoco>";
    return load(folder / "outer.xml").mechanism();
  };
  std::ofstream(folder / "geom.xml") << "<mujocoinclude><geom size='1'/></mujocoinclude>";
  std::filesystem::create_symlink("geom.xml", folder / "same.xml");
  EXPECT_EQ(read("same.xml").bodies.size(), 2U);
  for (const char* name : {"geom.xml", "./geom.xml"}) {
    try {
      read(name);
      ADD_FAILURE() << name;
    } catch (const ModelError& error) {
      EXPECT_NE(std::string(error.what()).find("is included a second time"), std::string::npos)
          << error.what();
    }
  }
  std::filesystem::remove_all(folder);
}

// MuJoCo 3.3.7 and 4.0 say of each of these models that nothing in it is limited.
TEST(Mjcf, RangesThatDoNotAscendAreNoLimits) {
  const auto read = [](const std::string& range, const std::string& of = "") {
    return import_text(
        "<mujoco><worldbody><body name='b'><joint name='j' " + of + "limited='auto' range='" +
        range + "' actuatorfrcrange='" + range +
        "'/><geom size='0.1'/></body></worldbody><tendon><fixed name='t' range='" + range +
        "'><joint joint='j' coef='1'/></fixed></tendon><actuator><position name='a' joint='j' "
        "kp='8' ctrlrange='" +
        range + "' forcerange='" + range +
        "'/><general name='g' joint='j' dyntype='integrator' actrange='" + range +
        "'/></actuator></mujoco>");
  };
  for (const auto& [range, warnings] : {std::pair("0 0", 0), {"10 -10", 6}, {"1 1", 6}}) {
    const auto imported = read(range);
    EXPECT_EQ(imported.log.warning_count(), static_cast<std::size_t>(warnings)) << range;
    for (const auto& force : imported.mechanism.forces) {
      EXPECT_FALSE(std::holds_alternative<JointLimits>(force)) << range;
      const auto* servo = std::get_if<Servo>(&force);
      EXPECT_TRUE(servo == nullptr || (!servo->lower && !servo->upper)) << range;
    }
  }
  EXPECT_NE(
      read("2 1").log.lines().at(0).find("range of <joint> does not ascend, so it is no limit"),
      std::string::npos);
  EXPECT_NE(test::import_error("<mujoco><worldbody><body><joint limited='true' range='2 1'/>"
                               "<geom size='1'/></body></worldbody></mujoco>")
                .find("the range must ascend"),
            std::string::npos);
}

TEST(Mjcf, FramesAreTakenIn) {
  const auto flat = import_text(mujoco("<body name='b' pos='1 2 0' euler='0 0 90'><joint name='j' "
                                       "pos='0 0 1' axis='0 1 0'/><geom size='0.1' pos='0 0 2'/>"
                                       "</body>"))
                        .mechanism;
  const auto framed =
      import_text(mujoco("<frame pos='1 2 0' euler='0 0 90'><body name='b'><frame pos='0 0 1'>"
                         "<joint name='j' axis='0 1 0'/><geom size='0.1' pos='0 0 1'/></frame>"
                         "</body></frame>"))
          .mechanism;
  EXPECT_LT((body_of(flat, "b").com - body_of(framed, "b").com).norm(), 1e-15);
  const auto &a = joint_of(flat, "j").at_parent, &b = joint_of(framed, "j").at_parent;
  EXPECT_LT((a.position - b.position).norm(), 1e-15);
  EXPECT_LT((a.rotation - b.rotation).norm(), 1e-15);
}

// MuJoCo 4.0 puts the centre at 1 4 3 and takes the last of several; two in one body it refuses.
TEST(Mjcf, InertialInFramesIsThatOfTheBody) {
  const std::string inertial = "<inertial pos='1 0 0' mass='3' diaginertia='1 2 2.5'/>";
  const auto read = [](const std::string& content) {
    return import_text(mujoco("<body name='b'><joint/>" + kBall + content + "</body>")).mechanism;
  };
  const auto m = read("<frame pos='1 2 3' euler='0 0 90'><frame pos='1 0 0' euler='90 0 0'>" +
                      inertial + "</frame></frame>");
  EXPECT_EQ(body_of(m, "b").mass, 3.0);
  EXPECT_LT((body_of(m, "b").com - Eigen::Vector3d(1, 4, 3)).norm(), 1e-15);
  EXPECT_LT((body_of(m, "b").inertia.diagonal() - Eigen::Vector3d(2.5, 1, 2)).norm(), 1e-15);
  EXPECT_EQ(import_error(
                mujoco("<body><joint/><frame>" + inertial + "</frame>\n" + inertial + "</body>")),
            "m.xml:4: <inertial>: the body has another one already");
  EXPECT_EQ(import_error(mujoco("<frame>" + inertial + "</frame>")),
            "m.xml:3: <inertial>: the world stands still and has no inertia");
}

// MuJoCo holds the anchor, a point of the second body, to the point `relpose` of the first.
TEST(Mjcf, RelposeOfAWeldIsThatOfItsAnchor) {
  const auto place_of_b = [](const std::string& weld) {
    const auto m =
        import_text(
            mujoco("<body name='a' pos='1 2 3' euler='0 0 90'><joint/>" + kBall +
                       "</body><body name='b' pos='4 5 6'><freejoint/>" + kBall + "</body>",
                   "<equality><weld name='w' body1='a' body2='b' " + weld + "/></equality>"))
            .mechanism;
    if (weld.find("torquescale") != std::string::npos) {
      const auto& joint = joint_of(m, "w");
      EXPECT_EQ(joint.type, JointType::kSpherical);
      EXPECT_EQ(joint.at_child.position, Eigen::Vector3d(0.1, 0.2, 0.3));
      return Eigen::Vector3d(joint.at_parent.position - joint.at_child.position);
    }
    // Both are balls of one mass about their origins, so the centre of the one body is half way.
    EXPECT_EQ(m.bodies.size(), 1U);
    return Eigen::Vector3d(2.0 * m.bodies.at(0).com);
  };
  const std::string anchor = "anchor='0.1 0.2 0.3' ", pose = "relpose='1 0 0 1 0 0 0' ";
  for (const std::string scale : {"", "torquescale='0'"}) {
    EXPECT_LT((place_of_b(anchor + pose + scale) - Eigen::Vector3d(0.9, -0.2, -0.3)).norm(), 1e-15)
        << scale;
  }
  EXPECT_LT((place_of_b(anchor) - Eigen::Vector3d(3, -3, 3)).norm(), 1e-14);
  EXPECT_LT((place_of_b("") - Eigen::Vector3d(3, -3, 3)).norm(), 1e-14);
  const std::string sites = "<site name='s'/>";
  EXPECT_EQ(
      import_error(mujoco("<body><freejoint/>" + kBall + sites + "</body><site name='t'/>",
                          "<equality>\n<weld site1='s' site2='t' anchor='1 0 0'/></equality>")),
      "m.xml:3: <weld>: anchor and relpose are those of bodies, not of sites");
}

// Of all passive forces only those of springs and dampers have flags, but without both MuJoCo
// computes none.
TEST(Mjcf, WithoutSpringsAndDampersNoPassiveForcesAct) {
  const auto forces = [](const std::string& flags) {
    return import_text(mujoco("<body gravcomp='1'><joint/><geom size='0.1'/></body>",
                              "<option density='3'><flag " + flags + "/></option>"))
        .mechanism.forces.size();
  };
  EXPECT_EQ(forces("spring='disable'"), 2U);
  EXPECT_EQ(forces("damper='disable'"), 2U);
  EXPECT_EQ(forces("spring='disable' damper='disable'"), 0U);
}

// As in MuJoCo 4.0: a box of 0.4 0.2 0.3.
TEST(Mjcf, AShorterSizeOfANestedClassKeepsTheRest) {
  const auto m = import_text(mujoco("<body name='b'><joint/><geom class='c'/></body>",
                                    "<default><geom type='box' size='.1 .2 .3' mass='3'/>"
                                    "<default class='c'><geom size='.4'/></default></default>"))
                     .mechanism;
  EXPECT_NEAR(body_of(m, "b").inertia(2, 2), 0.2, 1e-15);
  EXPECT_NEAR(body_of(m, "b").inertia(0, 0), 0.13, 1e-15);
}

// The numbers are MuJoCo 4.0's.
TEST(Mjcf, HeightFieldsWeighAsTheirBox) {
  const auto read = [](const std::string& of, const std::string& asset = "name='h' ") {
    return body_of(import_text(mujoco("<body name='b'><joint/><geom type='hfield' hfield='h' "
                                      "pos='1 0 0' " +
                                          of + "/></body>",
                                      "<asset><hfield " + asset +
                                          "nrow='2' ncol='2' size='1 2 3 .5'/></asset>"))
                       .mechanism,
                   "b");
  };
  const auto solid = read("mass='5'");
  EXPECT_EQ(solid.mass, 5.0);
  EXPECT_EQ(solid.com, Eigen::Vector3d(1, 0, 0));
  EXPECT_LT((solid.inertia.diagonal() - Eigen::Vector3d(25, 10, 25) / 3.0).norm(), 1e-14);
  EXPECT_NEAR(read("density='10'", "file='fields/h.png' ").mass, 160.0, 1e-12);
  EXPECT_NEAR(read("mass='5' shellinertia='true'").inertia(1, 1), 6.0, 1e-14);
  EXPECT_EQ(import_error(mujoco("<body><joint/><geom type='hfield' hfield='g'/></body>")),
            "m.xml:3: <geom>: there is no height field \"g\"");
}

// MuJoCo puts the joint into the inertial frame, where the body has no children.
TEST(Mjcf, FreeJointsThatAreToBeAlignedAreWarnedOf) {
  const auto warnings = [](const std::string& joint, const std::string& in_body,
                           const std::string& rest = "", const ImportOptions& options = {}) {
    return import_text(mujoco("<body name='b'>" + joint + "<geom size='0.1' " + in_body + "</body>",
                              "<compiler alignfree='true'/><keyframe><key name='k' "
                              "qpos='0 0 0 1 0 0 0'/></keyframe>" +
                                  rest),
                       options)
        .log;
  };
  const std::string off_centre = "pos='1 0 0'/>", joint = "<freejoint name='f'/>",
                    motor = "<actuator><motor joint='f'/></actuator>";
  EXPECT_EQ(warnings(joint, off_centre, motor).lines().at(0),
            "warning: m.xml:3: free joint \"f\" stays in its body's frame: keyframes, actuators, "
            "equalities and forces are read in that, not in the inertial frame that align or "
            "alignfree asks for");
  EXPECT_EQ(warnings(joint, off_centre, "", {.keyframe = "k"}).warning_count(), 1U);
  EXPECT_EQ(warnings("<freejoint align='true'/>", off_centre,
                     "<equality><connect body1='b' anchor='0 0 0'/></equality>")
                .warning_count(),
            1U);
  EXPECT_EQ(warnings("<joint type='free' damping='1'/>", off_centre).warning_count(), 1U);

  EXPECT_EQ(warnings(joint, off_centre).warning_count(), 0U);
  EXPECT_EQ(warnings(joint, "/>", motor).warning_count(), 0U);
  EXPECT_EQ(
      warnings(joint, off_centre + "<body><joint/><geom size='1'/></body>", motor).warning_count(),
      0U);
  EXPECT_EQ(warnings("<freejoint name='f' align='false'/>", off_centre, motor).warning_count(), 0U);
}

TEST(Mjcf, PolynomialsOfStiffnessAndDampingAreRefused) {
  const auto read = [](const std::string& of_joint, const std::string& of_tendon = "") {
    return mujoco("<body><joint name='j' " + of_joint + "/>" + kBall + "</body>",
                  "<tendon><fixed " + of_tendon + "><joint joint='j' coef='1'/></fixed></tendon>");
  };
  const std::string end =
      " is a polynomial (0 200) in the deflection or velocity; only a single coefficient is "
      "simulated";
  EXPECT_EQ(import_error(read("stiffness='0 200'")),
            "m.xml:3: <joint name=\"j\">: stiffness" + end);
  EXPECT_EQ(import_error(read("damping='0 200'")), "m.xml:3: <joint name=\"j\">: damping" + end);
  EXPECT_EQ(import_error(read("", "damping='0 200'")), "m.xml:2: <fixed>: damping" + end);
  const auto* spring =
      force_on<JointSpringDamper>(import_text(read("stiffness='5 0 0'")).mechanism, "j");
  EXPECT_NE(spring, nullptr);
}

TEST(Mjcf, Refusals) {
  const std::string b = "<body name='b'><joint name='j'/>" + kBall + "</body>\n";
  EXPECT_EQ(import_error(mujoco("<body name='b'><joint type='hing'/></body>")),
            "m.xml:3: <joint>: type must be hinge, slide, ball or free, not \"hing\"");
  EXPECT_EQ(import_error(mujoco("<body name='b'><joint/><geom type='capsul' size='1 1'/></body>")),
            "m.xml:3: <geom>: unknown type \"capsul\", did you mean \"capsule\"?");
  EXPECT_EQ(import_error(mujoco(b + b)),
            "m.xml:4: <body name=\"b\">: another body has this name already");
  EXPECT_EQ(import_error(mujoco(b + "<flexcomp/>\n")),
            "m.xml:4: <flexcomp>: is flexible, and only rigid bodies are simulated");
  EXPECT_EQ(import_error(mujoco(b,
                                "<deformable><skin name='s'/>\n<flex name='f' body='b'/>"
                                "</deformable>")),
            "m.xml:3: <flex name=\"f\">: is flexible, and only rigid bodies are simulated");
  EXPECT_EQ(import_error(mujoco(b, "<equality>\n<connect body1='b'/></equality>")),
            "m.xml:3: <connect>: attribute anchor is missing");
  EXPECT_EQ(import_error(mujoco(b, "<equality>\n<connect body1='c' anchor='0 0 0'/></equality>")),
            "m.xml:3: <connect>: there is no body \"c\"");
  EXPECT_EQ(import_error(mujoco("<body><joint/><geom type='box' size='1 1'/></body>")),
            "m.xml:3: <geom>: size of a box needs 3 numbers above 0");
}

// Both sides count from `ref`: q1 - 0.1 = 0.2 + 0.3 x + 0.4 x^2 + 0.5 x^3 + 0.6 x^4, x = q2 - 2.
TEST(Mjcf, EqualitiesOfJointsAreCouplingsAlongCurves) {
  const auto read_with = [](const std::string& polynomial) {
    return import_text(mujoco("<body><joint name='a' type='slide' ref='0.1'/>" + kBall +
                                  "</body><body><joint name='b' type='slide' ref='2'/>" + kBall +
                                  "</body>",
                              "<equality><joint name='cam' joint1='a' joint2='b' polycoef='" +
                                  polynomial + "'/></equality>"))
        .mechanism;
  };
  const auto mechanism = read_with("0.2 0.3 0.4 0.5 0.6");
  ASSERT_EQ(mechanism.couplings.size(), 1U);
  const auto& cam = mechanism.couplings[0];
  EXPECT_EQ(cam.joint, "a");
  EXPECT_EQ(cam.to, "b");
  const auto c = cam.polynomial();
  ASSERT_EQ(c.size(), 5U);
  for (const double q : {-1.0, 0.0, 0.7, 2.0, 3.5}) {
    const double x = q - 2.0;
    EXPECT_NEAR(c[0] + q * (c[1] + q * (c[2] + q * (c[3] + q * c[4]))),
                0.1 + 0.2 + x * (0.3 + x * (0.4 + x * (0.5 + x * 0.6))), 1e-12)
        << q;
  }
  // A slope of 0 at the start is no reason to hold the joint, as a constant is.
  EXPECT_EQ(read_with("0 0 1 0 0").couplings.at(0).higher, std::vector<double>{1.0});
  EXPECT_TRUE(read_with("0 3 0 0 0").couplings.at(0).higher.empty());
  const auto held = read_with("0.2 0 0 0 0");
  EXPECT_TRUE(held.couplings.empty());
  EXPECT_TRUE(joint_of(held, "a").drive);
}

// A weld stops joint a at 0.3; b follows it, or it b, and c follows b.
TEST(Mjcf, JointsCoupledToOneThatCannotMoveAreHeld) {
  const auto read_with = [](const std::string& couplings) {
    return import_text(
        mujoco("<body name='p'><joint name='a' type='slide'/>" + kBall +
                   "</body><body><joint name='b' type='slide'/>" + kBall +
                   "</body><body><joint name='c' type='slide'/>" + kBall + "</body>",
               "<equality><weld body1='world' body2='p' relpose='0 0 0.3 1 0 0 0'/>" + couplings +
                   "</equality>"));
  };
  const auto place_of = [](const Mechanism& mechanism, const std::string& joint) {
    return std::get<Polynomial>(joint_of(mechanism, joint).drive.value()).coefficients.at(0);
  };
  const std::string then = "<joint joint1='c' joint2='b' polycoef='0 2 0 0 0'/>";
  const auto follows =
      read_with("<joint joint1='b' joint2='a' polycoef='0.1 0 2 0 0'/>" + then).mechanism;
  EXPECT_TRUE(follows.couplings.empty());
  EXPECT_NEAR(place_of(follows, "b"), 0.28, 1e-15);
  EXPECT_NEAR(place_of(follows, "c"), 0.56, 1e-15);
  const auto leads = read_with("<joint joint1='a' joint2='b' polycoef='0.1 2 0 0 0'/>").mechanism;
  EXPECT_NEAR(place_of(leads, "b"), 0.1, 1e-15);
  const auto curved = read_with("<joint joint1='a' joint2='b' polycoef='0.1 0 2 0 0'/>");
  EXPECT_TRUE(curved.mechanism.couplings.empty());
  EXPECT_EQ(curved.log.warning_count(), 2U);  // of the joint and of the coupling
  // Where the curve comes to 0.3 from the start: 0.1 + q + 2 q^2 = 0.3.
  const auto reached = read_with("<joint joint1='a' joint2='b' polycoef='0.1 1 2 0 0'/>");
  EXPECT_NEAR(place_of(reached.mechanism, "b"), (std::sqrt(2.6) - 1.0) / 4.0, 1e-15);
  EXPECT_EQ(reached.log.warning_count(), 1U);  // of the joint
}

}  // namespace
}  // namespace hamiltree
