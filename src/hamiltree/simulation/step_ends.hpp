// StepEnds: where steps of an adaptive method are cut short: at breakpoints of functions of time,
// and where curves of springs bend. Steps of a fixed length are not.
#pragma once

#include "hamiltree/integrators/integrator.hpp"
#include "hamiltree/simulation/breakpoints.hpp"
#include "hamiltree/simulation/curve_bends.hpp"
#include "hamiltree/simulation/mechanism_ode.hpp"

namespace hamiltree {

class StepEnds {
 public:
  StepEnds(const Model& model, const Method& method);

  // The latest end of the next step, s: `stop`, or a breakpoint or bend before it.
  double next(MechanismOde& motion, const Integrator& integrator, double stop) const;

 private:
  Breakpoints breakpoints_;
  CurveBends curves_;
};

}  // namespace hamiltree
