// Parameters: the numbers of a Model by name: gravity, masses, centres of mass, inertias, where
// joints are on their bodies, and the numbers of forces. The frames are those of the tables: of a
// body, its frame at its inboard joint, which has no other place on it. What is no Scalar of the
// tables is no parameter: rotations of frames, pitches, armatures, ratios of couplings and
// functions of time; nor are the inertias of bodies that need ballast.
#pragma once

#include <string>
#include <vector>

namespace hamiltree {

class Model;

struct Parameter {
  std::string name;    // "body.crank.mass"
  double value = 0.0;  // SI units
};

// All of a model, zeros too, in a fixed order.
std::vector<Parameter> parameters(const Model& model);

}  // namespace hamiltree
