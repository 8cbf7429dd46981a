// One element of the native format, [[body]], [[joint]], [[force]] or [[sensor]], as a description.
// Each reads every key of its table, `name` and `repeat` included, and refuses the rest.
#pragma once

#include <vector>

#include "hamiltree/io/import/toml_reader.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

BodyDescription read_body(TomlReader& reader, SpaceKind space);

// The joint, and a JointSpringDamper into `forces` where it has a spring or a damper.
JointDescription read_joint(TomlReader& reader, SpaceKind space,
                            std::vector<ForceDescription>& forces);

ForceDescription read_force(TomlReader& reader, SpaceKind space);

SensorDescription read_sensor(TomlReader& reader, SpaceKind space);

}  // namespace hamiltree
