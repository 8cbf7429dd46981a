// Steps of fixed length in C, made of the functions of a generated file.
#pragma once

#include <string>
#include <vector>

#include "hamiltree/formulations/codegen/generate.hpp"

namespace hamiltree::codegen {

struct StepFunctions {
  std::vector<CFunction> functions;  // q and p are in and out
  std::string declarations, definitions;
};

// step_semi_implicit_euler and step_rk4, as integrators/ has them, with the projection and the
// reset that end a step. With gaps they also raise a number to how far loops were open before the
// projection, NaN where a state is no longer finite; `qualifier` stands before each.
StepFunctions c_steps(const std::string& prefix, const std::vector<Routine>& routines,
                      int coordinates, int velocities, bool in_lanes, bool gaps = false,
                      const std::string& qualifier = "");

// The function that steps with gaps call.
std::string c_larger(const std::string& qualifier);

}  // namespace hamiltree::codegen
