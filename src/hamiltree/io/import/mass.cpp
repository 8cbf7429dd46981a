#include "hamiltree/io/import/mass.hpp"

#include "hamiltree/io/import/frames.hpp"

namespace hamiltree {
namespace {

// Inertia of a point mass at r about the origin: m (r.r 1 - r r^T).
Eigen::Matrix3d point_inertia(double mass, const Eigen::Vector3d& r) {
  return mass * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
}

}  // namespace

// Steiner's theorem about the common centre of mass; the distance of the two centres enters once,
// with the reduced mass, so that nothing cancels.
void add_mass(BodyDescription& body, const Frame& X, const BodyDescription& part) {
  body.inertia += X.rotation * part.inertia * X.rotation.transpose();
  if (part.mass == 0.0) return;
  const Eigen::Vector3d com = apply(X, part.com);
  const double mass = body.mass + part.mass;
  const double share = part.mass / mass;
  const Eigen::Vector3d between = com - body.com;
  body.inertia += point_inertia(body.mass * share, between);
  body.com = body.mass == 0.0 ? com : Eigen::Vector3d(body.com + share * between);
  body.mass = mass;
}

void carry_weight(const std::string& name, const BodyDescription& body, double part,
                  Mechanism& mechanism) {
  const Eigen::Vector3d force = -part * body.mass * mechanism.gravity;
  if (force.isZero(0.0)) return;
  AppliedWrench wrench;
  wrench.name = name;
  wrench.body = body.name;
  wrench.position = body.com;
  wrench.where = body.where;
  for (int i = 0; i < 3; ++i) {
    if (force(i) == 0.0) continue;
    wrench.force.*kTimeVectorParts[static_cast<std::size_t>(i)].function = Polynomial{{force(i)}};
  }
  mechanism.add(wrench);
}

}  // namespace hamiltree
