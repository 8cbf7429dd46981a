// AddedForces: the forces of a mechanism besides gravity, for kernels that compute rates without
// them.
#pragma once

#include <memory>

#include "hamiltree/forces/power.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree {

// One for each thread: an evaluation may write to what it holds. Arrays are those of a state;
// efforts in N m and N, power in W, energy in J.
class AddedForces {
 public:
  virtual ~AddedForces() = default;
  virtual std::unique_ptr<AddedForces> copy() const = 0;
  virtual bool none() const = 0;
  virtual void add_efforts(double t, const double* q, const double* v, double* p_dot) = 0;
  virtual ForcePower<double> power(double t, const double* q, const double* v) = 0;
  virtual double stored_energy(const double* q) = 0;
};

// Forces that act along joints of the spanning tree, from coordinates and velocities alone.
// Nothing if one acts otherwise. No joint may be driven.
std::unique_ptr<AddedForces> joint_forces_of(const Model& model);

// Forces of every kind. Where one does not act along joints of the tree, the bodies are placed and
// moved for it. No joint may be driven.
std::unique_ptr<AddedForces> forces_of(const Model& model);

}  // namespace hamiltree
