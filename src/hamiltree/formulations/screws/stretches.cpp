#include "hamiltree/formulations/screws/stretches.hpp"

#include <algorithm>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/screws/side_by_side.hpp"

namespace hamiltree::screws {

std::vector<std::size_t> segment_lengths(std::size_t n, std::size_t stretch_bodies) {
  for (std::size_t count = std::max<std::size_t>(1, n / stretch_bodies); count > 0; --count) {
    std::vector<std::size_t> lengths(count, n / (count * kLanes));
    const std::size_t left = n % (count * kLanes), left_of_last = left % kLanes;
    for (std::size_t k = 0; k < left / kLanes; ++k) ++lengths[k];
    const std::size_t last = kLanes * lengths.back() + left_of_last;
    if (left_of_last > 0) ++lengths.back();
    if ((kLanes - 1) * lengths.back() < last) return lengths;
  }
  return {};
}

Stretch stretch_of(const Tree& tree, std::size_t first, std::size_t length) {
  using Lanes = std::array<int, kLanes>;
  Stretch stretch;
  const std::size_t n = tree.pins.size();
  for (std::size_t k = 0; k < length; ++k) {
    Lanes lanes;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t i = first + lane * length + k;
      lanes[lane] = i < n ? static_cast<int>(i) : kNobody;
    }
    append(tree, lanes, stretch);
  }
  PinsOfLanes next{};
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const std::size_t i = first + (lane + 1) * length;
    if (i < n) next[lane] = &tree.pins[i];
  }
  stretch.next = side_by_side(next);
  const auto general = [&](int way) {
    return tree.is_planar ? kAlongX : way == kAnyWay ? kAnyWay : kMixedWay;
  };
  for (auto& pin : stretch.pins) pin.way = general(pin.way);
  stretch.next.way = general(stretch.next.way);
  return stretch;
}

std::vector<std::array<std::size_t, 2>> joins_of(std::size_t stretches) {
  std::vector<std::array<std::size_t, 2>> joins;
  for (std::size_t width = 1; width < stretches; width *= 2) {
    for (std::size_t k = 0; k + width < stretches; k += 2 * width) joins.push_back({k, k + width});
  }
  return joins;
}

Chain chain_of(const Tree& tree, const std::vector<std::size_t>& lengths) {
  Chain chain;
  std::size_t first = 0;
  for (const std::size_t length : lengths) {
    chain.stretches.push_back(stretch_of(tree, first, length));
    first += kLanes * length;
  }
  chain.joins = joins_of(lengths.size());
  chain.root = tree.pins.front().R;
  return chain;
}

}  // namespace hamiltree::screws
