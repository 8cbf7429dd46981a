#include "studies/precision/evaluation.hpp"

#include <limits>
#include <random>

#include "hamiltree/formulations/digits.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "studies/precision/reference.hpp"
#include "studies/precision/refined.hpp"
#include "studies/precision/spectrum.hpp"

namespace hamiltree::studies::round_off {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// Between -1 and 1.
Eigen::VectorXd random_vector(Eigen::Index size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Eigen::VectorXd x(size);
  for (auto& value : x) value = uniform(random);
  return x;
}

// Numbers with more digits than a double has: rounding them gives x.
QuadVector with_tail(const Eigen::VectorXd& x, std::uint64_t seed) {
  const Eigen::VectorXd tail = 0.5 * kEpsilon * x.cwiseProduct(random_vector(x.size(), seed));
  return widened(x) + widened(tail);
}

Eigen::VectorXd vector(std::span<const double> values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

struct State {
  Eigen::VectorXd q, p, v;
};

FormErrors of_momentum_form(std::string_view name, const Model& model, const State& state,
                            const MomentumRates& exact) {
  if (name == kRefined) {
    const auto found = refined_rates(model, state.q, state.p);
    return {relative_error(found.v, exact.v), relative_error(found.p_dot, exact.p_dot)};
  }
  const auto formulation = make_formulation(name, model);
  const auto workspace = formulation->make_workspace();
  formulation->rate({0.0, state.q.data(), state.p.data()}, *workspace);
  return {relative_error(vector(workspace->v), exact.v),
          relative_error(vector(workspace->u_dot), exact.p_dot)};
}

FormErrors of_velocity_form(std::string_view name, const Model& model, const State& state,
                            const QuadVector& exact) {
  const auto formulation = make_formulation(name, model);
  const auto workspace = formulation->make_workspace();
  formulation->rate({0.0, state.q.data(), state.v.data()}, *workspace);
  return {relative_error(vector(workspace->u_dot), exact), 0.0};
}

}  // namespace

EvaluationErrors evaluate(SpaceKind space, Shape shape, Momenta momenta, int bodies,
                          std::uint64_t seed) {
  const ChainOptions options{space, bodies, 0};
  const Model model(chain(options));
  const auto reference = make_reference(model, options);
  const auto pins = random_pins(shape, bodies, seed);
  const QuadVector q = widened(pins.angles);
  EvaluationErrors errors;
  errors.bodies = bodies;

  State state{pins.angles, random_vector(bodies, seed + 1), pins.rates};
  if (momenta == Momenta::kMotion) {
    const QuadVector exact = reference->momenta(q, widened(pins.rates));
    state.p = rounded(exact);
    errors.reference = relative_error(reference->rates(q, exact).v, widened(pins.rates));
  }
  const MomentumRates exact = reference->rates(q, widened(state.p));
  if (momenta == Momenta::kMotion) {
    errors.rounded_p = relative_error(exact.v, widened(pins.rates));
  } else {
    state.v = rounded(exact.v);
  }
  for (std::size_t i = 0; i < kMomentumForms.size(); ++i) {
    errors.momentum_form[i] = of_momentum_form(kMomentumForms[i], model, state, exact);
  }
  const QuadVector v_dot = reference->accelerations(q, widened(state.v));
  for (std::size_t i = 0; i < kVelocityForms.size(); ++i) {
    errors.velocity_form[i] = of_velocity_form(kVelocityForms[i], model, state, v_dot);
  }
  errors.rounded_qv = relative_error(
      v_dot, reference->accelerations(with_tail(state.q, seed + 2), with_tail(state.v, seed + 3)));
  errors.digits = estimated_digits(model, state.q);
  const auto norms = spectrum(model, state.q);
  errors.condition = norms.condition();
  errors.unavoidable =
      std::numeric_limits<double>::epsilon() * norms.mobility * state.p.norm() / state.v.norm();
  return errors;
}

}  // namespace hamiltree::studies::round_off
