// StepMap: one step of a method, with what ends it, as a map from state to state that can be
// differentiated both ways. Efforts are held through the step and add to the rates of momenta.
//
// Runge-Kutta:  k_i = f(t + c_i h, y + h sum_j a_ij k_j)    y' = y + h sum_i b_i k_i
// backwards:    k_bar_i = h (b_i y_bar' + sum_j>i a_ji Y_bar_j)    Y_bar_i = f_y^T k_bar_i
//               y_bar = y_bar' + sum_i Y_bar_i
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "hamiltree/integrators/method.hpp"
#include "hamiltree/integrators/runge_kutta.hpp"
#include "hamiltree/sensitivity/closing.hpp"
#include "hamiltree/sensitivity/collocation_map.hpp"

namespace hamiltree::sensitivity {

// One evaluation of the rates.
struct Stage {
  double t = 0.0;
  Vector q, p, v, sigma, q_dot, p_dot;

  StepPoint point() const { return {t, q.data(), v.data(), sigma.data()}; }
};

struct TakenStep {
  double h = 0.0;
  std::vector<Stage> stages;
  CollocationStep collocation;  // of implicit methods, in place of stages
  Projection projection;
  Reset end;
};

// Without what pull() does not read.
TakenStep for_pull(const TakenStep& step);
std::size_t bytes_of(const TakenStep& step);  // of an explicit method

class StepMap {
 public:
  // Throws UsageError for methods that it does not know.
  StepMap(const Model& model, const Formulation& formulation, const Method& method,
          Workspace& workspace, StepDerivatives& derivatives, const std::vector<int>& parameters);

  // Whose use moves the workspace.
  Closing& closing() {
    stands_at_end_ = false;
    return closing_;
  }

  void take(double t, double h, const Vector& q, const Vector& p, const Vector& efforts,
            TakenStep& step);
  // Chooses rows as take() does where a step begins, for the pull of one that was taken before.
  void choose_rows(double t, const Vector& q);
  // `change` from the end of the step to its beginning, parameters added to; of the efforts added.
  // With loops, what the rates at the beginning are worth is left to the reset before.
  void pull(const TakenStep& step, StateChange& change, Vector& efforts);
  // From the beginning to the end.
  void push(const TakenStep& step, StateChange& change, const Vector& efforts);

 private:
  Factors factors() const { return {formulation_, workspace_}; }
  void evaluate(double t, const Vector& q, const Vector& p, const Vector& efforts, Stage& stage);
  void take_runge_kutta(double t, const Vector& q, const Vector& p, const Vector& efforts,
                        TakenStep& step, Vector& q_end, Vector& p_end);
  void take_semi_implicit(double t, const Vector& q, const Vector& p, const Vector& efforts,
                          TakenStep& step, Vector& q_end, Vector& p_end);
  void pull_runge_kutta(const TakenStep& step, StateChange& change, Vector& efforts);
  void pull_semi_implicit(const TakenStep& step, StateChange& change, Vector& efforts);
  void push_runge_kutta(const TakenStep& step, StateChange& change, const Vector& efforts);
  void push_semi_implicit(const TakenStep& step, StateChange& change, const Vector& efforts);
  void pull_rates(const Stage& stage, const RateChange& rates, StateChange& to);

  const Formulation& formulation_;
  Workspace& workspace_;
  StepDerivatives& derivatives_;
  Closing closing_;
  const Tableau* tableau_;                       // of explicit Runge-Kutta methods
  std::unique_ptr<CollocationMap> collocation_;  // of implicit ones; neither: semi-implicit Euler
  Vector at_rest_, q_end_, p_end_;
  // Whether the workspace is where the last step taken led.
  bool stands_at_end_ = false;
  double t_at_end_ = 0.0;
  Vector q_at_end_;
  std::vector<StateChange> stages_;  // cotangents of their places
  RateChange rates_;
};

}  // namespace hamiltree::sensitivity
