// A mechanism as a native model file, docs/formats/model.md. Numbers are written so that they are
// read back exactly; rotations become quaternions.
#pragma once

#include <string>

#include "hamiltree/io/looks.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// Throws ModelError for what no file can say: controllers, functions, and two stops in one joint.
std::string to_native(const Mechanism& mechanism, const Looks& looks = {});

}  // namespace hamiltree
