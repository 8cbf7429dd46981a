// The planar algorithm of [Turno2023, sect. 2] as it is printed, for a chain of revolute joints
// whose two ends are pinned to the ground, so that its equations can be tried one by one. The
// engine's own kernel is another one (formulations/hdca).
#pragma once

#include <Eigen/Core>
#include <vector>

namespace hamiltree::turno2023::published {

using Matrix3 = Eigen::Matrix3d;
using Vector3 = Eigen::Vector3d;  // linear, angular: of a velocity, force or impulse

// Eq. 1: moves a force from C to O; s: from O to C, world axes.
Matrix3 shift(const Eigen::Vector2d& s);

// A body with the handles O1 and O2, or what several of them have become:
//   V1 = xi_11 T1 + xi_12 T2 + xi_10,  V2 = xi_21 T1 + xi_22 T2 + xi_20       (11), (12)
struct Body {
  Matrix3 xi_11, xi_12, xi_21, xi_22;
  Vector3 xi_10, xi_20;
};

struct Link {
  double mass = 0.0, inertia = 0.0;  // kg, kg m^2 about the centre of mass C
  Eigen::Vector2d O1, O2, C;         // m, world
  double p1 = 0.0, p2 = 0.0;         // momenta of the joints at O1 and O2, kg m^2/s
};

enum class Bias {
  kAsPrinted,  // eq. 18: xi_20 = xi_22 (p1 H - p2 S_12 H)
  kShifted,    // xi_20 = xi_22 (p1 S_21 H - p2 H), which eq. 10 asks for
};
// Eqs. 13-18; H: the joints' direction of motion.
Body leaf(const Link& link, const Vector3& H, Bias bias = Bias::kAsPrinted);

// The way the ends are joined to the ground: what (sigma_1, -sigma_2) is.
enum class Base {
  kEquation42,  //  eta^-1 D^T (xi_10; -xi_20)
  kEquation94,  // -eta^-1 D^T (xi_10; -xi_20)
  kRight,       // -eta^-1 D^T (xi_10;  xi_20)
};

struct Velocities {
  std::vector<double> joints;  // rad/s, from the first joint of the chain to the last (49)
  double slip = 0.0;           // m/s, the greater velocity of the two ends at the ground
};
// Assembles link after link (27)-(37), joins the ends to the ground (42)-(44) and goes back (45).
Velocities velocities(const std::vector<Link>& chain, Base base);

}  // namespace hamiltree::turno2023::published
