// A mechanism as a native model file, docs/formats/model.md. Numbers are written so that they are
// read back exactly; rotations become quaternions.
#pragma once

#include <filesystem>
#include <string>

#include "hamiltree/io/looks.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// For a file in `folder`, from which files of controllers are named; by default the one that the
// mechanism is from. Throws ModelError for what no file can say: functions, controllers
// that are one, and two stops in one joint.
std::string to_native(const Mechanism& mechanism, const Looks& looks = {});
std::string to_native(const Mechanism& mechanism, const Looks& looks,
                      const std::filesystem::path& folder);

}  // namespace hamiltree
