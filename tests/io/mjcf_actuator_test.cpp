// Actuators of MJCF: what their law is, where their controls come from, and what is refused. Their
// accelerations are held against MuJoCo's in tests/oracles.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>

#include "hamiltree/base/scratch_folder.hpp"
#include "hamiltree/hamiltree.hpp"
#include "hamiltree/io/import/time_functions.hpp"
#include "import_text.hpp"

namespace hamiltree {
namespace {

using test::import_error;
using test::import_text;

// A slider of 2 kg and a pin of 3 kg m^2.
std::string machine(const std::string& actuators, const std::string& rest = "") {
  return "<mujoco>" + rest +
         "<worldbody><body name='s'><joint name='slide' type='slide' range='-2 4'/>"
         "<inertial pos='0 0 0' mass='2' diaginertia='1 1 1'/></body>"
         "<body name='p'><joint name='pin' actuatorfrcrange='-5 6'/>"
         "<inertial pos='0 0 0' mass='1' diaginertia='2 2 3'/></body></worldbody>"
         "<tendon><fixed name='both'><joint joint='slide' coef='2'/><joint joint='pin' coef='-3'/>"
         "</fixed></tendon><actuator>" +
         actuators + "</actuator></mujoco>";
}

Servo servo(const std::string& actuator, const std::string& rest = "",
            const ImportOptions& options = {}) {
  for (const auto& force : import_text(machine(actuator, rest), options).mechanism.forces) {
    if (const auto* found = std::get_if<Servo>(&force)) return *found;
  }
  throw std::out_of_range("no servo");
}

double constant(const TimeFunction& f) { return constant_value(f).value(); }

std::string controls(const std::string& text) {
  static const ScratchFolder folder;
  const auto path = folder / "controls.toml";
  std::ofstream(path) << text;
  return path.string();
}

TEST(MjcfActuator, DampingRatioIsThatOfTheInertiaThatItMoves) {
  EXPECT_NEAR(servo("<position joint='slide' kp='50' dampratio='1'/>").damping,
              2.0 * std::sqrt(50.0 * 2.0), 1e-12);
  EXPECT_NEAR(servo("<position joint='pin' gear='2' kp='50' dampratio='0.5'/>").damping,
              std::sqrt(50.0 * 3.0 / 4.0), 1e-12);
}

// The numbers are MuJoCo 4.0's: the inertia is that of the inverse mass matrix, armature of other
// actuators included.
TEST(MjcfActuator, DampingRatioIsThatOfJointsFreeToMove) {
  const auto imported = import_text(R"(
    <mujoco><compiler angle='radian'/><worldbody>
      <body name='a' pos='0 0 1'>
        <joint name='h' axis='0 1 0' pos='0.1 0 0' ref='0.3' armature='0.02'/>
        <geom type='box' size='0.1 0.2 0.3' density='500'/>
        <body name='b' pos='0.4 0.1 -0.3' euler='0.3 0.2 0.1'>
          <joint name='s' type='slide' axis='1 1 0'/>
          <geom size='0.15' pos='0.1 0 0.2' density='800'/>
        </body>
      </body>
    </worldbody>
    <tendon><fixed name='t'><joint joint='h' coef='0.7'/><joint joint='s' coef='-1.3'/></fixed></tendon>
    <actuator><position name='one' joint='h' kp='30' dampratio='0.8' gear='2'/>
      <position name='both' tendon='t' kp='50' dampratio='0.5'/>
      <motor joint='s' armature='0.4'/></actuator></mujoco>)");
  std::map<std::string, double> damping;
  for (const auto& force : imported.mechanism.forces) {
    if (const auto* servo = std::get_if<Servo>(&force)) damping[servo->name] = servo->damping;
  }
  EXPECT_NEAR(damping.at("one"), 8.001081871289257, 1e-12);
  EXPECT_NEAR(damping.at("both"), 14.686171558477868, 1e-12);
}

TEST(MjcfActuator, RangesAreInheritedAndClamp) {
  const ImportOptions options{.control = controls("[control]\na = 9.0\n")};
  // The range of the joint is -2 to 4; its half about the same middle -0.5 to 2.5.
  EXPECT_EQ(
      constant(servo("<position name='a' joint='slide' kp='1' inheritrange='0.5'/>", "", options)
                   .effort),
      2.5);
  EXPECT_EQ(constant(servo("<motor name='a' joint='slide' ctrlrange='-1 1'/>", "", options).effort),
            1.0);
  EXPECT_EQ(constant(servo("<motor name='a' joint='slide' ctrlrange='-1 1'/>",
                           "<option><flag clampctrl='disable'/></option>", options)
                         .effort),
            9.0);
}

// A class may give inheritrange to actuators whose control is no length, as robosuite's spot does
// to its motors; the range of the pin there excludes 0, and its control stays 0.
TEST(MjcfActuator, MotorsInheritNoRange) {
  const std::string classes = "<default><position kp='500' kv='40' inheritrange='1'/></default>";
  EXPECT_EQ(constant(servo("<motor joint='slide'/>", classes).effort), 0.0);
  EXPECT_FALSE(servo("<motor joint='pin'/>", classes).stiffness);
  EXPECT_EQ(import_error(machine("<position joint='pin'/>", classes)).find("inherits a range") ==
                std::string::npos,
            false);
}

// As in MuJoCo 4.0, that of the actuator's own force, before its gear.
TEST(MjcfActuator, TheEffortOfATendonHasARange) {
  const std::string tendon = "<default><tendon actuatorfrcrange='-6 9'/></default>";
  const auto bound = servo("<motor tendon='both' gear='-3'/>", tendon);
  EXPECT_EQ(*bound.lower, -6.0);
  EXPECT_EQ(*bound.upper, 9.0);
  EXPECT_FALSE(servo("<motor tendon='both' gear='-3'/>").lower);
  const auto log =
      import_text(
          machine("<motor tendon='both'/>\n<motor tendon='both'/><motor tendon='both'/>", tendon))
          .log;
  EXPECT_EQ(log.lines().at(0),
            "warning: m.xml:2: tendon \"both\": its actuatorfrcrange bounds each of its actuators, "
            "not their sum");
  EXPECT_EQ(log.warning_count(), 2U);  // and of the pin
}

// MuJoCo 4.0 bounds also what pulls elsewhere: joint i moves a point of the rope, k all of it.
TEST(MjcfActuator, TheRangeOfAJointIsNotThatOfSitesAndRopes) {
  const auto lines = [](const std::string& actuator, const std::string& of = "") {
    const std::string joint = "<joint actuatorfrcrange='-1 1' " + of;
    return import_text("<mujoco>" + std::string("<worldbody><body") +
                       (of.empty() ? "" : " gravcomp='1'") + ">" + joint +
                       "name='k'/><geom size='1'/><site name='r'/><body>" + joint +
                       "name='i'/><geom size='1'/><site name='s' pos='1 0 0'/></body></body>"
                       "</worldbody><tendon><spatial name='t' actuatorfrcrange='-6 9'>"
                       "<site site='r'/><site site='s'/></spatial></tendon>"
                       "<actuator>" +
                       actuator + "</actuator></mujoco>")
        .log.lines();
  };
  const std::string sentence =
      "\": its actuatorfrcrange bounds no actuator of a site or spatial tendon";
  const auto of_rope = lines("<motor tendon='t'/>");
  EXPECT_EQ(of_rope.at(0), "warning: m.xml:1: joint \"i" + sentence);
  EXPECT_EQ(of_rope.size(), 2U);  // and the note of controls
  const auto of_site = lines("<motor site='s' gear='1 0 0'/>");
  EXPECT_EQ(of_site.at(1), "warning: m.xml:1: joint \"k" + sentence);
  EXPECT_EQ(of_site.size(), 4U);
  EXPECT_EQ(lines("<motor joint='k'/>").size(), 2U);
  EXPECT_EQ(lines("", "actuatorgravcomp='true' ").at(0),
            "warning: m.xml:1: joint \"k\": its actuatorfrcrange does not bound gravity "
            "compensation, as actuatorgravcomp would have it");
}

TEST(MjcfActuator, TheEffortOfAJointHasARange) {
  const auto turned = servo("<motor joint='pin' gear='-2' forcerange='-1 100'/>");
  EXPECT_EQ(turned.lower, -1.0);
  EXPECT_EQ(turned.upper, 2.5);
  const auto log = import_text(machine("<motor joint='pin'/><motor tendon='both'/>")).log;
  EXPECT_EQ(log.warning_count(), 1U);
}

TEST(MjcfActuator, ClassesAreSharedByAllKinds) {
  const std::string defaults =
      "<default><general forcerange='-3 3' gear='2'/><position kp='70'/>"
      "<default class='soft'><position kp='7' kv='1'/></default></default>";
  const auto strong = servo("<position joint='slide'/>", defaults);
  EXPECT_EQ(strong.stiffness, 70.0);
  EXPECT_EQ(strong.upper, 3.0);
  EXPECT_EQ(strong.ratios, std::vector<double>{2.0});
  const auto soft = servo("<position class='soft' joint='slide'/>", defaults);
  EXPECT_EQ(soft.stiffness, 7.0);
  EXPECT_EQ(soft.damping, 1.0);
}

// As MuJoCo 4.0 does; 3000 random files with classes and actuators of all kinds agreed with it.
TEST(MjcfActuator, ALawIsSharedByItsOwnKindAndGeneral) {
  struct Case {
    std::string outer, inner, actuator;
    double stiffness, damping;
  };
  for (const auto& [outer, inner, actuator, stiffness, damping] : std::initializer_list<Case>{
           {"<position kp='2' kv='3'/>", "", "velocity", 0.0, 1.0},
           {"<position kp='2' kv='3'/>", "", "general", 2.0, 3.0},
           {"<position kp='2' kv='3'/>", "", "cylinder", 0.0, 0.0},
           {"<general gainprm='5' biasprm='6 -7 -8'/>", "", "position", 5.0, 8.0},
           {"<general gainprm='5' biasprm='6 -7 -8'/>", "", "velocity", 0.0, 5.0},
           {"<general gainprm='5' biasprm='6 -7 -8'/>", "", "cylinder", 7.0, 8.0},
           {"<general gainprm='5' biasprm='6 -7 -8' gaintype='affine'/>", "", "position", 1.0, 0.0},
           {"<position kp='4' kv='2'/>", "<velocity kv='7'/>", "position", 4.0, 2.0},
           {"<position kp='4' kv='2'/>", "<velocity kv='7'/>", "general", 0.0, 7.0},
           {"<position kp='4' kv='2'/>", "<velocity kv='7'/><position kp='9'/>", "position", 9.0,
            2.0},
           {"<position kp='2'/><velocity kv='3'/>", "", "position", 1.0, 0.0},
           {"<velocity kv='3'/><position kp='2'/>", "", "position", 2.0, 0.0}}) {
    SCOPED_TRACE(outer + inner + actuator);
    const auto law =
        servo("<" + actuator + " class='inner' joint='slide'/>",
              "<default>" + outer + "<default class='inner'>" + inner + "</default></default>");
    EXPECT_EQ(law.stiffness, stiffness);
    EXPECT_EQ(law.damping, damping);
  }
  // Ranges hold for all, also that a damper's control is limited.
  EXPECT_EQ(
      servo("<motor joint='slide'/>", "<default><position forcerange='-3 4'/></default>").upper,
      4.0);
  const ImportOptions options{.control = controls("[control]\na = 9.0\n")};
  EXPECT_EQ(constant(servo("<motor name='a' joint='slide' ctrlrange='0 2'/>",
                           "<compiler autolimits='false'/><default><damper/></default>", options)
                         .effort),
            2.0);
}

TEST(MjcfActuator, TendonsPullAllTheirJoints) {
  const auto both = servo("<motor tendon='both' gear='10'/>");
  EXPECT_EQ(both.joints, (std::vector<std::string>{"slide", "pin"}));
  EXPECT_EQ(both.ratios, (std::vector<double>{20.0, -30.0}));
}

TEST(MjcfActuator, ControlsAreFunctionsOfTime) {
  const ImportOptions options{
      .control = controls("[control.a]\ntype = \"sine\"\namplitude = 2\nfrequency = 3\n")};
  const auto sine =
      std::get<Sine>(servo("<position name='a' joint='slide' kp='5'/>", "", options).effort);
  EXPECT_EQ(sine.amplitude, 10.0);
  EXPECT_EQ(sine.frequency, 3.0);
  EXPECT_THROW(servo("<position name='a' joint='slide' kp='5' ctrlrange='-1 1'/>", "", options),
               ModelError);
  const ImportOptions unknown{.control = controls("[control]\nb = 1\n")};
  EXPECT_THROW(servo("<motor name='a' joint='slide'/>", "", unknown), ModelError);
}

TEST(MjcfActuator, AFilterFollowsItsControl) {
  const ImportOptions options{.control = controls("[control]\na = 2.0\n")};
  const auto filter =
      servo("<general name='a' joint='slide' dyntype='filter' dynprm='0.1'/>", "", options);
  const PiecewiseSine activation(filter.effort);
  for (const double t : {0.0, 0.03, 0.1234, 0.5, 1.9, 100.0}) {
    EXPECT_NEAR(activation(t).value, 2.0 * (1.0 - std::exp(-t / 0.1)), 1e-9) << t;
  }
  const auto ramp = servo("<intvelocity name='a' joint='slide' kp='3'/>", "", options);
  EXPECT_EQ(std::get<Polynomial>(ramp.effort).coefficients, (std::vector<double>{0.0, 6.0}));
}

TEST(MjcfActuator, AreLeftOutOnRequest) {
  const ImportOptions options{.no_actuators = true};
  const auto imported = import_text(machine("<muscle joint='pin'/>"), options);
  EXPECT_EQ(imported.mechanism.forces.size(), 1U);  // the stops
  EXPECT_EQ(imported.log.lines().back(), "1 actuator is left out");
}

TEST(MjcfActuator, ThoseThatAreNotSimulatedAreRefused) {
  const std::string hint = "; --no-actuators leaves all actuators out";
  EXPECT_EQ(import_error(machine("<muscle name='m' joint='pin'/>")),
            "m.xml:1: <muscle name=\"m\">: actuators of type muscle are not simulated" + hint);
  EXPECT_EQ(import_error(machine("<motor name='m' joint='pins'/>")),
            "m.xml:1: <motor name=\"m\">: there is no joint \"pins\"");
  EXPECT_EQ(
      import_error(machine("<general name='m' joint='pin' dyntype='user'/>")),
      "m.xml:1: <general name=\"m\">: actuators with dynamics of type user are not simulated" +
          hint);
}

TEST(MjcfActuator, StopsOfATendonAndOfItsJointAreOne) {
  const auto mechanism = import_text(
                             "<mujoco><worldbody><body><joint name='j' type='slide' range='-1 3'/>"
                             "<geom size='0.1'/></body></worldbody><tendon><fixed range='-1 1'>"
                             "<joint joint='j' coef='-0.5'/></fixed></tendon></mujoco>")
                             .mechanism;
  const auto* stops = test::force_on<JointLimits>(mechanism, "j");
  ASSERT_NE(stops, nullptr);
  EXPECT_EQ(stops->lower, -1.0);
  EXPECT_EQ(stops->upper, 2.0);
}

}  // namespace
}  // namespace hamiltree
