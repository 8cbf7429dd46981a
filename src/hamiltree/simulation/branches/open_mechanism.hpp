// OpenMechanism: what motions ask of a mechanism with its loops open. Nothing is solved for, so
// bodies without mass are like any others.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree::branches {

class OpenMechanism {
 public:
  virtual ~OpenMechanism() = default;

  // Poses at which all else is asked.
  virtual void place(double t, const Eigen::VectorXd& q) = 0;

  // How fast velocities open the rows of loops and couplings, m/s; p: their momenta.
  // Without drives, as if these stood still: linear in v.
  virtual Eigen::VectorXd opening(const Eigen::VectorXd& v, Eigen::VectorXd& p) = 0;
  // The same of the drives alone.
  virtual Eigen::VectorXd opening_of_drives() = 0;

  virtual Eigen::VectorXd coordinate_rates(const Eigen::VectorXd& v) = 0;

  // Accelerations v_dot at velocities v, with drives, take these efforts beside all forces, open
  // the rows at these accelerations, m/s^2, and have this power of non-conservative forces.
  struct Demand {
    Eigen::VectorXd efforts, opening;
    Power power;  // by drives, if loops stay closed at these accelerations
  };
  virtual Demand demand(const Eigen::VectorXd& v, const Eigen::VectorXd& v_dot) = 0;

  // The reactions of all joints, in the model's order, at these accelerations, if the rows of loops
  // and couplings carry the forces lambda, N, moments over the length.
  virtual std::vector<Reaction> reactions(const Eigen::VectorXd& v, const Eigen::VectorXd& v_dot,
                                          const Eigen::VectorXd& lambda) = 0;
};

std::unique_ptr<OpenMechanism> make_open_mechanism(const Model& model);

}  // namespace hamiltree::branches
