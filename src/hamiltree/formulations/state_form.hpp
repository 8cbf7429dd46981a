// StateForm: in which variables a formulation writes the equations of motion.
#pragma once

namespace hamiltree {

// The meaning of a state's second half.
enum class StateForm {
  kMomenta,     // p
  kVelocities,  // v, of the acceleration-level formulations
};

}  // namespace hamiltree
