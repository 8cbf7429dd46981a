#include "hamiltree/formulations/derivatives/joint_space_tables.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

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
  // Velocities are eliminated before the rows, which may be what holds a body without inertia.
  const bool has_inertia = system.ballasted.empty() || system.constraints == 0;
  return system.velocities + system.constraints <= kMostUnknowns && cuts_fit && has_inertia &&
         fits(system) && EffortSlopes<Space>::takes(system);
}

template <class Space>
void add_axes(const System<Space>& system, int b, Tables& tables) {
  const auto& joint = system.joint(b);
  AxesOfBody body;
  body.inboard = system.inboard(b);
  body.is_driven = joint.drive != kNone;
  body.mass = system.body(b).mass;
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
  tables.axis_of.assign(at(kLaneCount * tables.q_packs), kNothing);
  for (int k = 0; k < tables.velocities; ++k) {
    const int q = tables.coordinate_of[at(k)];
    if (q == kNothing) continue;
    tables.axis_of[at(q)] = k;
    const bool goes_on = !tables.runs.empty() &&
                         tables.runs.back().q + tables.runs.back().count == q &&
                         tables.runs.back().v + tables.runs.back().count == k;
    if (!goes_on) tables.runs.push_back({q, k, 0});
    ++tables.runs.back().count;
  }
}

void find_outboard_masses(Tables& tables) {
  for (auto& body : tables.bodies) body.outboard_mass = body.mass;
  for (std::size_t b = tables.bodies.size(); b-- > 0;) {
    const auto& body = tables.bodies[b];
    if (body.inboard != kNothing)
      tables.bodies[at(body.inboard)].outboard_mass += body.outboard_mass;
  }
}

void add_lane_bodies(Tables& tables) {
  tables.q_bodies.resize(at(tables.q_packs));
  tables.v_bodies.resize(at(tables.v_packs));
  const auto set = [&](std::vector<LaneBodies>& to, int column, int body) {
    auto& pack = to[at(column / kLaneCount)];
    pack.body[column % kLaneCount] = body;
    pack.mass.lane[column % kLaneCount] = tables.bodies[at(body)].outboard_mass;
  };
  for (int k = 0; k < tables.velocities; ++k) {
    set(tables.v_bodies, k, tables.axes[at(k)].body);
    if (const int q = tables.coordinate_of[at(k)]; q != kNothing)
      set(tables.q_bodies, q, tables.axes[at(k)].body);
  }
  for (const auto& joint : tables.quasi)
    for (int c = 0; c < joint.coordinates; ++c)
      set(tables.q_bodies, joint.q + c, tables.axes[at(joint.v)].body);
  for (std::size_t i = 0; i < tables.driven.size(); ++i)
    set(tables.q_bodies, tables.coordinates + static_cast<int>(i), tables.driven[i]);
}

// Which axes move which, and the masks of it. Beyond the axes of the velocities are those along
// which drives move their bodies.
class Relations {
 public:
  explicit Relations(const Tables& tables) : tables_(tables), axis_of_(tables.axis_of) {
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

  // Adds those of a row.
  void add_parts(int row, bool by_displacement, std::vector<std::vector<RowPart>>& by_pack) const {
    for_columns(by_displacement, [&](int pack, int lane, int axis) {
      const int body = body_of(axis);
      const bool inboard = moves(axis, row);
      const bool outboard = !inboard && moves_body(row, body);
      if (!inboard && !outboard) return;
      auto& parts = by_pack[at(pack)];
      if (parts.empty() || parts.back().axis != row) parts.emplace_back().axis = row;
      auto& part = parts.back();
      (inboard ? part.has_inboard : part.has_outboard) = true;
      (inboard ? part.inboard : part.outboard).lane[lane] = 1.0;
      if (inboard || body != body_of(row)) return;
      part.has_own = true;
      part.own.lane[lane] = 1.0;
    });
  }

  // The packs in which sign(axis) is not zero.
  template <class F>
  std::vector<Signs> signs(bool by_displacement, const F& sign) const {
    std::vector<Signs> signs;
    for_columns(by_displacement, [&](int pack, int lane, int axis) {
      const double value = sign(axis);
      if (value == 0.0) return;
      if (signs.empty() || signs.back().pack != pack) signs.push_back({pack, {}});
      signs.back().sign.lane[lane] = value;
    });
    return signs;
  }

 private:
  bool is_drive(int axis) const { return axis >= tables_.velocities; }
  int body_of(int axis) const {
    return is_drive(axis) ? tables_.driven[at(axis - tables_.velocities)]
                          : tables_.axes[at(axis)].body;
  }
  template <class F>
  void for_columns(bool by_displacement, const F& f) const {
    const int count = by_displacement ? tables_.displacements() : tables_.velocities;
    for (int c = 0; c < count; ++c)
      f(c / kLaneCount, c % kLaneCount, by_displacement ? axis_of_[at(c)] : c);
  }

  const Tables& tables_;
  std::vector<int> axis_of_;  // by displacement; of a quasi-coordinate the first of its joint
};

void relate(LoopCut& cut, const Tables& tables, const Relations& relations) {
  const auto side = [&](int axis) { return static_cast<double>(relations.side(axis, cut)); };
  cut.q = relations.signs(true, side);
  cut.v = relations.signs(false, side);
  for (int k = 0; k < tables.velocities; ++k) {
    if (side(k) == 0.0) continue;
    const auto sign = [&](int axis) {
      const int alone =
          (relations.moves(axis, k) ? 1 : 0) - (relations.moves_body(axis, cut.child) ? 1 : 0);
      return side(k) * alone;
    };
    cut.axes.push_back({k, side(k), relations.signs(true, sign), relations.signs(false, sign)});
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
    pair.child_q = relations.signs(true, moves(child));
    pair.child_v = relations.signs(false, moves(child));
    pair.parent_q = relations.signs(true, moves(parent));
    pair.parent_v = relations.signs(false, moves(parent));
    for (int k = 0; k < tables.velocities; ++k) {
      const double side = moves(child)(k) - moves(parent)(k);
      if (side == 0.0) continue;
      const auto sign = [&](int axis) { return relations.moves(axis, k) ? side : 0.0; };
      pair.axes.push_back({k, side, relations.signs(true, sign), {}});
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
  find_outboard_masses(tables);
  add_lane_bodies(tables);
  const Relations relations(tables);
  tables.q_parts.resize(at(tables.q_packs));
  tables.v_parts.resize(at(tables.v_packs));
  for (int k = 0; k < system.velocities; ++k) {
    relations.add_parts(k, true, tables.q_parts);
    relations.add_parts(k, false, tables.v_parts);
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
  return tables;
}

template std::optional<Tables> tables_of(const System<Planar<double>>&);
template std::optional<Tables> tables_of(const System<Spatial<double>>&);

}  // namespace hamiltree::derivatives
