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

// The keys that a Sine and an Actuator share.
template <class Wave>
void read_wave(TomlReader& reader, Wave& wave) {
  wave.constant = reader.number_or("constant", 0.0);
  wave.amplitude = reader.number_or("amplitude", 0.0);
  wave.frequency = reader.number_or("frequency", 0.0);
  wave.phase = reader.number_or("phase", 0.0);
}

}  // namespace hamiltree
