#include "hamiltree/io/import/urdf/words.hpp"

#include <array>

namespace hamiltree::urdf {
namespace {

constexpr std::string_view kJointParts = "origin parent child axis dynamics limit mimic";
constexpr std::string_view kJointRest =
    "calibration safety_controller joint_properties visual gazebo";

constexpr std::array kWords = {
    Word{"robot", "name version",
         "link joint drake:joint loop_joint loop coupling force_element "
         "material",
         "transmission ros2_control gazebo mujoco sensor self_collision_checking xacro:property "
         "drake:collision_filter_group collision_filter_group"},
    Word{"link", "name type", "inertial visual",
         "collision contact self_collision_checking sensor verbose capsule_geometry"},
    Word{"visual", "name", "origin geometry material",
         "verbose drake:perception_properties drake:accepting_renderer"},
    Word{"geometry", "", "box cylinder sphere mesh capsule drake:capsule drake:ellipsoid", "plane"},
    Word{"box", "size", "", ""},
    Word{"cylinder", "radius length", "", ""},
    Word{"sphere", "radius", "", ""},
    Word{"capsule", "radius length", "", ""},
    Word{"drake:capsule", "radius length", "", ""},
    Word{"drake:ellipsoid", "a b c", "", ""},
    Word{"mesh", "filename scale", "", ""},
    Word{"material", "name drake:ignore", "color", "texture ambient diffuse specular emissive"},
    Word{"color", "rgba", "", ""},
    Word{"inertial", "", "origin mass inertia", "drake:rotor_inertia"},
    Word{"origin", "xyz rpy", "", ""},
    Word{"mass", "value", "", ""},
    Word{"inertia", "ixx ixy ixz iyy iyz izz", "", ""},
    Word{"joint", "name type independent", kJointParts, kJointRest},
    Word{"drake:joint", "name type", "origin parent child axis dynamics drake:screw_thread_pitch",
         "limit"},
    Word{"drake:screw_thread_pitch", "value", "", ""},
    Word{"loop_joint", "name type", "axis link1 link2 dynamics limit", ""},
    Word{"link1", "link xyz rpy", "", ""},
    Word{"link2", "link xyz rpy", "", ""},
    Word{"loop", "name type", "axis predecessor successor dynamics limit", ""},
    Word{"predecessor", "link", "origin", ""},
    Word{"successor", "link", "origin", ""},
    Word{"coupling", "name", "predecessor successor ratio", ""},
    Word{"ratio", "value", "", ""},
    Word{"parent", "link", "", ""},
    Word{"child", "link", "", ""},
    Word{"axis", "xyz", "", ""},
    Word{"dynamics", "damping friction armature", "", ""},
    Word{"loop_joint/dynamics", "damping friction", "", ""},
    Word{"loop/dynamics", "damping friction", "", ""},
    Word{"limit", "lower upper effort velocity drake:acceleration acceleration deceleration jerk",
         "", ""},
    Word{"mimic", "joint multiplier offset", "", ""},
    Word{"force_element", "name", "torsional_spring", ""},
    Word{"torsional_spring", "stiffness rest_angle", "joint", ""},
    Word{"torsional_spring/joint", "name", "", ""},
};

}  // namespace

std::span<const Word> words() { return kWords; }

}  // namespace hamiltree::urdf
