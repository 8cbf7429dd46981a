// Prescribed functions of time in the native format: { type = "sine", amplitude = 0.1, ... }.
#pragma once

#include <optional>
#include <string_view>

#include "hamiltree/io/import/toml_reader.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// The function under `key`, if there.
std::optional<TimeFunction> read_time_function(TomlReader& reader, std::string_view key);

// The motion under `key`, if there: a function for each of its parts that moves.
std::optional<FrameMotion> read_frame_motion(TomlReader& reader, std::string_view key,
                                             SpaceKind space);

// The same, or a plain number for a constant.
std::optional<TimeFunction> read_number_or_time_function(TomlReader& reader, std::string_view key);

// The vector under `key`, if there: a number or a function for each component that is not zero.
TimeVector read_time_vector(TomlReader& reader, std::string_view key);

// A sine whose keys stand in the table itself.
Sine read_sine(TomlReader& reader);

}  // namespace hamiltree
