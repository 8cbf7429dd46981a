// JointForces: the forces of a mechanism of which every one acts along joints of the spanning tree,
// from coordinates and velocities alone.
#pragma once

#include <memory>

#include "hamiltree/forces/power.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree {

// Arrays are those of a state; efforts in N m and N, power in W, energy in J.
class JointForces {
 public:
  virtual ~JointForces() = default;
  virtual bool none() const = 0;
  virtual void add_efforts(double t, const double* q, const double* v, double* p_dot) const = 0;
  virtual ForcePower<double> power(double t, const double* q, const double* v) const = 0;
  virtual double stored_energy(const double* q) const = 0;
};

// Nothing if some force acts otherwise. No joint may be driven.
std::unique_ptr<JointForces> joint_forces_of(const Model& model);

}  // namespace hamiltree
