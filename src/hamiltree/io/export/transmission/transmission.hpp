// A transmission: the positions, velocities and efforts of some joints of a closed linkage from
// those of others, as one C++ header without dependencies. Its equations are generated C.
#pragma once

#include <string>
#include <vector>

#include "hamiltree/model/model.hpp"

namespace hamiltree {

struct TransmissionSides {
  std::vector<std::string> actuators, joints;  // joints by name; all coordinates of each
};

struct TransmissionHeader {
  std::string text;
  int unknowns = 0, gaps = 0;                  // coordinates and rows of the loops concerned
  std::vector<std::string> actuators, joints;  // names of the coordinates
};

// In a namespace that is called so, with the other joints of the model at its start. Throws
// UsageError for joints that are not there, driven, or do not determine the linkage; ModelError
// where a coordinate is a quaternion.
TransmissionHeader make_transmission(const Model& model, const TransmissionSides& sides,
                                     const std::string& name);

}  // namespace hamiltree
