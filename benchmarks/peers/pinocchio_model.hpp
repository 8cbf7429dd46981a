// A mechanism as Pinocchio has it, for the adapters of its algorithms.
#pragma once

#include <algorithm>
#include <memory>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/multibody.hpp>
#include <pinocchio/multibody/joint.hpp>
#include <string>
#include <vector>

#include "engine.hpp"
#include "order.hpp"

namespace hamiltree::benchmarks {

template <class T>
using AlignedVector = std::vector<T, Eigen::aligned_allocator<T>>;
using RowMajor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

inline pinocchio::SE3 placement(const EngineFrame& frame) {
  return {Eigen::Map<const RowMajor>(frame.R.data()),
          Eigen::Map<const Eigen::Vector3d>(frame.r.data())};
}

inline pinocchio::Inertia inertia(const EngineBody& body) {
  return {body.mass, Eigen::Map<const Eigen::Vector3d>(body.com.data()),
          Eigen::Map<const RowMajor>(body.inertia.data())};
}

// The data of aba. All of its Data has tensors of n x n x n too, for derivatives, which alone
// keep it from a thousand bodies.
inline std::unique_ptr<pinocchio::Data> data_of_tree(const pinocchio::Model& model) {
  auto data = std::make_unique<pinocchio::Data>();
  for (const auto& joint : model.joints) data->joints.push_back(joint.createData());
  const auto joints = static_cast<std::size_t>(model.njoints);
  data->liMi.resize(joints, pinocchio::SE3::Identity());
  data->oMi.resize(joints, pinocchio::SE3::Identity());
  data->v.resize(joints, pinocchio::Motion::Zero());
  data->a.resize(joints, pinocchio::Motion::Zero());
  data->a_gf.resize(joints, pinocchio::Motion::Zero());
  data->f.resize(joints, pinocchio::Force::Zero());
  data->h.resize(joints, pinocchio::Force::Zero());
  data->Yaba.resize(joints, pinocchio::Inertia::Matrix6::Zero());
  data->u.setZero(model.nv);
  data->ddq.setZero(model.nv);
  return data;
}

class PinocchioModel : public EngineModel {
 public:
  explicit PinocchioModel(const EngineMechanism& mechanism)
      : mechanism_(mechanism), offsets_(mechanism), joint_(mechanism.bodies.size()) {
    model_.gravity.linear() = Eigen::Map<const Eigen::Vector3d>(mechanism.gravity.data());
    for (const int b : depth_first(mechanism)) add(b);
    for (const auto& pin : mechanism.closures) close(pin);
    data_ = closures_.empty() ? data_of_tree(model_) : std::make_unique<pinocchio::Data>(model_);
    for (const auto& closure : closures_) closure_data_.emplace_back(closure);
  }

  void keep(const std::vector<EngineState>& states) override {
    q_.assign(states.size(), Eigen::VectorXd(model_.nq));
    v_.assign(states.size(), Eigen::VectorXd(model_.nv));
    efforts_.assign(states.size(), Eigen::VectorXd::Zero(model_.nv));
    for (std::size_t s = 0; s < states.size(); ++s) {
      for (std::size_t b = 0; b < joint_.size(); ++b) copy(states[s], b, s);
    }
  }

  std::vector<double> accelerations(std::size_t s) override {
    evaluate(s);
    std::vector<double> result;
    for (std::size_t b = 0; b < joint_.size(); ++b) {
      const double* first = data_->ddq.data() + model_.idx_vs[joint_[b]];
      result.insert(result.end(), first, first + velocities(mechanism_.bodies[b].joint));
    }
    return result;
  }

 protected:
  const EngineMechanism& mechanism() const { return mechanism_; }

  pinocchio::Model model_;
  std::unique_ptr<pinocchio::Data> data_;
  AlignedVector<pinocchio::RigidConstraintModel> closures_;
  AlignedVector<pinocchio::RigidConstraintData> closure_data_;
  std::vector<Eigen::VectorXd> q_, v_, efforts_;  // by state

 private:
  void add(int b) {
    const auto& body = mechanism_.bodies[index(b)];
    const auto parent = body.parent == kEngineGround ? 0 : joint_[index(body.parent)];
    const auto name = std::to_string(b);
    const auto at = placement(body.at_parent);
    const auto joint = [&](const auto& kind) {
      joint_[index(b)] = model_.addJoint(parent, kind, at, name);
    };
    switch (body.joint) {
      case EngineJoint::kRevolute:
        joint(pinocchio::JointModelRZ());
        break;
      case EngineJoint::kPrismatic:
        joint(pinocchio::JointModelPZ());
        break;
      case EngineJoint::kUniversal:
        joint(pinocchio::JointModelUniversal(Eigen::Vector3d::UnitX(), Eigen::Vector3d::UnitY()));
        break;
      case EngineJoint::kSpherical:
        joint(pinocchio::JointModelSpherical());
        break;
      case EngineJoint::kFree:
        joint(pinocchio::JointModelFreeFlyer());
        break;
    }
    if (body.armature > 0.0) model_.armature[model_.idx_vs[joint_[index(b)]]] = body.armature;
    model_.appendBodyToJoint(joint_[index(b)], inertia(body), pinocchio::SE3::Identity());
  }

  void close(const EngineClosure& pin) {
    const auto parent = pin.parent == kEngineGround ? 0 : joint_[index(pin.parent)];
    closures_.emplace_back(pinocchio::CONTACT_3D, model_, parent, placement(pin.at_parent),
                           joint_[index(pin.child)], placement(pin.at_child));
  }

  // Its quaternions are x, y, z, w; else its variables are ours.
  void copy(const EngineState& state, std::size_t b, std::size_t s) {
    const auto joint = mechanism_.bodies[b].joint;
    const double* from = state.q.data() + offsets_.q[b];
    double* to = q_[s].data() + model_.idx_qs[joint_[b]];
    std::copy(from, from + coordinates(joint), to);
    if (joint == EngineJoint::kFree || joint == EngineJoint::kSpherical) {
      const int quaternion = coordinates(joint) - 4;
      std::rotate(to + quaternion, to + quaternion + 1, to + quaternion + 4);
    }
    const int v = model_.idx_vs[joint_[b]];
    const double* rate = state.v.data() + offsets_.v[b];
    std::copy(rate, rate + velocities(joint), v_[s].data() + v);
    if (state.efforts.empty()) return;
    const double* effort = state.efforts.data() + offsets_.v[b];
    std::copy(effort, effort + velocities(joint), efforts_[s].data() + v);
  }

  EngineMechanism mechanism_;
  Offsets offsets_;
  std::vector<pinocchio::JointIndex> joint_;
};

}  // namespace hamiltree::benchmarks
