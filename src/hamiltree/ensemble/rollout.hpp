// Rollout: many states of one tree marched together by a fixed step, each under efforts of its own,
// as controllers that plan by sampling need them. An effort along a joint's velocity adds to the
// rate of its momentum: p_dot = p_dot(q, p) + effort.
#pragma once

#include <cstddef>
#include <memory>

#include "hamiltree/ensemble/batch.hpp"
#include "hamiltree/integrators/method.hpp"
#include "hamiltree/simulation/probe.hpp"

namespace hamiltree {

class Rollout {
 public:
  // The method has a fixed step and is explicit: euler, semi_implicit_euler, rk4. Throws UsageError
  // for others and for models with loops or couplings, which would drift open.
  Rollout(const Model& model, Method method);

  // Moves `count` states, one after the other in each array, by `duration` s from t on, efforts
  // held (none: null). The last step is cut short where the duration is no whole number of steps.
  // Throws SimulationError where a rate is not finite; the states are then as they were.
  void advance(double t, double duration, std::size_t count, double* q, double* p,
               const double* efforts);

 private:
  class Problem;

  Method method_;
  Batch batch_;
  std::unique_ptr<Probe> probe_;
  std::size_t coordinates_, velocities_;
};

}  // namespace hamiltree
