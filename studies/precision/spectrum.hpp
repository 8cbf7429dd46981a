// The mass matrix of a chain without loops, known by what it does to vectors.
#pragma once

#include <Eigen/Core>

#include "hamiltree/model/model.hpp"

namespace hamiltree::studies::round_off {

// 2-norms by power iteration, in double precision: estimates from below.
struct Spectrum {
  double mass = 0.0;      // |M|
  double mobility = 0.0;  // |M^-1|

  double condition() const { return mass * mobility; }
};

Spectrum spectrum(const Model& model, const Eigen::VectorXd& q);

}  // namespace hamiltree::studies::round_off
