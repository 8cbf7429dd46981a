// The inputs of actuators: functions of time by name, and numbers of a keyframe.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hamiltree/io/import/mjcf/actuator_spec.hpp"
#include "hamiltree/io/import/mjcf/mjcf_tree.hpp"

namespace hamiltree::mjcf {

// An actuator whose input is looked for.
struct Driven {
  XmlElement element;
  std::string name;
  ActuatorSpec spec;
};

// The input of each actuator: the control, held in its range, or the activation that the actuator's
// dynamics make of it. Throws ModelError for a control that is not simulated or leaves its range,
// for controls of actuators that are not there and for keyframes with another number of them.
std::vector<TimeFunction> read_inputs(const XmlElement& root, const std::vector<Driven>& actuators,
                                      const Settings& settings, const ImportOptions& options);

}  // namespace hamiltree::mjcf
