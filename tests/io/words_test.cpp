// The words of URDF, as its specification lists them, and of SDF 1.12 against the vocabularies:
// nothing of a file that follows them is unknown, so nothing is dropped without a word. What is not
// read is counted, warned of or refused.
#include "hamiltree/io/import/sdf/words.hpp"

#include <gtest/gtest.h>

#include "hamiltree/io/import/urdf/words.hpp"
#include "import_text.hpp"
#include "listed_words.hpp"

namespace hamiltree {
namespace {

using test::complaint;
using test::Listed;
using test::words_of;

void expect_known(const std::string& root, std::span<const Word> words, const Listed& one) {
  EXPECT_EQ(complaint(root, words, one), "");
  for (const auto& attribute : words_of(one.attributes)) {
    EXPECT_EQ(complaint(root, words, one, attribute), "");
  }
}

const std::vector<Listed> kUrdf{
    {"", "link", "name type"},
    {"link", "inertial", ""},
    {"link inertial", "origin", "xyz rpy"},
    {"link inertial", "mass", "value"},
    {"link inertial", "inertia", "ixx ixy ixz iyy iyz izz"},
    {"link", "visual", "name"},
    {"link visual", "origin", "xyz rpy"},
    {"link visual", "geometry", ""},
    {"link visual geometry", "box", "size"},
    {"link visual geometry", "cylinder", "radius length"},
    {"link visual geometry", "capsule", "radius length"},
    {"link visual geometry", "sphere", "radius"},
    {"link visual geometry", "mesh", "filename scale"},
    {"link visual", "material", "name"},
    {"link visual material", "color", "rgba"},
    {"link visual material", "texture", ""},
    {"link", "collision", "name"},
    {"link collision", "geometry", ""},
    {"", "material", "name"},
    {"material", "color", "rgba"},
    {"", "joint", "name type"},
    {"joint", "origin", "xyz rpy"},
    {"joint", "parent", "link"},
    {"joint", "child", "link"},
    {"joint", "axis", "xyz"},
    {"joint", "calibration", ""},
    {"joint", "dynamics", "damping friction armature"},
    {"joint", "limit", "lower upper effort velocity acceleration deceleration jerk"},
    {"joint", "mimic", "joint multiplier offset"},
    {"joint", "safety_controller", ""},
    {"", "transmission", ""},
    {"", "ros2_control", ""},
    {"", "gazebo", "reference"},
    {"transmission", "joint", "name"},
    {"transmission", "actuator", "name"},
    {"ros2_control", "joint", "name"},
    {"", "sensor", ""},
};

TEST(UrdfWords, AllOfTheSpecificationAreKnown) {
  for (const auto& one : kUrdf) {
    expect_known("robot", urdf::words(), one);
  }
  EXPECT_NE(complaint("robot", urdf::words(), {"", "joint", ""}, "nonsense"), "");
  EXPECT_NE(complaint("robot", urdf::words(), {"joint", "nonsense", ""}), "");
}

const std::vector<Listed> kSdf{
    {"", "actor light", ""},
    {"world include", "uri name pose static placement_frame plugin", ""},
    {"model link visual geometry mesh submesh", "name center", ""},
    {"model joint axis2", "xyz dynamics limit mimic", ""},
    {"model joint axis2 dynamics", "damping friction spring_reference spring_stiffness", ""},
    {"model joint", "pose", "relative_to rotation_format degrees"},
    {"model link", "pose", "relative_to rotation_format degrees"},
    {"model link inertial", "pose", "relative_to rotation_format degrees"},
    {"model model", "link joint frame model include", ""},
    {"", "world", "name namespace"},
    {"world",
     "audio wind include gravity magnetic_field atmosphere gui physics scene light frame joint "
     "model actor plugin road spherical_coordinates state population",
     ""},
    {"world", "model", "name namespace canonical_link placement_frame"},
    {"world model",
     "static self_collide allow_auto_disable frame pose link joint plugin gripper include model "
     "model_state enable_wind",
     ""},
    {"model", "include", "merge"},
    {"model include", "uri model_state pose plugin name static placement_frame", ""},
    {"model", "frame", "name attached_to"},
    {"model frame", "pose", "relative_to rotation_format degrees"},
    {"model", "link", "name"},
    {"model link",
     "gravity enable_wind self_collide kinematic must_be_base_link velocity_decay pose inertial "
     "collision visual sensor projector audio_sink audio_source battery light particle_emitter",
     ""},
    {"model link velocity_decay", "linear angular", ""},
    {"model link", "inertial", "auto"},
    {"model link inertial", "pose mass inertia density auto_inertia_params", ""},
    {"model link inertial inertia", "ixx ixy ixz iyy iyz izz", ""},
    {"model link", "visual", "name"},
    {"model link visual",
     "cast_shadows laser_retro transparency visibility_flags meta pose material geometry plugin",
     ""},
    {"model link visual material",
     "script shader render_order lighting ambient diffuse specular shininess emissive "
     "double_sided pbr",
     ""},
    {"model link visual geometry",
     "empty box capsule cone cylinder ellipsoid heightmap image mesh plane polyline sphere", ""},
    {"model link visual geometry box", "size", ""},
    {"model link visual geometry capsule", "radius length", ""},
    {"model link visual geometry cylinder", "radius length", ""},
    {"model link visual geometry ellipsoid", "radii", ""},
    {"model link visual geometry sphere", "radius", ""},
    {"model link visual geometry", "mesh", "optimization"},
    {"model link visual geometry mesh", "uri submesh scale convex_decomposition", ""},
    {"model", "joint", "name type"},
    {"model joint",
     "parent child gearbox_ratio gearbox_reference_body thread_pitch screw_thread_pitch axis axis2 "
     "physics pose sensor",
     ""},
    {"model joint axis", "dynamics limit", ""},
    {"model joint axis", "xyz", "expressed_in"},
    {"model joint axis", "mimic", "joint axis"},
    {"model joint axis mimic", "multiplier offset reference", ""},
    {"model joint axis dynamics", "damping friction spring_reference spring_stiffness", ""},
    {"model joint axis2 limit", "lower upper effort velocity stiffness dissipation", ""},
};

TEST(SdfWords, AllOfTheSchemaAreKnown) {
  for (const auto& [parents, elements, attributes] : kSdf) {
    for (const auto& element : words_of(elements)) {
      expect_known("sdf", sdf::words(), {parents, element.c_str(), attributes});
    }
  }
  EXPECT_NE(complaint("sdf", sdf::words(), {"model", "link", ""}, "nonsense"), "");
  EXPECT_NE(complaint("sdf", sdf::words(), {"model link", "nonsense", ""}), "");
}

TEST(SdfWords, WhatTheMotionMissesIsWarnedOf) {
  for (const std::string part :
       {"<model_state/>", "<link name='b'><kinematic>true</kinematic></link>"}) {
    const auto [mechanism, log] = test::import_text(
        "<sdf version='1.12'><model name='m'><link name='a'/>" + part + "</model></sdf>");
    EXPECT_EQ(log.warning_count(), 1U) << part;
  }
}

}  // namespace
}  // namespace hamiltree
