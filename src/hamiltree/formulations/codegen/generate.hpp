// generate: a model's equations of motion as one C99 file with a header. The kernels run once on
// the tracing scalar; constants are folded, common subexpressions shared, and what no function
// needs is left out. The file takes nothing but <math.h>. As CUDA it is the same code with
// functions of many states, which a compiler of C++ takes, too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hamiltree/formulations/codegen/inputs.hpp"
#include "hamiltree/formulations/codegen/routine.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/model/parameters.hpp"

namespace hamiltree::codegen {

struct GenerateOptions {
  std::string formulation = "hdca";  // or "recursive"
  bool lanes = false;                // also functions of eight states
  bool pass_parameters = false;      // the model's numbers are an argument, not folded
  // Names of the entries of q and p, for the comments, such as "q.A, rad"; empty: numbered only.
  std::vector<std::string> q_labels, p_labels;
  bool start = true;         // also the state at the start, so that another one makes another file
  Inputs inputs = {};        // arguments of the functions that they concern
  bool sensors = false;      // also functions of the sensors, and of the momenta of velocities
  bool derivatives = false;  // also the Jacobians of the rates
  bool tangents = false;     // also directional derivatives of what an FMU shows
  bool cuda = false;         // a file for nvcc, also with functions of many states; without lanes
};

// A function of the file.
struct CFunction {
  std::string name;       // "four_bar_rates"
  bool in_lanes = false;  // eight states: every array has eight times the entries
  std::vector<Argument> inputs, outputs;
  OperationCount operations;  // of one state; none of steps, which call the others
};

struct CFile {
  std::string prefix;  // of all names, from the model's
  std::vector<CFunction> functions;
  std::vector<Parameter> parameters;  // empty if they are folded
  InputPlaces inputs;                 // where they are arguments
  Redundancy redundancy;              // of the loops' rows
  std::string header, source;         // the source includes "<header_name>"
};

// The formulations that can be generated.
const std::vector<std::string>& formulations();

// Throws UsageError for another formulation, ModelError for a model with callbacks, or one in which
// nothing moves freely.
void check(const Model& model, const std::string& formulation);

// Ranks and rows of the loops are chosen at the start, for good; pivots are still masked where they
// vanish. Throws as check() does.
CFile generate(const Model& model, const StateView& start, const GenerateOptions& options,
               const std::string& header_name);

}  // namespace hamiltree::codegen
