#include "hamiltree/distributed/floating_part.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/distributed/messages.hpp"
#include "hamiltree/distributed/refusals.hpp"
#include "hamiltree/formulations/dh_frames/chain_blocks.hpp"
#include "hamiltree/formulations/dh_frames/compile_floating.hpp"
#include "hamiltree/simulation/segments.hpp"

namespace hamiltree::distributed {
namespace {

constexpr double kLastGap = 1e-8;  // of the longest way; its square is rounding
constexpr int kMostNewtonSteps = 8;

// A chain block whose lanes are full.
std::size_t links_of_chain_block(std::size_t bodies) {
  const std::size_t row = bodies * static_cast<std::size_t>(kLanes);
  return row * std::max<std::size_t>(1, dh_frames::kChainBlockBodies / row);
}

std::vector<std::size_t> cut(const PartOptions& options) {
  const auto bodies = at(options.segments);
  if (options.links <= bodies) {
    throw UsageError("a chain of " + std::to_string(options.links) +
                     " links has no two segments of " + std::to_string(bodies));
  }
  std::vector<std::size_t> chain_blocks;
  for (std::size_t left = options.links; left > 0; left -= chain_blocks.back())
    chain_blocks.push_back(std::min(left, links_of_chain_block(bodies)));
  return chain_blocks;
}

// Coordinates and velocities of links in segments, from those of their pins.
struct Cut {
  std::unique_ptr<Segments> segments;
  std::vector<double> q, v;
};

Cut cut_links(const Mechanism& links, int bodies) {
  const Model model(links);
  Cut cut;
  if (links.space == SpaceKind::kPlanar) cut.segments = make_segments(model, bodies);
  if (cut.segments == nullptr) refuse_links(links);
  std::vector<double> q, v;
  for (const auto& joint : links.joints) {
    q.push_back(joint.initial_q ? (*joint.initial_q)(0) : 0.0);
    v.push_back(joint.initial_v ? (*joint.initial_v)(0) : 0.0);
  }
  if (at(model.coordinate_count()) != q.size()) refuse_links(links);
  const auto& in_segments = cut.segments->cut();
  cut.q.resize(at(in_segments.coordinate_count()));
  cut.v.resize(at(in_segments.velocity_count()));
  cut.segments->part(0.0, q.data(), v.data(), cut.q.data(), cut.v.data());
  return cut;
}

BaseState base_at(const double* q, const double* v) { return {q[0], q[1], q[2], v[0], v[1], v[2]}; }
void store(const BaseState& base, double* q, double* v) {
  q[0] = base.x, q[1] = base.y, q[2] = base.angle;
  v[0] = base.v_x, v[1] = base.v_y, v[2] = base.turning;
}

struct Way {
  double x, y;
};
Way turned(Way way, double angle) {
  const double s = std::sin(angle), c = std::cos(angle);
  return {c * way.x - s * way.y, s * way.x + c * way.y};
}

// The rigid motion that takes `from` to `to`, which are the same base, of any other base:
//   r' = r_to + Rot(phi) (r - r_from),     v' = v + Rot(angle')^T (v_O + omega x (r' - r_to))
BaseState carried(const BaseState& base, const BaseState& from, const BaseState& to) {
  const double phi = to.angle - from.angle, omega = to.turning - from.turning;
  const auto way = turned({base.x - from.x, base.y - from.y}, phi);
  const auto v_O = turned({to.v_x - from.v_x, to.v_y - from.v_y}, to.angle);
  const double angle = base.angle + phi;
  const auto v = turned({v_O.x - omega * way.y, v_O.y + omega * way.x}, -angle);
  return {to.x + way.x, to.y + way.y, angle, base.v_x + v.x, base.v_y + v.y, base.turning + omega};
}

}  // namespace

FloatingPart::FloatingPart(const PartOptions& options, const ReadLinks& read_links,
                           const Ranks& ranks)
    : Part(cut(options), ranks, options.threads),
      kernels_(dh_frames::kernels().floating),
      bodies_(at(options.segments)) {
  for (std::size_t k = 0; k < own_chain_blocks(); ++k)
    read_chain_block(read_links, options.links, k);
  entry_of_.push_back(initial_q_.size());
  carry_to_world();
  at_rest_.assign(initial_q_.size(), 0.0);
  correction_ = at_rest_;
  initial_p_ = at_rest_;
  finite_.assign(own_chain_blocks(), 1);
  settle(initial_q_.data(), velocities_.data(), initial_p_.data(), false);
  for (const auto& chain_block : chain_blocks_) {
    for (const auto& row : chain_block.rows) {
      for (int lane = 0; lane < kLanes; ++lane)
        longest_offset_ = std::max(longest_offset_, row.offset[lane]);
    }
  }
  longest_offset_ = largest_of(ranks_, longest_offset_);
}

std::size_t FloatingPart::entry_of(std::size_t link) const {
  const auto bases_before = [&](std::size_t i) { return i == 0 ? 0 : (i - 1) / bodies_; };
  return link - first() + 2 * (bases_before(link) - bases_before(first()));
}

// The segment before a chain block says how its first base is reached, the link behind it how its
// last one's frame lies. Bases lie and move as seen from the first link that was read.
void FloatingPart::read_chain_block(const ReadLinks& read_links, std::size_t links, std::size_t k) {
  const std::size_t begin = first_of(k), end = first_of(k + 1);
  const std::size_t before = begin == 0 ? 0 : 1;  // segments, whose pins have one entry each
  const std::size_t from = begin - before * bodies_;
  const auto mechanism = read_links(from, std::min(links, end + 1));
  auto cut = cut_links(mechanism, static_cast<int>(bodies_));
  auto chain = dh_frames::floating_chain_block_of(cut.segments->cut(), before,
                                                  (end - begin + bodies_ - 1) / bodies_);
  if (!chain) refuse_links(mechanism);
  const double *q = cut.q.data() + before * bodies_, *v = cut.v.data() + before * bodies_;
  const std::size_t size = entry_of(end) - entry_of(begin);
  behind_.push_back(end < links ? base_at(q + size, v + size) : BaseState{});
  entry_of_.push_back(initial_q_.size());
  initial_q_.insert(initial_q_.end(), q, q + size);
  velocities_.insert(velocities_.end(), v, v + size);
  for (std::size_t i = begin; i < end; ++i) {
    const auto& joint = mechanism.joints[i - from];
    if (is_base(i)) initial_angles_.push_back(joint.initial_q ? (*joint.initial_q)(0) : 0.0);
  }
  work_.emplace_back(*chain);
  chain_blocks_.push_back(std::move(*chain));
}

// ChainBlock by chain block, rank by rank: the base behind a chain block is the next one's first.
void FloatingPart::carry_to_world() {
  std::array<double, 6> base{};
  double *q_base = base.data(), *v_base = q_base + 3;
  if (!is_first()) ranks_.receive(ranks_.rank - 1, base);
  for (std::size_t k = 0; k < own_chain_blocks(); ++k) {
    auto behind = behind_[k];
    if (first_of(k) > 0) {
      double *q = &initial_q_[entry_of_[k]], *v = &velocities_[entry_of_[k]];
      const auto first = base_at(q, v), truly = base_at(q_base, v_base);
      for (std::size_t i = first_of(k); i < first_of(k + 1); ++i) {
        const std::size_t entry = entry_of(i) - entry_of(first_of(k));
        if (is_base(i))
          store(carried(base_at(q + entry, v + entry), first, truly), q + entry, v + entry);
      }
      behind = carried(behind, first, truly);
    }
    store(behind, q_base, v_base);
  }
  if (!is_last()) ranks_.send(ranks_.rank + 1, base);
}

void FloatingPart::settle(double* q, const double* v, double* p, bool shared) {
  const auto momenta = [&](int, std::size_t k) {
    const auto entry = entry_of_[k];
    kernels_.momenta(chain_blocks_[k], q + entry, v + entry, p + entry, work_[k]);
    kernels_.follow_bases(chain_blocks_[k], q + entry, work_[k]);
  };
  for_all(shared, momenta);
  const auto next_rank = meet_next_rank(q);
  const auto close = [&](int, std::size_t k) {
    kernels_.settle(chain_blocks_[k], q + entry_of_[k], first_base(k + 1, q, next_rank), work_[k]);
  };
  for_all(shared, close);
}

dh_frames::BasePlace FloatingPart::meet_next_rank(const double* q) {
  dh_frames::BasePlace next_rank;
  if (!is_first()) send(ranks_, ranks_.rank - 1, first_base(0, q, next_rank));
  if (!is_last()) receive(ranks_, ranks_.rank + 1, next_rank);
  return next_rank;
}

dh_frames::BasePlace FloatingPart::first_base(std::size_t k, const double* q,
                                              const dh_frames::BasePlace& next_rank) const {
  return k < own_chain_blocks() ? kernels_.first_base(chain_blocks_[k], q + entry_of_[k])
                                : next_rank;
}

bool FloatingPart::rate(const double* q, const double* p, double* q_dot, double* p_dot,
                        bool measures) {
  return solve(
      {.q = q, .p = p, .weighs = measures, .v = velocities_.data(), .q_dot = q_dot, .p_dot = p_dot},
      sharing_rates_);
}

// Newton's method, then momenta of the velocities. Where a gap is the last to be closed, what is
// left of it is of second order: rounding, and taken for closed.
std::optional<double> FloatingPart::finish_step(double* q, double* p) {
  const dh_frames::FloatingRequest velocities{
      .q = q, .p = p, .v = velocities_.data(), .q_dot = correction_.data()};
  auto closing = velocities;
  closing.p = at_rest_.data();
  closing.closes = true;
  double opened = 0.0;
  for (int k = 0; k < kMostNewtonSteps; ++k) {
    solve(closing, sharing_solves_);
    double gap = 0.0;
    for (const auto& work : work_) gap = std::max(gap, work.gap);
    gap = largest_of(ranks_, gap);
    if (k == 0) opened = gap;
    for (std::size_t i = 0; i < correction_.size(); ++i) q[i] += correction_[i];
    if (gap <= kLastGap * longest_offset_) break;
    if (k + 1 == kMostNewtonSteps) return std::nullopt;
  }
  solve(velocities, sharing_solves_);
  sharing_settling_.run([&](bool shared) { settle(q, velocities_.data(), p, shared); });
  return opened;
}

bool FloatingPart::solve(const dh_frames::FloatingRequest& asked, SharedOrAlone& sharing) {
  bool finite = true;
  sharing.run([&](bool shared) { finite = solve(asked, shared); });
  return finite;
}

// Where the next rank's first base is, is known before anything is computed; how it moves, when all
// chain blocks are joined.
bool FloatingPart::solve(const dh_frames::FloatingRequest& asked, bool shared) {
  const auto of_chain_block = [&](std::size_t k) {
    auto own = asked;
    const auto entry = entry_of_[k];
    own.q += entry, own.p += entry, own.v += entry, own.q_dot += entry;
    if (own.p_dot != nullptr) own.p_dot += entry;
    return own;
  };
  const auto next_rank = meet_next_rank(asked.q);
  const auto in = [&](int, std::size_t k) {
    kernels_.in(chain_blocks_[k], of_chain_block(k), first_base(k + 1, asked.q, next_rank),
                work_[k]);
  };
  for_all(shared, in);
  hand_on({chain_blocks_.front().gravity_x, chain_blocks_.front().gravity_y, 0.0});

  const auto bases = [&](int, std::size_t k) { kernels_.move_bases(chain_blocks_[k], work_[k]); };
  for_all(shared, bases);
  dh_frames::BaseMotion next_motion;
  if (!is_first()) send(ranks_, ranks_.rank - 1, dh_frames::first_motion(work_.front()));
  if (!is_last()) receive(ranks_, ranks_.rank + 1, next_motion);
  const auto out = [&](int, std::size_t k) {
    finite_[k] = kernels_.out(
        chain_blocks_[k], of_chain_block(k),
        k + 1 < own_chain_blocks() ? dh_frames::first_motion(work_[k + 1]) : next_motion, work_[k]);
  };
  for_all(shared, out);
  return std::ranges::all_of(finite_, [](char finite) { return finite != 0; });
}

// The angle between two segments is what a base turned since the start less what the last body
// before it did, and what it was then: all turns are counted.
void FloatingPart::show(const double* q, std::span<const std::size_t> links, double* angles,
                        double* rates) {
  // The angle and rate of the last body before a link.
  const auto turned_up_to = [&](std::size_t begin, std::size_t end, std::array<double, 2>& sum) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t entry = entry_of(i) + (is_base(i) ? 2 : 0);
      if (is_base(i)) sum = {0.0, 0.0};
      sum[0] += q[entry] - initial_q_[entry];
      sum[1] += velocities_[entry];
    }
  };
  std::array<double, 2> before{}, behind{};
  turned_up_to(std::max(first(), (last() - 1) / bodies_ * bodies_), last(), behind);
  if (!is_last()) ranks_.send(ranks_.rank + 1, behind);
  if (!is_first()) ranks_.receive(ranks_.rank - 1, before);
  for (const std::size_t i : links) {
    const std::size_t entry = entry_of(i);
    if (!is_base(i)) {
      *angles++ = q[entry];
      *rates++ = velocities_[entry];
      continue;
    }
    auto sum = before;
    if (i > first()) turned_up_to(i - bodies_, i, sum);
    const std::size_t base = (i - 1) / bodies_ - (first() == 0 ? 0 : (first() - 1) / bodies_);
    *angles++ = initial_angles_[base] + (q[entry + 2] - initial_q_[entry + 2] - sum[0]);
    *rates++ = velocities_[entry + 2] - sum[1];
  }
}

}  // namespace hamiltree::distributed
