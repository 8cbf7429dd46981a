// Rollout: many states of one Model integrated by a fixed step, each under efforts of its own, as
// controllers that plan by sampling need them. An effort along a joint's velocity adds to the rate
// of its momentum: p_dot = p_dot(q, p) + effort. Loops are closed and momenta reset after each
// step.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "hamiltree/base/pool.hpp"
#include "hamiltree/batch/batch.hpp"
#include "hamiltree/integrators/method.hpp"
#include "hamiltree/simulation/probe.hpp"

namespace hamiltree {

// Where paths are written, may be null: of every state its coordinates and its momenta at the start
// and after each interval, (count, intervals + 1, size).
struct RolloutPaths {
  double* q = nullptr;
  double* p = nullptr;
};

class Rollout {
 public:
  // The method has a fixed step and is explicit: euler, semi_implicit_euler, rk4. Threads as of
  // Pool; they do not change the results. Throws UsageError for other methods, and for loops
  // and couplings of which some row is redundant: those in use would depend on the states before.
  Rollout(const Model& model, const Method& method, int threads = 1);
  ~Rollout();

  // Moves `count` states, one after the other in each array, from t on by as many intervals of
  // `interval` s, efforts (count, intervals, velocities) held in each (none: null). The last step
  // of an interval is cut short where it is no whole number of steps. Allocates nothing but where
  // there are more states than ever before. Throws SimulationError where a rate is not finite or a
  // loop stays open; the states are then as they were.
  void run(double t, double interval, std::size_t intervals, std::size_t count, double* q,
           double* p, const double* efforts, const RolloutPaths& paths = {});

  // Called by the thread that calls run(), now and then between its steps and while it waits for
  // others. What `look` throws ends the run after their present steps; the states are then as they
  // were.
  void on_step(std::function<void()> look) { look_ = std::move(look); }

  // One interval.
  void advance(double t, double duration, std::size_t count, double* q, double* p,
               const double* efforts) {
    run(t, duration, 1, count, q, p, efforts);
  }

 private:
  struct Request;
  struct Worker;

  void make_ready(double t, const double* q, const double* p);
  void integrate(int thread, Request& request, std::size_t first);
  bool step(Worker& worker, double t, double h) const;
  static int lane_not_finite(const Worker& worker);
  std::optional<int> open_lane(Worker& worker, double t, double least_move) const;
  void normalise(std::vector<Pack>& q, std::vector<double>& scratch) const;

  Method method_;
  std::unique_ptr<Probe> probe_;
  std::size_t coordinates_, velocities_;
  bool has_loops_;
  double length_;     // m, of the mechanism
  double most_open_;  // m, of a loop after a step, as in simulations
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<double> q_end_, p_end_;
  bool ready_ = false;
  std::function<void()> look_;
  Pool pool_;  // last: its threads end first
};

}  // namespace hamiltree
