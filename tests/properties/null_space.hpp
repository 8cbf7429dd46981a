// The dense oracle of redundancy: all joints of a mechanism as constraints on free bodies, the
// forces that they can carry among themselves without moving anything, by singular values. Shares
// nothing with the formulations but the poses: directions of forces are written down here again.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <vector>

#include "hamiltree/formulations/uniqueness.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/model/kinematics.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree::test {

struct NullSpace {
  int redundant = 0;                   // dimension
  std::vector<UniqueReaction> unique;  // by joint (Model's order)
  // The deciding numbers: the smallest singular value that counts and the largest that does not,
  // over the largest of all; the smallest part in a null vector that counts and the largest that
  // does not.
  double least_rank = 1.0, largest_null = 0.0;
  double least_part = 1.0, largest_zero = 0.0;

  bool clear() const {
    return largest_null < 1e-11 && least_rank > 1e-5 && largest_zero < 1e-10 && least_part > 1e-5;
  }
};

using Wrench = Eigen::Matrix<double, 6, 1>;  // force and moment

// The motion that a joint with one degree of freedom allows, J's axes at O.
inline Wrench single_freedom(JointType type, bool planar, double pitch) {
  Wrench V = Wrench::Zero();
  if (type == JointType::kPrismatic) {
    V(planar ? 0 : 2) = 1.0;
  } else {
    V(5) = 1.0;
    V(2) = pitch;
  }
  return V;
}

// The force that does unit work on it and none on anything else of the joint.
inline Wrench single_effort(JointType type, bool planar) {
  return single_freedom(type, planar, 0.0);
}

// The forces that a joint can carry, J's axes at O.
inline std::vector<Wrench> carried_forces(JointType type, bool planar, double pitch) {
  std::vector<int> carried;
  switch (type) {
    case JointType::kRevolute:
      carried = planar ? std::vector{0, 1} : std::vector{0, 1, 2, 3, 4};
      break;
    case JointType::kPrismatic:
      carried = planar ? std::vector{1, 5} : std::vector{0, 1, 3, 4, 5};
      break;
    case JointType::kHelical:
      carried = {0, 1, 2, 3, 4};
      break;
    case JointType::kCylindrical:
      carried = {0, 1, 3, 4};
      break;
    case JointType::kUniversal:
      carried = {0, 1, 2, 5};
      break;
    case JointType::kSpherical:
      carried = {0, 1, 2};
      break;
    case JointType::kPlanar:
      carried = {2, 3, 4};
      break;
    case JointType::kTranslational:
      carried = {3, 4, 5};
      break;
    case JointType::kPinInSlot:
      carried = planar ? std::vector{1} : std::vector{1, 2, 3, 4};
      break;
    case JointType::kFixed:
      carried = planar ? std::vector{0, 1, 5} : std::vector{0, 1, 2, 3, 4, 5};
      break;
    case JointType::kFree:
      break;
  }
  std::vector<Wrench> forces;
  for (const int i : carried) {
    Wrench F = Wrench::Zero();
    F(i) = 1.0;
    // The thread turns a push along the axis into a moment about it.
    if (type == JointType::kHelical && i == 2) F(5) = -pitch;
    forces.push_back(F);
  }
  return forces;
}

template <class Space>
NullSpace null_space(const Model& model, const System<Space>& system, double t,
                     const Eigen::VectorXd& q) {
  Kinematics<Space> kin(system);
  place(system, t, q.data(), kin);
  const int joints = system.joint_count();
  const double L = system.length;
  const auto said = [&](int j) -> const JointDescription& {
    return model.mechanism().joints[at(model.described_joint(j))];
  };

  // One column per force: what it is on the joints, J's axes, and on the bodies, world axes at the
  // world's origin; moments over the length.
  std::vector<std::vector<std::pair<int, Wrench>>> forces;
  for (int j = 0; j < joints; ++j) {
    const auto type = said(j).drive ? JointType::kFixed : said(j).type;
    for (Wrench F : carried_forces(type, Space::kIsPlanar, said(j).pitch)) {
      if (F.head<3>().isZero()) F *= L;
      forces.push_back({{j, F}});
    }
  }
  for (const auto& c : system.couplings) {
    const auto effort = [&](int j) { return single_effort(said(j).type, Space::kIsPlanar); };
    Wrench a = effort(c.joint);
    Wrench b = -c.ratio * effort(c.to);
    if (a.head<3>().isZero()) {
      a *= L;
      b *= L;
    }
    forces.push_back({{c.joint, a}, {c.to, b}});
  }
  const auto columns = static_cast<Eigen::Index>(forces.size());
  Eigen::MatrixXd on_bodies = Eigen::MatrixXd::Zero(6 * system.body_count(), columns);
  Eigen::MatrixXd on_joints = Eigen::MatrixXd::Zero(6 * joints, columns);
  for (Eigen::Index k = 0; k < columns; ++k) {
    for (const auto& [j, F] : forces[static_cast<std::size_t>(k)]) {
      Wrench scaled = F;
      scaled.tail<3>() /= L;
      on_joints.col(k).segment<6>(6 * j) += scaled;
      Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
      Eigen::Vector3d O = Eigen::Vector3d::Zero();
      R.topLeftCorner<Space::kLinear, Space::kLinear>() = kin.joint(j).X_WJ.R;
      O.head<Space::kLinear>() = kin.joint(j).X_WJ.r;
      const Eigen::Vector3d f = R * F.template head<3>();
      Wrench in_world;
      in_world << f, (R * F.template tail<3>() + O.cross(f)) / L;
      const auto& joint = system.joint(j);
      if (joint.child != kNone) on_bodies.col(k).segment<6>(6 * joint.child) += in_world;
      if (joint.parent != kNone) on_bodies.col(k).segment<6>(6 * joint.parent) -= in_world;
    }
  }

  NullSpace result;
  result.unique.resize(at(joints));
  if (columns == 0) return result;
  const auto svd = singular_value_decomposition(on_bodies);
  const auto& values = svd.values;
  Eigen::Index rank = 0;
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    const double part = values(i) / values(0);
    if (part > 1e-8) {
      ++rank;
      result.least_rank = std::min(result.least_rank, part);
    } else {
      result.largest_null = std::max(result.largest_null, part);
    }
  }
  result.redundant = static_cast<int>(columns - rank);
  if (result.redundant == 0) return result;
  const Eigen::MatrixXd parts = on_joints * svd.V.rightCols(columns - rank);
  const auto moves_none = [&](const Eigen::VectorXd& part) {
    const double size = part.norm();
    if (size > 1e-8) {
      result.least_part = std::min(result.least_part, size);
      return false;
    }
    result.largest_zero = std::max(result.largest_zero, size);
    return true;
  };
  for (int j = 0; j < joints; ++j) {
    auto& flags = result.unique[at(j)];
    for (int i = 0; i < 3; ++i) {
      flags.force[at(i)] = moves_none(parts.row(6 * j + i));
      flags.moment[at(i)] = moves_none(parts.row(6 * j + 3 + i));
    }
    if (!said(j).drive) continue;
    // The effort that does the work of the drive.
    Wrench along = single_freedom(said(j).type, Space::kIsPlanar, said(j).pitch);
    along.head<3>() /= L;
    if (said(j).type == JointType::kPrismatic) along *= L;
    flags.drive = moves_none(parts.middleRows<6>(6 * j).transpose() * along);
  }
  return result;
}

}  // namespace hamiltree::test
