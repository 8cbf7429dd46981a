#include "studies/precision/segments.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "hamiltree/formulations/formulation.hpp"
#include "studies/precision/reference.hpp"

namespace hamiltree::studies::round_off {
namespace {

constexpr double kTimedFor = 5e-3;  // s
constexpr int kTimedAtLeast = 3;    // evaluations

double shortest_microseconds(const Formulation& formulation, const StateView& state,
                             Workspace& workspace) {
  using Clock = std::chrono::steady_clock;
  double shortest = std::numeric_limits<double>::infinity();
  double total = 0.0;
  for (int i = 0; i < kTimedAtLeast || total < kTimedFor; ++i) {
    const auto start = Clock::now();
    formulation.rate(state, workspace);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    shortest = std::min(shortest, seconds);
    total += seconds;
  }
  return 1e6 * shortest;
}

}  // namespace

SegmentErrors evaluate_segments(const ChainOptions& options, Shape shape, std::uint64_t seed) {
  const Model model(chain(options));
  const auto reference = make_reference(model, options);
  const auto pins = random_pins(shape, options.bodies, seed);
  const auto exact = reference->state(pins);
  const Eigen::VectorXd q = rounded(exact.q);
  const Eigen::VectorXd p = rounded(reference->momenta(exact.q, exact.v));
  const QuadVector wide_q = widened(q);
  const QuadVector rates = widened(pins.rates);
  reference->prepare(q);
  const QuadVector same_state =
      reference->pin_rates(wide_q, reference->rates(wide_q, widened(p)).v);

  SegmentErrors errors{options.bodies, options.segment, relative_error(same_state, rates), {}};
  const StateView state{0.0, q.data(), p.data()};
  for (std::size_t i = 0; i < kSegmentForms.size(); ++i) {
    const auto formulation = make_formulation(kSegmentForms[i], model);
    const auto workspace = formulation->make_workspace();
    formulation->analyse(state, *workspace);
    const double time = shortest_microseconds(*formulation, state, *workspace);
    const Eigen::Map<const Eigen::VectorXd> v(workspace->v.data(), p.size());
    const auto found = reference->pin_rates(wide_q, widened(v));
    errors.form[i] = {relative_error(found, same_state), relative_error(found, rates), time};
  }
  return errors;
}

}  // namespace hamiltree::studies::round_off
