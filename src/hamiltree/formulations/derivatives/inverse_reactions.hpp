// What joints transmit in a motion that is given, with the forces in its loops.
#pragma once

#include <vector>

#include "hamiltree/formulations/derivatives/inverse.hpp"

namespace hamiltree::derivatives {

// Of all joints, after invert_accelerations(). Compiled once, for doubles.
template <class Space>
std::vector<Reaction> reactions(Inverse<Space>& work);

extern template std::vector<Reaction> reactions(Inverse<Planar<double>>&);
extern template std::vector<Reaction> reactions(Inverse<Spatial<double>>&);

}  // namespace hamiltree::derivatives
