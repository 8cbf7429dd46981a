#include "hamiltree/formulations/derivatives/elimination.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>
#include <utility>

namespace hamiltree::derivatives {
namespace {

// By axis: the rows in use that have an entry there.
std::vector<std::vector<int>> rows_by_axis(const Tables& tables, const std::vector<bool>& in_use) {
  std::vector<std::vector<int>> rows(at(tables.velocities));
  for (const auto& cut : tables.cuts)
    for (const auto& axis : cut.axes)
      for (const auto& row : cut.rows)
        if (in_use[at(row.row)]) rows[at(axis.axis)].push_back(row.row);
  for (const auto& coupled : tables.coupled)
    for (const int axis : coupled.axis)
      if (in_use[at(coupled.row)]) rows[at(axis)].push_back(coupled.row);
  return rows;
}

// By level, so that neighbours in the order rarely wait for each other.
std::vector<std::size_t> leaves_first(const Tables& tables) {
  std::vector<int> depth;
  for (const auto& body : tables.bodies)
    depth.push_back(body.inboard == kNothing ? 0 : depth[at(body.inboard)] + 1);
  std::vector<std::size_t> bodies(depth.size());
  std::iota(bodies.begin(), bodies.end(), std::size_t{0});
  std::stable_sort(bodies.begin(), bodies.end(),
                   [&](std::size_t a, std::size_t b) { return depth[a] > depth[b]; });
  return bodies;
}

std::vector<int> order_of(const Tables& tables, const std::vector<std::vector<int>>& rows) {
  std::vector<int> left(at(tables.constraints), 0), order;
  for (const auto& of_axis : rows)
    for (const int row : of_axis) ++left[at(row)];
  for (const std::size_t b : leaves_first(tables)) {
    const auto& body = tables.bodies[b];
    for (int k = body.first + body.count; k-- > body.first;) {
      order.push_back(k);
      for (const int row : rows[at(k)])
        if (--left[at(row)] == 0) order.push_back(tables.unknown_of_row(row));
    }
  }
  return order;
}

template <class F>
void for_lanes(const std::vector<Signs>& signs, const F& f) {
  for (const auto& [pack, sign] : signs)
    for (int lane = 0; lane < kLaneCount; ++lane)
      if (sign.lane[lane] != 0.0) f(pack * kLaneCount + lane);
}

// By axis: those that share an entry of the mass matrix with it.
std::vector<std::set<int>> related_axes(const Tables& tables) {
  std::vector<std::set<int>> related(at(tables.velocities));
  for (int pack = 0; pack < tables.v_packs; ++pack)
    for (const auto& part : tables.v_parts[at(pack)])
      for (int lane = 0; lane < kLaneCount; ++lane)
        if (part.inboard.lane[lane] + part.outboard.lane[lane] != 0.0)
          related[at(part.axis)].insert(pack * kLaneCount + lane);
  return related;
}

// Entries by step: the later steps that it fills.
std::vector<std::set<int>> filled(const Tables& tables, const std::vector<int>& order,
                                  const std::vector<std::vector<int>>& rows) {
  std::vector<int> step_of(at(tables.unknowns()), kNothing);
  for (std::size_t s = 0; s < order.size(); ++s) step_of[at(order[s])] = static_cast<int>(s);
  std::vector<std::set<int>> later(order.size());
  const auto add = [&](int x, int y) {
    const int a = step_of[at(x)], b = step_of[at(y)];
    if (a != b) later[at(std::min(a, b))].insert(std::max(a, b));
  };
  const auto related = related_axes(tables);
  for (int k = 0; k < tables.velocities; ++k) {
    for (const int j : related[at(k)]) add(k, j);
    for (const int row : rows[at(k)]) add(k, tables.unknown_of_row(row));
  }
  for (auto& here : later) {
    if (here.empty()) continue;
    auto& first = later[at(*here.begin())];
    first.insert(std::next(here.begin()), here.end());
  }
  return later;
}

// Two axes at a time where they depend on much the same.
std::vector<Elimination::Rates> rates_of(const std::vector<std::set<int>>& velocities,
                                         const std::vector<std::vector<int>>& rows) {
  std::vector<Elimination::Rates> rates;
  for (std::size_t k = 0; k < velocities.size(); ++k) {
    std::set<int> all = velocities[k], all_rows(rows[k].begin(), rows[k].end());
    Elimination::Rates one{static_cast<int>(k), kNothing, {}, {}};
    if (k + 1 < velocities.size()) {
      auto both = all;
      both.insert(velocities[k + 1].begin(), velocities[k + 1].end());
      if (4 * both.size() <= 5 * std::min(all.size(), velocities[k + 1].size())) {
        one.other = static_cast<int>(++k);
        all = std::move(both);
        all_rows.insert(rows[k].begin(), rows[k].end());
      }
    }
    one.velocities.assign(all.begin(), all.end());
    one.rows.assign(all_rows.begin(), all_rows.end());
    rates.push_back(std::move(one));
  }
  return rates;
}

}  // namespace

Elimination eliminate(const Tables& tables, const std::vector<bool>& in_use) {
  const auto rows = rows_by_axis(tables, in_use);
  const auto order = order_of(tables, rows);
  const auto later = filled(tables, order, rows);
  Elimination plan;
  std::vector<std::vector<Elimination::Earlier>> earlier(order.size());
  for (std::size_t s = 0; s < order.size(); ++s) {
    Elimination::Step step;
    step.unknown = order[s];
    step.first_later = static_cast<int>(plan.later.size());
    step.first_pack = static_cast<int>(plan.packs.size());
    std::set<int> packs{step.unknown / kLaneCount};
    for (const int other : later[s]) {
      earlier[at(other)].push_back({step.unknown, static_cast<int>(plan.later.size())});
      plan.later.push_back(order[at(other)]);
      packs.insert(order[at(other)] / kLaneCount);
    }
    plan.packs.insert(plan.packs.end(), packs.begin(), packs.end());
    step.end_later = static_cast<int>(plan.later.size());
    step.end_pack = static_cast<int>(plan.packs.size());
    plan.steps.push_back(step);
  }
  for (std::size_t s = 0; s < order.size(); ++s) {
    plan.steps[s].first_earlier = static_cast<int>(plan.earlier.size());
    plan.earlier.insert(plan.earlier.end(), earlier[s].begin(), earlier[s].end());
    plan.steps[s].end_earlier = static_cast<int>(plan.earlier.size());
  }
  auto related = related_axes(tables);
  for (const auto& cut : tables.cuts)
    for (const auto& axis : cut.axes)
      for_lanes(axis.v, [&](int j) { related[at(axis.axis)].insert(j); });
  for (const auto& pair : tables.loads)
    for (const auto& axis : pair.axes)
      for (const auto* signs : {&pair.child_v, &pair.parent_v})
        for_lanes(*signs, [&](int j) { related[at(axis.axis)].insert(j); });
  plan.rates = rates_of(related, rows);
  return plan;
}

}  // namespace hamiltree::derivatives
