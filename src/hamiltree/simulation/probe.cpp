#include "hamiltree/simulation/probe.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "hamiltree/base/index.hpp"
#include "hamiltree/forces/loads.hpp"
#include "hamiltree/formulations/recursive/assembly.hpp"
#include "hamiltree/model/loops.hpp"

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
  const std::vector<double>& q;
  const std::vector<double>& v;
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
    if (!joint.is_cut()) {
      out.insert(out.end(), q.begin() + joint.q, q.begin() + joint.q + joint.coordinates);
      out.insert(out.end(), v.begin() + joint.v, v.begin() + joint.v + joint.velocities);
    } else if (joint.velocities == 1) {
      const auto [x, x_dot] = joint_coordinate(system, kin, q.data(), v.data(), j);
      out.push_back(x);
      out.push_back(x_dot);
    }
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
        q_(at(system_.coordinates)),
        v_(at(system_.velocities)),
        phi_(Eigen::VectorXd::Zero(system_.constraints)) {}

  void set(const double* q, const double* v) override {
    std::copy(q, q + system_.coordinates, q_.begin());
    std::copy(v, v + system_.velocities, v_.begin());
    place(system_, q, kin_);
    move(system_, v, kin_);
  }
  double kinetic_energy() const override { return hamiltree::kinetic_energy(system_, kin_); }
  double potential_energy() const override {
    return hamiltree::potential_energy(system_, kin_, q_.data());
  }
  const Eigen::VectorXd& phi() override {
    position_residual(system_, kin_, phi_.data());
    return phi_;
  }
  Residuals residuals() override {
    Residuals result;
    position_residual(system_, kin_, phi_.data());
    result.position = largest_residual(system_, phi_);
    velocity_residual(system_, kin_, phi_.data());
    result.velocity = largest_residual(system_, phi_);
    return result;
  }
  void momenta(double* p) override { hamiltree::momenta(system_, kin_, p); }
  void normalise(double* q) const override { normalise_coordinates(system_, q); }

  void sensors(Eigen::VectorXd& values) const override {
    std::vector<double> out;
    SensorReader<Space> reader{model_, system_, kin_, q_, v_, kinetic_energy(), potential_energy(),
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
    std::vector<recursive::Articulated<Space>> bodies(system_.bodies.size());
    for (int b = 0; b < system_.body_count(); ++b) {
      const auto& joint = system_.joint(b);
      bodies[at(b)].X_PB = joint.X_PF * joint_pose(joint, q_.data());
    }
    const std::vector<double> p(v_.size(), 0.0);
    recursive::assemble(system_, p.data(), bodies);
    Eigen::VectorXd inertias(system_.velocities);
    for (int b = 0; b < system_.body_count(); ++b) {
      const auto& joint = system_.joint(b);
      visit_joint<Space>(joint.type, [&]<class J>(J) {
        for (int i = 0; i < J::kVelocities; ++i) {
          const int m = J::kMotion[at(i)];
          inertias(joint.v + i) = bodies[at(b)].M(m, m);
        }
      });
    }
    return inertias;
  }

  bool conservative() const override { return is_conservative(system_); }

 private:
  Model model_;  // keeps system_ alive
  const System<Space>& system_;
  Kinematics<Space> kin_;
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
