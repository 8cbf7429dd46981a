// The facts that `hamiltree info` prints of a model, as data.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "hamiltree/model/model.hpp"
#include "hamiltree/plan/plan.hpp"
#include "hamiltree/simulation/probe.hpp"

namespace hamiltree::app {

struct JointFacts {
  std::string name, type, parent, child;
  bool closes_loop = false, driven = false;
  std::string why_cut;                  // of one that closes a loop
  std::vector<std::string> not_unique;  // components of its reaction, see UniqueReaction
};

struct ModelFacts {
  std::string name, file, space;
  Eigen::VectorXd gravity;  // m/s^2, 2 or 3 components
  int bodies = 0;
  double total_mass = 0.0;  // kg
  std::vector<JointFacts> joints;
  int loops = 0, couplings = 0;
  int velocities = 0;  // of the joints in the tree
  int degrees_of_freedom = 0;
  int constraints = 0, redundant_constraints = 0;  // rows
  std::vector<std::string> singular_start;         // the branches that a run takes, as notes
  std::vector<std::string> notes;               // on rows that contradict each other, or hold all
  double length = 0.0;                          // m
  std::string formulation, formulation_reason;  // that auto takes
  std::string plan_text, recursive_plan;        // of hdca and recursive
  Plan plan;
  double kinetic_energy = 0.0, potential_energy = 0.0;  // J, at the start
  Residuals residuals;                                  // of the loops at the start
  std::optional<double> digits;  // of velocities; nothing for large mechanisms
  bool segments_help = false;    // few digits, or many velocities, and joints that may be cut
};

// Assembles the model. Throws ModelError where a loop cannot close, and where the start is a
// singular pose with nothing that chooses between its motions.
ModelFacts facts_of(const Model& model);

}  // namespace hamiltree::app
