// Solids of one density about their centres, as model files have them: axes of cylinders, capsules
// and cones are z.
#pragma once

#include <Eigen/Core>

namespace hamiltree {

// Volume (m^3) or, of a shell, area (m^2), and the principal moments per mass (m^2).
struct Extent {
  double measure = 0.0;
  Eigen::Vector3d moments = Eigen::Vector3d::Zero();
};

// Moments about each axis, of mean squares along each.
Eigen::Vector3d about(const Eigen::Vector3d& square);
// Of two parts about one centre.
Extent together(const Extent& a, const Extent& b);

// Lengths in m, above 0; `half` of what they are long.
Extent ellipsoid(const Eigen::Vector3d& radii);
Extent box(const Eigen::Vector3d& half);
Extent cylinder(double r, double half);
Extent capsule(double r, double half);
// About its centre of mass, a quarter of its length above its base.
Extent cone(double r, double half);

}  // namespace hamiltree
