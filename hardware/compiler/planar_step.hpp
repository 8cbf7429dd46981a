// One time step of a planar mechanism as a trace: the kernels of the HDCA on the tracing scalar,
// then Euler's method. A body on a revolute joint has its orientation in the state as a unit vector
// of the world, which the step turns and renormalises; the angles themselves never appear.
#pragma once

#include <string>
#include <vector>

#include "hamiltree/math/trace.hpp"
#include "hamiltree/model/model.hpp"
#include "hardware/compiler/float32.hpp"

namespace hamiltree::hardware {

// The scheme of a step. Explicit: q and p both from the old rates. Semi-implicit: q with
// the new p. Rates, to measure them: p becomes its rate, q its velocity, cos and sin that of the
// body's angle.
enum class Update { kEuler, kSemiImplicitEuler, kRates };

enum class Quantity { kMomentum, kCoordinate, kCosine, kSine };

// One word of the chip's state.
struct StateWord {
  std::string name;  // p.JOINT, q.JOINT, cos.BODY, sin.BODY
  Quantity quantity = Quantity::kMomentum;
  int index = 0;  // of p, of q, or of the body, in the Model's order
};

// The state's words in their order are the trace's first inputs, and its outputs.
struct PlanarStep {
  Trace trace;
  std::vector<StateWord> words;
};

// The step of length h (s). Throws ModelError naming the element that the chip cannot take: bodies
// in space, joints other than revolute, prismatic and fixed, drives, couplings, armatures, bodies
// without inertia or with one beyond single precision, forces that depend on an angle or on the
// time, and loops that start at a singular pose.
PlanarStep trace_planar_step(const Model& model, Update update, double h);

// The state of the chip for coordinates q and momenta p of the Model, and back. Angles come out
// next to those in q.
std::vector<double> to_words(const Model& model, const std::vector<StateWord>& words,
                             const double* q, const double* p);
void from_words(const Model& model, const std::vector<StateWord>& words,
                const std::vector<double>& values, double* q, double* p);

// The words in single precision, as their bits. Throws ModelError naming one that is too large.
std::vector<Word> to_single(const Model& model, const std::vector<StateWord>& words,
                            const double* q, const double* p);

}  // namespace hamiltree::hardware
