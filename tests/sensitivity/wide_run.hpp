// WideRun: a run of fixed steps with projection and reset after each, in quadruple precision by the
// general kernel, from a start, parameters and efforts that are moved by a small step. Its central
// differences are exact to double precision, and nothing of it is shared with derivatives.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "hamiltree/sensitivity/run_options.hpp"
#include "support/wide_mechanism.hpp"

namespace hamiltree::test {

template <class Space>
class WideRun {
  using Wide = WideMechanism<Space>;
  using On = typename Wide::On;
  using Quads = typename Wide::Quads;
  using Vector = Eigen::VectorXd;

 public:
  enum class Method { kRungeKutta4, kSemiImplicit, kCollocation };

  // `direction`: of everything, parameters in the order of parameters(model).
  WideRun(const Model& model, const System<Space>& system, Method method,
          const std::vector<double>& times, const Vector& q, const Vector& v, const Vector& efforts,
          int stages = 0);

  // d/ds of (q, v, p) at the end.
  Vector derivative(const sensitivity::RunChange& direction, const Vector& efforts);

 private:
  struct Now {
    Wide mechanism;
    Quads q, p, efforts;
  };

  Quads end(const sensitivity::RunChange& direction, const Vector& efforts, double step);
  void take(const Quad& t, const Quad& h, Now& now) const;

  const Model& model_;
  System<On> system_;
  RowsAtAPose<Space> rows_;
  Method method_;
  int stages_;  // of collocation
  std::vector<double> times_;
  Vector q_, v_, efforts_;
};

// Compiled once, in wide_run.cpp.
extern template class WideRun<Planar<double>>;
extern template class WideRun<Spatial<double>>;

}  // namespace hamiltree::test
