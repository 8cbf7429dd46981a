// Tangents: the inverse sweeps of a model and their derivatives along many directions, eight at a
// time. Compiled once for both spaces, in tangents.cpp.
#pragma once

#include <Eigen/Core>
#include <memory>

#include "hamiltree/formulations/derivatives/jacobians.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree::derivatives {

// Where derivatives are taken. Without impulses or efforts they are zero.
struct Point {
  double t = 0.0;
  const double* q = nullptr;
  const double* v = nullptr;
  const double* v_dot = nullptr;
  const double* impulses = nullptr;  // of the rows of cuts and couplings; forces of accelerations
  const double* efforts = nullptr;   // of each joint in the Model's order
};

// How the point and the numbers of the model move.
struct Directions {
  Columns t, q, v, v_dot, impulses, efforts, parameters;
};

// Values, and their derivatives along the directions; see inverse.hpp.
struct Inverted {
  Eigen::VectorXd generalized, closing;
  Columns d_generalized, d_closing, d_q_dot, d_p_dot;
};

enum class Sweep {
  kMomenta,  // generalized and closing: p, and the rates at which the loops open
  kRates,    // also q_dot and p_dot
  kForces    // generalized and closing: missing efforts, and accelerations that open the loops
};

class Tangents {
 public:
  virtual ~Tangents() = default;
  // `count` directions; results have as many columns.
  virtual void invert(Sweep sweep, const Point& point, const Directions& directions, int count,
                      double leak, Inverted& result) = 0;
};

// Throws UsageError for a model with callbacks, which cannot be differentiated.
void refuse_callbacks(const Model& model);

// One per thread. Refuses callbacks.
std::unique_ptr<Tangents> make_tangents(const Model& model);

}  // namespace hamiltree::derivatives
