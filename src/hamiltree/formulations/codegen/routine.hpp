// Routine: one function of a generated file, as the trace of what a kernel computes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "hamiltree/math/trace.hpp"

namespace hamiltree::codegen {

// A number, or an array of them, that a function takes or gives.
struct Argument {
  std::string name;
  int size = 0;
  std::string meaning;     // with units, without a full stop
  bool is_array = true;    // else a number, of which there is one for each lane ...
  bool is_shared = false;  // ... or one for all
};

struct Routine {
  std::string name;     // "rates"
  std::string meaning;  // a sentence or two
  // The inputs and the outputs of the trace, in this order. None is empty.
  std::vector<Argument> inputs, outputs;
  Trace trace;
};

// A number of the model that generated functions take instead of having it folded.
struct Parameter {
  std::string name;    // "mass.crank"
  double value = 0.0;  // of the model
};

}  // namespace hamiltree::codegen
