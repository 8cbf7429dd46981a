// A model file without what only one of two readers takes: meshes, what closes loops, what is in
// other files, and unless they are kept, tendons and actuators. Inertias are written along their
// principal axes, because MuJoCo finds these to six digits only.
#pragma once

#include <filesystem>
#include <string>

namespace hamiltree::test {

enum class Actuation { kLeftOut, kKept };

std::string prepared(const std::filesystem::path& file, Actuation actuation = Actuation::kLeftOut);

// Whether the file has tendons or actuators of MJCF.
bool is_actuated(const std::filesystem::path& file);

}  // namespace hamiltree::test
