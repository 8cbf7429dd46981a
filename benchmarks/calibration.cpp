#include "benchmarks/calibration.hpp"

#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "benchmarks/models.hpp"
#include "benchmarks/states.hpp"
#include "hamiltree/base/timing.hpp"
#include "hamiltree/formulations/dh_frames/compile.hpp"
#include "hamiltree/formulations/dh_frames/evaluate.hpp"

namespace hamiltree::benchmarks {
namespace {

struct Measured {
  double ns = 0.0;  // of a rate
  dh_frames::Tree tree;
};

// The tree is laid into lanes by the given costs.
Measured measure_rate(const Mechanism& mechanism, const dh_frames::Costs& costs) {
  const Model model(mechanism);
  const auto state = draw_states(model, 1).front();
  const auto p = momenta_of(model, state);
  Measured result{0.0, dh_frames::into_lanes(*dh_frames::tree_of(model), costs)};
  dh_frames::TreeWork work(result.tree);
  std::vector<double> v(p.size()), q_dot(state.q.size()), p_dot(p.size());
  const dh_frames::Request<double> request{state.q.data(), p.data(), v.data(), q_dot.data(),
                                           p_dot.data()};
  const auto call = [&](std::size_t) {
    dh_frames::evaluate(dh_frames::kernels(), result.tree, request, work);
  };
  result.ns = 1e9 * measure({call}, {}).front().median;
  return result;
}

}  // namespace

dh_frames::Costs measured_costs(SpaceKind space) {
  const Pinned pinned(usable_cores().front());
  const bool is_planar = space == SpaceKind::kPlanar;
  const auto& usual = is_planar ? dh_frames::kPlanarCosts : dh_frames::kSpatialCosts;
  const auto chain_of = [&](int n) { return is_planar ? planar_chain(n) : chain(n); };
  const auto tree_of = [&](int n) { return is_planar ? planar_tree(n) : binary_tree(n); };
  dh_frames::Costs costs;
  constexpr double kNever = std::numeric_limits<double>::infinity();
  constexpr int kChain = 32;
  costs.revolute =
      measure_rate(chain_of(kChain), {.lane_step = kNever, .segment_step = kNever}).ns / kChain;

  const auto line = [](double x1, double y1, double x2, double y2) {
    const double slope = (y2 - y1) / (x2 - x1);
    return std::pair{slope, y1 - slope * x1};
  };
  const auto small = measure_rate(tree_of(31), usual), large = measure_rate(tree_of(127), usual);
  const auto in_lane_groups = [&](const Measured& one) {
    return one.ns - costs.revolute * static_cast<double>(one.tree.revolutes.size());
  };
  const auto steps = [](const Measured& one) {
    return static_cast<double>(one.tree.lane_groups.front().revolutes.size());
  };
  std::tie(costs.lane_step, costs.hand_over) =
      line(steps(small), in_lane_groups(small), steps(large), in_lane_groups(large));

  const auto shorter = measure_rate(chain_of(64), usual);
  const auto longer = measure_rate(chain_of(256), usual);
  const auto length = [](const Measured& one) {
    return static_cast<double>(one.tree.chain->chain_blocks.front().revolutes.size());
  };
  std::tie(costs.segment_step, costs.joins) =
      line(length(shorter), shorter.ns, length(longer), longer.ns);
  return costs;
}

}  // namespace hamiltree::benchmarks
