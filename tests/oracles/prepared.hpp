// A model file without what only one of two readers takes: meshes, what closes loops, what is in
// other files. Inertias are written along their principal axes, because MuJoCo finds these to six
// digits only.
#pragma once

#include <filesystem>
#include <string>

namespace hamiltree::test {

std::string prepared(const std::filesystem::path& file);

}  // namespace hamiltree::test
