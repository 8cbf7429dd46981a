// StepDerivatives: how the maps of which a step is made change with the state and with chosen
// numbers of the model, both ways: tangents of what goes in are pushed to what comes out,
// cotangents of what comes out are pulled back. The maps are the rates, the velocities of a state,
// the projection onto closed loops, the reset of momenta, the momenta of velocities and the
// readings of sensors. With K the matrix of M x - A^T y, A x that the formulation solves with,
//   K [dv; dsigma] = [dp - dg; -dc]    g = M v + b - A^T sigma, c = A v + a at fixed v, sigma
// so cotangents of v and sigma ask for one solution with K^T, which is K with other signs:
//   M w - A^T y = v_bar,  A w = -sigma_bar:    p_bar += w,  g_bar = -w,  c_bar = y
// and the rest is one sweep backwards over the recorded inverse sweeps.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/sensitivity/recorded_inverse.hpp"

namespace hamiltree::sensitivity {

// Where maps are differentiated: of the projection v is the displacement, sigma its impulses.
struct StepPoint {
  double t = 0.0;
  const double* q = nullptr;
  const double* v = nullptr;
  const double* sigma = nullptr;
};

// Solves for velocities: by the rows in use, or with all loops open, whose impulses are none.
struct Factors {
  const Formulation& formulation;
  Workspace& workspace;
  bool open = false;
};

// Tangents or cotangents of the rates and of the velocities behind them; an empty v rests.
struct RateChange {
  Eigen::VectorXd v, q_dot, p_dot;
};

// Tangents or cotangents of a state and of the chosen parameters. Cotangents may be of the rates
// there too, where the momenta are without impulses in the loops.
struct StateChange {
  Eigen::VectorXd q, p, parameters;
  RateChange rates;  // q_dot and p_dot, or nothing
};

// One per thread.
class StepDerivatives {
 public:
  using Vector = Eigen::VectorXd;

  // Refers to the formulation, which must be one of this model; parameters by their numbers in
  // parameters(model). Throws UsageError for a formulation of accelerations, and for callbacks.
  StepDerivatives(const Model& model, const Formulation& formulation,
                  const std::vector<int>& parameters);

  StateChange zero() const;
  int readings() const { return static_cast<int>(recorded_.readings.outputs()); }

  // Cotangents of results; what they mean is added to `to`. Rows in use are those of the Workspace,
  // whose last evaluation is overwritten. kNotFinite where a map is not differentiable.
  Status pull_rates(const StepPoint& at, const RateChange& rates, const Factors& by,
                    StateChange& to);
  Status pull_velocities(const StepPoint& at, const Vector& v, Workspace& workspace,
                         StateChange& to);
  // Pulls back the momenta p after a reset and, unless they are empty, the rates q_dot and p_dot
  // there: both follow from the velocities before, and no impulses are left in the loops.
  Status pull_reset(const StepPoint& at, const Vector& p, const RateChange& rates,
                    Workspace& workspace, StateChange& to);
  // `normalised`: the coordinates at which the displacement was solved for.
  Status pull_projection(const StepPoint& at, const double* normalised, const Vector& q,
                         Workspace& workspace, StateChange& to);
  // Of the coordinates, normalised, at rest.
  void pull_normalised(const StepPoint& at, const Vector& q, StateChange& to);
  // Maps of (q, v): v takes its cotangents too.
  void pull_momenta(const StepPoint& at, const Vector& p, StateChange& to, Vector& v);
  void pull_readings(const StepPoint& at, const Vector& readings, StateChange& to, Vector& v);

  // The same maps the other way.
  Status push_rates(const StepPoint& at, const StateChange& from, const Factors& by,
                    RateChange& rates);
  Status push_velocities(const StepPoint& at, const StateChange& from, Workspace& workspace,
                         Vector& v);
  Status push_reset(const StepPoint& at, const StateChange& from, Workspace& workspace, Vector& p);
  Status push_projection(const StepPoint& at, const double* normalised, const StateChange& from,
                         Workspace& workspace, Vector& q);
  void push_normalised(const StepPoint& at, const StateChange& from, Vector& q);
  void push_momenta(const StepPoint& at, const StateChange& from, const Vector& v, Vector& p);
  void push_readings(const StepPoint& at, const StateChange& from, const Vector& v,
                     Vector& readings);

  // The readings at a state with velocities.
  void read(const StepPoint& at, Vector& readings);

 private:
  void evaluate(TraceProgram& program, const StepPoint& at);
  void evaluate_early(TraceProgram& program, const StepPoint& at);
  void place(const StepPoint& at);
  // To all inputs; to v and sigma alone, what the others feel kept for the next pull().
  void pull(TraceProgram& program, Eigen::Index outputs);
  void pull_moving(TraceProgram& program, Eigen::Index outputs);
  void push(TraceProgram& program);
  Factors closed(Workspace& workspace) const { return {formulation_, workspace}; }
  Status solve(double t, const double* q, const Factors& by);
  // Solves for the cotangents of v and sigma among the inputs, and sets the outputs from `first`.
  Status pull_solution(double t, const double* q, Eigen::Index first, const Factors& by, Vector* p);
  Status push_solution(double t, const double* q, const Vector& p, TraceProgram& program,
                       Eigen::Index first, const Factors& by);
  void take(StateChange& to) const;
  void set(const StateChange& from);
  auto in_q() { return in_.segment(1, nq_); }
  auto in_v() { return in_.segment(1 + nq_, nv_); }
  auto in_sigma() { return in_.segment(1 + nq_ + nv_, nc_); }

  const Formulation& formulation_;
  RecordedInverse recorded_;
  Eigen::Index early() const { return 2 * nv_ + nc_; }  // outputs of the motion before q_dot

  Eigen::Index nq_, nv_, nc_;
  Eigen::VectorXd point_, in_, out_;  // inputs of programs; derivatives of inputs and of outputs
  Eigen::VectorXd right_, gap_;
};

}  // namespace hamiltree::sensitivity
