// One element of the native format, [[body]], [[coupling]], [[force]], [[sensor]] or [[event]], as
// a description; [[joint]] is in native_joint.hpp. Each reads every key of its table, `name` and
// `repeat` included, and refuses the rest.
#pragma once

#include <string>

#include "hamiltree/io/import/toml_reader.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// The name of an element, by which all later messages call it.
std::string read_name(TomlReader& reader, const std::string& kind);

BodyDescription read_body(TomlReader& reader, SpaceKind space);

Coupling read_coupling(TomlReader& reader);

ForceDescription read_force(TomlReader& reader, SpaceKind space);

SensorDescription read_sensor(TomlReader& reader, SpaceKind space);

EventDescription read_event(TomlReader& reader);

}  // namespace hamiltree
