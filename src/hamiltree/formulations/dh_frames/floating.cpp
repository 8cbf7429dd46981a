#include "hamiltree/formulations/dh_frames/floating.hpp"

#include <string>
#include <utility>

#include "hamiltree/formulations/dh_frames/kernels.hpp"
#include "hamiltree/formulations/gravity_kernel.hpp"

namespace hamiltree::dh_frames {
namespace {

struct FloatingWorkspace final : GravityWorkspace {
  FloatingWorkspace(const FloatingChain& chain, const Model& model,
                    std::unique_ptr<AddedForces> added)
      : GravityWorkspace(model, std::move(added)), work(chain) {}

  FloatingWork work;
};

// Every cut joins a body that floats to a chain that goes no further: all rows are independent at
// every pose, and only the general kernel, for the accelerations, chooses among them.
class Floating final : public GravityKernel {
 public:
  Floating(FloatingChain chain, const Model& model, std::unique_ptr<AddedForces> forces)
      : GravityKernel(model, std::move(forces)), chain_(std::move(chain)) {}

  bool depends_on_rows() const override { return false; }

  std::unique_ptr<Workspace> make_workspace() const override {
    return std::make_unique<FloatingWorkspace>(chain_, model(), copy_of_forces());
  }

  Answer velocities(const StateView& state, const double* phi,
                    Workspace& workspace) const override {
    return evaluate({.q = state.q, .p = state.u, .phi = phi}, of(workspace));
  }
  Answer rate(const StateView& state, Workspace& workspace) const override {
    auto& own = of(workspace);
    const auto status = evaluate(
        {.q = state.q, .p = state.u, .leak = own.leak, .p_dot = own.momentum_rates.data()}, own);
    return status == Status::kOk ? add_efforts(state, own) : status;
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

std::unique_ptr<RateKernel> make_kernel(FloatingChain chain, const Model& model,
                                        std::unique_ptr<AddedForces> forces) {
  return std::make_unique<Floating>(std::move(chain), model, std::move(forces));
}

}  // namespace hamiltree::dh_frames
