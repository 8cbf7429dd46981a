#include "hamiltree/formulations/derivatives/elimination.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
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
  std::vector<int> held;  // by rows alone: without inertia they have no pivots before these
  for (const auto& of_axis : rows)
    for (const int row : of_axis) ++left[at(row)];
  for (const std::size_t b : leaves_first(tables)) {
    const auto& body = tables.bodies[b];
    for (int k = body.first + body.count; k-- > body.first;) {
      (body.has_inertia ? order : held).push_back(k);
      for (const int row : rows[at(k)])
        if (--left[at(row)] == 0) order.push_back(tables.unknown_of_row(row));
    }
  }
  order.insert(order.end(), held.begin(), held.end());
  return order;
}

// Inserts the columns in which a pattern is not zero.
void insert_columns(const Tables& tables, int pack, int pattern, std::set<int>& columns) {
  if (pattern == kNothing) return;
  for (int lane = 0; lane < kLaneCount; ++lane)
    if (tables.patterns[at(pattern)].lane[lane] != 0.0) columns.insert(pack * kLaneCount + lane);
}

// By axis: those that share an entry of the mass matrix with it.
std::vector<std::set<int>> related_axes(const Tables& tables) {
  std::vector<std::set<int>> related(at(tables.velocities));
  for (int pack = 0; pack < tables.v_packs; ++pack)
    for (const auto& part : tables.v_parts[at(pack)])
      for (const int which : {part.inboard, part.outboard})
        insert_columns(tables, pack, which, related[at(part.axis)]);
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

// By unknown and pack of columns: where right-hand sides are not zero.
std::vector<std::vector<bool>> right_hand_sides(const Tables& tables) {
  std::vector<std::vector<bool>> there(at(tables.unknowns()),
                                       std::vector<bool>(at(tables.column_packs()), false));
  for (int pack = 0; pack < tables.q_packs; ++pack)
    for (const auto& part : tables.displaced_parts[at(pack)]) there[at(part.axis)][at(pack)] = true;
  for (int k = 0; k < tables.velocities; ++k)
    there[at(k)][at(tables.q_packs + k / kLaneCount)] = true;
  for (const auto& cut : tables.cuts) {
    for (const auto& [signs, patterns] : cut.columns) {
      if (signs.pack >= tables.q_packs) continue;
      for (std::size_t i = 0; i < patterns.size(); ++i)
        if (patterns[i].of != kNothing) there[at(cut.axes[i].axis)][at(signs.pack)] = true;
      for (const auto& row : cut.rows)
        there[at(tables.unknown_of_row(row.row))][at(signs.pack)] = true;
    }
  }
  return there;
}

// Lays out the solution for many columns.
class Blocks {
 public:
  Blocks(const Tables& tables, const std::vector<std::set<int>>& later, Elimination& plan)
      : tables_(tables), later_(later), earlier_(later.size()), plan_(plan) {
    for (std::size_t s = 0; s < later.size(); ++s)
      for (const int other : later[s]) earlier_[at(other)].insert(static_cast<int>(s));
    pair_up();
    find_there();
    for (const auto& unit : units_) add(unit, earlier_, forwards_there_, plan.forwards);
    for (auto unit = units_.rbegin(); unit != units_.rend(); ++unit)
      add(*unit, later_, backwards_there_, plan.backwards);
  }

 private:
  using Sets = std::vector<std::set<int>>;
  using There = std::vector<std::vector<bool>>;  // by step and pack
  struct Unit {
    int first = 0, second = kNothing;  // steps
  };
  struct Lists {
    std::vector<int> shared, of_first, of_second;
    // About the cycles that they take in so many packs.
    double cost(int packs) const {
      const double single = static_cast<double>(of_first.size() + of_second.size());
      const double both = static_cast<double>(shared.size());
      return 12.0 + both * std::max(2.0, 1.0 + packs) + single * std::max(2.0, 1.0 + 0.5 * packs);
    }
    friend Lists operator+(const Lists& a, const Lists& b) {
      Lists sum;
      std::ranges::set_union(a.shared, b.shared, std::back_inserter(sum.shared));
      std::ranges::set_union(a.of_first, b.of_first, std::back_inserter(sum.of_first));
      std::ranges::set_union(a.of_second, b.of_second, std::back_inserter(sum.of_second));
      return sum;
    }
  };
  struct Range {
    int first = 0, packs = 1;
    Lists lists;
  };

  // A step goes with the first that it is taken from, at the place of that one.
  void pair_up() {
    const int count = static_cast<int>(later_.size());
    std::vector<int> first_of(at(count), kNothing);
    std::vector<bool> is_first(at(count), false);
    for (int s = 0; s < count; ++s) {
      if (!is_first[at(s)] && first_of[at(s)] == kNothing && !later_[at(s)].empty()) {
        const int next = *later_[at(s)].begin();
        is_first[at(s)] = first_of[at(next)] == kNothing;
        if (is_first[at(s)]) first_of[at(next)] = s;
      }
      if (is_first[at(s)]) continue;
      if (first_of[at(s)] == kNothing) {
        units_.push_back({s, kNothing});
      } else {
        units_.push_back({first_of[at(s)], s});
      }
    }
  }

  void find_there() {
    const auto right = right_hand_sides(tables_);
    for (const auto& step : plan_.steps) forwards_there_.push_back(right[at(step.unknown)]);
    const auto join = [](std::vector<bool>& to, const std::vector<bool>& from) {
      for (std::size_t i = 0; i < to.size(); ++i) to[i] = to[i] || from[i];
    };
    for (std::size_t s = 0; s < later_.size(); ++s)
      for (const int other : earlier_[s]) join(forwards_there_[s], forwards_there_[at(other)]);
    backwards_there_ = forwards_there_;
    for (std::size_t s = later_.size(); s-- > 0;)
      for (const int other : later_[s]) join(backwards_there_[s], backwards_there_[at(other)]);
  }

  Lists lists_in(const Unit& unit, const Sets& others, const There& there, int pack) const {
    Lists lists;
    const auto& of_first = others[at(unit.first)];
    const auto counts = [&](int other) { return there[at(other)][at(pack)]; };
    if (unit.second == kNothing) {
      std::ranges::copy_if(of_first, std::back_inserter(lists.of_first), counts);
      return lists;
    }
    const auto& of_second = others[at(unit.second)];
    for (const int other : of_first)
      if (other != unit.second && counts(other))
        (of_second.contains(other) ? lists.shared : lists.of_first).push_back(other);
    for (const int other : of_second)
      if (other != unit.first && counts(other) && !of_first.contains(other))
        lists.of_second.push_back(other);
    return lists;
  }

  // Packs side by side go together where that is less work than each by itself.
  void add(const Unit& unit, const Sets& others, const There& there,
           std::vector<Elimination::Block>& blocks) {
    const auto is_there = [&](int pack) {
      return there[at(unit.first)][at(pack)] ||
             (unit.second != kNothing && there[at(unit.second)][at(pack)]);
    };
    std::vector<Range> ranges;
    for (int pack = 0; pack < tables_.column_packs(); ++pack) {
      if (!is_there(pack)) continue;
      auto lists = lists_in(unit, others, there, pack);
      if (!ranges.empty()) {
        auto& last = ranges.back();
        auto both = last.lists + lists;
        const bool is_next = last.first + last.packs == pack;
        if (is_next && both.cost(last.packs + 1) <= last.lists.cost(last.packs) + lists.cost(1)) {
          last.lists = std::move(both);
          ++last.packs;
          continue;
        }
      }
      ranges.push_back({pack, 1, std::move(lists)});
    }
    for (const auto& range : ranges) {
      blocks.push_back(block_of(unit, range.lists));
      blocks.back().first_pack = range.first;
      blocks.back().packs = range.packs;
    }
  }

  // The place of an entry of K: in the row that is eliminated first.
  int entry(int step, int other) const {
    const auto& first = plan_.steps[at(std::min(step, other))];
    return first.row * kLaneCount + plan_.steps[at(std::max(step, other))].unknown;
  }
  int row_of(int step) const { return plan_.steps[at(step)].unknown * tables_.column_packs(); }

  Elimination::Block block_of(const Unit& unit, const Lists& lists) {
    Elimination::Block block;
    block.row[0] = row_of(unit.first);
    block.unknown[0] = plan_.steps[at(unit.first)].unknown;
    if (unit.second != kNothing) {
      block.unknowns = 2;
      block.row[1] = row_of(unit.second);
      block.unknown[1] = plan_.steps[at(unit.second)].unknown;
      block.between = entry(unit.first, unit.second);
    }
    auto& terms = plan_.terms;
    const auto end = [&] { return static_cast<int>(terms.size()); };
    block.first_shared = end();
    for (const int other : lists.shared)
      terms.push_back({row_of(other), {entry(unit.first, other), entry(unit.second, other)}});
    block.first_of_first = end();
    for (const int other : lists.of_first)
      terms.push_back({row_of(other), {entry(unit.first, other), 0}});
    block.first_of_second = end();
    for (const int other : lists.of_second)
      terms.push_back({row_of(other), {0, entry(unit.second, other)}});
    block.end = end();
    return block;
  }

  const Tables& tables_;
  const Sets& later_;
  Sets earlier_;
  Elimination& plan_;
  std::vector<Unit> units_;
  There forwards_there_, backwards_there_;
};

// Up to three axes at a time where they depend on much the same.
std::vector<Elimination::Rates> rates_of(const Tables& tables,
                                         const std::vector<std::set<int>>& unknowns) {
  constexpr std::size_t kMostAxes = 3;
  std::vector<Elimination::Rates> rates;
  for (std::size_t first = 0, next = 0; first < unknowns.size(); first = next) {
    auto all = unknowns[first];
    std::size_t least = all.size();
    for (next = first + 1; next < std::min(first + kMostAxes, unknowns.size()); ++next) {
      auto both = all;
      both.insert(unknowns[next].begin(), unknowns[next].end());
      least = std::min(least, unknowns[next].size());
      if (4 * both.size() > 5 * least) break;
      all = std::move(both);
    }
    Elimination::Rates some{static_cast<int>(first), static_cast<int>(next - first), {}};
    for (const int unknown : all)
      some.unknowns.emplace_back(unknown * tables.column_packs(),
                                 unknown * tables.displaced_packs * kLaneCount);
    rates.push_back(std::move(some));
  }
  return rates;
}

// Packs of K that are gone through, but for those that the pose sets and right-hand sides.
std::vector<int> unset_packs(const Tables& tables, const Elimination& plan) {
  std::set<int> packs;
  const auto place = [&](int row, int pack) { return row * (tables.right_pack() + 1) + pack; };
  for (const auto& step : plan.steps)
    for (int i = step.first_pack; i < step.end_pack; ++i)
      packs.insert(place(step.unknown, plan.packs[at(i)]));
  for (int pack = 0; pack < tables.v_packs; ++pack)
    for (const auto& part : tables.v_parts[at(pack)])
      if (part.inboard != kNothing || part.own != kNothing) packs.erase(place(part.axis, pack));
  for (int pack = 0; pack < tables.row_packs; ++pack)
    for (const auto& part : tables.row_parts[at(pack)])
      packs.erase(place(part.axis, tables.v_packs + pack));
  for (const auto& step : plan.steps) packs.erase(place(step.unknown, tables.right_pack()));
  return {packs.begin(), packs.end()};
}

// Of axes without inertia, which come after the rows.
std::vector<std::pair<int, int>> turned_entries(const Tables& tables,
                                                const std::vector<std::vector<int>>& rows) {
  std::vector<std::pair<int, int>> turned;
  const auto place = [&](int row, int column) {
    return row * (tables.right_pack() + 1) * kLaneCount + column;
  };
  for (int k = 0; k < tables.velocities; ++k) {
    if (tables.bodies[at(tables.axes[at(k)].body)].has_inertia) continue;
    for (const int row : rows[at(k)]) {
      const int unknown = tables.unknown_of_row(row);
      turned.emplace_back(place(unknown, k), place(k, unknown));
    }
  }
  return turned;
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
    step.row = step.unknown * (tables.right_pack() + 1);
    step.first_later = static_cast<int>(plan.later.size());
    step.first_pack = static_cast<int>(plan.packs.size());
    std::set<int> packs{step.unknown / kLaneCount, tables.right_pack()};
    for (const int other : later[s]) {
      earlier[at(other)].push_back({step.unknown, step.row});
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
  Blocks(tables, later, plan);
  plan.unset = unset_packs(tables, plan);
  plan.turned = turned_entries(tables, rows);
  auto related = related_axes(tables);
  for (const auto& cut : tables.cuts) {
    for (const auto& [signs, patterns] : cut.columns) {
      for (std::size_t i = 0; i < patterns.size(); ++i) {
        std::set<int> columns;
        insert_columns(tables, signs.pack, patterns[i].reversed, columns);
        for (const int column : columns)
          related[at(tables.axis_of[at(column)])].insert(cut.axes[i].axis);
      }
    }
  }
  for (const auto& pair : tables.loads)
    for (const auto& axis : pair.axes)
      for (const auto& mover : pair.movers) related[at(axis.axis)].insert(mover.axis);
  for (int k = 0; k < tables.velocities; ++k)
    for (const int row : rows[at(k)]) related[at(k)].insert(tables.unknown_of_row(row));
  plan.rates = rates_of(tables, related);
  return plan;
}

}  // namespace hamiltree::derivatives
