// PoseWatch: tells where a run passes near a singular pose, where the next motion is no smooth
// function of the last.
#pragma once

#include <string>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree::sensitivity {

class PoseWatch {
 public:
  explicit PoseWatch(const Model& model) : model_(model) {}

  // At the end of a step, the last pose of this Workspace. Throws SimulationError near a singular
  // pose.
  void look(double t, const Formulation& formulation, const Workspace& workspace);

 private:
  const Model& model_;
  double largest_pivot_ = 0.0;
};

// Throws SimulationError where stages of an implicit step do not converge.
[[noreturn]] void refuse_stages(double t);

}  // namespace hamiltree::sensitivity
