// The least that parameters of a model may be.
#pragma once

#include <map>
#include <string>

namespace hamiltree {

class Model;

// By name, of those that have a least value: masses, and numbers of forces that no file may make
// negative. Which inertias no body has is seen from all their entries together.
std::map<std::string, double> least_of_parameters(const Model& model);

}  // namespace hamiltree
