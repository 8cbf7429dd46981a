#include "hamiltree/formulations/derivatives/joint_space_tables.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <set>
#include <utility>

#include "hamiltree/formulations/derivatives/effort_slopes.hpp"
#include "hamiltree/formulations/derivatives/load_slopes.hpp"
#include "hamiltree/formulations/kernel/compile.hpp"

namespace hamiltree::derivatives {
namespace {

constexpr int kMostUnknowns = 1000;  // matrices are dense

bool fits(const System<Spatial<double>>& system) { return kernel::foreign_joint(system).empty(); }

// Every axis passes through its body's own point.
bool fits(const System<Planar<double>>& system) {
  const auto joint_fits = [&](const Joint<Planar<double>>& joint) {
    if (joint.is_cut()) return joint.drive == kNone && joint.armature == 0.0;
    if (joint.armature > 0.0 && joint.velocities != 1) return false;
    return !joint.reversed ||
           (!joint.own_frame && joint.type != JointType::kFree && joint.drive == kNone);
  };
  const auto coupling_fits = [&](const JointCoupling& coupling) {
    return system.joint(coupling.joint).has_velocity() &&
           system.joint(coupling.to).has_velocity() && !coupling.is_curved();
  };
  return system.velocities > 0 && std::ranges::all_of(system.joints, joint_fits) &&
         std::ranges::all_of(system.couplings, coupling_fits);
}

template <class Space>
bool fits_joint_space(const System<Space>& system) {
  const bool cuts_fit = std::ranges::none_of(
      system.joints, [](const auto& joint) { return joint.is_cut() && joint.own_frame; });
  return system.velocities + system.constraints <= kMostUnknowns && cuts_fit && fits(system) &&
         EffortSlopes<Space>::takes(system);
}

template <class Space>
void add_axes(const System<Space>& system, int b, Tables& tables) {
  const auto& joint = system.joint(b);
  AxesOfBody body;
  body.inboard = system.inboard(b);
  body.is_driven = joint.drive != kNone;
  body.mass = system.body(b).mass;
  body.has_inertia = body.mass > 0.0 || system.body(b).J_com.trace() > 0.0 || joint.armature > 0.0;
  body.in = joint.own_frame  ? AxesIn::kBetween
            : joint.reversed ? AxesIn::kInboard
                             : AxesIn::kOutboard;
  if (joint.has_velocity()) {
    body.first = joint.v;
    body.count = joint.velocities;
    body.turning = joint.reversed ? joint.v + 1 : joint.v;
    const double sign = joint.reversed ? -1.0 : 1.0;
    for (int i = 0; i < joint.velocities; ++i) {
      const bool turns = joint.free[at(i)] >= Space::kLinear;
      Axis axis{b, i % 3, turns ? joint.pitch * sign : sign, turns ? sign : 0.0, joint.armature};
      tables.axes[at(joint.v + i)] = axis;
      if (joint.coordinates == joint.velocities)
        tables.coordinate_of[at(joint.v + i)] = joint.q + i;
    }
  }
  tables.bodies.push_back(body);
}

// Coordinates whose rates are not the velocities.
template <class Space>
void add_quasi(const System<Space>& system, int b, Tables& tables) {
  using enum QuasiJoint::Kind;
  const auto& joint = system.joint(b);
  if (!joint.has_velocity()) return;
  std::optional<QuasiJoint::Kind> kind;
  if (joint.type == JointType::kSpherical) kind = kSpherical;
  if (joint.type == JointType::kPlanar) kind = kPlanar;
  if (joint.type == JointType::kFree) kind = Space::kIsPlanar ? kPlanar : kFree;
  if (!kind) return;
  tables.bodies.back().has_quasi = true;
  tables.quasi.push_back({*kind, joint.q, joint.v, joint.coordinates, joint.velocities});
  for (int i = 0; i < joint.velocities; ++i) tables.coordinate_of[at(joint.v + i)] = kNothing;
}

void add_runs(Tables& tables) {
  for (int k = 0; k < tables.velocities; ++k) {
    const int q = tables.coordinate_of[at(k)];
    if (q == kNothing) continue;
    const bool goes_on = !tables.runs.empty() &&
                         tables.runs.back().q + tables.runs.back().count == q &&
                         tables.runs.back().v + tables.runs.back().count == k;
    if (!goes_on) tables.runs.push_back({q, k, 0});
    ++tables.runs.back().count;
  }
}

void add_what_is_behind(Tables& tables) {
  for (auto& body : tables.bodies) body.outboard_mass = body.mass;
  for (std::size_t b = tables.bodies.size(); b-- > 0;) {
    const auto& body = tables.bodies[b];
    if (body.inboard == kNothing) continue;
    auto& inboard = tables.bodies[at(body.inboard)];
    inboard.outboard_mass += body.outboard_mass;
    inboard.has_inertia = inboard.has_inertia || body.has_inertia;
  }
}

// Columns of the displaced: those of the displacements, then those of quasi-velocities.
void add_columns(Tables& tables) {
  int columns = kLaneCount * tables.q_packs;
  for (int k = 0; k < tables.velocities; ++k) {
    const int q = tables.coordinate_of[at(k)];
    tables.axes[at(k)].column = q != kNothing ? q : columns++;
  }
  tables.displaced_packs = packs_for(columns);
  tables.axis_of.assign(at(kLaneCount * tables.displaced_packs), kNothing);
  for (int k = 0; k < tables.velocities; ++k) tables.axis_of[at(tables.axes[at(k)].column)] = k;
  for (int c = 0; c < kLaneCount * tables.q_packs; ++c) {
    const int axis = tables.axis_of[at(c)];
    const int row = axis == kNothing ? tables.velocities : axis;
    tables.transposed_to.push_back(row * tables.column_packs() + tables.q_packs);
  }
}

void add_lane_bodies(Tables& tables) {
  tables.displaced_bodies.resize(at(tables.displaced_packs));
  tables.v_bodies.resize(at(tables.v_packs));
  const auto set = [&](std::vector<LaneBodies>& to, int column, int body, int frame) {
    auto& pack = to[at(column / kLaneCount)];
    pack.body[column % kLaneCount] = body;
    pack.frame[column % kLaneCount] = frame;
    pack.mass.lane[column % kLaneCount] = tables.bodies[at(body)].outboard_mass;
  };
  for (int k = 0; k < tables.velocities; ++k) {
    const auto& axis = tables.axes[at(k)];
    const int own = axis.body + static_cast<int>(tables.bodies.size());
    const bool is_rate = tables.coordinate_of[at(k)] != kNothing;
    set(tables.v_bodies, k, axis.body, axis.body);
    set(tables.displaced_bodies, axis.column, axis.body, is_rate ? axis.body : own);
  }
  const auto displace = [&](int column, int body) {
    set(tables.displaced_bodies, column, body, body);
  };
  for (const auto& joint : tables.quasi)
    for (int c = 0; c < joint.coordinates; ++c)
      displace(joint.q + c, tables.axes[at(joint.v)].body);
  for (std::size_t i = 0; i < tables.driven.size(); ++i)
    displace(tables.coordinates + static_cast<int>(i), tables.driven[i]);
}

// Which axes move which, and the masks of it. Beyond the axes of the velocities are those along
// which drives move their bodies.
class Relations {
 public:
  explicit Relations(Tables& tables) : tables_(tables), axis_of_(tables.axis_of) {
    for (const auto& joint : tables.quasi)
      for (int c = 0; c < joint.coordinates; ++c) axis_of_[at(joint.q + c)] = joint.v;
    for (int c = tables.coordinates; c < tables.displacements(); ++c)
      axis_of_[at(c)] = tables.velocities + c - tables.coordinates;
  }

  bool moves_body(int axis, int body) const {
    const int mover = body_of(axis);
    while (body > mover) body = tables_.bodies[at(body)].inboard;
    return body == mover;
  }
  // Whether a displacement along one axis moves another.
  bool moves(int axis, int other) const {
    const int b = body_of(axis), c = body_of(other);
    if (b != c) return moves_body(axis, c);
    if (is_drive(axis)) return true;  // of the frame that the joint moves on
    const auto& body = tables_.bodies[at(b)];
    if (body.in == AxesIn::kBetween) return axis == body.turning && other != axis;
    return body.in == AxesIn::kOutboard;
  }
  int side(int axis, const LoopCut& cut) const {
    return (moves_body(axis, cut.child) ? 1 : 0) - (moves_body(axis, cut.parent) ? 1 : 0);
  }

  // Adds those of a row: its momentum changes as columns displace, and pdot of the axes of
  // quasi-velocities with its velocity.
  void add_displaced_parts(int row) const {
    const auto from_inboard = [&](int axis) { return moves(axis, row); };
    const auto from_outboard = [&](int axis) { return moves_body(row, body_of(axis)); };
    for (int pack = 0; pack < tables_.displaced_packs; ++pack) {
      RowPart part{row, tables_.axes[at(row)].column};
      const auto pattern_of_columns = [&](const auto& holds) {
        return pattern(pack, [&](int axis) { return holds(axis) ? 1.0 : 0.0; });
      };
      if (pack < tables_.q_packs) {
        part.inboard = pattern_of_columns(from_inboard);
        part.outboard = pattern_of_columns(
            [&](int axis) { return !from_inboard(axis) && from_outboard(axis); });
      } else {
        part.outboard = pattern_of_columns([&](int axis) { return moves(row, axis); });
        part.inboard = pattern_of_columns(
            [&](int axis) { return !moves(row, axis) && moves_body(axis, body_of(row)); });
      }
      if (part.inboard != kNothing || part.outboard != kNothing)
        tables_.displaced_parts[at(pack)].push_back(part);
    }
  }
  void add_v_parts(int row) const {
    for (int pack = 0; pack < tables_.v_packs; ++pack) {
      Lanes inboard{}, outboard{}, own{};
      for (int lane = 0; lane < kLaneCount; ++lane) {
        const int axis = pack * kLaneCount + lane;
        if (axis >= tables_.velocities) break;
        if (moves(axis, row)) {
          inboard.lane[lane] = 1.0;
        } else if (moves_body(row, body_of(axis))) {
          outboard.lane[lane] = 1.0;
          own.lane[lane] = body_of(axis) == body_of(row) ? 1.0 : 0.0;
        }
      }
      const RowPart part{row, tables_.axes[at(row)].column, pattern_of(inboard),
                         pattern_of(outboard), pattern_of(own)};
      if (part.inboard != kNothing || part.outboard != kNothing)
        tables_.v_parts[at(pack)].push_back(part);
    }
  }

  // The packs of displaced columns in which sign(axis) is not zero.
  template <class F>
  std::vector<Signs> signs(int packs, const F& sign) const {
    std::vector<Signs> signs;
    for (int pack = 0; pack < packs; ++pack) {
      const int which = pattern(pack, sign);
      if (which != kNothing) signs.push_back({pack, which});
    }
    return signs;
  }

  // sign(axis) by column.
  template <class F>
  int pattern(int pack, const F& sign) const {
    return pattern_of(pack, axis_of_, sign);
  }
  // The same where the column is the axis's own.
  template <class F>
  int pattern_of_own(int pack, const F& sign) const {
    return pattern_of(pack, tables_.axis_of, sign);
  }
  // None where all are zero.
  int pattern_of(const Lanes& lanes) const {
    if (std::ranges::count(lanes.lane, 0.0) == kLaneCount) return kNothing;
    return place_of(lanes);
  }
  int place_of(const Lanes& lanes) const {
    auto& all = tables_.patterns;
    const auto same = [&](const Lanes& other) {
      return std::ranges::equal(lanes.lane, other.lane);
    };
    const auto place = std::ranges::find_if(all, same) - all.begin();
    if (place == std::ssize(all)) all.push_back(lanes);
    return static_cast<int>(place);
  }

 private:
  template <class F>
  int pattern_of(int pack, const std::vector<int>& axis_of, const F& sign) const {
    Lanes lanes{};
    for (int lane = 0; lane < kLaneCount; ++lane) {
      const int axis = axis_of[at(pack * kLaneCount + lane)];
      if (axis != kNothing) lanes.lane[lane] = sign(axis);
    }
    return pattern_of(lanes);
  }

  bool is_drive(int axis) const { return axis >= tables_.velocities; }
  int body_of(int axis) const {
    return is_drive(axis) ? tables_.driven[at(axis - tables_.velocities)]
                          : tables_.axes[at(axis)].body;
  }

  Tables& tables_;
  std::vector<int> axis_of_;  // by column; of a quasi-coordinate the first of its joint
};

void relate(LoopCut& cut, const Tables& tables, const Relations& relations) {
  const auto side = [&](int axis) { return static_cast<double>(relations.side(axis, cut)); };
  for (int k = 0; k < tables.velocities; ++k)
    if (side(k) != 0.0) cut.axes.push_back({k, tables.axes[at(k)].column, side(k)});
  const auto alone = [&](int axis, int other) {
    return side(other) * ((relations.moves(axis, other) ? 1 : 0) -
                          (relations.moves_body(axis, cut.child) ? 1 : 0));
  };
  for (const auto& signs : relations.signs(tables.displaced_packs, side)) {
    LoopColumns columns{signs, {}};
    for (const auto& of : cut.axes) {
      LoopColumns::Pattern pattern;
      if (signs.pack < tables.q_packs)
        pattern.of = relations.pattern(signs.pack, [&](int axis) { return alone(axis, of.axis); });
      pattern.reversed =
          relations.pattern_of_own(signs.pack, [&](int axis) { return alone(of.axis, axis); });
      columns.patterns.push_back(pattern);
    }
    cut.columns.push_back(std::move(columns));
  }
}

// By pack of rows: the axes that have entries there.
void add_row_parts(const Relations& relations, Tables& tables) {
  tables.row_parts.resize(at(tables.row_packs));
  for (int k = 0; k < tables.velocities; ++k) {
    std::vector<Lanes> sides(at(tables.row_packs), Lanes{});
    std::vector<bool> there(sides.size(), false);
    const auto set = [&](int row, double side) {
      sides[at(row / kLaneCount)].lane[row % kLaneCount] = side;
      there[at(row / kLaneCount)] = true;
    };
    for (const auto& cut : tables.cuts)
      for (const auto& axis : cut.axes)
        for (const auto& row : cut.rows)
          if (axis.axis == k) set(row.row, axis.side);
    for (const auto& coupled : tables.coupled)  // whose own entries are constants
      if (std::ranges::count(coupled.axis, k) > 0) set(coupled.row, 0.0);
    for (std::size_t pack = 0; pack < sides.size(); ++pack)
      if (there[pack]) tables.row_parts[pack].push_back({k, relations.place_of(sides[pack])});
  }
}

void find_unset(Tables& tables) {
  const auto parts_of = [](const std::vector<std::vector<RowPart>>& by_pack) {
    std::set<std::pair<int, int>> places;
    for (std::size_t pack = 0; pack < by_pack.size(); ++pack)
      for (const auto& part : by_pack[pack]) places.emplace(part.axis, static_cast<int>(pack));
    return places;
  };
  auto set = parts_of(tables.displaced_parts);
  for (int k = 0; k < tables.velocities; ++k) {
    for (int pack = 0; pack < tables.displaced_packs; ++pack) {
      if (set.contains({k, pack})) continue;
      if (pack < tables.q_packs) tables.unset_P_dot.push_back(k * tables.column_packs() + pack);
      if (tables.has_wrenches()) tables.unset_slopes.push_back(k * tables.displaced_packs + pack);
    }
  }
  for (const auto& cut : tables.cuts)
    for (const auto& row : cut.rows)
      for (const auto& columns : cut.columns)
        set.emplace(tables.unknown_of_row(row.row), columns.signs.pack);
  for (int unknown = 0; unknown < tables.unknowns(); ++unknown) {
    if (unknown >= tables.velocities && unknown < tables.unknown_of_row(0)) continue;
    for (int pack = 0; pack < tables.column_packs(); ++pack)
      if (pack >= tables.q_packs || !set.contains({unknown, pack}))
        tables.unset_X.push_back(unknown * tables.column_packs() + pack);
  }
}

template <class Space>
void add_loads(const System<Space>& system, const Relations& relations, Tables& tables) {
  for (const auto& [child, parent] : LoadSlopes<Space>::bodies_of(system)) {
    LoadedPair pair;
    pair.child = child;
    pair.parent = parent;
    const auto moves = [&](int body) {
      return [&relations, body](int axis) { return relations.moves_body(axis, body) ? 1.0 : 0.0; };
    };
    const auto moves_child = moves(child), moves_parent = moves(parent);
    pair.child_moved = relations.signs(tables.displaced_packs, moves_child);
    pair.parent_moved = relations.signs(tables.displaced_packs, moves_parent);
    const auto side = [&](int axis) { return moves_child(axis) - moves_parent(axis); };
    for (int pack = 0; pack < tables.displaced_packs; ++pack) {
      const int sides = relations.pattern_of_own(pack, side);
      if (sides != kNothing) pair.sides.push_back({pack, sides});
    }
    for (int k = 0; k < tables.velocities; ++k) {
      const LoopAxis axis{k, tables.axes[at(k)].column, side(k)};
      if (moves_child(k) != 0.0 || moves_parent(k) != 0.0) pair.movers.push_back(axis);
      if (axis.side == 0.0) continue;
      const auto sign = [&](int other) { return relations.moves(other, k) ? axis.side : 0.0; };
      pair.axes.push_back(axis);
      pair.moved_by.push_back(relations.signs(tables.q_packs, sign));
    }
    tables.loads.push_back(std::move(pair));
  }
}

template <class Space>
void add_cut(const System<Space>& system, int j, Tables& tables) {
  const auto& joint = system.joint(j);
  LoopCut cut;
  cut.child = joint.at_parent ? joint.parent : joint.child;
  cut.parent = joint.at_parent ? joint.child : joint.parent;
  cut.cut = j - system.body_count();
  for (int i = 0; i < joint.constraints; ++i) {
    const int component = joint.constrained[at(i)];
    const bool turns = component >= Space::kLinear;
    kernel::CutRow row;
    row.row = joint.row + i;
    row.component = Space::kIsPlanar && turns ? 5 : component;
    if (!Space::kIsPlanar && component == 2) row.advance = -joint.pitch;
    cut.rows.push_back(row);
  }
  tables.cuts.push_back(std::move(cut));
}

}  // namespace

template <class Space>
std::optional<Tables> tables_of(const System<Space>& system) {
  if (!fits_joint_space(system)) return std::nullopt;
  Tables tables;
  tables.dimension = Space::kDimension;
  tables.coordinates = system.coordinates;
  tables.velocities = system.velocities;
  tables.constraints = system.constraints;
  for (int b = 0; b < system.body_count(); ++b)
    if (system.joint(b).drive != kNone) tables.driven.push_back(b);
  tables.q_packs = packs_for(tables.displacements());
  tables.v_packs = packs_for(system.velocities);
  tables.row_packs = packs_for(system.constraints);
  tables.axes.resize(at(system.velocities));
  tables.coordinate_of.assign(at(system.velocities), kNothing);
  for (int i = 0; i < Space::kLinear; ++i) tables.gravity[i] = system.gravity(i);
  for (int b = 0; b < system.body_count(); ++b) {
    add_axes(system, b, tables);
    add_quasi(system, b, tables);
  }
  add_runs(tables);
  add_columns(tables);
  add_what_is_behind(tables);
  add_lane_bodies(tables);
  const Relations relations(tables);
  tables.displaced_parts.resize(at(tables.displaced_packs));
  tables.v_parts.resize(at(tables.v_packs));
  for (int k = 0; k < system.velocities; ++k) {
    relations.add_displaced_parts(k);
    relations.add_v_parts(k);
  }
  for (int j = system.body_count(); j < system.joint_count(); ++j) {
    add_cut(system, j, tables);
    relate(tables.cuts.back(), tables, relations);
  }
  add_loads(system, relations, tables);
  for (const auto& coupling : system.couplings)
    tables.coupled.push_back({coupling.row,
                              {system.joint(coupling.joint).v, system.joint(coupling.to).v},
                              {1.0, -coupling.ratio}});
  add_row_parts(relations, tables);
  find_unset(tables);
  return tables;
}

template std::optional<Tables> tables_of(const System<Planar<double>>&);
template std::optional<Tables> tables_of(const System<Spatial<double>>&);

}  // namespace hamiltree::derivatives
