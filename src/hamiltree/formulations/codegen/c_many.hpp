// Functions of many states at a time: kernels where nvcc compiles the file, loops where it is C++.
#pragma once

#include <string>

#include "hamiltree/formulations/codegen/generate.hpp"

namespace hamiltree::codegen {

// Stands before every function of one state: all run on the host and on the device.
inline constexpr const char* kHostDevice = "HAMILTREE_FUNCTION ";

// The macro for that, for the header.
std::string c_host_device();

// The macros that the definitions of functions of many states need.
std::string c_many_macros();

// Several files may be compiled as one; what they have in common stands there once, under a name.
std::string c_once(const std::string& name, const std::string& text);

struct ManyFunction {
  std::string declaration, definition;
};

// Calls a function of one state for `count` of them, entry i of state s at [i * count + s] of every
// array, with copies of a state's own entries; a step is done `steps` times.
ManyFunction c_many(const CFunction& one, bool is_step);

}  // namespace hamiltree::codegen
