// DART: Skeleton::computeForwardDynamics, an articulated-body algorithm.
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <memory>
#include <string>
#include <vector>

#include "engine.hpp"
#include "order.hpp"

namespace hamiltree::benchmarks {
namespace {

constexpr std::size_t kMostBodies = 1024;  // its skeletons take long to build

using RowMajor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
using dart::dynamics::BodyNode;
using dart::dynamics::FreeJoint;
using dart::dynamics::RevoluteJoint;

class DartModel final : public EngineModel {
 public:
  explicit DartModel(const EngineMechanism& mechanism)
      : mechanism_(mechanism), offsets_(mechanism) {
    skeleton_->setGravity(Eigen::Map<const Eigen::Vector3d>(mechanism.gravity.data()));
    for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) add(b);
  }

  void keep(const std::vector<EngineState>& states) override {
    const auto size = static_cast<Eigen::Index>(skeleton_->getNumDofs());
    q_.assign(states.size(), Eigen::VectorXd(size));
    v_.assign(states.size(), Eigen::VectorXd(size));
    for (std::size_t s = 0; s < states.size(); ++s) {
      for (std::size_t b = 0; b < nodes_.size(); ++b) copy(states[s], b, q_[s], v_[s]);
    }
  }

  void evaluate(std::size_t s) override {
    skeleton_->setPositions(q_[s]);
    skeleton_->setVelocities(v_[s]);
    skeleton_->computeForwardDynamics();
  }

  std::vector<double> accelerations(std::size_t s) override {
    evaluate(s);
    const Eigen::VectorXd found = skeleton_->getAccelerations();
    std::vector<double> result;
    for (std::size_t b = 0; b < nodes_.size(); ++b) {
      const auto first = found.begin() + begin_of(b);
      if (mechanism_.bodies[b].joint == EngineJoint::kFree) {
        result.insert(result.end(), first + 3, first + 6);
        result.insert(result.end(), first, first + 3);
      } else {
        result.push_back(*first);
      }
    }
    return result;
  }

 private:
  std::ptrdiff_t begin_of(std::size_t b) const {
    return static_cast<std::ptrdiff_t>(nodes_[b]->getParentJoint()->getIndexInSkeleton(0));
  }

  void add(std::size_t b) {
    const auto& body = mechanism_.bodies[b];
    BodyNode::Properties properties;
    properties.mName = "body " + std::to_string(b);
    properties.mInertia.setMass(body.mass);
    properties.mInertia.setLocalCOM(Eigen::Map<const Eigen::Vector3d>(body.com.data()));
    properties.mInertia.setMoment(Eigen::Map<const RowMajor>(body.inertia.data()));
    BodyNode* parent = body.parent == kEngineGround ? nullptr : nodes_[index(body.parent)];
    if (body.joint == EngineJoint::kFree) {
      FreeJoint::Properties joint;
      joint.mName = "joint " + std::to_string(b);
      nodes_.push_back(
          skeleton_->createJointAndBodyNodePair<FreeJoint>(parent, joint, properties).second);
      return;
    }
    RevoluteJoint::Properties joint;
    joint.mName = "joint " + std::to_string(b);
    joint.mAxis = Eigen::Vector3d::UnitZ();
    joint.mT_ParentBodyToJoint.linear() = Eigen::Map<const RowMajor>(body.at_parent.R.data());
    joint.mT_ParentBodyToJoint.translation() =
        Eigen::Map<const Eigen::Vector3d>(body.at_parent.r.data());
    nodes_.push_back(
        skeleton_->createJointAndBodyNodePair<RevoluteJoint>(parent, joint, properties).second);
  }

  // A free body: rotation vector, position; angular, then linear velocity in its own axes.
  void copy(const EngineState& state, std::size_t b, Eigen::VectorXd& q, Eigen::VectorXd& v) const {
    const double* from = state.q.data() + offsets_.q[b];
    const double* rate = state.v.data() + offsets_.v[b];
    if (mechanism_.bodies[b].joint == EngineJoint::kFree) {
      Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
      X.linear() = Eigen::Map<const RowMajor>(rotation(from + 3).data());
      X.translation() = Eigen::Map<const Eigen::Vector3d>(from);
      q.segment<6>(begin_of(b)) = FreeJoint::convertToPositions(X);
      v.segment<3>(begin_of(b)) = Eigen::Map<const Eigen::Vector3d>(rate + 3);
      v.segment<3>(begin_of(b) + 3) = Eigen::Map<const Eigen::Vector3d>(rate);
    } else {
      q[begin_of(b)] = from[0];
      v[begin_of(b)] = rate[0];
    }
  }

  EngineMechanism mechanism_;
  Offsets offsets_;
  dart::dynamics::SkeletonPtr skeleton_ = dart::dynamics::Skeleton::create("mechanism");
  std::vector<BodyNode*> nodes_;
  std::vector<Eigen::VectorXd> q_, v_;
};

class Dart final : public Engine {
 public:
  std::string name() const override { return "DART"; }
  std::string version() const override { return DART_VERSION; }
  std::string method() const override { return "Skeleton::computeForwardDynamics"; }
  std::unique_ptr<EngineModel> make(const EngineMechanism& mechanism,
                                    std::string& refusal) const override {
    if (!mechanism.closures.empty()) {
      refusal = "it closes loops only within a time step";
    } else if (mechanism.bodies.size() > kMostBodies) {
      refusal = "more than " + std::to_string(kMostBodies) + " bodies take it long to build";
    } else {
      return std::make_unique<DartModel>(mechanism);
    }
    return nullptr;
  }
};

}  // namespace
}  // namespace hamiltree::benchmarks

HAMILTREE_EXPORT_ENGINE(hamiltree::benchmarks::Dart)
