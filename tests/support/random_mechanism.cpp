#include "support/random_mechanism.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "hamiltree/model/joints/joints.hpp"
#include "hamiltree/model/kinematics.hpp"
#include "support/lift.hpp"

namespace hamiltree::test {

const char* to_name(Topology topology) {
  constexpr const char* kNames[] = {"chain",          "tree",          "forest",
                                    "single loop",    "floating loop", "coupled loops",
                                    "parallel joints"};
  return kNames[static_cast<int>(topology)];
}

std::string case_name(SpaceKind space, Topology topology) {
  std::string name = space == SpaceKind::kPlanar ? "Planar_" : "Spatial_";
  name += to_name(topology);
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

Mechanism cut_where_closed(Mechanism mechanism) {
  for (auto& joint : mechanism.joints) {
    const auto binds = [&](const Coupling& coupling) {
      return coupling.joint == joint.name || coupling.to == joint.name;
    };
    if (joint.name.front() == 'C' && std::ranges::none_of(mechanism.couplings, binds)) {
      joint.cut = true;
    }
  }
  return mechanism;
}

void RandomMechanism::make_light(Mechanism& mechanism) {
  for (auto& body : mechanism.bodies) {
    if (&body == &mechanism.bodies.back() || !chance(0.3)) continue;
    body.mass = 0.0;
    body.inertia.setZero();
  }
}

Eigen::VectorXd RandomMechanism::vector(int n, double size) {
  Eigen::VectorXd x(n);
  for (int i = 0; i < n; ++i) x(i) = uniform(-size, size);
  return x;
}

Mechanism RandomMechanism::make(SpaceKind space, Topology topology, Extent extent) {
  mechanism_ = {};
  poses_.clear();
  angles_.clear();
  full_ = extent == Extent::kFull;
  freedom_ = 0;
  mechanism_.space = space;
  mechanism_.name = std::string("random ") + to_name(topology);
  mechanism_.gravity = position(9.81);
  switch (topology) {
    case Topology::kChain:
      add_tree(integer(1, 10), 1, false);
      break;
    case Topology::kTree:
      add_tree(integer(1, 10), 3, false);
      break;
    case Topology::kForest:
      for (int tree = integer(2, 3); tree > 0; --tree) add_tree(integer(1, 4), 2, chance(0.5));
      break;
    case Topology::kSingleLoop:
      add_loop(kNone, kNone);
      break;
    case Topology::kFloatingLoop:
      add_tree(integer(1, 2), 1, true);
      add_loop(body_count() - 1, 0);
      break;
    case Topology::kCoupledLoops:
      // Each loop brings enough joints of its own to stay mobile; further loops start and end on
      // bodies that are already there, so they share links.
      add_loop(kNone, kNone);
      for (int loop = integer(1, 2); loop > 0; --loop) {
        const int last = body_count() - 1;
        add_loop(integer(-1, last), integer(-1, last));
      }
      break;
    case Topology::kParallelJoints:
      add_tree(integer(1, 3), 1, false);
      for (int pair = integer(1, 2); pair > 0; --pair) add_parallel_joints();
      break;
  }
  if (full_) add_couplings();
  add_forces();
  if (full_) add_further_forces(mechanism_);
  // From a copy, so that what is drawn after the mechanism does not depend on them.
  if (full_) RandomMechanism(*this).add_ropes(mechanism_);
  if (full_) RandomMechanism(*this).add_armatures_of_balls(mechanism_);
  if (full_) RandomMechanism(*this).add_forces_in_balls(mechanism_);
  return mechanism_;
}

Mechanism RandomMechanism::make_in_one_plane(Topology topology, Extent extent) {
  make(SpaceKind::kPlanar, topology, extent);
  mechanism_ = lift(mechanism_, *this, poses_);
  return mechanism_;
}

void RandomMechanism::add_further_forces(Mechanism& mechanism) {
  for (auto& joint : mechanism.joints) {
    const bool one_dof = joint_size(joint.type, mechanism.space).velocities == 1;
    if (!one_dof || (joint.name.front() != 'J' && !full_)) continue;
    if (joint.name.front() == 'J' && !joint.drive && chance(0.25)) {
      joint.armature = std::pow(10.0, uniform(-3.0, 1.0));
    }
    if (chance(0.2)) {
      JointLimits limits{joint.name,        uniform(-0.8, 0.2), {}, uniform(1.0, 5.0),
                         uniform(0.0, 1.0), uniform(0.05, 0.5), {}};
      if (chance(0.5)) limits.upper = *limits.lower + uniform(0.1, 0.5);
      mechanism.add(limits);
    }
    if (chance(0.2)) {
      mechanism.add(
          JointFriction{joint.name, uniform(0.0, 1.0), uniform(0.0, 0.5), uniform(0.1, 1.0), {}});
    }
  }
  const auto last = mechanism.bodies.back().name;
  if (chance(0.3)) {
    const auto other = mechanism.bodies.size() > 1 ? mechanism.bodies.front().name : kGround;
    const auto positive = [&] { return Eigen::Vector3d(vector(3).cwiseAbs()); };
    mechanism.add(Bushing{"bushing",
                          other,
                          last,
                          frame(),
                          frame(),
                          5.0 * positive(),
                          5.0 * positive(),
                          positive(),
                          positive(),
                          0.0,
                          Eigen::Vector3d::Zero(),
                          Eigen::Vector3d::Zero(),
                          {}});
  }
  if (chance(0.3)) {
    AppliedWrench wrench{"push", last, position(), {}, {}, AppliedWrench::Axes::kWorld, {}};
    if (chance(0.5)) wrench.axes = AppliedWrench::Axes::kBody;
    wrench.force = {time_function(), maybe_time_function(), {}};
    wrench.moment.z = maybe_time_function();
    if (!planar()) {
      wrench.force.z = maybe_time_function();
      wrench.moment.x = maybe_time_function();
      wrench.moment.y = maybe_time_function();
    }
    mechanism.add(wrench);
  }
}

void RandomMechanism::add_armatures_of_balls(Mechanism& mechanism) {
  for (auto& joint : mechanism.joints) {
    if (joint.type != JointType::kSpherical || joint.name.front() != 'J') continue;
    if (chance(0.25)) joint.armature = std::pow(10.0, uniform(-3.0, 1.0));
  }
}

void RandomMechanism::add_forces_in_balls(Mechanism& mechanism) {
  for (const auto& joint : mechanism.joints) {
    if (joint.type != JointType::kSpherical || joint.parent_motion) continue;
    if (chance(0.3)) {
      JointLimits limits{joint.name, {}, uniform(0.05, 1.5), uniform(1.0, 5.0), uniform(0.0, 1.0),
                         {},         {}};
      if (chance(0.5)) limits.transition = uniform(0.05, 0.5);
      mechanism.add(limits);
    }
    if (chance(0.3)) {
      mechanism.add(
          JointFriction{joint.name, uniform(0.0, 1.0), uniform(0.0, 0.5), uniform(0.1, 1.0), {}});
    }
  }
}

void RandomMechanism::add_ropes(Mechanism& mechanism) {
  const auto points = [&] {
    std::vector<RopePoint> result{{kGround, position()}};
    for (int more = integer(1, 4); more > 0; --more) {
      const int body = integer(0, static_cast<int>(mechanism.bodies.size()) - 1);
      result.push_back({mechanism.bodies[at(body)].name, position(), uniform(0.5, 2.0)});
      if (chance(0.2)) result.back().ratio = 0.0;
    }
    return result;
  };
  if (chance(0.4)) {
    PointSpringDamper rope{"rope", points(), uniform(0.0, 10.0), uniform(0.0, 3.0), 0.0, {}, {}};
    rope.damping = uniform(0.0, 1.0);
    if (chance(0.5)) rope.slack = uniform(0.0, 2.0);
    mechanism.add(rope);
  }
  for (auto& force : mechanism.forces) {
    auto* bushing = std::get_if<Bushing>(&force);
    if (bushing == nullptr) continue;
    if (chance(0.5)) bushing->angle_stiffness = uniform(0.0, 3.0);
    if (chance(0.5)) {
      bushing->turn_stiffness = 3.0 * vector(3).cwiseAbs();
      bushing->rest_turn.z() = uniform(-0.3, 0.3);
      if (mechanism.space == SpaceKind::kSpatial) bushing->rest_turn.x() = uniform(-0.3, 0.3);
    }
  }
  if (chance(0.3)) {
    Servo winch{"winch", {}, {}, time_function(), uniform(-1.0, 5.0), uniform(-0.2, 1.0),
                {},      {}, {}, points()};
    if (chance(0.5)) winch.upper = uniform(0.0, 3.0);
    mechanism.add(winch);
  }
  for (const auto& joint : mechanism.joints) {
    if (joint_size(joint.type, mechanism.space).velocities == 1 && chance(0.15)) {
      mechanism.add(curve_spring(joint.name));
    }
  }
}

Eigen::Vector3d RandomMechanism::position(double size) {
  Eigen::Vector3d x = vector(3, size);
  if (planar()) x(2) = 0.0;
  return x;
}

Frame RandomMechanism::frame() {
  Frame f;
  f.position = position();
  f.rotation =
      planar() ? Eigen::AngleAxisd(uniform(-3.0, 3.0), Eigen::Vector3d::UnitZ()).toRotationMatrix()
               : Eigen::Quaterniond(Eigen::Vector4d(vector(4)).normalized()).toRotationMatrix();
  return f;
}

CurveSpring RandomMechanism::curve_spring(const std::string& joint) {
  CurveSpring spring{"curve of " + joint, joint, {}, {}, uniform(0.2, 2.0),
                     uniform(-0.5, 0.5),  {},    {}};
  double deflection = uniform(-1.0, 0.0);
  for (int points = integer(2, 5); points > 0; --points) {
    spring.deflections.push_back(deflection);
    spring.efforts.push_back(uniform(-3.0, 3.0));
    deflection += uniform(0.2, 0.8);
  }
  spring.damping = uniform(0.0, 0.5);
  return spring;
}

Frame RandomMechanism::times(const Frame& a, const Frame& b) {
  return {a.position + a.rotation * b.position, a.rotation * b.rotation};
}

Frame RandomMechanism::inverse(const Frame& a) {
  return {-(a.rotation.transpose() * a.position), a.rotation.transpose()};
}

void RandomMechanism::add_body() {
  BodyDescription body;
  body.name = body_name(body_count());
  body.mass = uniform(0.2, 3.0);
  body.com = position(0.5);
  // Two thirds of the way to the triangle inequality at most, any axes.
  const Eigen::Vector3d moments(uniform(0.1, 0.2), uniform(0.1, 0.2), uniform(0.1, 0.2));
  const Eigen::Matrix3d R = frame().rotation;
  const Eigen::Matrix3d J = R * moments.asDiagonal() * R.transpose();
  body.inertia = body.mass * 0.5 * (J + J.transpose());
  mechanism_.add(body);
  poses_.push_back(frame());
}

void RandomMechanism::add_tree(int bodies, int spread, bool floating) {
  const int first = body_count();
  for (int b = first; b < first + bodies; ++b) {
    add_body();
    const int inboard = b == first ? kNone : integer(std::max(first, b - spread), b - 1);
    const auto type = b == first && floating ? JointType::kFree : joint_type(b == first, false);
    add_joint("J" + std::to_string(b), type, inboard, b);
  }
}

void RandomMechanism::add_loop(int start, int end) {
  const int first = body_count();
  const int bodies = integer(planar() ? 3 : 6, planar() ? 6 : 8);
  int inboard = start;
  int freedom = 0;
  for (int b = first; b < first + bodies; ++b) {
    add_body();
    const auto type = joint_type(b == 0, true);
    const int before = freedom_;
    add_joint("J" + std::to_string(b), type, inboard, b);
    freedom += freedom_ - before;
    inboard = b;
  }
  // A cut that leaves the loop some of the freedom that its own joints bring.
  for (int attempt = 0; attempt < 20; ++attempt) {
    const auto type = joint_type(false, false);
    if (type == JointType::kFree || rows(type) >= freedom) continue;
    return add_joint("C" + std::to_string(body_count()), type, inboard, end, freedom - 1);
  }
  add_joint("C" + std::to_string(body_count()),
            planar() ? JointType::kRevolute : JointType::kSpherical, inboard, end, freedom - 1);
}

void RandomMechanism::add_parallel_joints() {
  const int other = integer(-1, body_count() - 1);
  const int b = body_count();
  add_body();
  std::vector<JointType> types{JointType::kSpherical, JointType::kTranslational};
  if (planar()) types = {JointType::kPinInSlot, JointType::kPinInSlot};
  std::shuffle(types.begin(), types.end(), random_);
  add_joint("J" + std::to_string(b), types[0], other, b);
  add_joint("C" + std::to_string(b), types[1], other, b, 0);
}

int RandomMechanism::rows(JointType type) const {
  return joint_size(type, mechanism_.space).constraints;
}

JointType RandomMechanism::joint_type(bool first, bool loops) {
  if (first && chance(0.2)) return JointType::kFree;
  if (!first && !loops && chance(0.1)) return JointType::kFree;
  if (!loops && chance(0.07)) return JointType::kFixed;
  // Few sliders in a loop: three of them in the plane cannot turn it.
  if (planar()) {
    if (full_ && chance(0.2)) return JointType::kPinInSlot;
    return chance(loops ? 0.2 : 0.3) ? JointType::kPrismatic : JointType::kRevolute;
  }
  std::vector<JointType> types{JointType::kCylindrical, JointType::kSpherical, JointType::kPlanar,
                               JointType::kTranslational};
  if (full_)
    types.insert(types.end(), {JointType::kUniversal, JointType::kHelical, JointType::kPinInSlot});
  if (chance(full_ ? 0.5 : 0.25)) return types[at(integer(0, static_cast<int>(types.size()) - 1))];
  return chance(0.25) ? JointType::kPrismatic : JointType::kRevolute;
}

TimeFunction RandomMechanism::time_function() {
  switch (integer(0, 3)) {
    case 0:
      return Polynomial{{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}};
    case 1:
      return Sine{uniform(-1, 1), uniform(-1, 1), uniform(0.1, 0.5), uniform(-3, 3)};
    case 2:
      return SmoothStep{uniform(-1, 1), uniform(-1, 1), uniform(-0.5, 0.3), uniform(0.2, 2.0)};
    default:
      return Table{{-0.5, 0.1, 0.5, 1.2},
                   {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)},
                   uniform(-1, 1),
                   uniform(-1, 1)};
  }
}

std::optional<TimeFunction> RandomMechanism::maybe_time_function() {
  return chance(0.5) ? std::optional(time_function()) : std::nullopt;
}

void RandomMechanism::add_joint(const std::string& name, JointType type, int parent, int child,
                                int spare) {
  JointDescription joint;
  joint.name = name;
  joint.type = type;
  // Some joints are written against the direction of the tree.
  const bool to_ground = child == kNone;
  const bool may_turn = full_ || joint_size(type, mechanism_.space).velocities < 2;
  if (type != JointType::kFree && (to_ground || (may_turn && chance(0.3)))) {
    std::swap(parent, child);
  }
  joint.parent = body_name(parent);
  joint.child = body_name(child);
  const auto size = joint_size(type, mechanism_.space);
  const bool cut = name.front() == 'C';
  if (type == JointType::kHelical) joint.pitch = uniform(0.1, 0.5) * (chance(0.5) ? 1.0 : -1.0);
  if (full_ && size.velocities == 1 && chance(0.15) && (!cut || rows(type) + 1 <= spare)) {
    joint.drive = time_function();
  }
  if (full_ && type != JointType::kFree && chance(0.15)) {
    joint.parent_motion =
        FrameMotion{time_function(), maybe_time_function(), {}, {}, {}, maybe_time_function()};
    if (!planar()) {
      joint.parent_motion->z = maybe_time_function();
      joint.parent_motion->rx = maybe_time_function();
      joint.parent_motion->ry = maybe_time_function();
    }
  }
  joint.at_parent = frame();
  joint.at_child = planar() ? fit<Planar<double>>(joint, parent, child)
                            : fit<Spatial<double>>(joint, parent, child);
  const int freedom = joint.drive ? 0 : size.velocities;
  freedom_ += cut ? freedom - (planar() ? 3 : 6) : freedom;
  mechanism_.add(joint);
}

template <class Space>
Frame RandomMechanism::fit(const JointDescription& joint, int parent, int child) {
  Drive drive;
  if (const auto& m = joint.parent_motion) {
    const auto f = [](const auto& g) { return g ? PiecewiseSine(*g) : PiecewiseSine(); };
    drive.motion = {f(m->x), f(m->y), f(m->z), f(m->rx), f(m->ry), f(m->rz)};
  }
  if (joint.drive) drive.coordinate = PiecewiseSine(*joint.drive);
  drive.type = joint.type;
  drive.pitch = joint.pitch;
  Pose<Space> X_FM = evaluate<Space>(drive, kTime).X;
  std::optional<double> angle;
  if (!joint.drive) {
    visit_joint<Space>(joint.type, joint.pitch, [&]<class J>(const J& type) {
      Eigen::VectorXd q = vector(J::kCoordinates);
      if constexpr (J::kCoordinates > J::kVelocities) q.tail(4).normalize();
      X_FM = X_FM * type.pose(q.data());
      if constexpr (J::kCoordinates == 1) angle = q(0);
    });
  }
  angles_.push_back(angle);
  Frame in_space;
  in_space.position.head<Space::kLinear>() = X_FM.r;
  in_space.rotation.topLeftCorner<Space::kLinear, Space::kLinear>() = X_FM.R;
  return times(inverse(pose_of(child)), times(times(pose_of(parent), joint.at_parent), in_space));
}

void RandomMechanism::add_couplings() {
  std::vector<int> candidates;
  for (std::size_t j = 0; j < mechanism_.joints.size(); ++j) {
    const auto& joint = mechanism_.joints[j];
    if (joint.name.front() == 'J' && !joint.drive && angles_[j]) {
      candidates.push_back(static_cast<int>(j));
    }
  }
  std::shuffle(candidates.begin(), candidates.end(), random_);
  while (candidates.size() >= 2 && freedom_ > 1 && chance(0.4)) {
    const auto follower = at(candidates.back());
    candidates.pop_back();
    const auto leader = at(candidates.back());
    const double ratio = uniform(0.3, 2.0) * (chance(0.5) ? 1.0 : -1.0);
    const double x = *angles_[leader];
    Coupling coupling{"G" + std::to_string(mechanism_.couplings.size()),
                      mechanism_.joints[follower].name,
                      mechanism_.joints[leader].name,
                      ratio,
                      *angles_[follower] - ratio * x,
                      {}};
    if (curved_) {
      coupling.higher = {uniform(-1.0, 1.0), uniform(-1.0, 1.0)};
      coupling.offset -= (coupling.higher[0] + coupling.higher[1] * x) * x * x;
    }
    mechanism_.add(std::move(coupling));
    --freedom_;
  }
}

void RandomMechanism::add_forces() {
  for (const auto& joint : mechanism_.joints) {
    const bool one_dof = joint_size(joint.type, mechanism_.space).velocities == 1;
    if (!one_dof || (joint.name.front() != 'J' && !full_)) continue;
    if (chance(0.25)) {
      mechanism_.add(JointSpringDamper{
          joint.name, uniform(0.0, 5.0), uniform(-1.0, 1.0), uniform(0.0, 1.0), {}});
    }
    if (chance(0.25)) {
      mechanism_.add(Actuator{"motor " + joint.name,
                              joint.name,
                              Sine{uniform(-2.0, 2.0), uniform(-2.0, 2.0), 1.0, 0.3},
                              {}});
    }
  }
  if (mechanism_.bodies.size() < 2 || chance(0.5)) return;
  mechanism_.add(
      PointSpringDamper{"spring",
                        {{kGround, position()}, {mechanism_.bodies.back().name, position()}},
                        uniform(0.0, 10.0),
                        uniform(0.0, 1.0),
                        uniform(0.0, 1.0),
                        {},
                        {}});
}

template <class Space>
Eigen::VectorXd RandomMechanism::closed_pose(const Model& model,
                                             const System<Space>& system) const {
  Kinematics<Space> kin(system);
  evaluate_drives(system, kTime, kin);
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& X_WU = poses_[at(model.described_body(b))];
    const auto& X_BU = model.user_frame(b);
    const Eigen::Matrix3d R = X_WU.rotation * X_BU.rotation.transpose();
    const Eigen::Vector3d r = X_WU.position - R * X_BU.position;
    constexpr int n = Space::kLinear;
    kin.X_WB[at(b)] = {R.topLeftCorner<n, n>(), r.head<n>()};
  }
  Eigen::VectorXd q(system.coordinates);
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    visit_joint<Space>(joint, [&](const auto& type) {
      type.coordinates(relative_pose(system, kin, b), q.data() + joint.q);
    });
    // Couplings need whole angles, and the sign of a quaternion is free. Joints that were added
    // since make() were not drawn.
    const auto described = at(model.described_joint(b));
    if (described < angles_.size() && angles_[described] && joint.coordinates == 1)
      q(joint.q) = *angles_[described];
  }
  return q;
}

template Eigen::VectorXd RandomMechanism::closed_pose(const Model&,
                                                      const System<Planar<double>>&) const;
template Eigen::VectorXd RandomMechanism::closed_pose(const Model&,
                                                      const System<Spatial<double>>&) const;

}  // namespace hamiltree::test
