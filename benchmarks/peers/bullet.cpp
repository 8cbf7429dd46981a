// Bullet: the articulated-body algorithm of btMultiBody, in double precision.
#include <BulletDynamics/Featherstone/btMultiBody.h>

#include <Eigen/Geometry>
#include <memory>
#include <string>
#include <vector>

#include "engine.hpp"
#include "order.hpp"
#include "principal.hpp"

namespace hamiltree::benchmarks {
namespace {

constexpr std::size_t kMostBodies = 4096;

using RowMajor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
using Eigen::Matrix3d;
using Eigen::Vector3d;

btVector3 bullet(const Vector3d& x) { return {x.x(), x.y(), x.z()}; }
Vector3d vector(const double* x) { return Vector3d::Map(x); }
Matrix3d matrix(const std::array<double, 9>& A) { return RowMajor::Map(A.data()); }

btQuaternion quaternion_of(const Matrix3d& R) {
  const Eigen::Quaterniond q(R);
  return {q.x(), q.y(), q.z(), q.w()};
}

class BulletModel final : public EngineModel {
 public:
  explicit BulletModel(const EngineMechanism& mechanism)
      : mechanism_(mechanism), offsets_(mechanism) {
    for (const auto& body : mechanism.bodies) principal_.emplace_back(body);
    floating_ = mechanism.bodies[0].joint == EngineJoint::kFree;
    const int links = static_cast<int>(mechanism.bodies.size()) - (floating_ ? 1 : 0);
    const auto& base = mechanism.bodies[0];
    bodies_ = std::make_unique<btMultiBody>(
        links, floating_ ? base.mass : 1.0,
        floating_ ? bullet(principal_[0].inertia) : btVector3(1, 1, 1), !floating_, false);
    for (std::size_t b = floating_ ? 1 : 0; b < mechanism.bodies.size(); ++b) add(b);
    bodies_->finalizeMultiDof();
    bodies_->setBaseWorldTransform(btTransform::getIdentity());
    bodies_->setLinearDamping(0);
    bodies_->setAngularDamping(0);
    bodies_->setUseGyroTerm(true);
  }

  void keep(const std::vector<EngineState>& states) override { states_ = states; }

  void evaluate(std::size_t s) override {
    const auto& state = states_[s];
    if (floating_) set_base(state);
    const std::size_t first = floating_ ? 1 : 0;
    for (std::size_t b = first; b < mechanism_.bodies.size(); ++b) {
      const double q = state.q[index(offsets_.q[b])];
      bodies_->setJointPosMultiDof(link(b), &q);
      bodies_->setJointVel(link(b), state.v[index(offsets_.v[b])]);
    }
    bodies_->clearForcesAndTorques();
    const btVector3 gravity = bullet(vector(mechanism_.gravity.data()));
    if (floating_) bodies_->addBaseForce(mechanism_.bodies[0].mass * gravity);
    for (std::size_t b = first; b < mechanism_.bodies.size(); ++b) {
      bodies_->addLinkForce(link(b), mechanism_.bodies[b].mass * gravity);
    }
    bodies_->computeAccelerationsArticulatedBodyAlgorithmMultiDof(0.0, reals_, vectors_, matrices_,
                                                                  false, false, false);
  }

  std::vector<double> accelerations(std::size_t s) override {
    evaluate(s);
    // The second half of its scratch holds them: six of the base, then those of the links.
    const int dofs = bodies_->getNumDofs();
    const double* found = &reals_[dofs];
    std::vector<double> result;
    if (floating_) {
      const double* q = states_[s].q.data();
      const Matrix3d R = matrix(rotation(q + 3));
      const Vector3d r = R * principal_[0].com, alpha = vector(found);
      const Vector3d omega = R * vector(states_[s].v.data() + 3);
      const Vector3d a = vector(found + 3) - alpha.cross(r) - omega.cross(omega.cross(r));
      const auto rates = free_rates(rotation(q + 3), states_[s].v.data(), a.data(), alpha.data());
      result.assign(rates.begin(), rates.end());
    }
    result.insert(result.end(), found + 6, found + 6 + dofs);
    return result;
  }

 private:
  int link(std::size_t b) const { return static_cast<int>(b) - (floating_ ? 1 : 0); }

  void add(std::size_t b) {
    const auto& body = mechanism_.bodies[b];
    const auto& own = principal_[b];
    const Matrix3d F = matrix(body.at_parent.R);
    Matrix3d parent_R = Matrix3d::Identity();
    Vector3d parent_com = Vector3d::Zero();
    int parent = -1;
    if (body.parent != kEngineGround) {
      parent = link(index(body.parent));
      parent_R = principal_[index(body.parent)].R;
      parent_com = principal_[index(body.parent)].com;
    }
    bodies_->setupRevolute(
        link(b), body.mass, bullet(own.inertia), parent,
        quaternion_of(own.R.transpose() * F.transpose() * parent_R),
        bullet(own.R.row(2).transpose()),
        bullet(parent_R.transpose() * (vector(body.at_parent.r.data()) - parent_com)),
        bullet(own.R.transpose() * own.com), true);
  }

  void set_base(const EngineState& state) {
    const Matrix3d R = matrix(rotation(state.q.data() + 3));
    const Vector3d r = R * principal_[0].com, omega = R * vector(state.v.data() + 3);
    bodies_->setBasePos(bullet(vector(state.q.data()) + r));
    bodies_->setWorldToBaseRot(quaternion_of((R * principal_[0].R).transpose()));
    bodies_->setBaseOmega(bullet(omega));
    bodies_->setBaseVel(bullet(R * vector(state.v.data()) + omega.cross(r)));
  }

  EngineMechanism mechanism_;
  Offsets offsets_;
  std::vector<Principal> principal_;  // a body's frame there
  bool floating_ = false;
  std::unique_ptr<btMultiBody> bodies_;
  std::vector<EngineState> states_;
  btAlignedObjectArray<btScalar> reals_;
  btAlignedObjectArray<btVector3> vectors_;
  btAlignedObjectArray<btMatrix3x3> matrices_;
};

class Bullet final : public Engine {
 public:
  std::string name() const override { return "Bullet"; }
  std::string version() const override {
    return std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100);
  }
  std::string method() const override {
    return "btMultiBody::computeAccelerationsArticulatedBodyAlgorithmMultiDof, double precision";
  }
  std::unique_ptr<EngineModel> make(const EngineMechanism& mechanism,
                                    std::string& refusal) const override {
    if (!mechanism.closures.empty()) {
      refusal = "it closes loops only within a time step";
    } else if (mechanism.bodies.size() > kMostBodies) {
      refusal = "more than " + std::to_string(kMostBodies) + " bodies are not tried";
    } else {
      return std::make_unique<BulletModel>(mechanism);
    }
    return nullptr;
  }
};

}  // namespace
}  // namespace hamiltree::benchmarks

HAMILTREE_EXPORT_ENGINE(hamiltree::benchmarks::Bullet)
