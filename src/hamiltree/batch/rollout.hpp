// Rollout: many states of one Model integrated by a fixed step, each under efforts of its own, as
// controllers that plan by sampling need them. An effort along a joint's velocity adds to the rate
// of its momentum: p_dot = p_dot(q, p) + effort. Loops are closed and momenta reset after each
// step.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/base/pool.hpp"
#include "hamiltree/batch/batch.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/integrators/method.hpp"
#include "hamiltree/simulation/probe.hpp"

namespace hamiltree {

// Where paths are written, may be null: of every state its coordinates and its momenta at the start
// and after each interval, (count, intervals + 1, size).
struct RolloutPaths {
  double* q = nullptr;
  double* p = nullptr;
};

// A state that cannot go on.
struct RolloutFailure {
  std::size_t state = 0;
  double time = 0.0;     // s
  std::string sentence;  // without a full stop
};

class Rollout {
 public:
  // The method has a fixed step and is explicit: euler, semi_implicit_euler, rk4. Threads as of
  // Pool; they do not change the results. Throws UsageError for other methods, and for loops that
  // do not close at the start.
  Rollout(const Model& model, const Method& method, int threads = 1);
  ~Rollout();

  // Moves `count` states, one after the other in each array, from t on by as many intervals of
  // `interval` s, efforts (count, intervals, velocities) held in each (none: null). The last step
  // of an interval is cut short where it is no whole number of steps. Allocates nothing but where
  // there are more states than ever before, one fails, or rows are redundant.
  //
  // A state fails where it starts with an open loop or at a singular pose, where it, an effort or a
  // rate is not finite, or where a loop stays open. Without `failures` the first one ends the run
  // with a SimulationError, and all states are as they were. With `failures` the others go on; the
  // numbers of the failed states are NaN from there on, also in q and p, and `failures` lists them
  // in order.
  void run(double t, double interval, std::size_t intervals, std::size_t count, double* q,
           double* p, const double* efforts, const RolloutPaths& paths = {},
           std::vector<RolloutFailure>* failures = nullptr);

  // Called by the thread that calls run(), now and then between its steps and while it waits for
  // others. What `look` throws ends the run after their present steps; the states are then as they
  // were.
  void on_step(std::function<void()> look) { look_ = std::move(look); }

  // One interval.
  void advance(double t, double duration, std::size_t count, double* q, double* p,
               const double* efforts, std::vector<RolloutFailure>* failures = nullptr) {
    run(t, duration, 1, count, q, p, efforts, {}, failures);
  }

 private:
  struct Request;
  struct Worker;
  class Eight;

  void look_at_start();
  void make_ready(double t, const double* q, const double* p);
  bool step(Worker& worker, double t, double h) const;
  void normalise(std::vector<Pack>& q, std::vector<double>& scratch) const;

  Model model_;
  Method method_;
  std::unique_ptr<Probe> probe_;
  std::shared_ptr<const Formulation> formulation_;  // of loops, to see where poses are singular
  std::size_t coordinates_, velocities_;
  bool has_loops_;
  double length_;                    // m, of the mechanism
  double most_open_;                 // m, of a loop after a step, as in simulations
  double most_open_at_start_ = 0.0;  // m
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<double> q_end_, p_end_;
  bool ready_ = false;
  std::function<void()> look_;
  Pool pool_;  // last: its threads end first
};

}  // namespace hamiltree
