// A chain of revolutes cut into chain_blocks.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "hamiltree/formulations/dh_frames/tree.hpp"

namespace hamiltree::dh_frames {

// Bodies in a chain block of a chain, at least: what it keeps on its way in is still near on its
// way out, and it is worth a thread of its own.
inline constexpr std::size_t kChainBlockBodies = 2048;

// The lengths of the segments of every chain block, for n bodies: all lanes are full but the
// chain's last one. Empty where that one would have no body.
std::vector<std::size_t> segment_lengths(std::size_t n, std::size_t chain_block_bodies);

// Neighbours joined two by two, and again, the second of a pair into the first.
std::vector<std::array<std::size_t, 2>> joins_of(std::size_t chain_blocks);

// Eight segments of that length from the revolute `first` of a chain on. The tree goes at least one
// revolute further, or ends there.
ChainBlock chain_block_of(const Tree& tree, std::size_t first, std::size_t length);

Chain chain_of(const Tree& tree, const std::vector<std::size_t>& lengths);

}  // namespace hamiltree::dh_frames
