#include "hamiltree/formulations/derivatives/quasi_maps.hpp"

#include <cmath>

#include "hamiltree/model/joints/quaternion_entries.hpp"

namespace hamiltree::derivatives {
namespace {

// Joints in a plane have velocities along the child's axes, the first of which is at the angle.
void find_planar(double angle, Work::Quasi& maps) {
  const double c = std::cos(angle), s = std::sin(angle);
  const double R[3][3] = {{c, -s, 0.0}, {s, c, 0.0}, {0.0, 0.0, 1.0}};
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      maps.rates_for[i][k] = R[i][k];
      maps.axes_for[k][i] = R[i][k];
    }
  }
}

// A quaternion x, whose first entries are v and q, has E(x) linear in x:
//   xdot = E(x) omega        omega = 4 E(x)^T xdot / |x|^2, for its length turns nothing
void find_quaternion(const double* x, int v, int q, Work::Quasi& maps) {
  const double scale = 4.0 / (x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
  for (int k = 0; k < 3; ++k) {
    double omega[3] = {}, rate[4];
    omega[k] = 1.0;
    quaternion::rate(x, omega, rate);
    for (int i = 0; i < 4; ++i) {
      maps.rates_for[q + i][v + k] = rate[i];
      maps.axes_for[v + k][q + i] = scale * rate[i];
    }
  }
}

// d(E(x) omega) / dx
void turn_quaternion(const double* omega, int q, Work::Quasi& maps) {
  for (int k = 0; k < 4; ++k) {
    double x[4] = {}, rate[4];
    x[k] = 1.0;
    quaternion::rate(x, omega, rate);
    for (int i = 0; i < 4; ++i) maps.turned[q + i][q + k] = rate[i];
  }
}

}  // namespace

void find_maps(const QuasiJoint& joint, const double* q, Work::Quasi& maps) {
  maps = {};
  q += joint.q;
  switch (joint.kind) {
    case QuasiJoint::Kind::kPlanar:
      return find_planar(q[2], maps);
    case QuasiJoint::Kind::kSpherical:
      return find_quaternion(q, 0, 0, maps);
    case QuasiJoint::Kind::kFree: {
      find_quaternion(q + 3, 3, 3, maps);
      const auto R = quaternion::rotation_entries(q + 3);
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) maps.rates_for[i][k] = maps.axes_for[k][i] = R[at(3 * i + k)];
      return;
    }
  }
}

void turn_rates(const QuasiJoint& joint, const double* q, const double* v, Work::Quasi& maps) {
  q += joint.q;
  v += joint.v;
  switch (joint.kind) {
    case QuasiJoint::Kind::kPlanar:
      maps.turned[0][2] = -std::sin(q[2]) * v[0] - std::cos(q[2]) * v[1];
      maps.turned[1][2] = std::cos(q[2]) * v[0] - std::sin(q[2]) * v[1];
      return;
    case QuasiJoint::Kind::kSpherical:
      return turn_quaternion(v, 0, maps);
    case QuasiJoint::Kind::kFree:
      turn_quaternion(v + 3, 3, maps);
      // R (turn x v), turn that of a change of each entry.
      for (int c = 3; c < 7; ++c) {
        const double x = maps.axes_for[3][c], y = maps.axes_for[4][c], z = maps.axes_for[5][c];
        const double moved[3] = {y * v[2] - z * v[1], z * v[0] - x * v[2], x * v[1] - y * v[0]};
        for (int i = 0; i < 3; ++i)
          for (int k = 0; k < 3; ++k) maps.turned[i][c] += maps.rates_for[i][k] * moved[k];
      }
      return;
  }
}

}  // namespace hamiltree::derivatives
