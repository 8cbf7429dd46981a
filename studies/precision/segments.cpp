#include "studies/precision/segments.hpp"

#include "hamiltree/formulations/formulation.hpp"
#include "studies/precision/reference.hpp"

namespace hamiltree::studies::precision {
namespace {

QuadVector velocities(std::string_view name, const Model& model, const Eigen::VectorXd& q,
                      const Eigen::VectorXd& p) {
  const auto formulation = make_formulation(name, model);
  const auto workspace = formulation->make_workspace();
  const StateView state{0.0, q.data(), p.data()};
  formulation->analyse(state, *workspace);
  formulation->velocities(state, nullptr, *workspace);
  return widened(Eigen::Map<const Eigen::VectorXd>(workspace->v.data(), p.size()));
}

}  // namespace

SegmentErrors evaluate_segments(const ChainOptions& options, Shape shape, std::uint64_t seed) {
  const Model model(chain(options));
  const auto reference = make_reference(model, options);
  const auto pins = random_pins(shape, options.bodies, seed);
  const auto exact = reference->state(pins);
  const Eigen::VectorXd q = rounded(exact.q);
  const Eigen::VectorXd p = rounded(reference->momenta(exact.q, exact.v));
  reference->prepare(q);

  const QuadVector rates = widened(pins.rates);
  const QuadVector wide_q = widened(q);
  const QuadVector same_state =
      reference->pin_rates(wide_q, reference->rates(wide_q, widened(p)).v);
  SegmentErrors errors{options.bodies, options.segment, relative_error(same_state, rates), {}};
  for (std::size_t i = 0; i < kMomentumForms.size(); ++i) {
    const auto found = reference->pin_rates(wide_q, velocities(kMomentumForms[i], model, q, p));
    errors.form[i] = {relative_error(found, same_state), relative_error(found, rates)};
  }
  return errors;
}

}  // namespace hamiltree::studies::precision
