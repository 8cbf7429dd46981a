#include "hamiltree/giant/part.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/screws/chain_ends.hpp"
#include "hamiltree/formulations/screws/compile.hpp"
#include "hamiltree/formulations/screws/stretches.hpp"
#include "hamiltree/giant/messages.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree::giant {
namespace {

// Angles at the start; nothing may move.
void add_initial(const Mechanism& links, std::size_t from, std::size_t count,
                 std::vector<double>& q) {
  for (std::size_t k = from; k < from + count; ++k) {
    const auto& joint = links.joints[k];
    if (joint.initial_v && joint.initial_v->norm() > 0.0) {
      throw UsageError("joint \"" + joint.name +
                       "\" moves at the start, and a giant chain starts at rest");
    }
    q.push_back(joint.initial_q ? (*joint.initial_q)(0) : 0.0);
  }
}

screws::Tree tree_of_links(const Mechanism& links) {
  const Model model(links);
  auto tree = links.space == SpaceKind::kPlanar ? screws::tree_of(model) : std::nullopt;
  if (!tree) {
    throw UsageError("joint \"" + links.joints.front().name +
                     "\" or one of those behind it is not of a giant chain: these are pins in the "
                     "plane, without drives and armature");
  }
  return std::move(*tree);
}

}  // namespace

Part::Part(std::size_t links, const ReadLinks& read_links, const Ranks& ranks, int threads)
    : ranks_(ranks), pool_(threads), kernels_(screws::kernels().planar_stretches) {
  lengths_ = screws::segment_lengths(links, screws::kStretchBodies);
  if (lengths_.empty())
    throw UsageError("a chain of " + std::to_string(links) + " links does not fill eight segments");
  if (lengths_.size() < at(ranks.count)) {
    throw UsageError("a chain of " + std::to_string(links) + " links is too short for " +
                     std::to_string(ranks.count) + " ranks: it is computed in stretches of " +
                     std::to_string(screws::kStretchBodies) + " and more");
  }
  first_of_.push_back(0);
  for (const std::size_t length : lengths_) {
    first_of_.push_back(
        std::min(links, first_of_.back() + length * static_cast<std::size_t>(kLanes)));
  }
  begin_ = begin_of(ranks.rank);
  end_ = begin_of(ranks.rank + 1);
  read(read_links);
  add_mass_beyond();
  sums_.resize(stretches_.size());
  moving_.resize(at(pool_.threads()));
  for (auto& steps : moving_) steps.resize(std::ranges::max(lengths_));
  const auto is_own = [&](std::size_t k) { return begin_ <= k && k < end_; };
  for (const auto& [A, B] : screws::joins_of(lengths_.size())) {
    if (is_own(A) || is_own(B)) joins_.push_back({A, B, rank_of(A), rank_of(B), {}, {}});
  }
}

std::size_t Part::begin_of(int rank) const { return at(rank) * lengths_.size() / at(ranks_.count); }

int Part::rank_of(std::size_t stretch) const {
  return static_cast<int>(((stretch + 1) * at(ranks_.count) - 1) / lengths_.size());
}

// A link before the stretch says how its first pin is reached, two behind it how its last one's
// frame lies and how the next stretch is.
void Part::read(const ReadLinks& read_links) {
  const std::size_t links = first_of_.back();
  for (std::size_t k = begin_; k < end_; ++k) {
    const std::size_t before = k == 0 ? 0 : 1, from = first_of_[k] - before;
    const auto mechanism = read_links(from, std::min(links, first_of_[k + 1] + 2));
    add_initial(mechanism, before, first_of_[k + 1] - first_of_[k], initial_q_);
    const auto tree = tree_of_links(mechanism);
    if (k == 0) {
      root_ = tree.pins.front().R;
      gravity_ = tree.gravity;
    }
    auto& stretch = stretches_.emplace_back(screws::stretch_of(tree, before, lengths_[k]));
    const int shift = static_cast<int>(first_of_[k] - first()) - static_cast<int>(before);
    for (auto* places : {&stretch.coordinate, &stretch.velocity}) {
      for (auto& lanes : *places) {
        for (int& place : lanes) place = place == screws::kNobody ? place : place + shift;
      }
    }
    work_.emplace_back().steps.resize(stretch.pins.size());
  }
}

// From the tip inwards, rank by rank: to the moments of a pin what is behind counts as a mass.
void Part::add_mass_beyond() {
  double beyond = 0.0;
  if (ranks_.rank + 1 < ranks_.count) ranks_.receive(ranks_.rank + 1, {&beyond, 1});
  for (std::size_t k = stretches_.size(); k-- > 0;) {
    auto& stretch = stretches_[k];
    std::array<double, kLanes> behind{};  // of each segment, all further out
    behind[kLanes - 1] = beyond;
    for (int lane = kLanes - 1; lane-- > 0;) {
      behind[at(lane)] = behind[at(lane) + 1];
      for (const auto& pin : stretch.pins) behind[at(lane)] += pin.mass[lane + 1];
    }
    for (int lane = 0; lane < kLanes; ++lane)
      stretch.next.a_mass.set(lane, stretch.next.a[lane] * behind[at(lane)]);
    for (std::size_t i = stretch.pins.size(); i-- > 0;) {
      auto& pin = stretch.pins[i];
      for (int lane = 0; lane < kLanes; ++lane) {
        behind[at(lane)] += pin.mass[lane];
        pin.a_mass.set(lane, pin.a[lane] * behind[at(lane)]);
      }
    }
    beyond = behind.front();
  }
  if (ranks_.rank > 0) ranks_.send(ranks_.rank - 1, {&beyond, 1});
}

bool Part::rate(const double* q, const double* p, double* q_dot, double* p_dot) {
  bool finite = true;
  sharing_.run([&](bool shared) { finite = rate(q, p, q_dot, p_dot, shared); });
  return finite;
}

bool Part::rate(const double* q, const double* p, double* q_dot, double* p_dot, bool shared) {
  const screws::Request<double> asked{q, p, q_dot, q_dot, p_dot};
  const std::size_t count = stretches_.size();
  const bool is_first = ranks_.rank == 0, is_last = ranks_.rank + 1 == ranks_.count;
  // The next rank's first pin, which is known before anything is computed.
  const auto own_first = kernels_.first_pin(stretches_.front(), asked);
  screws::FirstPin next_rank;
  if (!is_first) send(ranks_, ranks_.rank - 1, own_first);
  if (!is_last) receive(ranks_, ranks_.rank + 1, next_rank);

  const auto in = [&](int, std::size_t k) {
    const auto beyond = k + 1 < count ? kernels_.first_pin(stretches_[k + 1], asked) : next_rank;
    kernels_.in(stretches_[k], beyond, asked, work_[k]);
  };
  const auto for_all = [&](const auto& f) {
    if (shared) return pool_.run(count, std::ref(f));
    for (std::size_t k = 0; k < count; ++k) f(0, k);
  };
  for_all(in);

  for (auto& join : joins_) {
    if (join.rank_A != ranks_.rank) {
      send(ranks_, join.rank_A, work(join.B).outside);
    } else if (join.rank_B != ranks_.rank) {
      receive(ranks_, join.rank_B, join.from_elsewhere);
      kernels_.join(work(join.A).outside, join.from_elsewhere, join.joined);
    } else {
      kernels_.join(work(join.A).outside, work(join.B).outside, join.joined);
    }
  }
  if (is_first) {
    const auto g = screws::gravity_at(own_first, root_, gravity_);
    potential_ = screws::potential(work(0).outside.moments, g);
    kernels_.close(work(0).outside, g, work(0).inside);
  }
  for (auto join = joins_.rbegin(); join != joins_.rend(); ++join) {
    if (join->rank_A != ranks_.rank) {
      receive(ranks_, join->rank_A, work(join->B).inside);
    } else if (join->rank_B != ranks_.rank) {
      Inside of_B;
      kernels_.part(join->joined, work(join->A).inside, of_B);
      send(ranks_, join->rank_B, of_B);
    } else {
      kernels_.part(join->joined, work(join->A).inside, work(join->B).inside);
    }
  }

  const auto out = [&](int thread, std::size_t k) {
    kernels_.out(stretches_[k], asked, work_[k], moving_[at(thread)]);
  };
  for_all(out);

  double before = 0.0;
  if (!is_last) ranks_.send(ranks_.rank + 1, {&work_.back().last_turns, 1});
  if (!is_first) ranks_.receive(ranks_.rank - 1, {&before, 1});
  bool finite = true;
  for (std::size_t k = 0; k < count; ++k) {
    finite = finite && work_[k].finite;
    screws::turn_back_first(stretches_[k], k > 0 ? work_[k - 1].last_turns : before, asked);
  }
  return finite;
}

// The sums of stretches are added as the stretches are joined: in the same order on any ranks.
Part::Energies Part::energies(const double* p, const double* q_dot) {
  std::ranges::fill(sums_, 0.0);
  for (std::size_t k = begin_; k < end_; ++k) {
    for (std::size_t i = first_of_[k]; i < first_of_[k + 1]; ++i)
      sums_[k - begin_] += p[i - first()] * q_dot[i - first()];
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

}  // namespace hamiltree::giant
