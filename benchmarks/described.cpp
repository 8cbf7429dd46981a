#include "benchmarks/described.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/added_forces.hpp"
#include "hamiltree/model/kinematics.hpp"

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
std::optional<EngineJoint> joint_of(const Joint<Space>& joint) {
  const bool in_world =
      joint.parent == kNone && joint.X_PF.R.isIdentity(0.0) && joint.X_PF.r.isZero(0.0);
  if (joint.reversed || joint.drive != kNone) return {};
  if (joint.type == JointType::kRevolute) return EngineJoint::kRevolute;
  if constexpr (!Space::kIsPlanar) {
    switch (joint.type) {
      case JointType::kPrismatic:
        return EngineJoint::kPrismatic;
      case JointType::kUniversal:
        return EngineJoint::kUniversal;
      case JointType::kSpherical:
        return EngineJoint::kSpherical;
      case JointType::kFree:
        if (in_world) return EngineJoint::kFree;
        break;
      default:
        break;
    }
  }
  return {};
}

// Whether the pins from a body inwards, as far as the bodies `within`, are parallel to the axis,
// and slides across it.
template <class Space>
bool turns_about(const System<Space>& system, const Kinematics<Space>& kin,
                 const typename Space::Position& axis, int body, const std::vector<int>& within) {
  constexpr double kParallel = 1e-9;
  for (; body != kNone && std::ranges::find(within, body) == within.end();
       body = system.inboard(body)) {
    const typename Space::Position z = kin.joint(body).X_WJ.R.col(Space::kLinear - 1);
    const double cosine = std::abs(z.dot(axis));
    const auto type = system.joint(body).type;
    const bool pin = type == JointType::kRevolute && cosine > 1.0 - kParallel;
    const bool slide = type == JointType::kPrismatic && cosine < kParallel;
    if (!pin && !slide) return false;
  }
  return true;
}

template <class Space>
std::vector<int> way_inwards(const System<Space>& system, int body) {
  std::vector<int> way;
  for (; body != kNone; body = system.inboard(body)) way.push_back(body);
  return way;
}

// Whether it is enough to hold the origins of a cut together: it is a ball, or a pin in a loop of
// parallel pins.
template <class Space>
bool is_a_point(const System<Space>& system, const Kinematics<Space>& kin, int j) {
  const auto& cut = system.joint(j);
  if (cut.type == JointType::kSpherical) return true;
  if (cut.type != JointType::kRevolute) return false;
  if constexpr (Space::kIsPlanar) return true;
  const typename Space::Position axis = kin.joint(j).X_WJ.R.col(Space::kLinear - 1);
  return turns_about(system, kin, axis, cut.child, way_inwards(system, cut.parent)) &&
         turns_about(system, kin, axis, cut.parent, way_inwards(system, cut.child));
}

template <class Space>
EngineBody body_of(const System<Space>& system, int b) {
  const auto& joint = system.joint(b);
  const auto& body = system.body(b);
  return {body.mass,        position<Space>(body.com),
          inertia(body),    joint.parent == kNone ? kEngineGround : joint.parent,
          *joint_of(joint), frame(joint.X_PF),
          joint.armature};
}

}  // namespace

std::optional<EngineMechanism> describe(const Model& model, const std::vector<double>& q) {
  if (joint_forces_of(model) == nullptr || !model.mechanism().couplings.empty()) return {};
  return model.visit(
      [&]<class Space>(const System<Space>& system) -> std::optional<EngineMechanism> {
        const int bodies = system.body_count();
        Kinematics<Space> kin(system);
        place(system, 0.0, q.data(), kin);
        for (int j = 0; j < system.joint_count(); ++j) {
          if (j < bodies ? !joint_of(system.joint(j)) : !is_a_point(system, kin, j)) return {};
        }
        EngineMechanism mechanism;
        mechanism.gravity = position<Space>(system.gravity);
        for (int b = 0; b < bodies; ++b) mechanism.bodies.push_back(body_of(system, b));
        for (int j = bodies; j < system.joint_count(); ++j) {
          const auto& cut = system.joint(j);
          mechanism.closures.push_back({cut.parent == kNone ? kEngineGround : cut.parent, cut.child,
                                        frame(cut.X_PF), frame(cut.X_CM)});
        }
        return mechanism;
      });
}

bool has_pins_only(const EngineMechanism& mechanism) {
  return std::ranges::all_of(mechanism.bodies, [](const EngineBody& body) {
    return body.armature == 0.0 &&
           (body.joint == EngineJoint::kRevolute || body.joint == EngineJoint::kFree);
  });
}

}  // namespace hamiltree::benchmarks
