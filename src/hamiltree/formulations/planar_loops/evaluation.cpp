#include "hamiltree/formulations/planar_loops/evaluation.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "hamiltree/base/index.hpp"
#include "hamiltree/base/instruction_set.hpp"
#include "hamiltree/formulations/planar_loops/kernel_sets.hpp"
#include "hamiltree/formulations/planar_loops/passes.hpp"

namespace hamiltree::planar_loops {

const Kernels& kernels() { return *kKernelSets[static_cast<std::size_t>(instruction_set())]; }

bool all_finite(const Work<Pack>& work) { return sum_of_lanes(work.zeros) == 0.0; }

namespace {

Vector2<double> lane_of(const Vector2<Pack>& x, int lane) { return {x.x[lane], x.y[lane]}; }
void set_lane(Vector2<Pack>& x, int lane, const Vector2<double>& value) {
  x.x.set(lane, value.x);
  x.y.set(lane, value.y);
}

// f(child, other) of each shared cut, for the two that have it; the child's side tells.
template <class Get, class Set>
void share(const LinkageInParts& linkage, PartsWork& work, const Get& from_lane,
           const Set& to_lane) {
  const auto has_child = [&](const SharedCut& s) {
    return linkage.lane_groups[s.group].linkage.cuts[s.cut].child != kElsewhere;
  };
  for (const auto& s : linkage.shared) {
    if (has_child(s))
      from_lane(work.lane_groups[s.group].cuts[s.cut], s.lane, work.rest.cuts[s.in_rest]);
  }
  for (const auto& s : linkage.shared) {
    if (!has_child(s))
      to_lane(work.rest.cuts[s.in_rest], s.lane, work.lane_groups[s.group].cuts[s.cut]);
  }
}

bool is_held(const LinkageInParts& linkage, const PartsWork& work) {
  bool held = work.rest.held != 0.0;
  for (std::size_t i = 0; i < linkage.lane_groups.size() && linkage.rest.hub != kGround; ++i) {
    for (int lane = 0; lane < kLanes; ++lane) held = held || work.lane_groups[i].held[lane] != 0.0;
  }
  return held;
}

// The pin of the hub, to which all parts have given what they found.
void turn_hub(const LinkageInParts& linkage, PartsWork& work) {
  const int hub = linkage.rest.hub;
  if (hub == kGround) return;
  auto& own = work.rest.bodies[at(hub)];
  for (std::size_t i = 0; i < linkage.lane_groups.size(); ++i) {
    const auto& copy = work.lane_groups[i].bodies[at(linkage.lane_groups[i].linkage.hub)];
    for (int lane = 0; lane < linkage.lane_groups[i].lanes(); ++lane) {
      own.C += copy.C[lane];
      own.Dc += copy.Dc[lane];
    }
  }
  own.omega = (work.rest.p[at(hub)] - own.Dc) / own.C;
  for (std::size_t i = 0; i < linkage.lane_groups.size(); ++i)
    work.lane_groups[i].bodies[at(linkage.lane_groups[i].linkage.hub)].omega = Pack(own.omega);
}

}  // namespace

PartsWork::PartsWork(const LinkageInParts& linkage) : rest(linkage.rest) {
  for (const auto& group : linkage.lane_groups) lane_groups.emplace_back(group.linkage);
}

bool find_velocities(const Kernels& kernels, const LinkageInParts& linkage, const Arrays& state,
                     PartsWork& work) {
  const auto each_lane_group = [&](KernelsOf<Pack>::Pass* pass) {
    for (std::size_t i = 0; i < linkage.lane_groups.size(); ++i)
      pass(linkage.lane_groups[i].linkage, state, work.lane_groups[i]);
  };
  each_lane_group(kernels.eight.place);
  kernels.one.place(linkage.rest, state, work.rest);
  share(
      linkage, work,
      [](const auto& from, int lane, auto& to) {
        to.O = lane_of(from.O, lane);
        to.axes = lane_of(from.axes, lane);
      },
      [](const auto& from, int lane, auto& to) {
        set_lane(to.O, lane, from.O);
        set_lane(to.axes, lane, from.axes);
      });

  each_lane_group(kernels.eight.contract_bodies);
  each_lane_group(kernels.eight.contract_over_ground);
  kernels.one.contract_bodies(linkage.rest, state, work.rest);
  for (const auto& given : linkage.given) {
    const auto& from = linkage.lane_groups[given.group].linkage.fronts[at(given.from)];
    const FrontWork<Pack> rows(from, work.lane_groups[given.group]);
    const Receiver<double> into(linkage.rest.fronts[at(given.into)], given.opens, given.to.data(),
                                work.rest);
    hand_over(Counts<int, int>{from.cuts, from.closing}, rows, into,
              [&](const Pack& x) { return x[given.lane]; });
  }
  kernels.one.contract_over_ground(linkage.rest, state, work.rest);
  if (is_held(linkage, work)) return false;
  turn_hub(linkage, work);

  kernels.one.move(linkage.rest, state, work.rest);
  for (const auto& s : linkage.shared)
    set_lane(work.lane_groups[s.group].cuts[s.cut].sigma, s.lane, work.rest.cuts[s.in_rest].sigma);
  each_lane_group(kernels.eight.move);
  return true;
}

bool find_momentum_rates(const Kernels& kernels, const LinkageInParts& linkage, const Arrays& state,
                         PartsWork& work) {
  share(
      linkage, work,
      [](const auto& from, int lane, auto& to) {
        to.Lx = from.Lx[lane], to.Ly = from.Ly[lane], to.Lm = from.Lm[lane];
      },
      [](const auto& from, int lane, auto& to) {
        to.Lx.set(lane, from.Lx), to.Ly.set(lane, from.Ly), to.Lm.set(lane, from.Lm);
      });
  kernels.one.momentum_rates(linkage.rest, state, work.rest);
  bool finite = work.rest.zeros == 0.0;
  for (std::size_t i = 0; i < linkage.lane_groups.size(); ++i) {
    const auto& group = linkage.lane_groups[i];
    auto& own = work.lane_groups[i];
    kernels.eight.momentum_rates(group.linkage, state, own);
    finite = finite && all_finite(own);
    if (group.linkage.hub == kGround) continue;
    const auto& of_hub = linkage.rest.bodies[at(linkage.rest.hub)].velocity;
    for (int lane = 0; lane < group.lanes(); ++lane) {
      state.p_dot[of_hub.number] += own.p_dot[at(group.linkage.hub)][lane];
      if (state.p_clean != nullptr)
        state.p_clean[of_hub.number] += own.p[at(group.linkage.hub)][lane];
    }
  }
  return finite;
}

double potential_energy(const LinkageInParts& linkage, const PartsWork& work) {
  double energy = work.rest.potential;
  for (std::size_t i = 0; i < linkage.lane_groups.size(); ++i) {
    for (int lane = 0; lane < linkage.lane_groups[i].lanes(); ++lane)
      energy += work.lane_groups[i].potential[lane];
  }
  return energy;
}

namespace {

// value(x): the entry x of the part that is looked at.
template <class T, class Value>
void add_masked(const Linkage<T>& linkage, const Work<T>& work, const std::vector<int>& cuts,
                const Value& value, std::vector<int>& masked) {
  for (const auto& front : linkage.fronts) {
    for (int s = 0; s < front.closing; ++s) {
      const auto& d = work.blocks[at(front.first_block + s * (s + 1) / 2 + s)];
      if (value(d.xx) == 0.0 || value(d.yy) == 0.0)
        masked.push_back(cuts[at(linkage.front_cuts[at(front.first + s)])]);
    }
  }
}

// The blocks have the inverses of pivots.
template <class T, class Value>
double least_of_part(const Linkage<T>& linkage, const Work<T>& work, const Value& value) {
  double least = 1.0;
  for (const auto& front : linkage.fronts) {
    double smallest = std::numeric_limits<double>::infinity(), largest = 0.0;
    for (int s = 0; s < front.closing; ++s) {
      const auto& d = work.blocks[at(front.first_block + s * (s + 1) / 2 + s)];
      smallest = std::min({smallest, value(d.xx), value(d.yy)});
      largest = std::max({largest, value(d.xx), value(d.yy)});
    }
    if (largest > 0.0) least = std::min(least, smallest / largest);
  }
  return least;
}

}  // namespace

std::vector<int> masked_cuts(const LinkageInParts& linkage, const PartsWork& work) {
  std::vector<int> masked;
  add_masked(
      linkage.rest, work.rest, linkage.cuts, [](double x) { return x; }, masked);
  for (std::size_t i = 0; i < linkage.lane_groups.size(); ++i) {
    const auto& group = linkage.lane_groups[i];
    for (int lane = 0; lane < group.lanes(); ++lane)
      add_masked(
          group.linkage, work.lane_groups[i], group.cuts[at(lane)],
          [lane](const Pack& x) { return x[lane]; }, masked);
  }
  return masked;
}

double least_pivot(const LinkageInParts& linkage, const PartsWork& work) {
  double least = least_of_part(linkage.rest, work.rest, [](double x) { return x; });
  for (std::size_t i = 0; i < linkage.lane_groups.size(); ++i) {
    const auto& group = linkage.lane_groups[i];
    for (int lane = 0; lane < group.lanes(); ++lane) {
      const auto of_lane = [lane](const Pack& x) { return x[lane]; };
      least = std::min(least, least_of_part(group.linkage, work.lane_groups[i], of_lane));
    }
  }
  return least;
}

}  // namespace hamiltree::planar_loops
