#include "hamiltree/io/import/sdf/words.hpp"

#include <array>

namespace hamiltree::sdf {
namespace {

constexpr std::string_view kAxis =
    "xyz dynamics limit use_parent_model_frame initial_position mimic";

constexpr std::array kWords = {
    Word{"sdf", "version", "world model", "light actor"},
    Word{"gazebo", "version", "world model", "light actor"},
    Word{"world", "name namespace", "model frame joint gravity include population state",
         "light actor physics scene gui plugin atmosphere magnetic_field spherical_coordinates "
         "wind road audio"},
    Word{"state", "*", "", "*"},
    Word{"population", "*", "*", ""},
    Word{"gravity", "", "", ""},
    Word{"include", "*", "uri name pose static placement_frame",
         "plugin model_state experimental:params merge"},
    Word{"model", "name namespace canonical_link placement_frame",
         "pose link joint drake:joint drake:weld_constraint frame model static include "
         "model_state",
         "plugin gripper self_collide allow_auto_disable enable_wind"},
    Word{"model_state", "*", "", "*"},
    Word{"static", "", "", ""},
    Word{"pose", "relative_to frame rotation_format degrees", "", ""},
    Word{"frame", "name attached_to", "pose", ""},
    Word{"link", "name", "pose inertial gravity velocity_decay visual kinematic",
         "collision sensor light battery projector audio_source audio_sink self_collide "
         "enable_wind must_be_base_link particle_emitter plugin"},
    Word{"visual", "name", "pose geometry material transparency",
         "cast_shadows laser_retro visibility_flags meta plugin drake:perception_properties "
         "drake:accepting_renderer drake:illustration_properties"},
    Word{"geometry", "", "box cylinder capsule sphere ellipsoid mesh empty",
         "cone heightmap image plane polyline"},
    Word{"box", "", "size", ""},
    Word{"size", "", "", ""},
    Word{"cylinder", "", "radius length", ""},
    Word{"capsule", "", "radius length", ""},
    Word{"sphere", "", "radius", ""},
    Word{"ellipsoid", "", "radii", ""},
    Word{"radius", "", "", ""},
    Word{"length", "", "", ""},
    Word{"radii", "", "", ""},
    Word{"mesh", "optimization", "uri scale submesh", "convex_decomposition"},
    Word{"uri", "", "", ""},
    Word{"scale", "", "", ""},
    Word{"submesh", "", "", "name center"},
    Word{"empty", "", "", ""},
    Word{"transparency", "", "", ""},
    Word{"material", "", "diffuse ambient",
         "script shader lighting specular emissive pbr render_order double_sided shininess"},
    Word{"diffuse", "", "", ""},
    Word{"ambient", "", "", ""},
    Word{"velocity_decay", "", "linear angular", ""},
    Word{"linear", "", "", ""},
    Word{"angular", "", "", ""},
    Word{"kinematic", "", "", ""},
    Word{"inertial", "auto", "pose mass inertia density", "auto_inertia_params"},
    Word{"density", "", "", ""},
    Word{"mass", "", "", ""},
    Word{"inertia", "", "ixx ixy ixz iyy iyz izz", ""},
    Word{"ixx", "", "", ""},
    Word{"ixy", "", "", ""},
    Word{"ixz", "", "", ""},
    Word{"iyy", "", "", ""},
    Word{"iyz", "", "", ""},
    Word{"izz", "", "", ""},
    Word{"joint", "name type",
         "pose parent child axis axis2 thread_pitch screw_thread_pitch gearbox_ratio "
         "gearbox_reference_body drake:rotor_inertia drake:gear_ratio",
         "physics sensor plugin drake:controller_gains"},
    Word{"drake:rotor_inertia", "", "", ""},
    Word{"drake:gear_ratio", "", "", ""},
    Word{"parent", "link", "", ""},
    Word{"child", "link", "", ""},
    Word{"thread_pitch", "", "", ""},
    Word{"screw_thread_pitch", "", "", ""},
    Word{"gearbox_ratio", "", "", ""},
    Word{"gearbox_reference_body", "", "", ""},
    Word{"axis", "", kAxis, ""},
    Word{"axis2", "", kAxis, ""},
    Word{"xyz", "expressed_in", "", ""},
    Word{"use_parent_model_frame", "", "", ""},
    Word{"initial_position", "", "", ""},
    Word{"dynamics", "", "damping friction spring_reference spring_stiffness", ""},
    Word{"damping", "", "", ""},
    Word{"friction", "", "", ""},
    Word{"spring_reference", "", "", ""},
    Word{"spring_stiffness", "", "", ""},
    Word{"limit", "", "lower upper", "effort velocity stiffness dissipation drake:acceleration"},
    Word{"lower", "", "", ""},
    Word{"upper", "", "", ""},
    Word{"mimic", "joint axis", "multiplier offset reference", ""},
    Word{"multiplier", "", "", ""},
    Word{"offset", "", "", ""},
    Word{"reference", "", "", ""},
    Word{"drake:joint", "name type", "parent child drake:parent drake:child drake:damping",
         "drake:initial_tangent drake:plane_normal drake:is_periodic drake:curves"},
    Word{"drake:parent", "", "", ""},
    Word{"drake:child", "", "", ""},
    Word{"drake:damping", "", "", ""},
    Word{"drake:weld_constraint", "name", "parent child drake:parent drake:child", ""},
};

}  // namespace

std::span<const Word> words() { return kWords; }

}  // namespace hamiltree::sdf
