// Chains of revolute joints in the plane, read a few links at a time and integrated on ranks.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/distributed/integrate.hpp"
#include "hamiltree/distributed/part.hpp"
#include "support/pins.hpp"
#include "support/ranks_in_threads.hpp"

namespace hamiltree::test {

// Links of a mechanism as a reader of files gives them.
inline distributed::ReadLinks links_of(const Mechanism& whole) {
  return [&whole](std::size_t first, std::size_t last) {
    Mechanism part;
    part.name = whole.name;
    part.space = whole.space;
    part.gravity = whole.gravity;
    for (std::size_t k = first; k < last; ++k) {
      part.add(whole.bodies[k]);
      part.add(whole.joints[k]);
    }
    part.joints.front().parent = kGround;
    return part;
  };
}

inline Mechanism chain(int links) {
  return Pins(static_cast<unsigned>(links)).tree(links, Axes::kInPlane, 1);
}

struct IntegratedChain {
  std::vector<distributed::ChainSample> samples;
  distributed::IntegrationSummary summary;
};

inline IntegratedChain integrated_on(int ranks, const distributed::ReadLinks& links,
                                     const distributed::PartOptions& options,
                                     const distributed::IntegrationOptions& integration) {
  IntegratedChain chain;
  on_ranks(ranks, [&](const Ranks& rank) {
    const auto part = distributed::make_part(options, links, rank);
    const auto own = distributed::integrate(
        *part, rank, integration,
        [&](const distributed::ChainSample& sample) { chain.samples.push_back(sample); },
        [](double) { return false; });
    if (rank.rank == 0) chain.summary = own;
  });
  return chain;
}

// Why one of so many ranks refuses a chain in segments of that many links, 0 of none.
inline std::string refusal(const Mechanism& mechanism, int segments, int ranks = 1) {
  Ranks rank;
  rank.count = ranks;
  try {
    distributed::make_part({mechanism.bodies.size(), 1, segments}, links_of(mechanism), rank);
  } catch (const UsageError& error) {
    return error.what();
  } catch (const ModelError& error) {
    return error.what();
  }
  return "taken";
}

// The largest one, by the size of b.
inline double difference(const std::vector<double>& a, std::span<const double> b) {
  EXPECT_EQ(a.size(), b.size());
  double difference = 0.0, size = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference = std::max(difference, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return difference / size;
}

}  // namespace hamiltree::test
