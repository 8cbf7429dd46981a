// Closing: what ends every step of a run, as maps that can be differentiated both ways:
// quaternions of length 1, one Newton step onto the closed loops that moves the masses least, and
// momenta without impulses in the loops.
#pragma once

#include <Eigen/Core>
#include <memory>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/sensitivity/step_derivatives.hpp"
#include "hamiltree/simulation/probe.hpp"

namespace hamiltree::sensitivity {

using Vector = Eigen::VectorXd;

// From `given` coordinates to q: the displacement from `normalised`, and its impulses.
struct Projection {
  double t = 0.0;
  Vector given, normalised, displacement, impulses, q;
  double gap = 0.0;  // m: of the loops before

  StepPoint point() const { return {t, given.data(), displacement.data(), impulses.data()}; }
};

// The motion at (q, p): its velocities, the impulses in its loops, and its momenta without these.
struct Reset {
  double t = 0.0;
  Vector q, v, sigma, p;

  StepPoint point() const { return {t, q.data(), v.data(), sigma.data()}; }
};

class Closing {
 public:
  // Refers to all but the model; rows are those in use in the workspace.
  Closing(const Model& model, const Formulation& formulation, Workspace& workspace,
          StepDerivatives& derivatives);

  bool has_loops() const { return has_loops_; }

  // Throw SimulationError where a result is not finite.
  void project(double t, const Vector& q, Projection& result);
  void reset(double t, const Vector& q, const Vector& p, Reset& result);
  // m; how far the loops are open at q, by row in gaps().
  double gap(double t, const Vector& q);
  const Vector& gaps() const { return probe_->phi(); }

  // From cotangents of the end to those of the beginning; parameters are added to. Those of the
  // rates at the end of a reset go into it.
  void pull_projection(const Projection& at, StateChange& change);
  void pull_reset(const Reset& at, StateChange& change);
  void push_projection(const Projection& at, StateChange& change);
  void push_reset(const Reset& at, StateChange& change);

 private:
  void place(double t, const Vector& q);  // the probe

  const Formulation& formulation_;
  Workspace& workspace_;
  StepDerivatives& derivatives_;
  std::unique_ptr<Probe> probe_;
  bool has_loops_, has_quaternions_;
  Vector at_rest_;
};

// Throws SimulationError.
void check_finite(Status status, double t);

}  // namespace hamiltree::sensitivity
