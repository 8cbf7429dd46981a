// Events: finds where recorded channels cross their values between two accepted steps.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/mechanism_ode.hpp"
#include "hamiltree/simulation/watched_events.hpp"

namespace hamiltree {

class Events {
 public:
  // Throws ModelError for an event whose channel no sensor records.
  Events(const Model& model, const SimulationOptions& options);

  bool empty() const { return watched_.empty(); }

  // The method of the run, from now on.
  void use(const Method& method) { method_ = method; }
  // Next to singular poses, which the rows of loops do not pass: crossings are looked for within
  // the steps that were taken, with y there from `within`, and not stepped to.
  using Within = std::function<void(double t, double* y)>;
  void interpolate(Within within) { within_ = std::move(within); }
  void step_to() { within_ = nullptr; }
  // Where a run starts or is restarted: crossings are looked for from here. `motion` is the one
  // that is integrated.
  void start(MechanismOde& motion, double t, const double* y);

  struct Found {
    int event = 0;  // of the mechanism
    double t = 0.0;
    Eigen::VectorXd y;
  };
  // The crossings between the start and (t, y), the end of a step and the next start, in order of
  // time, one that ends the run last at its time. They are looked for between the start, the
  // outputs within the step, and its end. Each is stepped to, from the start, with the method of
  // the run, where it is not to be interpolated.
  std::vector<Found> crossings(MechanismOde& motion, const std::vector<Sample>& outputs, double t,
                               const double* y);

 private:
  // All that a trial needs to start from.
  struct Point {
    State state;
    Eigen::VectorXd v, y, values;  // values: of all sensor channels
    Eigen::VectorXd outside_q;     // from which angles are counted on
    Power work;
  };

  // By how much a watched channel is above its value at a time (s).
  struct Look {
    double t = 0.0, above = 0.0;
  };

  static Point point_of(MechanismOde& motion, double t, const double* y);
  Found locate(const WatchedEvent& watched, MechanismOde& motion, const Point& start,
               const Look& before, const Look& after);
  Point at_time(double t, MechanismOde& motion, const Point& start);

  SimulationOptions options_;
  Method method_;
  Within within_;  // none: crossings are stepped to
  std::vector<WatchedEvent> watched_;
  // Integrates on trial, so that the run itself sees nothing of it.
  Diagnostics scratch_;
  std::optional<MechanismOde> trial_;
  Point start_;
};

}  // namespace hamiltree
