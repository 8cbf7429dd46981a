#include "hamiltree/io/import/mjcf/words.hpp"

#include <array>

namespace hamiltree::mjcf {
namespace {

#define HAMILTREE_BODY_PARTS \
  "body frame joint freejoint geom site inertial attach replicate composite flexcomp"
#define HAMILTREE_BODY_REST "camera light plugin"

#define HAMILTREE_PLACE "name pos quat axisangle xyaxes zaxis euler"
#define HAMILTREE_TENDON                                                                    \
  "name class group limited range solreflimit solimplimit solreffriction solimpfriction "   \
  "actuatorfrclimited actuatorfrcrange margin frictionloss springlength stiffness damping " \
  "armature width material rgba user"
#define HAMILTREE_ACTUATORS                                                                      \
  "general motor position velocity intvelocity damper cylinder muscle adhesion orientation pid " \
  "dcmotor plugin"
#define HAMILTREE_ACTUATOR                                                                     \
  "name class group joint jointinparent tendon site refsite body cranksite slidersite "        \
  "cranklength "                                                                               \
  "gear ctrllimited ctrlrange forcelimited forcerange actlimited actrange lengthrange actdim " \
  "actearly armature damping nsample interp delay user"

constexpr std::array kWords = {
    Word{"mujoco", "model",
         "compiler option default extension worldbody equality tendon actuator keyframe deformable",
         "size visual statistic asset contact sensor custom"},
    Word{"deformable", "", "flex", "skin"},
    Word{"flex", "*", "*", ""},
    Word{"compiler",
         "angle eulerseq coordinate autolimits balanceinertia inertiafromgeom inertiagrouprange "
         "boundmass boundinertia settotalmass meshdir texturedir assetdir strippath fitaabb "
         "convexhull discardvisual usethread fusestatic exactmeshinertia alignfree saveinertial "
         "conflict",
         "", "lengthrange"},
    Word{"option",
         "gravity wind magnetic density viscosity timestep apirate impratio integrator collision "
         "cone jacobian solver iterations tolerance noslip_iterations noslip_tolerance "
         "mpr_iterations mpr_tolerance ls_iterations ls_tolerance o_margin o_solref o_solimp "
         "o_friction ccd_iterations ccd_tolerance sleep_tolerance sdf_iterations sdf_initpoints "
         "actuatorgroupdisable",
         "flag", ""},
    Word{"flag",
         "constraint equality frictionloss limit contact passive spring damper gravity clampctrl "
         "warmstart filterparent actuation refsafe sensor midphase eulerdamp autoreset nativeccd "
         "island multiccd override energy fwdinv invdiscrete invfull sensornoise sleep diagexact",
         "", ""},
    Word{"default", "class",
         "default joint geom site connect weld equality tendon spatial fixed " HAMILTREE_ACTUATORS,
         "mesh material camera light pair"},
    Word{"default/equality", "*", "", ""},
    Word{"default/tendon", "*", "", ""},
    Word{"worldbody", "childclass", HAMILTREE_BODY_PARTS, HAMILTREE_BODY_REST},
    Word{"body",
         "name childclass mocap pos quat axisangle xyaxes zaxis euler gravcomp sleep simple user",
         HAMILTREE_BODY_PARTS " plugin", "camera light"},
    Word{"frame", "name childclass pos quat axisangle xyaxes zaxis euler", HAMILTREE_BODY_PARTS,
         HAMILTREE_BODY_REST},
    Word{"inertial", "pos quat axisangle xyaxes zaxis euler mass diaginertia fullinertia", "", ""},
    Word{"joint",
         "name class type group pos axis springdamper limited range ref springref stiffness "
         "damping armature frictionloss margin solreflimit solimplimit solreffriction "
         "solimpfriction actuatorfrclimited actuatorfrcrange actuatorgravcomp user",
         "", ""},
    Word{"freejoint", "name group align", "", ""},
    Word{
        "geom",
        HAMILTREE_PLACE
        " class type contype conaffinity condim group priority size material friction mass density "
        "shellinertia solmix solref solimp margin gap surfacevel adhesion fromto hfield mesh "
        "fitscale rgba fluidshape fluidcoef user",
        "", "plugin"},
    Word{"site", HAMILTREE_PLACE " class type group material size fromto rgba user", "", ""},
    Word{"attach", "*", "", ""},
    Word{"composite", "prefix type count offset vertex initial curve size quat",
         "joint geom site plugin", "skin"},
    Word{"composite/joint",
         "kind group type axis stiffness damping armature limited range margin solreffix "
         "solimpfix solreflimit solimplimit frictionloss solreffriction solimpfriction",
         "", ""},
    Word{"composite/geom",
         "type contype conaffinity condim group priority size material rgba friction mass density "
         "solmix solref solimp margin gap",
         "", ""},
    Word{"composite/site", "group size material rgba", "", ""},
    Word{"plugin", "plugin instance", "config", ""},
    Word{"config", "key value", "", ""},
    Word{"extension", "", "plugin", ""},
    Word{"extension/plugin", "plugin", "instance", ""},
    Word{"instance", "name", "config", ""},
    Word{"flexcomp", "*", "", "*"},
    Word{"equality", "", "connect weld joint tendon flex distance flexvert flexstrain", ""},
    Word{"connect", "name class active solref solimp body1 body2 anchor site1 site2", "", ""},
    Word{"weld",
         "name class active solref solimp body1 body2 anchor relpose torquescale site1 site2", "",
         ""},
    Word{"equality/joint", "name class active solref solimp joint1 joint2 polycoef", "", ""},
    Word{"equality/tendon", "name class active solref solimp tendon1 tendon2 polycoef", "", ""},
    Word{"flex", "*", "", ""},
    Word{"flexvert", "*", "", ""},
    Word{"flexstrain", "*", "", ""},
    Word{"distance", "*", "", ""},
    Word{"tendon", "", "spatial fixed", ""},
    Word{"spatial", HAMILTREE_TENDON, "site pulley", "geom"},
    Word{"pulley", "divisor", "", ""},
    Word{"spatial/site", "site", "", ""},
    Word{"fixed", HAMILTREE_TENDON, "joint", ""},
    Word{"fixed/joint", "joint coef", "", ""},
    Word{"actuator", "", HAMILTREE_ACTUATORS, ""},
    Word{"general",
         HAMILTREE_ACTUATOR
         " dyntype gaintype biastype dynprm gainprm biasprm input velrange ffrange",
         "", ""},
    Word{"motor", HAMILTREE_ACTUATOR, "", ""},
    Word{"position", HAMILTREE_ACTUATOR " kp kv dampratio timeconst inheritrange", "", ""},
    Word{"velocity", HAMILTREE_ACTUATOR " kv", "", ""},
    Word{"intvelocity", HAMILTREE_ACTUATOR " kp kv dampratio inheritrange", "", ""},
    Word{"damper", HAMILTREE_ACTUATOR " kv", "", ""},
    Word{"cylinder", HAMILTREE_ACTUATOR " timeconst area diameter bias", "", ""},
    Word{"muscle", "*", "", ""},
    Word{"adhesion", "*", "", ""},
    Word{"orientation", "*", "", ""},
    Word{"pid", "*", "", ""},
    Word{"dcmotor", "*", "", ""},
    Word{"actuator/plugin", "*", "", "*"},
    Word{"keyframe", "", "key", ""},
    Word{"key", "name time qpos qvel act ctrl mpos mquat", "", ""},
};

#undef HAMILTREE_BODY_PARTS
#undef HAMILTREE_BODY_REST
#undef HAMILTREE_PLACE
#undef HAMILTREE_TENDON
#undef HAMILTREE_ACTUATORS
#undef HAMILTREE_ACTUATOR

}  // namespace

std::span<const Word> words() { return kWords; }

}  // namespace hamiltree::mjcf
