// With a, b and c the edges of the box of mass m whose principal moments are A, B and C,
//   a^2 = 6 (B + C - A) / m                                                     and so on      (1)
// and d their mean, a medium of density rho and viscosity beta resists along and about its axes by
//   -(3 pi beta d) v - (rho b c / 2) |v| v                                                     (2)
//   -(pi beta d^3) w - (rho a (b^4 + c^4) / 64) |w| w                                          (3)
#include "hamiltree/io/import/mjcf/medium.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hamiltree/math/dense_solvers.hpp"

namespace hamiltree::mjcf {
namespace {

constexpr double kLeastMass = 1e-15;  // kg; what weighs less meets no medium, as in MuJoCo

struct Medium {
  double density = 0.0;    // kg/m^3
  double viscosity = 0.0;  // Pa s
  Eigen::Vector3d wind = Eigen::Vector3d::Zero();
};

Medium read_medium(const XmlElement& root) {
  Medium medium;
  const auto read = [](const XmlElement& option, const char* name, double& number) {
    number = option.number_or(name, number);
    if (number < 0.0) option.fail(std::string(name) + " must not be negative");
  };
  for (const auto& option : root.children("option")) {
    read(option, "density", medium.density);
    read(option, "viscosity", medium.viscosity);
    medium.wind = option.vector_or("wind", medium.wind);
  }
  return medium;
}

// The frame of the principal moments, and these. Where the moments leave it open, the axes that
// the file gives.
struct Principal {
  Eigen::Matrix3d axes;
  Eigen::Vector3d moments;
};

Principal principal_of(const Solid& solid) {
  const Eigen::Matrix3d& R = solid.axes;
  const Eigen::Matrix3d seen = R.transpose() * solid.body.inertia * R;
  const Eigen::Vector3d moments = seen.diagonal();
  const Eigen::Matrix3d rest = seen - Eigen::Matrix3d(moments.asDiagonal());
  if (rest.norm() <= 1e-9 * moments.norm()) return {R, moments};
  const auto found = principal_axes(solid.body.inertia);
  return {found.axes, found.moments};
}

Drag drag_of(const Solid& solid, const Medium& medium) {
  constexpr double kPi = std::numbers::pi;
  const auto [axes, J] = principal_of(solid);
  const Eigen::Vector3d squares =
      6.0 / solid.body.mass * (Eigen::Vector3d::Constant(J.sum()) - 2.0 * J);  // (1)
  const Eigen::Vector3d edges = squares.cwiseMax(0.0).cwiseSqrt();
  const double mean = edges.mean();
  Drag drag;
  drag.name = solid.body.name + "_drag";
  drag.body = solid.body.name;
  drag.where = solid.body.where;
  drag.at = {solid.body.com, axes};
  drag.medium_velocity = medium.wind;
  drag.translational_damping.setConstant(3.0 * kPi * medium.viscosity * mean);
  drag.rotational_damping.setConstant(kPi * medium.viscosity * mean * mean * mean);
  for (int i = 0; i < 3; ++i) {
    const double b = edges((i + 1) % 3), c = edges((i + 2) % 3);
    drag.translational_drag(i) = 0.5 * medium.density * b * c;  // (2)
    drag.rotational_drag(i) =
        medium.density / 64.0 * edges(i) * (std::pow(b, 4) + std::pow(c, 4));  // (3)
  }
  return drag;
}

}  // namespace

void add_drag(const XmlElement& root, const Settings& settings, const Tree& tree,
              Mechanism& mechanism, ImportLog& log) {
  const auto medium = read_medium(root);
  if (medium.density == 0.0 && medium.viscosity == 0.0) return;
  if (settings.disabled.contains("passive")) return;
  for (const auto& solid : tree.solids) {
    if (solid.has_fluid_shape) {
      log.warn(
          solid.body.where,
          "the drag of body \"" + solid.body.name +
              "\" is not simulated: of fluidshapes, \"none\" alone is, the box of the inertia");
    } else if (solid.body.mass >= kLeastMass) {
      mechanism.add(drag_of(solid, medium));
    }
  }
}

}  // namespace hamiltree::mjcf
