#include <algorithm>
#include <optional>

#include "hamiltree/io/import/normalise/normalise.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/model/checks.hpp"

namespace hamiltree {
namespace {

// Principal moments that are off by this part of the largest of the model are rounding.
constexpr double kRoundingOfFiles = 1e-9;

double largest_moment(const Mechanism& mechanism) {
  double largest = 0.0;
  for (const auto& body : mechanism.bodies) {
    largest = std::max(largest, body.inertia.cwiseAbs().maxCoeff());
  }
  return largest;
}

// Sets the moments right by the least where that is rounding: no mass lies at a negative square of
// the distance along a principal axis, of which they are the sums.
bool round_up(Eigen::Matrix3d& inertia, double scale) {
  const auto [moments, axes] = principal_axes(0.5 * (inertia + inertia.transpose()));
  const Eigen::Vector3d squares = Eigen::Vector3d::Constant(0.5 * moments.sum()) - moments;
  if (squares.minCoeff() < -kRoundingOfFiles * scale) return false;
  const Eigen::Vector3d right = squares.cwiseMax(0.0);
  const Eigen::Vector3d rounded = Eigen::Vector3d::Constant(right.sum()) - right;
  inertia = axes * rounded.asDiagonal() * axes.transpose();
  inertia = (0.5 * (inertia + inertia.transpose())).eval();
  return true;
}

}  // namespace

void check_inertias(Mechanism& mechanism, const ImportOptions& options, ImportLog& log) {
  const double scale = largest_moment(mechanism);
  for (auto& body : mechanism.bodies) {
    const auto problem = inertia_problem(body.inertia);
    if (!problem) continue;
    const auto element = titled("link", body.name);
    if (round_up(body.inertia, scale)) {
      log.note(element + ": " + *problem + "; set right by rounding");
    } else if (options.balance_inertia && body.inertia.trace() > 0.0) {
      log.warn(body.where, element + ": " + *problem + "; balanced, its moments are now equal");
      body.inertia = Eigen::Matrix3d::Identity() * (body.inertia.trace() / 3.0);
    } else if (const bool positive = !inertia_problem(body.inertia, true);
               positive && options.accept_inertia) {
      log.warn(body.where, element + ": " + *problem + "; accepted as it is");
      body.accept_inertia = true;
    } else {
      refuse(body.where, element,
             *problem + " (fixed links merged; --balance-inertia makes the moments equal" +
                 (positive ? ", --accept-inertia takes them as they are)" : ")"));
    }
  }
}

}  // namespace hamiltree
