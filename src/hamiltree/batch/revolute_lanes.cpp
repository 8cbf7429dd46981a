#include "hamiltree/batch/revolute_lanes.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

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

void spread(planar_loops::Linkage<Pack>& linkage) {
  for (auto& body : linkage.bodies) {
    spread(body.coordinate);
    spread(body.velocity);
  }
  // sigma is not asked for: its places are those of the cuts in their order.
  for (std::size_t k = 0; k < linkage.cuts.size(); ++k) {
    for (int lane = 0; lane < kLanes; ++lane)
      linkage.cuts[k].row.number[at(lane)] = 2 * (kLanes * static_cast<int>(k) + lane);
  }
}

template <class T>
const T& of_pack(const std::vector<T>& packs, std::size_t pack) {
  return packs[std::min(pack, packs.size() - 1)];
}

// Eight at a time, as side_by_side() lays them out.
template <class Mechanism>
auto in_packs(std::span<const RevoluteMechanism> mechanisms) {
  using LaidOut = decltype(side_by_side(std::declval<std::vector<Mechanism>>()));
  std::vector<typename LaidOut::value_type> packs;
  for (std::size_t first = 0; first < mechanisms.size(); first += kLanes) {
    std::vector<Mechanism> eight;
    for (const auto& mechanism :
         mechanisms.subspan(first, std::min<std::size_t>(kLanes, mechanisms.size() - first)))
      eight.push_back(std::get<Mechanism>(mechanism));
    packs.push_back(side_by_side(eight).value());
  }
  return packs;
}

}  // namespace

RevoluteLanes::Trees::Trees(std::vector<dh_frames::TreeOf<Pack>> trees)
    : packs(std::move(trees)), work(dh_frames::work_of(packs.front())) {}

RevoluteLanes::PlanarLoops::PlanarLoops(std::vector<Linkage> packs)
    : packs_(std::move(packs)),
      work_(packs_.front()),
      at_rest_(packs_.front().bodies.size(), Pack(0.0)),
      v_(packs_.front().bodies.size()),
      sigma_(2 * packs_.front().cuts.size()) {
  for (auto& linkage : packs_) spread(linkage);
}

void RevoluteLanes::PlanarLoops::find_velocities(const Linkage& linkage,
                                                 const planar_loops::Arrays& state) {
  for (auto* const pass :
       {kernels_.place, kernels_.contract_bodies, kernels_.contract_over_ground, kernels_.move})
    pass(linkage, state, work_);
}

bool RevoluteLanes::PlanarLoops::rate(const Linkage& linkage, const Pack* q, const Pack* p, Pack* v,
                                      Pack* q_dot, Pack* p_dot) {
  const planar_loops::Arrays state{.q = numbers(q),
                                   .p = numbers(p),
                                   .v = numbers(v),
                                   .sigma = numbers(sigma_.data()),
                                   .p_dot = numbers(p_dot)};
  find_velocities(linkage, state);
  kernels_.momentum_rates(linkage, state, work_);
  std::copy(v, v + linkage.bodies.size(), q_dot);
  return planar_loops::all_finite(work_);
}

void RevoluteLanes::PlanarLoops::close_loops(const Linkage& linkage, Pack* q) {
  find_velocities(linkage, {.q = numbers(q),
                            .p = numbers(at_rest_.data()),
                            .closes = true,
                            .v = numbers(v_.data()),
                            .sigma = numbers(sigma_.data())});
  for (std::size_t i = 0; i < v_.size(); ++i) q[i] += v_[i];
}

void RevoluteLanes::PlanarLoops::reset_momenta(const Linkage& linkage, const Pack* q, Pack* p) {
  const planar_loops::Arrays state{.q = numbers(q),
                                   .p = numbers(p),
                                   .v = numbers(v_.data()),
                                   .sigma = numbers(sigma_.data()),
                                   .p_dot = numbers(p)};
  find_velocities(linkage, state);
  kernels_.momenta(linkage, state, work_);
}

std::variant<RevoluteLanes::Trees, RevoluteLanes::PlanarLoops> RevoluteLanes::lanes_of(
    std::span<const RevoluteMechanism> mechanisms) {
  if (std::holds_alternative<dh_frames::Tree>(mechanisms.front()))
    return Trees(in_packs<dh_frames::Tree>(mechanisms));
  return PlanarLoops(in_packs<planar_loops::Part>(mechanisms));
}

RevoluteLanes::RevoluteLanes(std::span<const RevoluteMechanism> mechanisms)
    : lanes_(lanes_of(mechanisms)) {}

bool RevoluteLanes::rate(const Pack* q, const Pack* p, Pack* v, Pack* q_dot, Pack* p_dot,
                         std::size_t pack) {
  if (auto* linkages = std::get_if<PlanarLoops>(&lanes_))
    return linkages->rate(of_pack(linkages->packs(), pack), q, p, v, q_dot, p_dot);
  auto& trees = std::get<Trees>(lanes_);
  return trees.kernels.eight(of_pack(trees.packs, pack), {q, p, v, q_dot, p_dot}, trees.work);
}

void RevoluteLanes::close_loops(Pack* q, std::size_t pack) {
  if (auto* linkages = std::get_if<PlanarLoops>(&lanes_))
    linkages->close_loops(of_pack(linkages->packs(), pack), q);
}

void RevoluteLanes::reset_momenta(const Pack* q, Pack* p, std::size_t pack) {
  if (auto* linkages = std::get_if<PlanarLoops>(&lanes_))
    linkages->reset_momenta(of_pack(linkages->packs(), pack), q, p);
}

}  // namespace hamiltree
