#include "hamiltree/distributed/part.hpp"

#include <algorithm>
#include <array>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/distributed/floating_part.hpp"
#include "hamiltree/distributed/messages.hpp"
#include "hamiltree/distributed/pinned_part.hpp"
#include "hamiltree/formulations/dh_frames/chain_blocks.hpp"
#include "hamiltree/formulations/dh_frames/chain_ends.hpp"

namespace hamiltree::distributed {

Part::Part(const std::vector<std::size_t>& links_of_chain_blocks, const Ranks& ranks, int threads)
    : ranks_(ranks),
      pool_(threads),
      kernels_(dh_frames::kernels().planar_chain_blocks),
      first_of_{0} {
  for (const std::size_t links : links_of_chain_blocks)
    first_of_.push_back(first_of_.back() + links);
  if (chain_blocks() < at(ranks.count)) {
    throw UsageError("a chain of " + std::to_string(first_of_.back()) + " links is too short for " +
                     std::to_string(ranks.count) + " ranks: it is computed in chain blocks of " +
                     std::to_string(dh_frames::kChainBlockBodies) + " and more");
  }
  begin_ = begin_of(ranks.rank);
  end_ = begin_of(ranks.rank + 1);
  sums_.resize(own_chain_blocks());
  const auto is_own = [&](std::size_t k) { return begin_ <= k && k < end_; };
  for (const auto& [A, B] : dh_frames::joins_of(chain_blocks())) {
    if (is_own(A) || is_own(B)) joins_.push_back({A, B, rank_of(A), rank_of(B), {}, {}});
  }
}

std::size_t Part::begin_of(int rank) const { return at(rank) * chain_blocks() / at(ranks_.count); }

int Part::rank_of(std::size_t chain_block) const {
  return static_cast<int>(((chain_block + 1) * at(ranks_.count) - 1) / chain_blocks());
}

void Part::hand_on(const dh_frames::Vector3& gravity) {
  for (auto& join : joins_) {
    if (join.rank_A != ranks_.rank) {
      send(ranks_, join.rank_A, ends_of(join.B).outside);
    } else if (join.rank_B != ranks_.rank) {
      receive(ranks_, join.rank_B, join.from_elsewhere);
      kernels_.join(ends_of(join.A).outside, join.from_elsewhere, join.joined);
    } else {
      kernels_.join(ends_of(join.A).outside, ends_of(join.B).outside, join.joined);
    }
  }
  if (is_first()) {
    const auto all = ends_of(0);
    potential_ = dh_frames::potential(all.outside.moments, gravity);
    kernels_.close(all.outside, gravity, all.inside);
  }
  for (auto join = joins_.rbegin(); join != joins_.rend(); ++join) {
    if (join->rank_A != ranks_.rank) {
      receive(ranks_, join->rank_A, ends_of(join->B).inside);
    } else if (join->rank_B != ranks_.rank) {
      Inside of_B;
      kernels_.part(join->joined, ends_of(join->A).inside, of_B);
      send(ranks_, join->rank_B, of_B);
    } else {
      kernels_.part(join->joined, ends_of(join->A).inside, ends_of(join->B).inside);
    }
  }
}

// The sums of chain blocks are added as the chain blocks are joined: in the same order on any
// ranks.
Part::Energies Part::energies(const double* p) {
  const double* v = velocities();
  std::ranges::fill(sums_, 0.0);
  for (std::size_t k = 0; k < own_chain_blocks(); ++k) {
    for (std::size_t i = entry_of_[k]; i < entry_of_[k + 1]; ++i) sums_[k] += p[i] * v[i];
  }
  for (const auto& join : joins_) {
    if (join.rank_A != ranks_.rank) {
      ranks_.send(join.rank_A, {&sums_[join.B - begin_], 1});
      continue;
    }
    double from_elsewhere = 0.0;
    const bool is_elsewhere = join.rank_B != ranks_.rank;
    if (is_elsewhere) ranks_.receive(join.rank_B, {&from_elsewhere, 1});
    sums_[join.A - begin_] += is_elsewhere ? from_elsewhere : sums_[join.B - begin_];
  }
  std::array<double, 2> told{0.5 * sums_.front(), potential_};
  broadcast(ranks_, told);
  return {told[0], told[1]};
}

std::unique_ptr<Part> make_part(const PartOptions& options, const ReadLinks& read_links,
                                const Ranks& ranks) {
  if (options.segments > 0) return std::make_unique<FloatingPart>(options, read_links, ranks);
  return std::make_unique<PinnedPart>(options, read_links, ranks);
}

}  // namespace hamiltree::distributed
