#include "hamiltree/simulation/step_ends.hpp"

#include <algorithm>
#include <cmath>

namespace hamiltree {
namespace {

constexpr double kShortestStep = 1e-12;  // of the time

}  // namespace

StepEnds::StepEnds(const Model& model, const Method& method) {
  if (!tolerances_of(method)) return;
  breakpoints_ = Breakpoints(model.mechanism());
  curves_ = CurveBends(model);
}

double StepEnds::next(MechanismOde& motion, const Integrator& integrator, double stop) const {
  const double now = integrator.time();
  const double end = breakpoints_.end_of_step(now, stop);
  if (curves_.empty()) return end;
  const double bend = now + motion.time_to(curves_, now, integrator.y());
  return bend > now + kShortestStep * std::abs(now) ? std::min(end, bend) : end;
}

}  // namespace hamiltree
