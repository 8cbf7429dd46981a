// The error of single precision: the rates by the chip's arithmetic beside those in double.
#pragma once

#include "hamiltree/model/model.hpp"

namespace hamiltree::hardware {

// The largest error of a kind of rate, as a part of the largest rate of that kind.
struct RateErrors {
  double momenta = 0.0, velocities = 0.0;
};

// At the initial pose, moving: the first joint at 1 rad/s, the others the slower the more there
// are; from one and the same state, rounded to binary32.
RateErrors rate_errors(const Model& model);

}  // namespace hamiltree::hardware
