#include "benchmarks/described.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <stdexcept>

#include "hamiltree/base/index.hpp"

namespace hamiltree::benchmarks {
namespace {

using RowMajor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

std::array<double, 9> rows(const Eigen::Matrix3d& A) {
  std::array<double, 9> result;
  Eigen::Map<RowMajor>{result.data()} = A;
  return result;
}

template <class Space>
std::array<double, 3> position(const typename Space::Position& r) {
  std::array<double, 3> result{};
  std::copy(r.begin(), r.end(), result.begin());
  return result;
}

template <class Space>
EngineFrame frame(const Pose<Space>& X) {
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  R.topLeftCorner<Space::kLinear, Space::kLinear>() = X.R;
  return {rows(R), position<Space>(X.r)};
}

// In the plane only the moment about z is known; the other two do not matter there.
template <class Space>
std::array<double, 9> inertia(const RigidInertia<Space>& body) {
  if constexpr (Space::kIsPlanar) {
    return rows(body.J_com(0, 0) * Eigen::Matrix3d::Identity());
  } else {
    return rows(body.J_com);
  }
}

template <class Space>
EngineBody body_of(const System<Space>& system, int b) {
  const auto& joint = system.joint(b);
  const bool free = joint.type == JointType::kFree && !Space::kIsPlanar;
  if (joint.reversed || (joint.type != JointType::kRevolute && !free)) {
    throw std::logic_error("benchmarks know pins and free joints only, from parent to child");
  }
  if (free &&
      (joint.parent != kNone || !joint.X_PF.R.isIdentity(0.0) || !joint.X_PF.r.isZero(0.0))) {
    throw std::logic_error("benchmarks know free joints only where the world's frame is");
  }
  const auto& body = system.body(b);
  return {body.mass,
          position<Space>(body.com),
          inertia(body),
          joint.parent == kNone ? kEngineGround : joint.parent,
          free ? EngineJoint::kFree : EngineJoint::kRevolute,
          frame(joint.X_PF)};
}

}  // namespace

EngineMechanism describe(const Model& model) {
  return model.visit([]<class Space>(const System<Space>& system) {
    EngineMechanism mechanism;
    mechanism.gravity = position<Space>(system.gravity);
    for (int b = 0; b < system.body_count(); ++b) mechanism.bodies.push_back(body_of(system, b));
    for (int j = system.body_count(); j < system.joint_count(); ++j) {
      const auto& cut = system.joint(j);
      mechanism.closures.push_back({cut.parent == kNone ? kEngineGround : cut.parent, cut.child,
                                    frame(cut.X_PF), frame(cut.X_CM)});
    }
    return mechanism;
  });
}

}  // namespace hamiltree::benchmarks
