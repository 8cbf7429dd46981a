// RecordedInverse: the inverse sweeps (inverse.hpp) of one model as programs that can be
// differentiated both ways. All take the same inputs: t, q, v and the impulses of the rows, which
// move, then the chosen parameters. Recorded once for each space: long to compile, see
// recorded_inverse_of.hpp.
#pragma once

#include <vector>

#include "hamiltree/math/trace_program.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree::sensitivity {

struct RecordedInverse {
  // Outputs: M v + b; what is left of it, M v + b - A^T sigma, and A v + a; then q_dot and p_dot.
  TraceProgram motion;
  // The effect of a displacement v from normalised q, in frozen time. Outputs: M v - A^T sigma
  // and A v + Phi; then the coordinates to which it leads, normalised.
  TraceProgram projection;
  // Outputs: the coordinates, normalised.
  TraceProgram normalised;
  // Readings of the sensors, reactions left out.
  TraceProgram readings;
};

// The mechanism with its loops open, in canonical momenta y (canonical.hpp).
struct RecordedOpenTree {
  // Inputs q, y, v, p_dot. Outputs p, then y_dot.
  TraceProgram rates;
  // Inputs q, p. Output y.
  TraceProgram momenta;
  // Inputs as above, coordinates as they are. Outputs: the impulses A^T lambda as changes of y,
  // then Phi.
  TraceProgram loops;
};

// `parameters`: numbers in the order of parameters(model). Throws UsageError for callbacks.
RecordedInverse record_inverse(const Model& model, const std::vector<int>& parameters);
RecordedOpenTree record_open_tree(const Model& model, const std::vector<int>& parameters);

RecordedInverse record_inverse_of(const Model& model, const System<Planar<double>>& system,
                                  const std::vector<int>& parameters);
RecordedInverse record_inverse_of(const Model& model, const System<Spatial<double>>& system,
                                  const std::vector<int>& parameters);

RecordedOpenTree record_open_tree_of(const Model& model, const System<Planar<double>>& system,
                                     const std::vector<int>& parameters);
RecordedOpenTree record_open_tree_of(const Model& model, const System<Spatial<double>>& system,
                                     const std::vector<int>& parameters);

}  // namespace hamiltree::sensitivity
