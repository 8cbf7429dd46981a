#include "hamiltree/formulations/dh_frames/floating.hpp"

#include <string>
#include <utility>

#include "hamiltree/formulations/dh_frames/kernels.hpp"
#include "hamiltree/formulations/over_general.hpp"

namespace hamiltree::dh_frames {
namespace {

struct FloatingWorkspace final : WorkspaceOverGeneral {
  FloatingWorkspace(const FloatingChain& chain, std::unique_ptr<Workspace> for_general,
                    std::unique_ptr<AddedForces> added)
      : WorkspaceOverGeneral(std::move(for_general), std::move(added)), work(chain) {}

  FloatingWork work;
};

// Every cut joins a body that floats to a chain that goes no further: all rows are independent at
// every pose, and only the general kernel, for the accelerations, chooses among them.
class Floating final : public OverGeneral {
 public:
  Floating(FloatingChain chain, std::string plan, std::unique_ptr<AddedForces> forces,
           std::unique_ptr<Formulation> general)
      : OverGeneral(std::move(plan), std::move(forces), std::move(general)),
        chain_(std::move(chain)) {}

  std::unique_ptr<Workspace> make_workspace() const override {
    return std::make_unique<FloatingWorkspace>(chain_, general().make_workspace(),
                                               copy_of_forces());
  }

  Redundancy analyse(const StateView& state, Workspace& workspace) const override {
    return general().analyse(state, *of(workspace).general);
  }

  Status velocities(const StateView& state, const double* phi,
                    Workspace& workspace) const override {
    return evaluate({.q = state.q, .p = state.u, .phi = phi}, of(workspace));
  }
  Status rate(const StateView& state, Workspace& workspace) const override {
    auto& own = of(workspace);
    const auto status = evaluate(
        {.q = state.q, .p = state.u, .leak = own.leak, .p_dot = own.momentum_rates.data()}, own);
    return status == Status::kOk ? add_efforts(state, own) : status;
  }
  Status accelerations(const StateView& state, Workspace& workspace) const override {
    const auto status = OverGeneral::accelerations(state, workspace);
    if (!general().prepare(state, *of(workspace).general)) return status;
    return OverGeneral::accelerations(state, workspace);  // with rows that serve better here
  }

 private:
  static FloatingWorkspace& of(Workspace& workspace) {
    return static_cast<FloatingWorkspace&>(workspace);
  }

  Status evaluate(FloatingRequest request, FloatingWorkspace& own) const {
    request.v = own.velocities.data();
    request.q_dot = own.coordinate_rates.data();
    request.sigma = own.impulses.data();
    return kernels_.floating.all(chain_, request, own.work) ? Status::kOk : Status::kNotFinite;
  }

  FloatingChain chain_;
  const Kernels& kernels_ = kernels();
};

}  // namespace

std::string plan_of(const FloatingChain& chain) {
  return std::to_string(chain.bodies) + " bodies in " + std::to_string(chain.segments) +
         " floating segments of up to " + std::to_string(chain.longest) +
         ", eight side by side in lanes";
}

std::unique_ptr<Formulation> make_formulation(FloatingChain chain, std::string plan,
                                              std::unique_ptr<AddedForces> forces,
                                              std::unique_ptr<Formulation> general) {
  return std::make_unique<Floating>(std::move(chain), std::move(plan), std::move(forces),
                                    std::move(general));
}

}  // namespace hamiltree::dh_frames
