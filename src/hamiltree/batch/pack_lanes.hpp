// Single lanes of many packs: the numbers of one state out of eight.
#pragma once

#include <bitset>
#include <cstddef>
#include <span>

#include "hamiltree/base/index.hpp"
#include "hamiltree/math/pack.hpp"
#include "hamiltree/simulation/probe.hpp"

namespace hamiltree {

inline void load_lane(std::span<const Pack> packs, int lane, double* numbers) {
  for (std::size_t i = 0; i < packs.size(); ++i) numbers[i] = packs[i][lane];
}

inline void store_lane(const double* numbers, int lane, std::span<Pack> packs) {
  for (std::size_t i = 0; i < packs.size(); ++i) packs[i].set(lane, numbers[i]);
}

using Lanes = std::bitset<kLanes>;

// Lanes in which any number is not finite.
inline Lanes not_finite(std::span<const Pack> packs) {
  Pack sum(0.0);  // is not a number where any term is not
  for (const auto& x : packs) sum += x * Pack(0.0);
  Lanes lanes;
  for (int lane = 0; lane < kLanes; ++lane) lanes[at(lane)] = !(sum[lane] == 0.0);
  return lanes;
}

// Makes quaternions among the coordinates unit ones; `numbers` are storage for one lane.
inline void normalise(const Probe& probe, std::span<Pack> q, double* numbers) {
  for (int lane = 0; lane < kLanes; ++lane) {
    load_lane(q, lane, numbers);
    probe.normalise(numbers);
    store_lane(numbers, lane, q);
  }
}

}  // namespace hamiltree
