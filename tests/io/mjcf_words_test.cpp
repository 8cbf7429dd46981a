// The words of MJCF, as its reference of 2026 lists them, against the vocabulary: nothing of a file
// that follows it is unknown, so nothing is dropped without a word. What is not read is counted,
// warned of or refused.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hamiltree/io/import/mjcf/words.hpp"
#include "import_text.hpp"
#include "listed_words.hpp"

namespace hamiltree {
namespace {

using test::complaint;
using test::Listed;
using test::words_of;

const std::string kActuator =
    "name class group nsample interp delay ctrlrange user ctrllimited forcelimited forcerange "
    "lengthrange gear damping armature cranklength joint jointinparent tendon slidersite cranksite "
    "site refsite ";

std::vector<Listed> listed() {
  static const std::string general =
      kActuator +
      "body actlimited actrange actdim dyntype gaintype biastype dynprm gainprm biasprm "
      "actearly";
  static const std::string position = kActuator + "inheritrange kp kv dampratio timeconst";
  static const std::string intvelocity = kActuator + "inheritrange kp kv dampratio actrange";
  static const std::string velocity = kActuator + "kv";
  static const std::string cylinder = kActuator + "timeconst area diameter bias";
  return {
      {"", "compiler",
       "autolimits boundmass boundinertia settotalmass balanceinertia strippath coordinate angle "
       "fitaabb eulerseq meshdir texturedir discardvisual usethread fusestatic inertiafromgeom "
       "inertiagrouprange saveinertial assetdir alignfree conflict"},
      {"", "option",
       "timestep impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance "
       "gravity wind magnetic density viscosity o_margin o_solref o_solimp o_friction integrator "
       "cone jacobian solver iterations ls_iterations noslip_iterations ccd_iterations "
       "sdf_iterations sdf_initpoints actuatorgroupdisable"},
      {"option", "flag",
       "constraint equality frictionloss limit contact spring damper gravity clampctrl warmstart "
       "filterparent actuation refsafe sensor midphase eulerdamp autoreset nativeccd island "
       "multiccd override energy fwdinv invdiscrete sleep diagexact"},
      {"worldbody", "body",
       "name childclass pos quat axisangle xyaxes zaxis euler mocap gravcomp sleep simple user"},
      {"worldbody body", "frame", "name childclass pos quat axisangle xyaxes zaxis euler"},
      {"worldbody body", "inertial",
       "pos quat mass diaginertia axisangle xyaxes zaxis euler fullinertia"},
      {"worldbody body", "joint",
       "name class type group pos axis springdamper limited actuatorfrclimited solreflimit "
       "solimplimit solreffriction solimpfriction stiffness range actuatorfrcrange "
       "actuatorgravcomp margin ref springref armature damping frictionloss user"},
      {"worldbody body", "freejoint", "name group align"},
      {"worldbody body", "geom",
       "name class type contype conaffinity condim group priority size material friction mass "
       "density shellinertia solmix solref solimp margin gap surfacevel adhesion fromto pos quat "
       "axisangle xyaxes zaxis euler hfield mesh fitscale rgba fluidshape fluidcoef user"},
      {"worldbody body", "site",
       "name class type group pos quat axisangle xyaxes zaxis euler material size fromto rgba "
       "user"},
      {"equality", "connect", "name class active solref solimp body1 body2 anchor site1 site2"},
      {"equality", "weld",
       "name class active solref solimp body1 body2 relpose anchor site1 site2 torquescale"},
      {"equality", "joint", "name class active solref solimp joint1 joint2 polycoef"},
      {"equality", "tendon", "name class active solref solimp tendon1 tendon2 polycoef"},
      {"tendon", "spatial",
       "name class group limited actuatorfrclimited range actuatorfrcrange solreflimit solimplimit "
       "solreffriction solimpfriction frictionloss springlength width material margin stiffness "
       "damping armature rgba user"},
      {"tendon", "fixed",
       "name class group limited actuatorfrclimited range actuatorfrcrange solreflimit solimplimit "
       "solreffriction solimpfriction frictionloss springlength margin stiffness damping armature "
       "user"},
      {"tendon fixed", "joint", "joint coef"},
      {"actuator", "general", general.c_str()},
      {"actuator", "motor", kActuator.c_str()},
      {"actuator", "position", position.c_str()},
      {"actuator", "velocity", velocity.c_str()},
      {"actuator", "intvelocity", intvelocity.c_str()},
      {"actuator", "damper", velocity.c_str()},
      {"actuator", "cylinder", cylinder.c_str()},
      {"keyframe", "key", "name time qpos qvel act mpos mquat ctrl"},
  };
}

TEST(MjcfWords, AllOfTheReferenceAreKnown) {
  for (const auto& one : listed()) {
    for (const auto& attribute : words_of(one.attributes)) {
      EXPECT_EQ(complaint("mujoco", mjcf::words(), one, attribute), "");
    }
    EXPECT_NE(complaint("mujoco", mjcf::words(), one, "nonsense"), "") << one.element;
  }
}

TEST(MjcfWords, ElementsThatAreNotReadAreCountedOrWarnedOf) {
  for (const char* element : {"asset", "contact", "sensor", "custom", "visual", "statistic", "size",
                              "extension", "deformable"}) {
    ImportLog log;
    const XmlDocument document("<mujoco><" + std::string(element) + "/></mujoco>", "m.xml", log);
    check_vocabulary(document.root(), mjcf::words(), log);
    ASSERT_EQ(log.lines().size(), 1U) << element;
    EXPECT_EQ(log.lines()[0], "not needed for the motion and ignored: 1 " + std::string(element));
  }
}

TEST(MjcfTendon, EqualitiesOfFixedOnesAreCouplings) {
  const auto read = [](const std::string& equality) {
    return test::import_text(
               "<mujoco><worldbody><body><joint name='a' type='slide' ref='0.5'/><geom size='0.1'/>"
               "</body><body><joint name='b' type='slide'/><geom size='0.1'/></body></worldbody>"
               "<tendon><fixed name='s'><joint joint='a' coef='2'/><joint joint='b' coef='-4'/>"
               "</fixed><fixed name='t'><joint joint='a' coef='2'/></fixed></tendon><equality>" +
               equality + "</equality></mujoco>")
        .mechanism;
  };
  // 2 a - 4 b = 1 + 0.2: the length at the start and the offset.
  const auto coupled = read("<tendon tendon1='s' polycoef='0.2'/>");
  ASSERT_EQ(coupled.couplings.size(), 1U);
  EXPECT_EQ(coupled.couplings[0].joint, "a");
  EXPECT_NEAR(coupled.couplings[0].ratio, 2.0, 1e-15);
  EXPECT_NEAR(coupled.couplings[0].offset, 0.6, 1e-15);
  // The first joint drops out of the difference, 4 b = 0 is left.
  EXPECT_TRUE(test::joint_of(read("<tendon tendon1='s' tendon2='t'/>"), "b").drive);
  EXPECT_THROW(read("<tendon tendon1='u'/>"), ModelError);
}

TEST(MjcfActuator, OfADisabledGroupIsOff) {
  const auto forces = [](const std::string& option) {
    return test::import_text("<mujoco>" + option +
                             "<worldbody><body><joint name='a' type='slide'/><geom size='0.1'/>"
                             "</body></worldbody><actuator><position joint='a' group='2'/>"
                             "</actuator></mujoco>")
        .mechanism.forces.size();
  };
  EXPECT_EQ(forces(""), 1U);
  EXPECT_EQ(forces("<option actuatorgroupdisable='1 2'/>"), 0U);
}

}  // namespace
}  // namespace hamiltree
