#include "hamiltree/io/import/mjcf/spring_damper.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <cmath>

#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/joint_parts.hpp"
#include "hamiltree/io/import/mass.hpp"
#include "hamiltree/io/import/number_by_name.hpp"
#include "hamiltree/model/checks.hpp"

namespace hamiltree::mjcf {
namespace {

// One component of a joint's velocity: how it moves all that hangs on a body, at the world's
// origin.
struct Component {
  std::size_t joint;
  Eigen::Vector3d angular, linear;
};

class MassMatrix {
 public:
  MassMatrix(const Tree& tree, const Mechanism& mechanism)
      : mechanism_(mechanism),
        bodies_(number_by_name(mechanism.bodies)),
        wholes_(mechanism.bodies.size()),
        inboard_(mechanism.bodies.size(), mechanism.joints.size()),
        first_(mechanism.joints.size() + 1, 0) {
    for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
      inboard_[child(j)] = j;
      add_components(j, tree.at_start.at(mechanism.joints[j].child));
      first_[j + 1] = components_.size();
    }
    for (std::size_t j = mechanism.joints.size(); j-- > 0;) {
      const auto& joint = mechanism.joints[j];
      add_mass(wholes_[child(j)], tree.at_start.at(joint.child), mechanism.bodies[child(j)]);
      if (joint.parent != kGround) add_mass(wholes_[parent(j)], {}, wholes_[child(j)]);
    }
    fill();
  }

  // The mean of the joint's entries on the diagonal of the inverse, inverted.
  double free_inertia(std::size_t joint) const {
    const auto first = static_cast<Eigen::Index>(first_[joint]);
    const auto count = static_cast<Eigen::Index>(first_[joint + 1]) - first;
    if (factor_.info() != Eigen::Success) return 0.0;
    const Eigen::MatrixXd units = Eigen::MatrixXd::Identity(factor_.rows(), factor_.cols());
    const Eigen::MatrixXd columns = factor_.solve(units.middleCols(first, count));
    return static_cast<double>(count) / columns.middleRows(first, count).trace();
  }

 private:
  std::size_t child(std::size_t j) const { return bodies_.at(mechanism_.joints[j].child); }
  std::size_t parent(std::size_t j) const { return bodies_.at(mechanism_.joints[j].parent); }

  void add_components(std::size_t j, const Frame& X_body) {
    const auto& joint = mechanism_.joints[j];
    const Frame X = compose(X_body, joint.at_child);
    const auto turning = [&](const Eigen::Vector3d& axis) {
      components_.push_back({j, axis, X.position.cross(axis)});
    };
    const auto sliding = [&](const Eigen::Vector3d& axis) {
      components_.push_back({j, Eigen::Vector3d::Zero(), axis});
    };
    if (joint.type == JointType::kRevolute) turning(X.rotation.col(2));
    if (joint.type == JointType::kPrismatic) sliding(X.rotation.col(2));
    for (int i = 0; i < 3 && joint.type == JointType::kFree; ++i) sliding(Eigen::Vector3d::Unit(i));
    const bool turns = joint.type == JointType::kSpherical || joint.type == JointType::kFree;
    for (int i = 0; i < 3 && turns; ++i) turning(X.rotation.col(i));
  }

  // Between a component and those of all joints inboard of it: how much of the momentum that it
  // gives to what hangs on it is along theirs.
  void fill() {
    const auto size = static_cast<Eigen::Index>(components_.size());
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(size, size);
    for (std::size_t i = 0; i < components_.size(); ++i) {
      const auto& part = components_[i];
      const auto& whole = wholes_[child(part.joint)];
      const Eigen::Vector3d linear = whole.mass * (part.linear + part.angular.cross(whole.com));
      const Eigen::Vector3d angular = whole.inertia * part.angular + whole.com.cross(linear);
      const auto row = static_cast<Eigen::Index>(i);
      for (std::size_t j = part.joint;;) {
        for (std::size_t k = first_[j]; k < first_[j + 1]; ++k) {
          const auto column = static_cast<Eigen::Index>(k);
          M(row, column) = M(column, row) =
              components_[k].angular.dot(angular) + components_[k].linear.dot(linear);
        }
        if (mechanism_.joints[j].parent == kGround) break;
        j = inboard_[parent(j)];
      }
      M(row, row) += mechanism_.joints[part.joint].armature;
    }
    factor_.compute(M);
  }

  const Mechanism& mechanism_;
  std::unordered_map<std::string, std::size_t> bodies_;
  std::vector<BodyDescription> wholes_;  // all that hangs on each body, in the world's frame
  std::vector<std::size_t> inboard_;     // the joint of each body
  std::vector<Component> components_;
  std::vector<std::size_t> first_;  // component of each joint
  Eigen::LLT<Eigen::MatrixXd> factor_;
};

}  // namespace

void add_spring_dampers(const Settings& settings, const Tree& tree, Mechanism& mechanism) {
  if (tree.spring_dampers.empty()) return;
  const MassMatrix mass(tree, mechanism);
  const auto joints = number_by_name(mechanism.joints);
  for (const auto& [name, time_constant, damping_ratio, rest] : tree.spring_dampers) {
    const std::size_t j = joints.at(name);
    const auto& joint = mechanism.joints[j];
    const double inertia = mass.free_inertia(j);
    if (inertia == 0.0) {
      refuse(joint.where, titled("joint", name), "its springdamper needs mass that it moves");
    }
    const double stiffness = inertia / std::pow(time_constant * damping_ratio, 2);
    if (!settings.disabled.contains("spring")) {
      add_spring(mechanism, joint, stiffness, rest);
    }
    if (!settings.disabled.contains("damper")) {
      add_damping(mechanism, joint, 2.0 * inertia / time_constant);
    }
  }
}

}  // namespace hamiltree::mjcf
