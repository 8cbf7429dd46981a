// Pinocchio: the articulated-body algorithm in local coordinates; with loops its constrained
// dynamics. Also with their derivatives.
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/constrained-dynamics-derivatives.hpp>

#include "pinocchio_model.hpp"

namespace hamiltree::benchmarks {
namespace {

constexpr std::size_t kMostLoops = 100;  // its time grows with their third power

// Without a proximal step redundant loops give no numbers; so small, one changes no digit.
constexpr double kProximal = 1e-8, kAccuracy = 1e-12;
constexpr int kMostIterations = 10;

class PinocchioDynamics final : public PinocchioModel {
 public:
  explicit PinocchioDynamics(const EngineMechanism& mechanism) : PinocchioModel(mechanism) {
    if (!closures_.empty())
      pinocchio::initConstraintDynamics(model_, *data_, closures_, closure_data_);
  }

  void evaluate(std::size_t s) override {
    if (closures_.empty()) {
      pinocchio::aba(model_, *data_, q_[s], v_[s], efforts_[s], pinocchio::Convention::LOCAL);
      return;
    }
    pinocchio::ProximalSettings settings(kAccuracy, kProximal, kMostIterations);
    pinocchio::constraintDynamics(model_, *data_, q_[s], v_[s], efforts_[s], closures_,
                                  closure_data_, settings);
  }
};

// The derivatives of loops take what the forward dynamics have left in the data.
class PinocchioDerivatives final : public PinocchioModel {
 public:
  explicit PinocchioDerivatives(const EngineMechanism& mechanism) : PinocchioModel(mechanism) {
    data_ = std::make_unique<pinocchio::Data>(model_);
    if (!closures_.empty())
      pinocchio::initConstraintDynamics(model_, *data_, closures_, closure_data_);
  }

  void evaluate(std::size_t s) override {
    if (closures_.empty()) {
      pinocchio::computeABADerivatives(model_, *data_, q_[s], v_[s], efforts_[s]);
      return;
    }
    pinocchio::ProximalSettings settings(kAccuracy, kProximal, kMostIterations);
    pinocchio::constraintDynamics(model_, *data_, q_[s], v_[s], efforts_[s], closures_,
                                  closure_data_, settings);
    pinocchio::computeConstraintDynamicsDerivatives(model_, *data_, closures_, closure_data_,
                                                    settings);
  }
};

class Pinocchio final : public Engine {
 public:
  std::string name() const override { return "Pinocchio"; }
  std::string version() const override { return PINOCCHIO_VERSION; }
  std::string method() const override {
    return "trees: aba, local convention; loops: constraintDynamics";
  }
  bool takes_machines() const override { return true; }
  std::unique_ptr<EngineModel> make(const EngineMechanism& mechanism,
                                    std::string& refusal) const override {
    if (mechanism.closures.size() > kMostLoops) {
      refusal = "more than " + std::to_string(kMostLoops) + " loops take it seconds";
      return nullptr;
    }
    return std::make_unique<PinocchioDynamics>(mechanism);
  }
  std::unique_ptr<EngineModel> make_derivatives(const EngineMechanism& mechanism,
                                                std::string&) const override {
    return std::make_unique<PinocchioDerivatives>(mechanism);
  }
};

}  // namespace
}  // namespace hamiltree::benchmarks

HAMILTREE_EXPORT_ENGINE(hamiltree::benchmarks::Pinocchio)
