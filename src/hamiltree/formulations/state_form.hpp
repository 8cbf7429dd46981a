// StateForm: in which variables a formulation writes the equations of motion.
#pragma once

namespace hamiltree {

// What the second half of a state is.
enum class StateForm {
  kMomenta,     // p
  kVelocities,  // v, of the acceleration-level formulations
};

}  // namespace hamiltree
