#include "hamiltree/ensemble/pin_lanes.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/linkages/evaluation.hpp"
#include "hamiltree/formulations/linkages/side_by_side.hpp"
#include "hamiltree/formulations/screws/side_by_side.hpp"

namespace hamiltree {
namespace {

// Packs as the numbers that they are, lane by lane.
const double* numbers(const Pack* packs) { return reinterpret_cast<const double*>(packs); }
double* numbers(Pack* packs) { return reinterpret_cast<double*>(packs); }

// A place in an array of numbers as that of its lanes in an array of packs.
void spread(linkages::Place<Pack>& place) {
  for (int lane = 0; lane < kLanes; ++lane)
    place.number[at(lane)] = kLanes * place.number[at(lane)] + lane;
}

}  // namespace

PinLanes::Linkages::Linkages(linkages::Linkage<Pack> linkage)
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

void PinLanes::Linkages::find_velocities(const linkages::Arrays& state) {
  for (auto* const pass :
       {kernels_.place, kernels_.contract_bodies, kernels_.contract_over_ground, kernels_.move})
    pass(linkage_, state, work_);
}

bool PinLanes::Linkages::rate(const Pack* q, const Pack* p, Pack* v, Pack* q_dot, Pack* p_dot) {
  const linkages::Arrays state{.q = numbers(q),
                               .p = numbers(p),
                               .v = numbers(v),
                               .sigma = numbers(sigma_.data()),
                               .p_dot = numbers(p_dot)};
  find_velocities(state);
  kernels_.momentum_rates(linkage_, state, work_);
  std::copy(v, v + linkage_.bodies.size(), q_dot);
  return linkages::all_finite(work_);
}

void PinLanes::Linkages::close_loops(Pack* q) {
  find_velocities({.q = numbers(q),
                   .p = numbers(at_rest_.data()),
                   .closes = true,
                   .v = numbers(v_.data()),
                   .sigma = numbers(sigma_.data())});
  for (std::size_t i = 0; i < v_.size(); ++i) q[i] += v_[i];
}

void PinLanes::Linkages::reset_momenta(const Pack* q, Pack* p) {
  const linkages::Arrays state{.q = numbers(q),
                               .p = numbers(p),
                               .v = numbers(v_.data()),
                               .sigma = numbers(sigma_.data()),
                               .p_dot = numbers(p)};
  find_velocities(state);
  kernels_.momenta(linkage_, state, work_);
}

std::variant<PinLanes::Trees, PinLanes::Linkages> PinLanes::lanes_of(
    std::span<const PinMechanism> mechanisms) {
  for (const auto& mechanism : mechanisms) {
    if (!are_alike(mechanism, mechanisms.front()))
      throw UsageError("mechanisms side by side must be alike");
  }
  if (std::holds_alternative<linkages::Part>(mechanisms.front())) {
    std::vector<linkages::Part> parts;
    for (const auto& mechanism : mechanisms) parts.push_back(std::get<linkages::Part>(mechanism));
    return Linkages(*linkages::side_by_side(parts));
  }
  std::vector<screws::Tree> trees;
  for (const auto& mechanism : mechanisms) trees.push_back(std::get<screws::Tree>(mechanism));
  auto tree = *screws::side_by_side(trees);
  auto work = screws::work_of(tree);
  return Trees{std::move(tree), std::move(work)};
}

PinLanes::PinLanes(std::span<const PinMechanism> mechanisms) : lanes_(lanes_of(mechanisms)) {}

bool PinLanes::rate(const Pack* q, const Pack* p, Pack* v, Pack* q_dot, Pack* p_dot) {
  if (auto* linkages = std::get_if<Linkages>(&lanes_)) return linkages->rate(q, p, v, q_dot, p_dot);
  auto& trees = std::get<Trees>(lanes_);
  return trees.kernels.eight(trees.tree, {q, p, v, q_dot, p_dot}, trees.work);
}

void PinLanes::close_loops(Pack* q) {
  if (auto* linkages = std::get_if<Linkages>(&lanes_)) linkages->close_loops(q);
}

void PinLanes::reset_momenta(const Pack* q, Pack* p) {
  if (auto* linkages = std::get_if<Linkages>(&lanes_)) linkages->reset_momenta(q, p);
}

}  // namespace hamiltree
