// Elements and attributes of MJCF, as the schema of MuJoCo 4 lists them: all that can change how
// something moves. Whole sections that cannot are in mjcf_words_test.cpp.
#pragma once

#include <array>

#include "listed_words.hpp"

namespace hamiltree::test {

inline constexpr std::array<Listed, 57> kMjcfSchema{{
    {"", "compiler",
     "autolimits boundmass boundinertia settotalmass balanceinertia strippath coordinate "
     "angle fitaabb eulerseq meshdir texturedir discardvisual usethread fusestatic "
     "inertiafromgeom inertiagrouprange saveinertial assetdir alignfree conflict"},
    {"", "option",
     "timestep impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance "
     "sleep_tolerance gravity wind magnetic density viscosity o_margin o_solref o_solimp "
     "o_friction integrator cone jacobian solver iterations ls_iterations "
     "noslip_iterations ccd_iterations sdf_iterations sdf_initpoints actuatorgroupdisable"},
    {"option", "flag",
     "constraint equality frictionloss limit contact spring damper gravity clampctrl "
     "warmstart filterparent actuation refsafe sensor midphase eulerdamp autoreset "
     "nativeccd island multiccd override energy fwdinv invdiscrete sleep diagexact"},
    {"", "default", "class"},
    {"default", "joint",
     "type group pos axis springdamper limited actuatorfrclimited solreflimit solimplimit "
     "solreffriction solimpfriction stiffness range actuatorfrcrange actuatorgravcomp "
     "margin ref springref armature damping frictionloss user"},
    {"default", "geom",
     "type contype conaffinity condim group priority size material friction mass density "
     "shellinertia solmix solref solimp margin gap surfacevel adhesion fromto pos quat "
     "axisangle xyaxes zaxis euler hfield mesh fitscale rgba fluidshape fluidcoef user"},
    {"default", "site",
     "type group pos quat axisangle xyaxes zaxis euler material size fromto rgba user"},
    {"default", "equality", "active solref solimp"},
    {"default", "tendon",
     "group limited range solreflimit solimplimit solreffriction solimpfriction "
     "frictionloss springlength width material margin stiffness damping rgba user"},
    {"default", "general",
     "group nsample interp delay ctrlrange user ctrllimited forcelimited actlimited "
     "forcerange actrange gear damping armature cranklength actdim input velrange ffrange "
     "dyntype gaintype biastype dynprm gainprm biasprm actearly"},
    {"default", "motor",
     "group nsample interp delay ctrlrange user ctrllimited forcelimited forcerange gear "
     "damping armature cranklength"},
    {"default", "position",
     "group nsample interp delay ctrlrange user ctrllimited forcelimited inheritrange "
     "forcerange gear damping armature cranklength kp kv dampratio timeconst"},
    {"default", "velocity",
     "group nsample interp delay ctrlrange user ctrllimited forcelimited forcerange gear "
     "damping armature cranklength kv"},
    {"default", "intvelocity",
     "group nsample interp delay ctrlrange user ctrllimited forcelimited actlimited "
     "forcerange actrange inheritrange gear damping armature cranklength kp kv dampratio"},
    {"default", "orientation",
     "group nsample interp delay ctrlrange user forcelimited forcerange kp kv dampratio "
     "input"},
    {"default", "pid",
     "group nsample interp delay ctrlrange user ctrllimited forcelimited posrange velrange "
     "ffrange forcerange inheritrange gear damping armature cranklength kp kv dampratio ki "
     "imax slewmax input"},
    {"default", "damper",
     "group nsample interp delay ctrlrange user forcelimited forcerange gear damping "
     "armature cranklength kv"},
    {"default", "cylinder",
     "group nsample interp delay ctrlrange user ctrllimited forcelimited forcerange gear "
     "damping armature cranklength timeconst area diameter bias"},
    {"default", "muscle",
     "group nsample interp delay ctrlrange user ctrllimited forcelimited forcerange gear "
     "damping armature cranklength timeconst range force scale lmin lmax vmax fpmax fvmax"},
    {"default", "adhesion",
     "group nsample interp delay ctrlrange user forcelimited forcerange gain"},
    {"default", "dcmotor",
     "group nsample interp delay ctrlrange user ctrllimited gear damping armature "
     "cranklength motorconst resistance nominal saturation inductance cogging controller "
     "thermal lugre input"},
    {"worldbody", "body",
     "name childclass pos quat axisangle xyaxes zaxis euler mocap gravcomp sleep simple "
     "user"},
    {"worldbody body", "inertial",
     "pos quat mass diaginertia axisangle xyaxes zaxis euler fullinertia"},
    {"worldbody body", "joint",
     "name class type group pos axis springdamper limited actuatorfrclimited solreflimit "
     "solimplimit solreffriction solimpfriction stiffness range actuatorfrcrange "
     "actuatorgravcomp margin ref springref armature damping frictionloss user"},
    {"worldbody body", "freejoint", "name group align"},
    {"worldbody body", "geom",
     "name class type contype conaffinity condim group priority size material friction "
     "mass density shellinertia solmix solref solimp margin gap surfacevel adhesion fromto "
     "pos quat axisangle xyaxes zaxis euler hfield mesh fitscale rgba fluidshape fluidcoef "
     "user"},
    {"worldbody body", "attach", "model body frame prefix"},
    {"worldbody body", "site",
     "name class type group pos quat axisangle xyaxes zaxis euler material size fromto "
     "rgba user"},
    {"worldbody body", "composite", "prefix type count offset vertex initial curve size quat"},
    {"worldbody body", "flexcomp",
     "name type group dim dof count cellcount spacing radius rigid mass inertiabox scale "
     "file point element texcoord material rgba flatskin pos quat axisangle xyaxes zaxis "
     "euler origin"},
    {"tendon", "spatial",
     "name class group limited actuatorfrclimited range actuatorfrcrange solreflimit "
     "solimplimit solreffriction solimpfriction frictionloss springlength width material "
     "margin stiffness damping armature rgba user"},
    {"tendon spatial", "site", "site"},
    {"tendon spatial", "geom", "geom sidesite"},
    {"tendon spatial", "pulley", "divisor"},
    {"tendon", "fixed",
     "name class group limited actuatorfrclimited range actuatorfrcrange solreflimit "
     "solimplimit solreffriction solimpfriction frictionloss springlength margin stiffness "
     "damping armature user"},
    {"tendon fixed", "joint", "joint coef"},
    {"equality", "connect", "name class active solref solimp body1 body2 anchor site1 site2"},
    {"equality", "weld",
     "name class active solref solimp body1 body2 relpose anchor site1 site2 torquescale"},
    {"equality", "joint", "name class active solref solimp joint1 joint2 polycoef"},
    {"equality", "tendon", "name class active solref solimp tendon1 tendon2 polycoef"},
    {"equality", "flex", "name class active solref solimp flex"},
    {"equality", "flexvert", "name class active solref solimp flex"},
    {"equality", "flexstrain", "name class active solref solimp flex cell"},
    {"actuator", "general",
     "name class group nsample interp delay ctrlrange user ctrllimited forcelimited "
     "actlimited forcerange actrange lengthrange gear damping armature cranklength joint "
     "jointinparent tendon slidersite cranksite site refsite body actdim input velrange "
     "ffrange dyntype gaintype biastype dynprm gainprm biasprm actearly"},
    {"actuator", "motor",
     "name class group nsample interp delay ctrlrange user ctrllimited forcelimited "
     "forcerange lengthrange gear damping armature cranklength joint jointinparent tendon "
     "slidersite cranksite site refsite"},
    {"actuator", "position",
     "name class group nsample interp delay ctrlrange user ctrllimited forcelimited "
     "inheritrange forcerange lengthrange gear damping armature cranklength joint "
     "jointinparent tendon slidersite cranksite site refsite kp kv dampratio timeconst"},
    {"actuator", "velocity",
     "name class group nsample interp delay ctrlrange user ctrllimited forcelimited "
     "forcerange lengthrange gear damping armature cranklength joint jointinparent tendon "
     "slidersite cranksite site refsite kv"},
    {"actuator", "intvelocity",
     "name class group nsample interp delay ctrlrange user ctrllimited forcelimited "
     "actlimited forcerange actrange inheritrange lengthrange gear damping armature "
     "cranklength joint jointinparent tendon slidersite cranksite site refsite kp kv "
     "dampratio"},
    {"actuator", "orientation",
     "name class group nsample interp delay ctrlrange user forcelimited forcerange joint "
     "site refsite kp kv dampratio input"},
    {"actuator", "pid",
     "name class group nsample interp delay ctrlrange user ctrllimited forcelimited "
     "posrange velrange ffrange forcerange inheritrange lengthrange gear damping armature "
     "cranklength joint jointinparent tendon slidersite cranksite site refsite kp kv "
     "dampratio ki imax slewmax input"},
    {"actuator", "damper",
     "name class group nsample interp delay ctrlrange user forcelimited forcerange "
     "lengthrange gear damping armature cranklength joint jointinparent tendon slidersite "
     "cranksite site refsite kv"},
    {"actuator", "cylinder",
     "name class group nsample interp delay ctrlrange user ctrllimited forcelimited "
     "forcerange lengthrange gear damping armature cranklength joint jointinparent tendon "
     "slidersite cranksite site refsite timeconst area diameter bias"},
    {"actuator", "muscle",
     "name class group nsample interp delay ctrlrange user ctrllimited forcelimited "
     "forcerange lengthrange gear damping armature cranklength joint jointinparent tendon "
     "slidersite cranksite timeconst tausmooth range force scale lmin lmax vmax fpmax "
     "fvmax"},
    {"actuator", "adhesion",
     "name class group nsample interp delay ctrlrange user forcelimited forcerange body "
     "gain"},
    {"actuator", "dcmotor",
     "name class group nsample interp delay ctrlrange user ctrllimited lengthrange gear "
     "damping armature cranklength joint jointinparent tendon slidersite cranksite site "
     "refsite motorconst resistance nominal saturation inductance cogging controller "
     "thermal lugre input"},
    {"keyframe", "key", "name time qpos qvel act mpos mquat ctrl"},
    {"worldbody body", "frame", "name childclass pos quat axisangle xyaxes zaxis euler"},
}};

}  // namespace hamiltree::test
