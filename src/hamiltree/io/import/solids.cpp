#include "hamiltree/io/import/solids.hpp"

#include <numbers>

namespace hamiltree {
namespace {

constexpr double kPi = std::numbers::pi;

}  // namespace

Eigen::Vector3d about(const Eigen::Vector3d& square) {
  return {square.y() + square.z(), square.x() + square.z(), square.x() + square.y()};
}

Extent together(const Extent& a, const Extent& b) {
  const double measure = a.measure + b.measure;
  return {measure, (a.measure * a.moments + b.measure * b.moments) / measure};
}

Extent ellipsoid(const Eigen::Vector3d& radii) {
  return {4.0 / 3.0 * kPi * radii.prod(), about(radii.cwiseAbs2()) / 5.0};
}

Extent box(const Eigen::Vector3d& half) {
  return {8.0 * half.prod(), about(half.cwiseAbs2()) / 3.0};
}

Extent cylinder(double r, double half) {
  return {2.0 * kPi * r * r * half, about({r * r / 4.0, r * r / 4.0, half * half / 3.0})};
}

// Two half balls at the ends of a capsule: of a solid one the centre is 3/8 r beyond its end.
Extent capsule(double r, double half) {
  const double square = r * r / 5.0;
  return together(cylinder(r, half),
                  {4.0 / 3.0 * kPi * r * r * r,
                   about({square, square, square + half * half + 3.0 / 4.0 * half * r})});
}

// Mean squares: 3/20 r^2 along x and y, 3/80 of the length's square along z.
Extent cone(double r, double half) {
  return {2.0 / 3.0 * kPi * r * r * half, about({0.15 * r * r, 0.15 * r * r, 0.15 * half * half})};
}

}  // namespace hamiltree
