// Motions of the two mechanisms of [Turno2023, sect. 5]: by explicit Euler as the paper does it, as
// exactly as can be, and by another engine. All are sampled at the same times.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/options.hpp"

namespace hamiltree::turno2023 {

inline constexpr double kEulerStep = 1e-4;  // s
inline constexpr double kEvery = 1e-3;      // s, between samples

struct Motion {
  std::vector<double> t;                  // s
  std::vector<Eigen::VectorXd> q, v;      // rad and rad/s, joints of the tree
  std::vector<Eigen::VectorXd> p;         // kg m^2/s, only of simulated()
  std::vector<double> kinetic, energy;    // J
  std::vector<double> gap;                // m, by which the loop vector fails to close
  std::vector<double> closing_angle;      // rad, of the joint that closes the loop, integrated
  std::vector<double> closing_principal;  // rad, the same from the pose
};

// Hdca on a Scalar, float or double, and explicit Euler in the same Scalar: no projection and no
// reset, loops are left to drift. The angle of the joint that closes a loop is integrated beside
// the others. Energies and gaps are taken in double from the state reached.
template <class Scalar>
Motion euler(const Model& model, double step, double until, double every = kEvery);

extern template Motion euler<float>(const Model&, double, double, double);
extern template Motion euler<double>(const Model&, double, double, double);

// A Simulation of the engine.
Motion simulated(const Model& model, const SimulationOptions& options, double until,
                 double every = kEvery);
// The same as exactly as double allows.
Motion reference(const Model& model, double until, double every = kEvery);

// The same mechanism in an engine of others, in coordinates and with an integrator of its own.
struct IndependentEngine {
  std::string name;
  Motion (*run)(const Model& model, double until, double every);  // no closing angles
};
// None in a program built without one.
std::optional<IndependentEngine> independent_engine();

// The largest difference of two series of the same times.
double largest_difference(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace hamiltree::turno2023
