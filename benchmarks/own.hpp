// A formulation of this engine as one of the engines that are timed.
#pragma once

#include <memory>
#include <string>

#include "benchmarks/peers/engine.hpp"
#include "hamiltree/formulations/formulation.hpp"

namespace hamiltree::benchmarks {

// Evaluates rate(): (q, p) -> (qdot, pdot), or (q, v) -> (qdot, vdot).
class OwnModel final : public EngineModel {
 public:
  OwnModel(const Model& model, const std::string& formulation);

  void keep(const std::vector<EngineState>& states) override;
  void evaluate(std::size_t state) override;
  std::vector<double> accelerations(std::size_t state) override;

  // pdot, or vdot, of evaluate().
  std::vector<double> rates(std::size_t state);
  std::vector<double> velocities(std::size_t state);
  bool in_momenta() const { return formulation_->form() == StateForm::kMomenta; }

 private:
  StateView view(std::size_t state) const { return {0.0, q_[state].data(), u_[state].data()}; }

  Model model_;
  std::unique_ptr<Formulation> formulation_;
  std::unique_ptr<Workspace> workspace_;
  std::vector<std::vector<double>> q_, u_;
};

}  // namespace hamiltree::benchmarks
