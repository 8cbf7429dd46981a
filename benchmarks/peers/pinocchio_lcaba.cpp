// Pinocchio's articulated-body algorithm for closed loops: linear in the bodies, its loops held by
// a proximal iteration.
#include <algorithm>
#include <pinocchio/algorithm/loop-constrained-aba.hpp>

#include "pinocchio_model.hpp"

namespace hamiltree::benchmarks {
namespace {

// Values that its documentation calls typical. A smaller step takes fewer iterations and loses
// digits, which its own residual does not show.
constexpr double kProximal = 1e-6, kAccuracy = 1e-12;
constexpr int kMostIterations = 10;
constexpr std::size_t kMostBodies = 512;  // its Data has four tensors of n x n x n

class LoopDynamics final : public PinocchioModel {
 public:
  explicit LoopDynamics(const EngineMechanism& mechanism) : PinocchioModel(mechanism) {
    pinocchio::computeJointMinimalOrdering(model_, *data_, closures_);
  }

  void evaluate(std::size_t s) override {
    pinocchio::ProximalSettings settings(kAccuracy, kProximal, kMostIterations);
    pinocchio::lcaba(model_, *data_, q_[s], v_[s], efforts_[s], closures_, closure_data_, settings);
  }
};

class PinocchioLoops final : public Engine {
 public:
  std::string name() const override { return "Pinocchio lcaba"; }
  std::string version() const override { return PINOCCHIO_VERSION; }
  std::string method() const override {
    return "loops: lcaba, elimination order computed once, mu 1e-6, at most 10 iterations";
  }
  bool soft_loops() const override { return true; }
  bool takes_machines() const override { return true; }
  std::unique_ptr<EngineModel> make(const EngineMechanism& mechanism,
                                    std::string& refusal) const override {
    if (mechanism.closures.empty()) {
      refusal = "it is for loops";
      return nullptr;
    }
    if (mechanism.bodies.size() > kMostBodies) {
      refusal = "more than " + std::to_string(kMostBodies) + " bodies take it gigabytes";
      return nullptr;
    }
    const auto is_on_ground = [](const EngineClosure& pin) { return pin.parent == kEngineGround; };
    if (std::any_of(mechanism.closures.begin(), mechanism.closures.end(), is_on_ground)) {
      refusal = "it fails where a loop closes on the ground";
      return nullptr;
    }
    return std::make_unique<LoopDynamics>(mechanism);
  }
};

}  // namespace
}  // namespace hamiltree::benchmarks

HAMILTREE_EXPORT_ENGINE(hamiltree::benchmarks::PinocchioLoops)
