#include "hamiltree/simulation/probe.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "hamiltree/base/index.hpp"
#include "hamiltree/forces/loads.hpp"
#include "hamiltree/formulations/recursive/recursive.hpp"
#include "hamiltree/formulations/sensor_values.hpp"
#include "hamiltree/model/loop_gaps.hpp"
#include "hamiltree/model/loops.hpp"
#include "hamiltree/simulation/outside_joints.hpp"

namespace hamiltree {
namespace {

Eigen::Vector3d in_space(const Eigen::Vector2d& x) { return {x(0), x(1), 0.0}; }
Eigen::Vector3d in_space(const Eigen::Vector3d& x) { return x; }

Eigen::Vector4d quat_wxyz(const Eigen::Matrix3d& R) {
  const auto x = quat_wxyz_of(R);
  return {x[0], x[1], x[2], x[3]};
}

// The channels of a reaction sensor.
template <class Space>
void append_reaction(const Reaction& r, bool is_driven, std::vector<double>& out) {
  for (const auto& [force, moment] :
       {std::pair{r.force, r.moment}, std::pair{r.joint_force, r.joint_moment}}) {
    out.insert(out.end(), force.data(), force.data() + Space::kLinear);
    out.insert(out.end(), moment.data() + 3 - Space::kAngular, moment.data() + 3);
  }
  if (is_driven) out.push_back(r.drive);
}

template <class Space>
class ProbeOf final : public Probe {
 public:
  ProbeOf(Model model, const System<Space>& system)
      : model_(std::move(model)),
        system_(system),
        kin_(system_),
        gaps_(system_),
        outside_(model_, system_),
        q_(at(system_.coordinates)),
        v_(at(system_.velocities)),
        phi_(Eigen::VectorXd::Zero(system_.constraints)),
        phi_rate_(Eigen::VectorXd::Zero(system_.constraints)) {}

  void place(double t, const double* q) override {
    t_ = t;
    has_phi_ = is_taken_ = false;
    std::copy(q, q + system_.coordinates, q_.begin());
    hamiltree::place(system_, t, q, kin_);
  }
  void move(const double* v) override {
    std::copy(v, v + system_.velocities, v_.begin());
    hamiltree::move(system_, v, kin_);
  }
  void take(double t, const double* q, const double* v,
            const Kinematics<Spatial<double>>& kin) override {
    std::copy(v, v + system_.velocities, v_.begin());
    if constexpr (!Space::kIsPlanar) {
      kin_.V_WB = kin.V_WB;
      if (is_taken_ && t == t_ && std::equal(q_.begin(), q_.end(), q)) return;
      kin_.X_WB = kin.X_WB;
      kin_.arm = kin.arm;
      kin_.joints = kin.joints;
      kin_.drives = kin.drives;
      place_couplings(system_, q, kin_);
    }
    t_ = t;
    has_phi_ = false;
    is_taken_ = true;
    std::copy(q, q + system_.coordinates, q_.begin());
  }
  void numbers(Sample& sample) override {
    sample.kinetic_energy = kinetic_energy();
    sample.potential_energy = potential_energy();
    sample.position_residual = position_residual();
    sample.velocity_residual = velocity_residual();
    typename Space::Force P = Space::Force::Zero();
    for (int b = 0; b < system_.body_count(); ++b) {
      P += shift_force<Space>(kin_.pose(b).r, body_momentum(system_, kin_, b));
    }
    sample.linear_momentum.template head<Space::kLinear>() = linear<Space>(P);
    sample.angular_momentum.template tail<Space::kAngular>() = angular<Space>(P);
  }
  double kinetic_energy() const override { return hamiltree::kinetic_energy(system_, kin_); }
  double potential_energy() const override {
    return hamiltree::potential_energy(system_, kin_, q_.data());
  }
  const Eigen::VectorXd& phi() override {
    if (!has_phi_) gaps_.find(kin_, q_.data(), phi_.data());
    has_phi_ = true;
    return phi_;
  }
  const Eigen::VectorXd& phi_rate() override {
    hamiltree::velocity_residual(system_, kin_, phi_rate_.data());
    return phi_rate_;
  }
  double position_residual() override { return largest_residual(system_, phi()); }
  double velocity_residual() override { return largest_residual(system_, phi_rate()); }
  double position(int cut) const override { return joint_position(system_, kin_, q_.data(), cut); }
  double rate(int cut) const override { return joint_rate(system_, kin_, cut); }
  double greatest_speed() const override {
    double linear_square = 0.0, angular_square = 0.0;
    for (const auto& V : kin_.V_WB) {
      linear_square = std::max(linear_square, linear<Space>(V).squaredNorm());
      const typename Space::Angular turning = angular<Space>(V);
      angular_square = std::max(angular_square, turning.squaredNorm());
    }
    return std::max(std::sqrt(linear_square), system_.length * std::sqrt(angular_square));
  }
  void add_loop_impulses(const double* impulses, double* p) override {
    hamiltree::add_loop_impulses<Space>(system_, 1.0, impulses, kin_, p);
  }
  // By the impulses, not from the velocities, whose errors are multiplied by the inertias. But
  // bodies that lack inertia would keep what is rounded, and next to singular poses impulses are
  // large.
  void reset(const double* sigma, double least_pivot, double* p) override {
    const bool by_impulses = system_.ballasted.empty() && !(least_pivot < kSmallPivot);
    by_impulses ? add_loop_impulses(sigma, p) : momenta(p);
  }
  void momenta(double* p) override { hamiltree::momenta(system_, kin_, p); }
  void normalise(double* q) const override { normalise_coordinates(system_, q); }

  void outside(Eigen::VectorXd& q, Eigen::VectorXd& v) const override {
    outside_.read(t_, kin_, q, v);
  }
  bool counts_turns() const override { return outside_.counts_turns(); }
  bool turns_by_itself() const override { return outside_.turns_by_itself(); }
  void follow() override { outside_.follow(kin_); }
  int follow_moving() override { return outside_.follow_moving(t_, kin_); }
  const Eigen::VectorXd& followed() const override { return outside_.seen(); }
  void follow_from(const Eigen::VectorXd& outside_q) override { outside_.see(outside_q); }

  void sensors(const std::function<Reaction(int)>& reaction,
               Eigen::VectorXd& values) const override {
    const auto transmitted = [&](int j, std::vector<double>& out) {
      const auto& said = model_.mechanism().joints[at(model_.described_joint(j))];
      append_reaction<Space>(reaction(j), said.drive.has_value(), out);
    };
    const auto outside = [&](int j, std::vector<double>& out) {
      std::array<double, 13> x;
      const int coordinates = outside_.coordinates(j);
      if (coordinates == 0) return;
      outside_.read_coordinates(t_, kin_, j, x.data());
      outside_.read_velocities(kin_, j, x.data() + coordinates);
      out.insert(out.end(), x.data(), x.data() + coordinates + outside_.velocities(j));
    };
    const auto read =
        read_sensors(model_, system_, kin_, q_.data(), v_.data(), transmitted, outside);
    values = Eigen::Map<const Eigen::VectorXd>(read.data(), static_cast<Eigen::Index>(read.size()));
  }

  void poses(std::vector<BodyPose>& poses) const override {
    poses.resize(system_.bodies.size());
    for (int b = 0; b < system_.body_count(); ++b) {
      // The user's frame of the body, in the world.
      const auto& X = kin_.pose(b);
      const Frame& frame = model_.user_frame(b);
      const Eigen::Matrix3d R = rotation_in_space<double>(X.R);
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
  LoopGaps<Space> gaps_;
  OutsideJoints<Space> outside_;
  double t_ = 0.0;
  std::vector<double> q_, v_;
  Eigen::VectorXd phi_, phi_rate_;
  bool has_phi_ = false;   // of where it stands
  bool is_taken_ = false;  // poses are those of a formulation
};

}  // namespace

std::unique_ptr<Probe> make_probe(const Model& model) {
  return model.visit([&]<class Space>(const System<Space>& system) -> std::unique_ptr<Probe> {
    return std::make_unique<ProbeOf<Space>>(model, system);
  });
}

}  // namespace hamiltree
