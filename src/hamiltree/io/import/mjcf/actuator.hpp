// <actuator> of MJCF: motors, servos and dampers on joints, fixed tendons and sites.
#pragma once

#include "hamiltree/io/import/mjcf/tendon.hpp"

namespace hamiltree::mjcf {

// Makes a Servo of each actuator, or wrenches where it pushes a site or a free joint. Their
// controls are those of the options' file, else of the keyframe to start from, else 0. Throws
// ModelError for an actuator that is not simulated, which the options can leave out with all
// others, and for controls of actuators that are not there.
void read_actuators(const XmlElement& root, const Settings& settings, const Tree& tree,
                    const Tendons& tendons, const ImportOptions& options, Mechanism& mechanism,
                    ImportLog& log);

}  // namespace hamiltree::mjcf
