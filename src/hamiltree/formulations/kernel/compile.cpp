#include "hamiltree/formulations/kernel/compile.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/kernel/joint_size.hpp"
#include "hamiltree/formulations/kernel/row_plan.hpp"
#include "hamiltree/formulations/kernel/watched_pivots.hpp"
#include "hamiltree/model/loops.hpp"

namespace hamiltree::kernel {
namespace {

using Space = Spatial<double>;

Kind kind_of(JointType type) {
  switch (type) {
    case JointType::kRevolute:
      return Kind::kRevolute;
    case JointType::kPrismatic:
      return Kind::kPrismatic;
    case JointType::kHelical:
      return Kind::kHelical;
    case JointType::kUniversal:
      return Kind::kUniversal;
    case JointType::kCylindrical:
      return Kind::kCylindrical;
    case JointType::kPinInSlot:
      return Kind::kPinInSlot;
    case JointType::kPlanar:
      return Kind::kPlanar;
    case JointType::kTranslational:
      return Kind::kTranslational;
    case JointType::kSpherical:
      return Kind::kSpherical;
    case JointType::kFree:
      return Kind::kFree;
    default:
      return Kind::kFixed;
  }
}

void copy(const Eigen::Vector3d& from, double* to) { std::copy_n(from.data(), 3, to); }
void copy(const Eigen::Matrix3d& from, double* to) { std::copy_n(from.data(), 9, to); }

// Slots of sines for the angles of a joint, its first coordinate that is one first.
void add_angles(const Joint<Space>& joint, Body& body, Tables& tables) {
  body.angle = static_cast<int>(tables.angles.size());
  const auto add = [&](int coordinate) {
    tables.angles.push_back(joint.q + coordinate);
    tables.angle_signs.push_back(body.outward);
  };
  switch (body.kind) {
    case Kind::kRevolute:
    case Kind::kHelical:
      return add(0);
    case Kind::kUniversal:
      add(0);
      return add(1);
    case Kind::kCylindrical:
    case Kind::kPinInSlot:
      return add(1);
    case Kind::kPlanar:
      return add(2);
    default:
      return;
  }
}

Body body_of(const System<Space>& system, int b, Tables& tables) {
  const auto& joint = system.joint(b);
  const auto& inertia = system.body(b);
  Body body;
  body.inboard = system.inboard(b);
  body.kind = kind_of(joint.type);
  body.reversed = joint.reversed;
  body.outward = joint.reversed ? -1.0 : 1.0;
  body.q = std::max(joint.q, 0);
  body.v = std::max(joint.v, 0);
  body.drive = joint.drive;
  const auto& X = joint.reversed ? joint.X_CM : joint.X_PF;
  copy(X.R, body.R);
  copy(X.r, body.r);
  body.mass = inertia.mass;
  copy(Eigen::Vector3d(inertia.mass * inertia.com), body.mc);
  copy(Eigen::Matrix3d(to_matrix(inertia).bottomRightCorner<3, 3>()), body.J);
  body.pitch = joint.pitch;
  body.armature = joint.armature;
  add_angles(joint, body, tables);
  return body;
}

Cut cut_of(const System<Space>& system, int j, const std::vector<bool>& in_use) {
  const auto& joint = system.joint(j);
  Cut cut;
  cut.joint = j;
  cut.body = {joint.child, joint.parent};
  if (joint.at_parent) std::swap(cut.body[0], cut.body[1]);
  cut.opens_at = cut.body;
  copy(joint.at_parent ? Eigen::Matrix3d(-joint.X_PF.R) : joint.X_CM.R, cut.R);
  copy(joint.at_parent ? joint.X_PF.r : joint.X_CM.r, cut.r);
  copy(joint.X_PF.R, cut.parent_R);
  if (joint.type == JointType::kUniversal) cut.axes = CutAxes::kOfCross;
  if (joint.type == JointType::kPinInSlot) cut.axes = CutAxes::kOfParent;
  for (int i = 0; i < joint.constraints; ++i) {
    if (!in_use[at(joint.row + i)]) continue;
    CutRow row;
    row.row = joint.row + i;
    row.component = joint.constrained[at(i)];
    if (row.component == 2) row.advance = -joint.pitch;
    cut.rows.push_back(row);
  }
  cut.is_ball = joint.type == JointType::kSpherical && cut.rows.size() == 3;
  return cut;
}

Cut coupling_of(const System<Space>& system, const JointCoupling& coupling,
                const std::vector<bool>& in_use) {
  const auto outward = [&](int j) { return system.joint(j).reversed ? -1.0 : 1.0; };
  Cut cut;
  cut.joint = coupling.joint;
  cut.is_coupling = true;
  cut.body = {system.inboard(coupling.joint), system.inboard(coupling.to)};
  cut.opens_at = {coupling.joint, coupling.to};
  cut.factor = {outward(coupling.joint), -coupling.ratio * outward(coupling.to)};
  if (in_use[at(coupling.row)]) cut.rows.push_back({coupling.row, 0, 0, 0, 0.0});
  return cut;
}

// How fast each velocity opens each row; angles count by the mechanism's length.
Opening opening_of(const System<Space>& system, const std::vector<bool>& in_use,
                   Kinematics<Space>& kin) {
  std::vector<double> size(at(system.velocities), 1.0);
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    for (int i = 0; i < joint.velocities; ++i)
      if (joint.free[at(i)] >= Space::kLinear) size[at(joint.v + i)] = 1.0 / system.length;
  }
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<double> impulse(at(system.constraints), 0.0), p(at(system.velocities));
  for (int row = 0; row < system.constraints; ++row) {
    if (!in_use[at(row)]) continue;
    std::fill(p.begin(), p.end(), 0.0);
    impulse[at(row)] = 1.0;
    add_loop_impulses(system, system.row_scales[at(row)], impulse.data(), kin, p.data());
    impulse[at(row)] = 0.0;
    for (int i = 0; i < system.velocities; ++i)
      if (p[at(i)] != 0.0) entries.emplace_back(row, i, size[at(i)] * p[at(i)]);
  }
  Opening opening(system.constraints, system.velocities);
  opening.setFromTriplets(entries.begin(), entries.end());
  return opening;
}

Tables tables_without_rows(const System<Space>& system, const std::vector<bool>& in_use) {
  Tables tables;
  for (int b = 0; b < system.body_count(); ++b) tables.bodies.push_back(body_of(system, b, tables));
  for (int j = system.body_count(); j < system.joint_count(); ++j)
    tables.cuts.push_back(cut_of(system, j, in_use));
  for (const auto& coupling : system.couplings)
    tables.cuts.push_back(coupling_of(system, coupling, in_use));
  while (tables.angles.size() % kLaneCount != 0) {
    tables.angles.push_back(0);
    tables.angle_signs.push_back(0.0);
  }
  copy(system.gravity, tables.gravity);
  tables.coordinates = system.coordinates;
  tables.velocities = system.velocities;
  tables.constraints = system.constraints;
  tables.drives = static_cast<int>(system.drives.size());
  return tables;
}

}  // namespace

std::string foreign_joint(const System<Space>& system) {
  for (const auto& coupling : system.couplings) {
    if (!system.joint(coupling.joint).has_velocity() || !system.joint(coupling.to).has_velocity())
      return "a joint that is driven or closes a loop is coupled";
    if (coupling.is_curved()) return "a coupling is curved";
  }
  if (system.velocities == 0) return "nothing moves";
  for (int j = 0; j < system.joint_count(); ++j) {
    const auto& joint = system.joint(j);
    const bool turns_in_child = joint.type == JointType::kPinInSlot ||
                                joint.type == JointType::kPlanar || joint.type == JointType::kFree;
    if (!joint.is_cut() && joint.reversed && turns_in_child)
      return "the tree runs against a pin_in_slot, planar or free joint";
    if (joint.armature > 0.0 && joint.velocities > 1) return "a spherical joint has armature";
    if (joint.drive != kNone && joint.is_cut()) return "a joint that closes a loop is driven";
    if (joint.drive != kNone && joint.reversed) return "the tree runs against a driven joint";
  }
  return {};
}

Tables unplanned_tables(const System<Space>& system) {
  auto tables = tables_without_rows(system, std::vector<bool>(at(system.constraints), true));
  for (int b = 0; b < system.body_count(); ++b) tables.outward.push_back(b);
  return tables;
}

std::optional<Tables> compile(const System<Space>& system, const std::vector<bool>& in_use,
                              Kinematics<Space>& kin) {
  auto plain = tables_without_rows(system, in_use);
  find_watched_pivots(system, kin, plain);
  RowPlanInput input{opening_of(system, in_use, kin), {}};
  for (const double scale : system.row_scales) input.weight.push_back(scale * scale);
  std::optional<Tables> wide;
  for (const auto attach : {Attach::kIfAllClose, Attach::kAlways}) {
    auto tables = plain;
    if (!plan_rows(input, attach, tables)) continue;
    if (tables.lanes == kLaneCount) return tables;
    if (!wide) wide = std::move(tables);
  }
  return wide;
}

}  // namespace hamiltree::kernel
