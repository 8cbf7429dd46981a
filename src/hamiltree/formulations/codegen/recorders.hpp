// The recorders of the kernels that can be traced, each in its own translation unit.
#pragma once

#include <vector>

#include "hamiltree/formulations/codegen/inputs.hpp"
#include "hamiltree/formulations/codegen/routine.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/model/parameters.hpp"

namespace hamiltree::codegen {

// Arguments and routines beside the usual ones.
struct RecordOptions {
  bool pass_parameters = false;  // the model's numbers
  Inputs inputs;                 // from outside
  bool sensors = false;          // sensors, and the momenta of a start
};

struct Recorded {
  std::vector<Routine> routines;
  std::vector<Parameter> parameters;  // what they take, if they do
  InputPlaces inputs;                 // the same
  Redundancy redundancy;
};

// Each is for a model of its space. Ranks and rows of the loops are chosen at the start.
Recorded record_planar_hdca(const Model& model, const StateView& start,
                            const RecordOptions& options);
Recorded record_spatial_hdca(const Model& model, const StateView& start,
                             const RecordOptions& options);
Recorded record_planar_recursive(const Model& model, const StateView& start,
                                 const RecordOptions& options);
Recorded record_spatial_recursive(const Model& model, const StateView& start,
                                  const RecordOptions& options);

}  // namespace hamiltree::codegen
