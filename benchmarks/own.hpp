// A formulation of this engine as one of the engines that are timed.
#pragma once

#include <memory>
#include <string>

#include "benchmarks/peers/engine.hpp"
#include "hamiltree/ensemble/batch.hpp"
#include "hamiltree/formulations/formulation.hpp"

namespace hamiltree::benchmarks {

// Evaluates rate(): (q, p) -> (qdot, pdot), or (q, v) -> (qdot, vdot).
class OwnModel : public EngineModel {
 public:
  OwnModel(const Model& model, const std::string& formulation);

  void keep(const std::vector<EngineState>& states) override;
  void evaluate(std::size_t state) override;
  std::vector<double> accelerations(std::size_t state) override;

  // pdot, or vdot, of evaluate().
  virtual std::vector<double> rates(std::size_t state);
  virtual std::vector<double> velocities(std::size_t state);
  bool in_momenta() const { return formulation_->form() == StateForm::kMomenta; }

 protected:
  const Model& model() const { return model_; }
  // By state.
  const std::vector<std::vector<double>>& q() const { return q_; }
  const std::vector<std::vector<double>>& u() const { return u_; }

 private:
  StateView view(std::size_t state) const { return {0.0, q_[state].data(), u_[state].data()}; }

  Model model_;
  std::unique_ptr<Formulation> formulation_;
  std::unique_ptr<Workspace> workspace_;
  std::vector<std::vector<double>> q_, u_;
};

// A Batch: a call for the first of eight states evaluates all eight, the other seven are free.
class OwnBatch final : public OwnModel {
 public:
  explicit OwnBatch(const Model& model) : OwnModel(model, "recursive"), batch_(model) {}

  void keep(const std::vector<EngineState>& states) override;
  void evaluate(std::size_t state) override;
  std::vector<double> rates(std::size_t state) override;
  std::vector<double> velocities(std::size_t state) override;

 private:
  using Packs = std::vector<Pack>;  // by coordinate

  Batch batch_;
  std::vector<Packs> q_packs_, p_packs_;  // of eight states each
  Packs q_dot_, p_dot_;
};

// A formulation by its name, or "batch".
std::unique_ptr<OwnModel> make_own(const Model& model, const std::string& name);

}  // namespace hamiltree::benchmarks
