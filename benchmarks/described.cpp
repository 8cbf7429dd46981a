#include "benchmarks/described.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "hamiltree/base/index.hpp"
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

// A pin or slide that runs backwards is one along the opposite axis. Its body is described in
// frames half a turn about x away, and so is all that is said in the body's frame.
template <class Space>
Eigen::Matrix3d to_described(const System<Space>& system, int b) {
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  if (b != kNone && system.joint(b).reversed) turn.diagonal() << 1.0, -1.0, -1.0;
  return turn;
}

template <class Space>
Pose<Spatial<double>> in_space(const Pose<Space>& X) {
  Pose<Spatial<double>> result;
  result.R.template topLeftCorner<Space::kLinear, Space::kLinear>() = X.R;
  result.r.template head<Space::kLinear>() = X.r;
  return result;
}

// A frame X on the body `on`.
template <class Space>
EngineFrame frame(const System<Space>& system, int on, const Pose<Spatial<double>>& X,
                  const Eigen::Matrix3d& turned = Eigen::Matrix3d::Identity()) {
  const Eigen::Matrix3d turn = to_described(system, on);
  return {rows(turn * X.R * turned), position<Spatial<double>>(turn * X.r)};
}

// In the plane only the moment about z is known; the other two do not matter there.
template <class Space>
Eigen::Matrix3d inertia(const RigidInertia<Space>& body) {
  if constexpr (Space::kIsPlanar) {
    return body.J_com(0, 0) * Eigen::Matrix3d::Identity();
  } else {
    return body.J_com;
  }
}

template <class Space>
std::optional<EngineJoint> joint_of(const Joint<Space>& joint) {
  const bool in_world =
      joint.parent == kNone && joint.X_PF.R.isIdentity(0.0) && joint.X_PF.r.isZero(0.0);
  if (joint.drive != kNone) return {};
  if (joint.type == JointType::kRevolute) return EngineJoint::kRevolute;
  if constexpr (!Space::kIsPlanar) {
    if (joint.type == JointType::kPrismatic) return EngineJoint::kPrismatic;
    if (joint.reversed) return {};
    switch (joint.type) {
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

// How many points of a cut's axis are to be held together: one of a ball, or of a pin in a loop of
// parallel pins, two of any other pin, none of what is no pin.
template <class Space>
int points_of(const System<Space>& system, const Kinematics<Space>& kin, int j) {
  const auto& cut = system.joint(j);
  if (cut.type == JointType::kSpherical) return 1;
  if (cut.type != JointType::kRevolute) return 0;
  if constexpr (Space::kIsPlanar) return 1;
  const typename Space::Position axis = kin.joint(j).X_WJ.R.col(Space::kLinear - 1);
  const bool is_parallel =
      turns_about(system, kin, axis, cut.child, way_inwards(system, cut.parent)) &&
      turns_about(system, kin, axis, cut.parent, way_inwards(system, cut.child));
  return is_parallel ? 1 : 2;
}

int engine_body(int b) { return b == kNone ? kEngineGround : b; }

template <class Space>
EngineBody body_of(const System<Space>& system, int b) {
  const auto& joint = system.joint(b);
  const auto& body = system.body(b);
  const Eigen::Matrix3d turn = to_described(system, b);
  Eigen::Vector3d com = Eigen::Vector3d::Zero();
  com.head<Space::kLinear>() = body.com;
  return {
      body.mass,
      position<Spatial<double>>(turn * com),
      rows(turn * inertia(body) * turn),
      engine_body(system.inboard(b)),
      *joint_of(joint),
      frame(system, system.inboard(b), in_space(joint.reversed ? joint.X_CM : joint.X_PF), turn),
      joint.armature};
}

// The points of a cut's axis, the second the mechanism's length away.
template <class Space>
void add_closures(const System<Space>& system, int j, int points, EngineMechanism& mechanism) {
  const auto& cut = system.joint(j);
  auto at_parent = in_space(cut.X_PF), at_child = in_space(cut.X_CM);
  for (int point = 0; point < points; ++point) {
    mechanism.closures.push_back({engine_body(cut.parent), cut.child,
                                  frame(system, cut.parent, at_parent),
                                  frame(system, cut.child, at_child)});
    at_parent.r += system.length * at_parent.R.col(2);
    at_child.r += system.length * at_child.R.col(2);
  }
}

}  // namespace

std::optional<EngineMechanism> describe(const Model& model, const std::vector<double>& q) {
  if (!model.mechanism().couplings.empty()) return {};
  return model.visit(
      [&]<class Space>(const System<Space>& system) -> std::optional<EngineMechanism> {
        const int bodies = system.body_count();
        Kinematics<Space> kin(system);
        place(system, 0.0, q.data(), kin);
        EngineMechanism mechanism;
        mechanism.gravity = position<Space>(system.gravity);
        for (int b = 0; b < bodies; ++b) {
          if (!joint_of(system.joint(b))) return {};
          mechanism.bodies.push_back(body_of(system, b));
        }
        for (int j = bodies; j < system.joint_count(); ++j) {
          const int points = points_of(system, kin, j);
          if (points == 0) return {};
          add_closures(system, j, points, mechanism);
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
