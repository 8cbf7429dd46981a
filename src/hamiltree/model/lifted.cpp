#include "hamiltree/model/lifted.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/joint_tables.hpp"

namespace hamiltree {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using InSpace = Spatial<double>;
using Flat = Planar<double>;

// Axes of a frame in space. `plane`: x, y and the normal of the planar frame, as columns, seen from
// it; `component`: where the three components of planar motions and forces are among the six.
struct Axes {
  Matrix3d plane;
  std::array<int, 3> component;
};

Axes axes_in_space(JointType written) {
  if (written != JointType::kPrismatic) return {Matrix3d::Identity(), {0, 1, 5}};
  // x, along which planar joints slide, is z.
  return {(Matrix3d() << 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0).finished(), {2, 0, 4}};
}

class Lifting {
 public:
  explicit Lifting(const System<Flat>& system) : flat_(system) {}

  System<InSpace> run() {
    space_.gravity = in_space(flat_.gravity);
    space_.drives = flat_.drives;
    space_.couplings = flat_.couplings;
    space_.coordinates = flat_.coordinates;
    space_.velocities = flat_.velocities;
    space_.constraints = flat_.constraints;
    space_.row_scales = flat_.row_scales;
    space_.length = flat_.length;
    for (int j = 0; j < flat_.joint_count(); ++j) add_joint(flat_.joint(j));
    for (int b = 0; b < flat_.body_count(); ++b) space_.bodies.push_back(lift(flat_.body(b), b));
    if (!flat_.ballasted.empty())
      for (int b = 0; b < flat_.body_count(); ++b)
        space_.ballasted.push_back(lift(flat_.carried(b), b));
    const auto lift_all = [&](const auto& from, auto& to) {
      for (const auto& element : from) to.push_back(lift(element));
    };
    ForceElements<Flat>::for_each_list(lift_all, flat_, space_);
    return std::move(space_);
  }

 private:
  static Vector3d in_space(const Eigen::Vector2d& x) { return {x(0), x(1), 0.0}; }

  Matrix3d plane_of(int body) const {
    return body == kNone ? Matrix3d::Identity() : planes_[at(body)];
  }

  // A frame of a body, with the plane as its x and y.
  Pose<InSpace> lift(const Pose<Flat>& X, int body) const {
    Matrix3d R = Matrix3d::Identity();
    R.topLeftCorner<2, 2>() = X.R;
    return {plane_of(body) * R, plane_of(body) * in_space(X.r)};
  }

  void add_joint(const Joint<Flat>& joint) {
    const auto written = written_type(flat_, joint);
    const auto axes = axes_in_space(written);
    if (!joint.is_cut()) planes_.push_back(axes.plane);
    Joint<InSpace> lifted;
    lifted.type = in_space(joint.type);
    lifted.parent = joint.parent;
    lifted.child = joint.child;
    lifted.reversed = joint.reversed;
    lifted.q = joint.q;
    lifted.v = joint.v;
    lifted.row = joint.row;
    lifted.drive = joint.drive;
    lifted.armature = joint.armature;
    set_type(in_space(written), 0.0, lifted);
    lifted.X_PF = lift(joint.X_PF, joint.parent);
    lifted.X_CM = lift(joint.X_CM, joint.child);
    for (auto* X : {&lifted.X_PF, &lifted.X_CM}) X->R *= axes.plane.transpose();
    lifted.constraints = joint.constraints;
    for (int i = 0; i < joint.constraints; ++i)
      lifted.constrained[at(i)] = axes.component[at(joint.constrained[at(i)])];
    if (joint.drive != kNone) lift_motion(axes, space_.drives[at(joint.drive)]);
    space_.joints.push_back(lifted);
  }
  static JointType in_space(JointType type) {
    return type == JointType::kFree ? JointType::kPlanar : type;
  }

  // The motion of a joint's frame.
  static void lift_motion(const Axes& axes, Drive& drive) {
    if (!drive.motion) return;
    std::array<PiecewiseSine, 6> motion;
    constexpr std::array<std::size_t, 3> in_plane{0, 1, 5};  // x, y, rz
    for (std::size_t i = 0; i < in_plane.size(); ++i)
      motion[at(axes.component[i])] = (*drive.motion)[in_plane[i]];
    drive.motion = motion;
  }

  RigidInertia<InSpace> lift(const RigidInertia<Flat>& body, int b) const {
    RigidInertia<InSpace> lifted;
    lifted.mass = body.mass;
    lifted.com = plane_of(b) * in_space(body.com);
    lifted.J_com = body.J_com(0) * Matrix3d::Identity();
    lifted.J_com_inverse = body.J_com_inverse(0) * Matrix3d::Identity();
    return lifted;
  }

  // Forces along joints are the same.
  template <class Element>
  auto lift(const Element& element) const {
    return element.template cast<InSpace>();
  }
  PointSpring<InSpace> lift(const PointSpring<Flat>& spring) const {
    return {lift(spring.path), spring.stiffness, spring.rest_length, spring.damping, spring.slack};
  }
  RopeServo<InSpace> lift(const RopeServo<Flat>& servo) const {
    return {lift(servo.path), servo.law.cast<InSpace>()};
  }
  RopeStop<InSpace> lift(const RopeStop<Flat>& stop) const {
    return {lift(stop.path), stop.law.cast<InSpace>()};
  }
  Path<InSpace> lift(const Path<Flat>& path) const {
    Path<InSpace> result;
    for (const auto& [body, x, ratio] : path)
      result.push_back({body, plane_of(body) * in_space(x), ratio});
    return result;
  }
  BodyBushing<InSpace> lift(const BodyBushing<Flat>& bushing) const {
    return {bushing.body_a,
            bushing.body_b,
            lift(bushing.X_a, bushing.body_a),
            lift(bushing.X_b, bushing.body_b),
            in_space(bushing.stiffness),
            in_space(bushing.damping),
            about_normal(bushing.rotational_stiffness),
            about_normal(bushing.rotational_damping),
            bushing.angle_stiffness,
            bushing.has_turn_spring,
            about_normal(bushing.turn_stiffness),
            about_normal(bushing.rest_turn)};
  }
  BodyFriction<InSpace> lift(const BodyFriction<Flat>& friction) const {
    return {{friction.in_joint, friction.body_a, friction.body_b,
             lift(friction.X_a, friction.body_a), lift(friction.X_b, friction.body_b)},
            friction.slides,
            friction.coulomb,
            friction.viscous,
            friction.velocity_scale};
  }
  // There are no balls in a plane.
  BallStop<InSpace> lift(const BallStop<Flat>&) const { return {}; }
  BodyDrag<InSpace> lift(const BodyDrag<Flat>& drag) const {
    return {drag.body,
            lift(drag.X, drag.body),
            in_space(drag.damping),
            about_normal(drag.rotational_damping),
            in_space(drag.drag),
            about_normal(drag.rotational_drag),
            drag.flows,
            in_space(drag.medium_velocity)};
  }
  BodyWrench<InSpace> lift(const BodyWrench<Flat>& wrench) const {
    BodyWrench<InSpace> result{wrench.body, lift(wrench.X, wrench.body), wrench.turns, {}, {},
                               std::nullopt};
    std::ranges::copy(wrench.force, result.force.begin());
    result.moment[2] = wrench.moment[0];
    return result;
  }
  BodyCallback<InSpace> lift(const BodyCallback<Flat>& callback) const {
    return {callback.name, callback.body, lift(callback.X, callback.body), callback.load};
  }
  static Vector3d about_normal(const Flat::Angular& x) { return {0.0, 0.0, x(0)}; }

  const System<Flat>& flat_;
  System<InSpace> space_;
  std::vector<Matrix3d> planes_;  // by body
};

}  // namespace

System<Spatial<double>> lifted(const System<Planar<double>>& system) {
  return Lifting(system).run();
}

}  // namespace hamiltree
