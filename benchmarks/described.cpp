#include "benchmarks/described.hpp"

#include <Eigen/Core>
#include <algorithm>

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
bool is_known(const Joint<Space>& joint) {
  if (joint.reversed) return false;
  const bool in_world =
      joint.parent == kNone && joint.X_PF.R.isIdentity(0.0) && joint.X_PF.r.isZero(0.0);
  return joint.type == JointType::kRevolute ||
         (joint.type == JointType::kFree && !Space::kIsPlanar && in_world);
}

template <class Space>
EngineBody body_of(const System<Space>& system, int b) {
  const auto& joint = system.joint(b);
  const auto& body = system.body(b);
  return {body.mass,
          position<Space>(body.com),
          inertia(body),
          joint.parent == kNone ? kEngineGround : joint.parent,
          joint.type == JointType::kFree ? EngineJoint::kFree : EngineJoint::kRevolute,
          frame(joint.X_PF)};
}

}  // namespace

std::optional<EngineMechanism> describe(const Model& model) {
  return model.visit(
      []<class Space>(const System<Space>& system) -> std::optional<EngineMechanism> {
        if (!std::ranges::all_of(system.joints, is_known<Space>)) return std::nullopt;
        EngineMechanism mechanism;
        mechanism.gravity = position<Space>(system.gravity);
        for (int b = 0; b < system.body_count(); ++b)
          mechanism.bodies.push_back(body_of(system, b));
        for (int j = system.body_count(); j < system.joint_count(); ++j) {
          const auto& cut = system.joint(j);
          mechanism.closures.push_back({cut.parent == kNone ? kEngineGround : cut.parent, cut.child,
                                        frame(cut.X_PF), frame(cut.X_CM)});
        }
        return mechanism;
      });
}

}  // namespace hamiltree::benchmarks
