// Pinocchio: the articulated-body algorithm in local coordinates; with loops its constrained
// dynamics.
#include <memory>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/joint/joints.hpp>
#include <pinocchio/multibody/model.hpp>
#include <string>
#include <vector>

#include "engine.hpp"
#include "order.hpp"

namespace hamiltree::benchmarks {
namespace {

constexpr std::size_t kMostLoops = 100;  // its time grows with their third power

// Without a proximal step redundant loops give no numbers; so small, one changes no digit.
constexpr double kProximal = 1e-8, kAccuracy = 1e-12;
constexpr int kMostIterations = 10;

template <class T>
using AlignedVector = std::vector<T, Eigen::aligned_allocator<T>>;
using RowMajor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

pinocchio::SE3 placement(const EngineFrame& frame) {
  return {Eigen::Map<const RowMajor>(frame.R.data()),
          Eigen::Map<const Eigen::Vector3d>(frame.r.data())};
}

pinocchio::Inertia inertia(const EngineBody& body) {
  return {body.mass, Eigen::Map<const Eigen::Vector3d>(body.com.data()),
          Eigen::Map<const RowMajor>(body.inertia.data())};
}

// The data of aba. All of its Data has tensors of n x n x n too, for derivatives, which alone
// keep it from a thousand bodies.
std::unique_ptr<pinocchio::Data> data_of_tree(const pinocchio::Model& model) {
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

class PinocchioModel final : public EngineModel {
 public:
  explicit PinocchioModel(const EngineMechanism& mechanism)
      : mechanism_(mechanism), offsets_(mechanism), joint_(mechanism.bodies.size()) {
    model_.gravity.linear() = Eigen::Map<const Eigen::Vector3d>(mechanism.gravity.data());
    for (const int b : depth_first(mechanism)) add(b);
    for (const auto& pin : mechanism.closures) close(pin);
    data_ = closures_.empty() ? data_of_tree(model_) : std::make_unique<pinocchio::Data>(model_);
    for (const auto& closure : closures_) closure_data_.emplace_back(closure);
    if (!closures_.empty()) {
      pinocchio::initConstraintDynamics(model_, *data_, closures_);
    }
    tau_ = Eigen::VectorXd::Zero(model_.nv);
  }

  void keep(const std::vector<EngineState>& states) override {
    q_.assign(states.size(), Eigen::VectorXd(model_.nq));
    v_.assign(states.size(), Eigen::VectorXd(model_.nv));
    for (std::size_t s = 0; s < states.size(); ++s) {
      for (std::size_t b = 0; b < joint_.size(); ++b) copy(states[s], b, q_[s], v_[s]);
    }
  }

  void evaluate(std::size_t s) override {
    if (!closures_.empty()) {
      pinocchio::ProximalSettings settings(kAccuracy, kProximal, kMostIterations);
      pinocchio::constraintDynamics(model_, *data_, q_[s], v_[s], tau_, closures_, closure_data_,
                                    settings);
      return;
    }
    pinocchio::aba(model_, *data_, q_[s], v_[s], tau_, pinocchio::Convention::LOCAL);
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

 private:
  void add(int b) {
    const auto& body = mechanism_.bodies[index(b)];
    const auto parent = body.parent == kEngineGround ? 0 : joint_[index(body.parent)];
    const auto name = std::to_string(b);
    joint_[index(b)] =
        body.joint == EngineJoint::kFree
            ? model_.addJoint(parent, pinocchio::JointModelFreeFlyer(), placement(body.at_parent),
                              name)
            : model_.addJoint(parent, pinocchio::JointModelRZ(), placement(body.at_parent), name);
    model_.appendBodyToJoint(joint_[index(b)], inertia(body), pinocchio::SE3::Identity());
  }

  // The tips are held together: with parallel pins in the loop the axes need no holding.
  void close(const EngineClosure& pin) {
    const auto parent = pin.parent == kEngineGround ? 0 : joint_[index(pin.parent)];
    closures_.emplace_back(pinocchio::CONTACT_3D, model_, parent, placement(pin.at_parent),
                           joint_[index(pin.child)], placement(pin.at_child));
  }

  // Its quaternions are x, y, z, w; else its variables are ours.
  void copy(const EngineState& state, std::size_t b, Eigen::VectorXd& q, Eigen::VectorXd& v) const {
    const auto joint = mechanism_.bodies[b].joint;
    const double* from = state.q.data() + offsets_.q[b];
    double* to = q.data() + model_.idx_qs[joint_[b]];
    std::copy(from, from + coordinates(joint), to);
    if (joint == EngineJoint::kFree) {
      std::copy(from + 4, from + 7, to + 3);
      to[6] = from[3];
    }
    const double* rate = state.v.data() + offsets_.v[b];
    std::copy(rate, rate + velocities(joint), v.data() + model_.idx_vs[joint_[b]]);
  }

  EngineMechanism mechanism_;
  Offsets offsets_;
  std::vector<pinocchio::JointIndex> joint_;
  pinocchio::Model model_;
  std::unique_ptr<pinocchio::Data> data_;
  AlignedVector<pinocchio::RigidConstraintModel> closures_;
  AlignedVector<pinocchio::RigidConstraintData> closure_data_;
  Eigen::VectorXd tau_;
  std::vector<Eigen::VectorXd> q_, v_;
};

class Pinocchio final : public Engine {
 public:
  std::string name() const override { return "Pinocchio"; }
  std::string version() const override { return PINOCCHIO_VERSION; }
  std::string method() const override {
    return "trees: aba, local convention; loops: constraintDynamics";
  }
  std::unique_ptr<EngineModel> make(const EngineMechanism& mechanism,
                                    std::string& refusal) const override {
    if (mechanism.closures.size() > kMostLoops) {
      refusal = "more than " + std::to_string(kMostLoops) + " loops take it seconds";
      return nullptr;
    }
    return std::make_unique<PinocchioModel>(mechanism);
  }
};

}  // namespace
}  // namespace hamiltree::benchmarks

HAMILTREE_EXPORT_ENGINE(hamiltree::benchmarks::Pinocchio)
