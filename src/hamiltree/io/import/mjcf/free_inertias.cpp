#include "hamiltree/io/import/mjcf/free_inertias.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>

#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/mass.hpp"
#include "hamiltree/io/import/number_by_name.hpp"

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
        inboard_(mechanism.bodies.size()),
        first_(mechanism.bodies.size() + 1, 0) {
    for (std::size_t j = 0; j < wholes_.size(); ++j) {
      inboard_[child(j)] = j;
      add_components(j, tree.at_start.at(mechanism.joints[j].child));
      first_[j + 1] = static_cast<Eigen::Index>(components_.size());
    }
    for (std::size_t j = wholes_.size(); j-- > 0;) {
      const auto& joint = mechanism.joints[j];
      add_mass(wholes_[child(j)], tree.at_start.at(joint.child), mechanism.bodies[child(j)]);
      if (joint.parent != kGround) add_mass(wholes_[parent(j)], {}, wholes_[child(j)]);
    }
  }

  // The number of the first component of each joint; last, of all components.
  const std::vector<Eigen::Index>& first_components() const { return first_; }

  // Between a component and those of all joints inboard of it: how much of the momentum that it
  // gives to what hangs on it is along theirs.
  Eigen::MatrixXd matrix() const {
    const auto size = first_.back();
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(size, size);
    for (Eigen::Index row = 0; row < size; ++row) {
      const auto& part = components_[static_cast<std::size_t>(row)];
      const auto& whole = wholes_[child(part.joint)];
      const Eigen::Vector3d linear = whole.mass * (part.linear + part.angular.cross(whole.com));
      const Eigen::Vector3d angular = whole.inertia * part.angular + whole.com.cross(linear);
      for (std::size_t j = part.joint;;) {
        for (Eigen::Index k = first_[j]; k < first_[j + 1]; ++k) {
          const auto& other = components_[static_cast<std::size_t>(k)];
          M(row, k) = M(k, row) = other.angular.dot(angular) + other.linear.dot(linear);
        }
        if (mechanism_.joints[j].parent == kGround) break;
        j = inboard_[parent(j)];
      }
      M(row, row) += mechanism_.joints[part.joint].armature;
    }
    return M;
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

  const Mechanism& mechanism_;
  std::unordered_map<std::string, std::size_t> bodies_;
  std::vector<BodyDescription> wholes_;  // all that hangs on each body, in the world's frame
  std::vector<std::size_t> inboard_;     // the joint of each body
  std::vector<Component> components_;
  std::vector<Eigen::Index> first_;
};

}  // namespace

FreeInertias::FreeInertias(const Tree& tree, const Mechanism& mechanism) {
  const MassMatrix mass(tree, mechanism);
  first_ = mass.first_components();
  const Eigen::LLT<Eigen::MatrixXd> factor(mass.matrix());
  if (factor.info() != Eigen::Success) return;
  inverse_ = factor.solve(Eigen::MatrixXd::Identity(factor.rows(), factor.cols()));
}

double FreeInertias::of(std::size_t joint) const {
  if (inverse_.size() == 0) return 0.0;
  const auto first = first_[joint], count = first_[joint + 1] - first;
  return static_cast<double>(count) / inverse_.block(first, first, count, count).trace();
}

double FreeInertias::along(const std::vector<std::size_t>& joints,
                           const std::vector<double>& ratios) const {
  if (inverse_.size() == 0) return 0.0;
  Eigen::VectorXd pull = Eigen::VectorXd::Zero(inverse_.rows());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const std::size_t j = joints[i];
    if (first_[j] < first_[j + 1]) pull(first_[j]) += ratios[i];  // others are held
  }
  const double mobility = pull.dot(inverse_ * pull);
  return mobility > 0.0 ? 1.0 / mobility : 0.0;
}

}  // namespace hamiltree::mjcf
