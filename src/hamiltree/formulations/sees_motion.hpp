// SeesMotion: what a formulation may give beside its rates, for less than the Kinematics of the
// model take: poses and motions of all bodies, and the momenta of a motion. A Formulation that can
// derives from it too.
#pragma once

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/model/kinematics.hpp"

namespace hamiltree {

class SeesMotion {
 public:
  virtual ~SeesMotion() = default;

  // All poses at the state. Null: not now.
  virtual const Kinematics<Spatial<double>>* placed(const StateView& state,
                                                    Workspace& workspace) const = 0;
  // Poses and motions at the last evaluation. Null: not of that.
  virtual const Kinematics<Spatial<double>>* moved(Workspace& workspace) const = 0;
  // After velocities() or rate() of the state: p becomes the momenta of the same motion without
  // impulses in the loops; the workspace then has the rate there. False: it does neither, but may
  // overwrite p.
  virtual bool reset(const StateView& state, double* p, Workspace& workspace) const = 0;
};

}  // namespace hamiltree
