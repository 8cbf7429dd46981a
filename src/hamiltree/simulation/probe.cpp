#include "hamiltree/simulation/probe.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "hamiltree/base/index.hpp"
#include "hamiltree/forces/loads.hpp"
#include "hamiltree/formulations/recursive/recursive.hpp"
#include "hamiltree/model/loops.hpp"
#include "hamiltree/simulation/outside_joints.hpp"

namespace hamiltree {
namespace {

Eigen::Vector3d in_space(const Eigen::Vector2d& x) { return {x(0), x(1), 0.0}; }
Eigen::Vector3d in_space(const Eigen::Vector3d& x) { return x; }
Eigen::Matrix3d in_space(const Eigen::Matrix2d& R) {
  Eigen::Matrix3d result = Eigen::Matrix3d::Identity();
  result.topLeftCorner<2, 2>() = R;
  return result;
}
Eigen::Matrix3d in_space(const Eigen::Matrix3d& R) { return R; }

Eigen::Vector4d quat_wxyz(const Eigen::Matrix3d& R) {
  const Eigen::Quaterniond x(R);
  return {x.w(), x.x(), x.y(), x.z()};
}

// Appends the values of one kind of sensor; planar mechanisms report x, y and one angle.
template <class Space>
struct SensorReader {
  const Model& model;
  const System<Space>& system;
  const Kinematics<Space>& kin;
  const OutsideJoints<Space>& outside;
  const std::vector<double>& q;
  const std::vector<double>& v;
  const std::function<Reaction(int)>& reaction;
  double kinetic, potential;
  std::vector<double>& out;

  void add(const typename Space::Position& x) {
    for (int i = 0; i < Space::kLinear; ++i) out.push_back(x(i));
  }
  // Position and velocity of a point given in the user's frame of a body.
  void add_point(int b, const Eigen::Vector3d& point) {
    const Frame& frame = model.user_frame(b);
    const Eigen::Vector3d local = frame.position + frame.rotation * point;
    const typename Space::Position x =
        kin.pose(b) * typename Space::Position(local.template head<Space::kLinear>());
    add(x);
    add(linear<Space>(kin.velocity_at(b, x)));
  }
  void operator()(const BodySensor& s) {
    const int b = *model.find_body(s.body);
    const Eigen::Matrix3d R = in_space(kin.pose(b).R) * model.user_frame(b).rotation;
    const typename Space::Position com = kin.pose(b) * system.body(b).com;
    add(com);
    if constexpr (Space::kIsPlanar) {
      out.push_back(std::atan2(R(1, 0), R(0, 0)));
    } else {
      const auto x = quat_wxyz(R);
      out.insert(out.end(), x.data(), x.data() + 4);
    }
    const auto V = kin.velocity_at(b, com);
    add(linear<Space>(V));
    const auto omega = angular<Space>(V);
    for (int i = 0; i < Space::kAngular; ++i) out.push_back(omega(i));
  }
  void operator()(const PointSensor& s) { add_point(*model.find_body(s.body), s.position); }
  void operator()(const JointSensor& s) {
    const int j = *model.find_joint(s.joint);
    const auto& joint = system.joint(j);
    if (joint.has_velocity()) {
      out.insert(out.end(), q.begin() + joint.q, q.begin() + joint.q + joint.coordinates);
      out.insert(out.end(), v.begin() + joint.v, v.begin() + joint.v + joint.velocities);
    } else if (outside.coordinates(j) > 0) {
      std::array<double, 13> values;
      const int coordinates = outside.coordinates(j);
      outside.read_coordinates(kin, j, values.data());
      outside.read_velocities(kin, j, values.data() + coordinates);
      out.insert(out.end(), values.data(), values.data() + coordinates + outside.velocities(j));
    }
  }
  void operator()(const ReactionSensor& s) {
    const int j = *model.find_joint(s.joint);
    const auto r = reaction(j);
    for (const auto& [force, moment] :
         {std::pair{r.force, r.moment}, std::pair{r.joint_force, r.joint_moment}}) {
      add(force.template head<Space::kLinear>());
      for (int i = 3 - Space::kAngular; i < 3; ++i) out.push_back(moment(i));
    }
    if (model.mechanism().joints[at(model.described_joint(j))].drive) out.push_back(r.drive);
  }
  void operator()(const EnergySensor&) {
    out.insert(out.end(), {kinetic, potential, kinetic + potential});
  }
};

template <class Space>
class ProbeOf final : public Probe {
 public:
  ProbeOf(Model model, const System<Space>& system)
      : model_(std::move(model)),
        system_(system),
        kin_(system_),
        outside_(model_, system_),
        q_(at(system_.coordinates)),
        v_(at(system_.velocities)),
        phi_(Eigen::VectorXd::Zero(system_.constraints)) {}

  void place(double t, const double* q) override {
    t_ = t;
    std::copy(q, q + system_.coordinates, q_.begin());
    hamiltree::place(system_, t, q, kin_);
  }
  void move(const double* v) override {
    std::copy(v, v + system_.velocities, v_.begin());
    hamiltree::move(system_, v, kin_);
  }
  void take(double t, const double* q, const double* v,
            const Kinematics<Spatial<double>>& kin) override {
    t_ = t;
    std::copy(q, q + system_.coordinates, q_.begin());
    std::copy(v, v + system_.velocities, v_.begin());
    if constexpr (!Space::kIsPlanar) {
      kin_.X_WB = kin.X_WB;
      kin_.arm = kin.arm;
      kin_.V_WB = kin.V_WB;
      kin_.joints = kin.joints;
      kin_.drives = kin.drives;
    }
  }
  double kinetic_energy() const override { return hamiltree::kinetic_energy(system_, kin_); }
  double potential_energy() const override {
    return hamiltree::potential_energy(system_, kin_, q_.data());
  }
  const Eigen::VectorXd& phi() override {
    hamiltree::position_residual(system_, kin_, q_.data(), phi_.data());
    return phi_;
  }
  const Eigen::VectorXd& phi_rate() override {
    hamiltree::velocity_residual(system_, kin_, phi_.data());
    return phi_;
  }
  double position_residual() override { return largest_residual(system_, phi()); }
  double velocity_residual() override { return largest_residual(system_, phi_rate()); }
  double position(int cut) const override { return joint_position(system_, kin_, q_.data(), cut); }
  double greatest_speed() const override {
    double speed = 0.0;
    for (const auto& V : kin_.V_WB) {
      speed = std::max({speed, linear<Space>(V).norm(),
                        system_.length * typename Space::Angular(angular<Space>(V)).norm()});
    }
    return speed;
  }
  void add_loop_impulses(const double* impulses, double* p) override {
    hamiltree::add_loop_impulses<Space>(system_, 1.0, impulses, kin_, p);
  }
  void momenta(double* p) override { hamiltree::momenta(system_, kin_, p); }
  void normalise(double* q) const override { normalise_coordinates(system_, q); }

  void outside(Eigen::VectorXd& q, Eigen::VectorXd& v) const override { outside_.read(kin_, q, v); }
  bool counts_turns() const override { return outside_.counts_turns(); }
  void follow() override { outside_.follow(kin_); }
  const Eigen::VectorXd& followed() const override { return outside_.seen(); }
  void follow_from(const Eigen::VectorXd& outside_q) override { outside_.see(outside_q); }

  void sensors(const std::function<Reaction(int)>& reaction,
               Eigen::VectorXd& values) const override {
    std::vector<double> out;
    SensorReader<Space> reader{
        model_, system_, kin_, outside_, q_, v_, reaction, kinetic_energy(), potential_energy(),
        out};
    for (const auto& sensor : model_.mechanism().sensors) std::visit(reader, sensor);
    values = Eigen::Map<Eigen::VectorXd>(out.data(), static_cast<Eigen::Index>(out.size()));
  }

  void poses(std::vector<BodyPose>& poses) const override {
    poses.resize(system_.bodies.size());
    for (int b = 0; b < system_.body_count(); ++b) {
      // The user's frame of the body, in the world.
      const auto& X = kin_.pose(b);
      const Frame& frame = model_.user_frame(b);
      const Eigen::Matrix3d R = in_space(X.R);
      poses[at(b)] = {in_space(X.r) + R * frame.position, quat_wxyz(R * frame.rotation)};
    }
  }

  Eigen::VectorXd joint_inertias() const override {
    const Recursive<Space> kernel(system_);
    typename Recursive<Space>::Work work(kernel);
    kernel.assemble(t_, q_.data(), block_elimination::RowChoice::kKeep, work);
    Eigen::VectorXd inertias(system_.velocities);
    for (int b = 0; b < system_.body_count(); ++b) {
      const auto& joint = system_.joint(b);
      const auto& body = work.bodies[at(b)];
      for (int i = 0; i < joint.velocities; ++i) {
        typename Space::Motion H = Space::Motion::Zero();
        H(joint.free[at(i)]) = 1.0;
        inertias(joint.v + i) =
            H.dot(recursive::articulated_momentum<Space>(body, joint.pitch, H)) + joint.armature;
      }
    }
    return inertias;
  }

  bool conservative() const override { return is_conservative(system_); }

 private:
  Model model_;  // keeps system_ alive
  const System<Space>& system_;
  Kinematics<Space> kin_;
  OutsideJoints<Space> outside_;
  double t_ = 0.0;
  std::vector<double> q_, v_;
  Eigen::VectorXd phi_;
};

}  // namespace

std::unique_ptr<Probe> make_probe(const Model& model) {
  return model.visit([&]<class Space>(const System<Space>& system) -> std::unique_ptr<Probe> {
    return std::make_unique<ProbeOf<Space>>(model, system);
  });
}

}  // namespace hamiltree
