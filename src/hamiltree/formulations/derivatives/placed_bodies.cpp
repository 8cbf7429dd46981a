#include "hamiltree/formulations/derivatives/placed_bodies.hpp"

#include <cstddef>

namespace hamiltree::derivatives {
namespace {

using InPlane = Planar<double>;
using kernel::Half;

Half half(const InPlane::Position& x) { return {{x(0), x(1), 0.0, 0.0}}; }
Half along_z(double x) { return {{0.0, 0.0, x, 0.0}}; }

kernel::Work arrays_for(const System<InPlane>& system) {
  kernel::Tables tables;
  tables.bodies.resize(system.bodies.size());
  tables.cuts.resize(system.joints.size() - system.bodies.size());
  return kernel::Work(tables);
}

}  // namespace

PlacedBodies<InPlane>::PlacedBodies(const System<InPlane>& system)
    : system_(system), work_(arrays_for(system)), kin_(system) {}

void PlacedBodies<InPlane>::place(double t, const double* q) {
  hamiltree::place(system_, t, q, kin_);
  for (int b = 0; b < system_.body_count(); ++b) place_body(b);
  for (int j = system_.body_count(); j < system_.joint_count(); ++j) place_cut(j);
}

void PlacedBodies<InPlane>::place_body(int b) {
  const auto& joint = system_.joint(b);
  const auto& body = system_.body(b);
  const auto& X = kin_.X_WB[at(b)];
  auto& w = work_.bodies[at(b)];
  w.r = half(X.r);
  w.arm = half(kin_.arm[at(b)]);
  w.mc = half(body.mass * (X.R * body.com));
  w.J[0] = w.J[1] = Half{};
  w.J[2] = along_z(body.J_com(0) + body.mass * body.com.squaredNorm());
  for (int i = 0; i < joint.velocities; ++i) {
    const int component = joint.free[at(i)];
    w.axis[i] =
        component < InPlane::kLinear ? half(kin_.joint(b).X_WJ.R.col(component)) : along_z(1.0);
  }
  w.given_v = w.given_w = Half{};
  if (joint.drive == kNone) return;
  const auto given = prescribed_motion(system_, kin_, b);
  w.given_v = half(given.head<2>());
  w.given_w = along_z(given(2));
}

void PlacedBodies<InPlane>::place_cut(int j) {
  const auto& joint = system_.joint(j);
  auto& w = work_.cuts[at(j - system_.body_count())];
  const auto& X = kin_.joint(j).X_WJ;
  w.E[0] = half(X.R.col(0));
  w.E[1] = half(X.R.col(1));
  w.E[2] = along_z(1.0);
  w.lever[0] = half(X.r - kin_.pose(joint.child).r);
  w.lever[1] = half(X.r - kin_.pose(joint.parent).r);
}

}  // namespace hamiltree::derivatives
