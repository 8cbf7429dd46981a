#include "hamiltree/formulations/codegen/generated.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/block_elimination/rows.hpp"
#include "hamiltree/formulations/closes_loops.hpp"
#include "hamiltree/formulations/codegen/c_library.hpp"
#include "hamiltree/formulations/codegen/generate.hpp"
#include "hamiltree/formulations/not_finite.hpp"

namespace hamiltree {
namespace {

using codegen::CLibrary;

struct GeneratedWorkspace final : Workspace {
  GeneratedWorkspace(const Model& model, std::unique_ptr<Workspace> of_engine)
      : engine(std::move(of_engine)),
        results(
            at(2 * model.velocity_count() + model.coordinate_count() + model.constraint_count())),
        q(at(model.coordinate_count())),
        u(at(model.velocity_count())),
        phi(at(model.constraint_count())) {
    auto* next = results.data();
    const auto take = [&](int size) {
      const std::span<double> part(next, at(size));
      next += size;
      return part;
    };
    parts = {take(model.velocity_count()), take(model.coordinate_count()),
             take(model.velocity_count()), take(model.constraint_count())};
    v = parts[0];
    q_dot = parts[1];
    u_dot = parts[2];
    sigma = parts[3];
    v_dot = engine->v_dot;
    lambda = engine->lambda;
  }

  void keep(const StateView& state) {
    t = state.t;
    std::copy_n(state.q, q.size(), q.begin());
    std::copy_n(state.u, u.size(), u.begin());
  }
  StateView kept() const { return {t, q.data(), u.data()}; }

  std::unique_ptr<Workspace> engine;
  std::vector<double> results;
  std::array<std::span<double>, 4> parts;  // v, q_dot, u_dot, sigma
  std::optional<CLibrary> library;
  CLibrary::Function rates = nullptr, velocities = nullptr, power = nullptr, pivots = nullptr;
  CLibrary::Function project = nullptr, reset = nullptr;
  // Whether the rows of the loops are still those of the library. If not, the engine computes.
  bool rows_fit = true;
  double t = 0.0;  // the last evaluation
  std::vector<double> q, u;
  std::vector<double> phi;  // before a projection
};

class Generated final : public Formulation, public ClosesLoops {
 public:
  Generated(const Model& model, std::string kernel, std::string plan,
            std::unique_ptr<Formulation> engine)
      : Formulation(std::string(kGeneratedPrefix) + kernel, engine->form(), std::move(plan)),
        model_(model),
        kernel_(std::move(kernel)),
        engine_(std::move(engine)) {}

  std::unique_ptr<Workspace> make_workspace() const override {
    return std::make_unique<GeneratedWorkspace>(model_, engine_->make_workspace());
  }

  Redundancy analyse(const StateView& state, Workspace& workspace) const override {
    auto& w = of(workspace);
    const auto file =
        codegen::generate(model_, state, {kernel_, false, false, {}, {}, false}, "model.h");
    w.library.emplace(file);
    w.rates = w.library->find(file.prefix + "_rates");
    w.velocities = w.library->find(file.prefix + "_velocities");
    w.power = w.library->find(file.prefix + "_power");
    w.pivots = w.library->find(file.prefix + "_pivots");
    w.project = w.library->find(file.prefix + "_project");
    w.reset = w.library->find(file.prefix + "_reset");
    w.rows_fit = true;
    return engine_->analyse(state, *w.engine);
  }

  // Other rows would need another library: from then on the engine computes.
  bool prepare(const StateView& state, Workspace& workspace) const override {
    auto& w = of(workspace);
    if (w.rows_fit) {
      if (pivot_ratio(state, w) >= block_elimination::kWornPivot) return false;
      engine_->velocities(state, nullptr, *w.engine);
    }
    const bool new_rows = engine_->prepare(state, *w.engine);
    w.rows_fit = w.rows_fit && !new_rows;
    return new_rows;
  }

  Status velocities(const StateView& state, const double* phi,
                    Workspace& workspace) const override {
    auto& w = of(workspace);
    w.keep(state);
    if (phi != nullptr || !w.rows_fit) {
      const auto status = engine_->velocities(state, phi, *w.engine);
      copy(w, false);
      return status;
    }
    const double* const in[] = {&state.t, state.q, state.u};
    double* const out[] = {w.parts[0].data(), w.parts[1].data(), w.parts[3].data()};
    w.velocities(in, out);
    return are_finite(w.v) ? Status::kOk : Status::kNotFinite;
  }

  Status rate(const StateView& state, Workspace& workspace) const override {
    auto& w = of(workspace);
    w.keep(state);
    if (w.leak > 0.0 || !w.rows_fit) {
      w.engine->leak = w.leak;
      const auto status = engine_->rate(state, *w.engine);
      copy(w, true);
      return status;
    }
    const double* const in[] = {&state.t, state.q, state.u};
    double* const out[] = {w.parts[0].data(), w.parts[1].data(), w.parts[2].data(),
                           w.parts[3].data()};
    w.rates(in, out);
    return are_finite(w.v) && are_finite(w.u_dot) ? Status::kOk : Status::kNotFinite;
  }

  // The library's own, so that a run has the bits of generated steps.
  bool project(const StateView& state, double* q, Workspace& workspace) const override {
    auto& w = of(workspace);
    if (!w.rows_fit || w.project == nullptr) return false;
    const double* const in[] = {&state.t, state.q};
    double* const with_loops[] = {w.phi.data(), q};
    w.project(in, w.phi.empty() ? &q : with_loops);
    return true;
  }
  bool reset(const StateView& state, double* p, Workspace& workspace) const override {
    auto& w = of(workspace);
    if (!w.rows_fit || w.reset == nullptr) return false;
    const double* const in[] = {&state.t, state.q, state.u};
    w.reset(in, &p);
    return true;
  }

  Status accelerations(const StateView& state, Workspace& workspace) const override {
    auto& w = of(workspace);
    w.keep(state);
    const auto status = engine_->accelerations(state, *w.engine);
    copy(w, false);
    return status;
  }

  Power power(const StateView& state, Workspace& workspace) const override {
    auto& w = of(workspace);
    if (w.power == nullptr) return {};
    double power[3] = {};
    const double* const in[] = {&state.t, state.q, state.u};
    double* const out[] = {power};
    w.power(in, out);
    return {power[0], power[1], power[2]};
  }

  Reaction reaction(int joint, const Workspace& workspace) const override {
    return engine_->reaction(joint, *of(workspace).engine);
  }

  std::vector<int> singular_joints(const Workspace& workspace) const override {
    const auto& w = of(workspace);
    if (w.rows_fit) {
      if (pivot_ratio(w.kept(), w) > 0.0) return {};
      engine_->velocities(w.kept(), nullptr, *w.engine);
    }
    return engine_->singular_joints(*w.engine);
  }
  // The library has the usual one.
  void lower_mask(double share, Workspace& workspace) const override {
    auto& w = of(workspace);
    w.rows_fit = false;
    engine_->lower_mask(share, *w.engine);
  }
  double least_pivot(const Workspace& workspace) const override {
    const auto& w = of(workspace);
    return w.rows_fit ? pivot_ratio(w.kept(), w) : engine_->least_pivot(*w.engine);
  }

 private:
  static GeneratedWorkspace& of(Workspace& workspace) {
    return static_cast<GeneratedWorkspace&>(workspace);
  }
  static const GeneratedWorkspace& of(const Workspace& workspace) {
    return static_cast<const GeneratedWorkspace&>(workspace);
  }

  // The least pivot of the rows in the library; 1 without loops.
  static double pivot_ratio(const StateView& state, const GeneratedWorkspace& w) {
    double ratio = 1.0;
    if (w.pivots == nullptr) return ratio;
    const double* const in[] = {&state.t, state.q};
    double* const out[] = {&ratio};
    w.pivots(in, out);
    return ratio;
  }

  // The engine's results.
  static void copy(GeneratedWorkspace& w, bool with_rates) {
    const auto to = [](std::span<const double> from, std::span<double> into) {
      std::copy(from.begin(), from.end(), into.begin());
    };
    to(w.engine->v, w.parts[0]);
    to(w.engine->q_dot, w.parts[1]);
    if (with_rates) to(w.engine->u_dot, w.parts[2]);
    to(w.engine->sigma, w.parts[3]);
  }

  Model model_;
  std::string kernel_;
  std::unique_ptr<Formulation> engine_;
};

}  // namespace

std::unique_ptr<Formulation> make_generated(std::string_view kernel, std::string plan,
                                            const Model& model,
                                            std::unique_ptr<Formulation> engine) {
  return std::make_unique<Generated>(model, std::string(kernel), std::move(plan),
                                     std::move(engine));
}

}  // namespace hamiltree
