#include "hamiltree/ensemble/planar_loops.hpp"

#include <algorithm>

#include "hamiltree/base/index.hpp"
#include "hamiltree/base/instruction_set.hpp"
#include "hamiltree/ensemble/loop_kernel_sets.hpp"

namespace hamiltree {

const loops::Kernels& loops::kernels() {
  return *kKernelSets[static_cast<std::size_t>(instruction_set())];
}

static_assert(loops::kGround == kNone);

PlanarLoops::PlanarLoops(std::span<const PinMechanism> mechanisms, const loops::Kernels& kernels)
    : kernels_(kernels) {
  const auto& first = mechanisms.front();
  const auto in_lanes = [&](const auto& number) {
    Pack all(0.0);
    for (int lane = 0; lane < kLanes; ++lane)
      all.set(lane, number(mechanisms[std::min(at(lane), mechanisms.size() - 1)]));
    return all;
  };
  for (std::size_t b = 0; b < first.pins.size(); ++b) {
    const auto of = [&](double PlanarPin::*entry) {
      return in_lanes([&](const PinMechanism& m) { return m.pins[b].*entry; });
    };
    loops_.pins.push_back({first.pins[b].inboard,
                           {of(&PlanarPin::x), of(&PlanarPin::y)},
                           {of(&PlanarPin::cosine), of(&PlanarPin::sine)}});
  }
  for (std::size_t c = 0; c < first.closings.size(); ++c) {
    const auto of = [&](auto side, std::size_t i) {
      return in_lanes([&](const PinMechanism& m) { return (m.closings[c].*side)[i]; });
    };
    loops::State::Closing closing{{first.closings[c].parent, first.closings[c].child}, {}, {}};
    closing.at[0] = {of(&ClosingPin::at_parent, 0), of(&ClosingPin::at_parent, 1)};
    closing.at[1] = {of(&ClosingPin::at_child, 0), of(&ClosingPin::at_child, 1)};
    loops_.closings.push_back(closing);
  }
  loops_.axes.resize(loops_.pins.size());
  loops_.r.resize(loops_.pins.size());
  loops_.r_dot.resize(loops_.pins.size());
  loops_.omega.resize(loops_.pins.size());
  const auto rows = 2 * loops_.closings.size();
  loops_.phi.resize(rows);
  loops_.A.resize(rows * loops_.pins.size());
  loops_.S.resize(rows * rows);
  loops_.inverse.resize(rows);
}

}  // namespace hamiltree
