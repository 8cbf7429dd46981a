// InPlane: a spatial Model all of whose bodies can move in one plane only, as a planar one. Motions
// across the plane are impossible, so that masses, loops and forces are felt by their part in it
// alone, and redundant constraints across it are gone.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "hamiltree/model/model.hpp"

namespace hamiltree {

// Axes and rotations as far from what they should be as rounding makes those that several rotations
// led to; the motion in the plane is off by as much of how far the bodies stand apart across it.
inline constexpr double kInPlane = 1e-14;

// How row `row` of the model's Phi depends on row `in_plane` of the planar one. The columns of
// these parts are orthonormal: Phi = W Phi_plane, Phi_plane = W^T Phi, and so for sigma.
struct RowPart {
  int row = 0, in_plane = 0;
  double part = 1.0;
};

struct InPlane {
  Eigen::Vector3d normal;  // of the plane, world
  // With planar tables: the same bodies and joints in their order, the same q, v and p. Its
  // mechanism, names and frames of the user remain those of space.
  Model model;
  std::vector<RowPart> rows;
};

// Nothing where the model is planar already, where some joint could leave the plane, or where a
// force could not be said there.
std::optional<InPlane> in_plane(const Model& model);

}  // namespace hamiltree
