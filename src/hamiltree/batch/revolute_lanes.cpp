#include "hamiltree/batch/revolute_lanes.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/dh_frames/side_by_side.hpp"
#include "hamiltree/formulations/planar_loops/evaluation.hpp"
#include "hamiltree/formulations/planar_loops/side_by_side.hpp"

namespace hamiltree {
namespace {

// Packs as the numbers that they are, lane by lane.
const double* numbers(const Pack* packs) { return reinterpret_cast<const double*>(packs); }
double* numbers(Pack* packs) { return reinterpret_cast<double*>(packs); }

// A place in an array of numbers as that of its lanes in an array of packs.
void spread(planar_loops::Place<Pack>& place) {
  for (int lane = 0; lane < kLanes; ++lane)
    place.number[at(lane)] = kLanes * place.number[at(lane)] + lane;
}

}  // namespace

RevoluteLanes::PlanarLoops::PlanarLoops(planar_loops::Linkage<Pack> linkage)
    : linkage_(std::move(linkage)),
      work_(linkage_),
      at_rest_(linkage_.bodies.size(), Pack(0.0)),
      v_(linkage_.bodies.size()),
      sigma_(2 * linkage_.cuts.size()) {
  for (auto& body : linkage_.bodies) {
    spread(body.coordinate);
    spread(body.velocity);
  }
  // sigma is not asked for: its places are those of the cuts in their order.
  for (std::size_t k = 0; k < linkage_.cuts.size(); ++k) {
    for (int lane = 0; lane < kLanes; ++lane)
      linkage_.cuts[k].row.number[at(lane)] = 2 * (kLanes * static_cast<int>(k) + lane);
  }
}

void RevoluteLanes::PlanarLoops::find_velocities(const planar_loops::Arrays& state) {
  for (auto* const pass :
       {kernels_.place, kernels_.contract_bodies, kernels_.contract_over_ground, kernels_.move})
    pass(linkage_, state, work_);
}

bool RevoluteLanes::PlanarLoops::rate(const Pack* q, const Pack* p, Pack* v, Pack* q_dot,
                                      Pack* p_dot) {
  const planar_loops::Arrays state{.q = numbers(q),
                                   .p = numbers(p),
                                   .v = numbers(v),
                                   .sigma = numbers(sigma_.data()),
                                   .p_dot = numbers(p_dot)};
  find_velocities(state);
  kernels_.momentum_rates(linkage_, state, work_);
  std::copy(v, v + linkage_.bodies.size(), q_dot);
  return planar_loops::all_finite(work_);
}

void RevoluteLanes::PlanarLoops::close_loops(Pack* q) {
  find_velocities({.q = numbers(q),
                   .p = numbers(at_rest_.data()),
                   .closes = true,
                   .v = numbers(v_.data()),
                   .sigma = numbers(sigma_.data())});
  for (std::size_t i = 0; i < v_.size(); ++i) q[i] += v_[i];
}

void RevoluteLanes::PlanarLoops::reset_momenta(const Pack* q, Pack* p) {
  const planar_loops::Arrays state{.q = numbers(q),
                                   .p = numbers(p),
                                   .v = numbers(v_.data()),
                                   .sigma = numbers(sigma_.data()),
                                   .p_dot = numbers(p)};
  find_velocities(state);
  kernels_.momenta(linkage_, state, work_);
}

std::variant<RevoluteLanes::Trees, RevoluteLanes::PlanarLoops> RevoluteLanes::lanes_of(
    std::span<const RevoluteMechanism> mechanisms) {
  for (const auto& mechanism : mechanisms) {
    if (!are_alike(mechanism, mechanisms.front()))
      throw UsageError("mechanisms side by side must be alike");
  }
  if (std::holds_alternative<planar_loops::Part>(mechanisms.front())) {
    std::vector<planar_loops::Part> parts;
    for (const auto& mechanism : mechanisms)
      parts.push_back(std::get<planar_loops::Part>(mechanism));
    return PlanarLoops(*planar_loops::side_by_side(parts));
  }
  std::vector<dh_frames::Tree> trees;
  for (const auto& mechanism : mechanisms) trees.push_back(std::get<dh_frames::Tree>(mechanism));
  auto tree = *dh_frames::side_by_side(trees);
  auto work = dh_frames::work_of(tree);
  return Trees{std::move(tree), std::move(work)};
}

RevoluteLanes::RevoluteLanes(std::span<const RevoluteMechanism> mechanisms)
    : lanes_(lanes_of(mechanisms)) {}

bool RevoluteLanes::rate(const Pack* q, const Pack* p, Pack* v, Pack* q_dot, Pack* p_dot) {
  if (auto* linkages = std::get_if<PlanarLoops>(&lanes_))
    return linkages->rate(q, p, v, q_dot, p_dot);
  auto& trees = std::get<Trees>(lanes_);
  return trees.kernels.eight(trees.tree, {q, p, v, q_dot, p_dot}, trees.work);
}

void RevoluteLanes::close_loops(Pack* q) {
  if (auto* linkages = std::get_if<PlanarLoops>(&lanes_)) linkages->close_loops(q);
}

void RevoluteLanes::reset_momenta(const Pack* q, Pack* p) {
  if (auto* linkages = std::get_if<PlanarLoops>(&lanes_)) linkages->reset_momenta(q, p);
}

}  // namespace hamiltree
