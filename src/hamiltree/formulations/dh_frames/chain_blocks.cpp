#include "hamiltree/formulations/dh_frames/chain_blocks.hpp"

#include <algorithm>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/dh_frames/side_by_side.hpp"

namespace hamiltree::dh_frames {

std::vector<std::size_t> segment_lengths(std::size_t n, std::size_t chain_block_bodies) {
  for (std::size_t count = std::max<std::size_t>(1, n / chain_block_bodies); count > 0; --count) {
    std::vector<std::size_t> lengths(count, n / (count * kLanes));
    const std::size_t left = n % (count * kLanes), left_of_last = left % kLanes;
    for (std::size_t k = 0; k < left / kLanes; ++k) ++lengths[k];
    const std::size_t last = kLanes * lengths.back() + left_of_last;
    if (left_of_last > 0) ++lengths.back();
    if ((kLanes - 1) * lengths.back() < last) return lengths;
  }
  return {};
}

ChainBlock chain_block_of(const Tree& tree, std::size_t first, std::size_t length) {
  using Lanes = std::array<int, kLanes>;
  ChainBlock chain_block;
  const std::size_t n = tree.revolutes.size();
  for (std::size_t k = 0; k < length; ++k) {
    Lanes lanes;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t i = first + lane * length + k;
      lanes[lane] = i < n ? static_cast<int>(i) : kNobody;
    }
    append(tree, lanes, chain_block);
  }
  RevolutesOfLanes next{};
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const std::size_t i = first + (lane + 1) * length;
    if (i < n) next[lane] = &tree.revolutes[i];
  }
  chain_block.next = side_by_side(next);
  const auto general = [&](int link_case) {
    return tree.is_planar ? kAlongX : link_case == kAnyCase ? kAnyCase : kMixedCase;
  };
  for (auto& revolute : chain_block.revolutes) revolute.link_case = general(revolute.link_case);
  chain_block.next.link_case = general(chain_block.next.link_case);
  return chain_block;
}

std::vector<std::array<std::size_t, 2>> joins_of(std::size_t chain_blocks) {
  std::vector<std::array<std::size_t, 2>> joins;
  for (std::size_t width = 1; width < chain_blocks; width *= 2) {
    for (std::size_t k = 0; k + width < chain_blocks; k += 2 * width)
      joins.push_back({k, k + width});
  }
  return joins;
}

Chain chain_of(const Tree& tree, const std::vector<std::size_t>& lengths) {
  Chain chain;
  std::size_t first = 0;
  for (const std::size_t length : lengths) {
    chain.chain_blocks.push_back(chain_block_of(tree, first, length));
    first += kLanes * length;
  }
  chain.joins = joins_of(lengths.size());
  chain.root = tree.revolutes.front().R;
  return chain;
}

}  // namespace hamiltree::dh_frames
