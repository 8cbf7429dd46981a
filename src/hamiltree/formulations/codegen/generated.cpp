#include "hamiltree/formulations/codegen/generated.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/block_elimination/rows.hpp"
#include "hamiltree/formulations/codegen/c_library.hpp"
#include "hamiltree/formulations/codegen/generate.hpp"
#include "hamiltree/formulations/not_finite.hpp"

namespace hamiltree {
namespace {

using codegen::CLibrary;

struct GeneratedWorkspace final : RateWorkspace {
  explicit GeneratedWorkspace(const Model& model)
      : RateWorkspace(model),
        q(coordinate_rates.size()),
        u(velocities.size()),
        phi(impulses.size()) {}

  void keep(const StateView& state) {
    t = state.t;
    std::copy_n(state.q, q.size(), q.begin());
    std::copy_n(state.u, u.size(), u.begin());
  }
  StateView kept() const { return {t, q.data(), u.data()}; }

  std::optional<CLibrary> library;
  CLibrary::Function find_rates = nullptr, find_velocities = nullptr, find_power = nullptr;
  CLibrary::Function find_pivots = nullptr, project = nullptr, reset = nullptr;
  // Whether the rows of the loops are still those of the library. If not, the next kernel computes.
  bool rows_fit = true;
  double t = 0.0;  // the last evaluation
  std::vector<double> q, u;
  std::vector<double> phi;  // before a projection
};

class Generated final : public RateKernel {
 public:
  Generated(const Model& model, std::string kernel) : model_(model), kernel_(std::move(kernel)) {}

  std::unique_ptr<Workspace> make_workspace() const override {
    return std::make_unique<GeneratedWorkspace>(model_);
  }

  bool take_rows(const StateView& state, const Redundancy&, const Workspace&,
                 Workspace& workspace) const override {
    auto& w = of(workspace);
    w.keep(state);  // pivots are asked for before anything is evaluated
    const auto file =
        codegen::generate(model_, state, {kernel_, false, false, {}, {}, false}, "model.h");
    w.library.emplace(file);
    w.find_rates = w.library->find(file.prefix + "_rates");
    w.find_velocities = w.library->find(file.prefix + "_velocities");
    w.find_power = w.library->find(file.prefix + "_power");
    w.find_pivots = w.library->find(file.prefix + "_pivots");
    w.project = w.library->find(file.prefix + "_project");
    w.reset = w.library->find(file.prefix + "_reset");
    w.rows_fit = true;
    return true;
  }
  bool keeps_rows(const StateView& state, const Workspace& workspace) const override {
    const auto& w = of(workspace);
    return w.rows_fit && pivot_ratio(state, w) >= block_elimination::kWornPivot;
  }
  // Other rows would need another library.
  void change_rows(const StateView&, const Workspace&, Workspace& workspace) const override {
    of(workspace).rows_fit = false;
  }

  Answer velocities(const StateView& state, const double* phi,
                    Workspace& workspace) const override {
    auto& w = of(workspace);
    w.keep(state);
    if (phi != nullptr || !w.rows_fit) return {};
    const double* const in[] = {&state.t, state.q, state.u};
    double* const out[] = {w.velocities.data(), w.coordinate_rates.data(), w.impulses.data()};
    w.find_velocities(in, out);
    return are_finite(w.v) ? Status::kOk : Status::kNotFinite;
  }

  Answer rate(const StateView& state, Workspace& workspace) const override {
    auto& w = of(workspace);
    w.keep(state);
    if (w.leak > 0.0 || !w.rows_fit) return {};
    const double* const in[] = {&state.t, state.q, state.u};
    double* const out[] = {w.velocities.data(), w.coordinate_rates.data(), w.momentum_rates.data(),
                           w.impulses.data()};
    w.find_rates(in, out);
    return are_finite(w.v) && are_finite(w.u_dot) ? Status::kOk : Status::kNotFinite;
  }

  bool projects() const override { return true; }
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

  std::optional<Power> power(const StateView& state, Workspace& workspace) const override {
    auto& w = of(workspace);
    if (w.find_power == nullptr) return Power{};
    double power[3] = {};
    const double* const in[] = {&state.t, state.q, state.u};
    double* const out[] = {power};
    w.find_power(in, out);
    return Power{power[0], power[1], power[2]};
  }

  std::optional<std::vector<int>> singular_joints(const Workspace& workspace) const override {
    const auto& w = of(workspace);
    if (w.rows_fit && pivot_ratio(w.kept(), w) > 0.0) return std::vector<int>();
    return std::nullopt;
  }
  std::optional<StateView> masked_at(const Workspace& workspace) const override {
    const auto& w = of(workspace);
    return w.rows_fit ? std::optional(w.kept()) : std::nullopt;
  }
  std::optional<double> least_pivot(const Workspace& workspace) const override {
    const auto& w = of(workspace);
    return w.rows_fit ? std::optional(pivot_ratio(w.kept(), w)) : std::nullopt;
  }
  // The library has the usual one.
  void lower_mask(double, Workspace& workspace) const override { of(workspace).rows_fit = false; }

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
    if (w.find_pivots == nullptr) return ratio;
    const double* const in[] = {&state.t, state.q};
    double* const out[] = {&ratio};
    w.find_pivots(in, out);
    return ratio;
  }

  Model model_;
  std::string kernel_;
};

}  // namespace

std::unique_ptr<RateKernel> make_generated(std::string_view kernel, const Model& model) {
  return std::make_unique<Generated>(model, std::string(kernel));
}

}  // namespace hamiltree
