// A formulation of this engine as one of the engines that are timed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/peers/engine.hpp"
#include "hamiltree/batch/batch.hpp"
#include "hamiltree/formulations/codegen/c_library.hpp"
#include "hamiltree/formulations/derivatives/derivatives.hpp"
#include "hamiltree/formulations/formulation.hpp"

namespace hamiltree::benchmarks {

// Evaluates rate(): (q, p) -> (qdot, pdot), or (q, v) -> (qdot, vdot).
class OwnModel : public EngineModel {
 public:
  OwnModel(const Model& model, const std::string& formulation,
           const FormulationOptions& options = {});

  void keep(const std::vector<EngineState>& states) override;
  void evaluate(std::size_t state) override;
  std::vector<double> accelerations(std::size_t state) override;

  // pdot, or vdot, of evaluate().
  virtual std::vector<double> rates(std::size_t state);
  virtual std::vector<double> velocities(std::size_t state);
  bool in_momenta() const { return formulation_->form() == StateForm::kMomenta; }

 protected:
  const Formulation& formulation() const { return *formulation_; }
  Workspace& workspace() { return *workspace_; }
  StateView view(std::size_t state) const { return {0.0, q_[state].data(), u_[state].data()}; }
  const Model& model() const { return model_; }
  // By state.
  const std::vector<std::vector<double>>& q() const { return q_; }
  const std::vector<std::vector<double>>& u() const { return u_; }

 private:
  Model model_;
  std::unique_ptr<Formulation> formulation_;
  std::unique_ptr<Workspace> workspace_;
  std::vector<std::vector<double>> q_, u_;
};

// Jacobians of the rates with respect to q and p.
class OwnJacobians final : public OwnModel {
 public:
  explicit OwnJacobians(const Model& model);

  void evaluate(std::size_t state) override;
  std::vector<double> rates(std::size_t state) override;
  std::vector<double> velocities(std::size_t state) override;

 private:
  Derivatives derivatives_;
  Jacobians jacobians_;
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

// Generated C of eight states at a time, of the kernel of recursive: every eighth call evaluates
// eight, the others are free. Fewer states are taken several times. Throws UsageError where there
// is no C compiler.
class OwnGeneratedLanes final : public OwnModel {
 public:
  explicit OwnGeneratedLanes(const Model& model) : OwnModel(model, "recursive") {}

  void keep(const std::vector<EngineState>& states) override;
  void evaluate(std::size_t state) override;
  std::vector<double> rates(std::size_t state) override;
  std::vector<double> velocities(std::size_t state) override;

 private:
  using Eights = std::vector<double>;  // entry i of lane k at [8 i + k]

  void evaluate_eight(std::size_t k);

  std::optional<codegen::CLibrary> library_;
  codegen::CLibrary::Function rates_ = nullptr;
  std::vector<Eights> q_eights_, p_eights_;  // of eight states each
  Eights t_, v_, q_dot_, p_dot_, sigma_;
  std::size_t call_ = 0;
};

// A formulation by its name, "jacobians", "batch", "generated_lanes", or "recursive_in_space" where
// recursive would leave space for a plane.
std::unique_ptr<OwnModel> make_own(const Model& model, const std::string& name);

}  // namespace hamiltree::benchmarks
