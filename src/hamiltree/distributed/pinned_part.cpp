#include "hamiltree/distributed/pinned_part.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/distributed/messages.hpp"
#include "hamiltree/distributed/refusals.hpp"
#include "hamiltree/formulations/dh_frames/chain_blocks.hpp"
#include "hamiltree/formulations/dh_frames/chain_ends.hpp"
#include "hamiltree/formulations/dh_frames/compile.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree::distributed {
namespace {

// Angles at the start; nothing may move.
void add_initial(const Mechanism& links, std::size_t from, std::size_t count,
                 std::vector<double>& q) {
  for (std::size_t k = from; k < from + count; ++k) {
    const auto& joint = links.joints[k];
    if (joint.initial_v && joint.initial_v->norm() > 0.0) {
      throw UsageError("joint \"" + joint.name +
                       "\" moves at the start, and a distributed chain starts at rest unless its "
                       "segments float (--segments)");
    }
    q.push_back(joint.initial_q ? (*joint.initial_q)(0) : 0.0);
  }
}

dh_frames::Tree tree_of_links(const Mechanism& links) {
  const Model model(links);
  auto tree = links.space == SpaceKind::kPlanar ? dh_frames::tree_of(model) : std::nullopt;
  if (!tree) refuse_links(links);
  return std::move(*tree);
}

std::vector<std::size_t> lengths_of(std::size_t links) {
  auto lengths = dh_frames::segment_lengths(links, dh_frames::kChainBlockBodies);
  if (lengths.empty())
    throw UsageError("a chain of " + std::to_string(links) + " links does not fill eight segments");
  return lengths;
}

// Chain blocks of eight segments with these lengths; the last one may have fewer.
std::vector<std::size_t> links_of(const std::vector<std::size_t>& lengths, std::size_t links) {
  std::vector<std::size_t> result;
  for (const std::size_t length : lengths) {
    result.push_back(std::min(links, length * static_cast<std::size_t>(kLanes)));
    links -= result.back();
  }
  return result;
}

}  // namespace

PinnedPart::PinnedPart(const PartOptions& options, const ReadLinks& read_links, const Ranks& ranks)
    : PinnedPart(lengths_of(options.links), options, read_links, ranks) {}

PinnedPart::PinnedPart(const std::vector<std::size_t>& lengths, const PartOptions& options,
                       const ReadLinks& read_links, const Ranks& ranks)
    : Part(links_of(lengths, options.links), ranks, options.threads),
      kernels_(dh_frames::kernels().planar_chain_blocks),
      lengths_(lengths) {
  read(read_links, options.links);
  add_mass_beyond();
  moving_.resize(at(threads()));
  for (auto& steps : moving_) steps.resize(std::ranges::max(lengths_));
}

// A link before the chain block says how its first pin is reached, two behind it how its last one's
// frame lies and how the next chain block is.
void PinnedPart::read(const ReadLinks& read_links, std::size_t links) {
  for (std::size_t k = 0; k < own_chain_blocks(); ++k) {
    const std::size_t begin = first_of(k), end = first_of(k + 1);
    const std::size_t before = begin == 0 ? 0 : 1;
    const auto mechanism = read_links(begin - before, std::min(links, end + 2));
    entry_of_.push_back(initial_q_.size());
    add_initial(mechanism, before, end - begin, initial_q_);
    const auto tree = tree_of_links(mechanism);
    if (begin == 0) {
      root_ = tree.revolutes.front().R;
      gravity_ = tree.gravity;
    }
    const std::size_t length = lengths_[number_of(k)];
    auto& chain_block = chain_blocks_.emplace_back(dh_frames::chain_block_of(tree, before, length));
    const int shift = static_cast<int>(begin - first()) - static_cast<int>(before);
    for (auto* places : {&chain_block.coordinate, &chain_block.velocity}) {
      for (auto& lanes : *places) {
        for (int& place : lanes) place = place == dh_frames::kNobody ? place : place + shift;
      }
    }
    work_.emplace_back().steps.resize(chain_block.revolutes.size());
  }
  entry_of_.push_back(initial_q_.size());
  initial_p_.assign(initial_q_.size(), 0.0);
}

// From the tip inwards, rank by rank: to the moments of a pin what is behind counts as a mass.
void PinnedPart::add_mass_beyond() {
  double beyond = 0.0;
  if (!is_last()) ranks_.receive(ranks_.rank + 1, {&beyond, 1});
  for (std::size_t k = chain_blocks_.size(); k-- > 0;) {
    auto& chain_block = chain_blocks_[k];
    std::array<double, kLanes> behind{};  // of each segment, all further out
    behind[kLanes - 1] = beyond;
    for (int lane = kLanes - 1; lane-- > 0;) {
      behind[at(lane)] = behind[at(lane) + 1];
      for (const auto& revolute : chain_block.revolutes)
        behind[at(lane)] += revolute.mass[lane + 1];
    }
    for (int lane = 0; lane < kLanes; ++lane)
      chain_block.next.a_mass.set(lane, chain_block.next.a[lane] * behind[at(lane)]);
    for (std::size_t i = chain_block.revolutes.size(); i-- > 0;) {
      auto& revolute = chain_block.revolutes[i];
      for (int lane = 0; lane < kLanes; ++lane) {
        behind[at(lane)] += revolute.mass[lane];
        revolute.a_mass.set(lane, revolute.a[lane] * behind[at(lane)]);
      }
    }
    beyond = behind.front();
  }
  if (!is_first()) ranks_.send(ranks_.rank - 1, {&beyond, 1});
}

bool PinnedPart::rate(const double* q, const double* p, double* q_dot, double* p_dot,
                      bool /*measures*/) {
  bool finite = true;
  sharing_.run([&](bool shared) { finite = solve({q, p, q_dot, q_dot, p_dot}, shared); });
  velocities_ = q_dot;
  return finite;
}

bool PinnedPart::solve(const dh_frames::Request<double>& asked, bool shared) {
  const std::size_t count = chain_blocks_.size();
  // The next rank's first pin, which is known before anything is computed.
  const auto own_first = kernels_.first_revolute(chain_blocks_.front(), asked);
  dh_frames::FirstRevolute next_rank;
  if (!is_first()) send(ranks_, ranks_.rank - 1, own_first);
  if (!is_last()) receive(ranks_, ranks_.rank + 1, next_rank);

  const auto in = [&](int, std::size_t k) {
    const auto beyond =
        k + 1 < count ? kernels_.first_revolute(chain_blocks_[k + 1], asked) : next_rank;
    kernels_.in(chain_blocks_[k], beyond, asked, work_[k]);
  };
  for_all(shared, in);
  hand_on(dh_frames::gravity_at(own_first, root_, gravity_));
  const auto out = [&](int thread, std::size_t k) {
    kernels_.out(chain_blocks_[k], asked, work_[k], moving_[at(thread)]);
  };
  for_all(shared, out);

  double before = 0.0;
  if (!is_last()) ranks_.send(ranks_.rank + 1, {&work_.back().last_turns, 1});
  if (!is_first()) ranks_.receive(ranks_.rank - 1, {&before, 1});
  bool finite = true;
  for (std::size_t k = 0; k < count; ++k) {
    finite = finite && work_[k].finite;
    dh_frames::turn_back_first(chain_blocks_[k], k > 0 ? work_[k - 1].last_turns : before, asked);
  }
  return finite;
}

void PinnedPart::show(const double* q, std::span<const std::size_t> links, double* angles,
                      double* rates) {
  for (const std::size_t i : links) {
    *angles++ = q[i - first()];
    *rates++ = velocities_[i - first()];
  }
}

}  // namespace hamiltree::distributed
