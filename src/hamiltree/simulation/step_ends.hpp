// StepEnds: where the steps of an adaptive method end that would go on further: at breakpoints of
// functions of time, and where curves of springs bend. Steps of a fixed length end where they do.
#pragma once

#include "hamiltree/integrators/integrator.hpp"
#include "hamiltree/simulation/breakpoints.hpp"
#include "hamiltree/simulation/curve_bends.hpp"
#include "hamiltree/simulation/mechanism_ode.hpp"

namespace hamiltree {

class StepEnds {
 public:
  StepEnds(const Model& model, const Method& method);

  // Of the next step, in s, which goes on to `stop` if nothing is ahead.
  double next(MechanismOde& motion, const Integrator& integrator, double stop) const;

 private:
  Breakpoints breakpoints_;
  CurveBends curves_;
};

}  // namespace hamiltree
