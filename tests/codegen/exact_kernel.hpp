// Exact over one kernel: long to compile, so each is a translation unit of its own.
#pragma once

#include <stdexcept>
#include <type_traits>

#include "codegen/exact.hpp"
#include "hamiltree/formulations/hdca/choices.hpp"
#include "hamiltree/formulations/recursive/choices.hpp"
#include "studies/scalar_kernels/scalar_kernels.hpp"

namespace hamiltree::test {

template <template <class> class KernelOf, class Space>
class ExactOf final : public Exact {
  using OnQuad = typename Space::template Rebind<Quad>;

 public:
  ExactOf(const System<Space>& system, const StateView& start)
      : kernel_(system.template cast<Quad>()), work_(kernel_) {
    const KernelOf<Space> rough(system);
    typename KernelOf<Space>::Work chosen(rough);
    LoopChoices<KernelOf<Space>>::analyse(rough, start, chosen);
    for (std::size_t c = 0; c < chosen.fronts.size(); ++c) {
      work_.fronts[c].order = chosen.fronts[c].order;
      work_.fronts[c].mask = chosen.fronts[c].mask;
    }
  }

  Outputs at(const StateView& state) override {
    const auto& system = kernel_.system();
    const std::vector<Quad> q(state.q, state.q + system.coordinates);
    const std::vector<Quad> p(state.u, state.u + system.velocities);
    kernel_.velocities(state.t, q.data(), p.data(), nullptr, work_);
    kernel_.momentum_rates(state.t, q.data(), work_);
    Outputs out{
        work_.result.v, work_.result.q_dot, work_.result.p_dot, work_.result.sigma, {}, {}, {}};
    kernel_.velocities(state.t, q.data(), p.data(), nullptr, work_);
    kernel_.accelerations(state.t, q.data(), work_);
    out.v_dot = work_.result.v_dot;
    out.lambda = work_.result.lambda;
    for (const auto& F : work_.wrench) out.wrench.insert(out.wrench.end(), F.begin(), F.end());
    return out;
  }

 private:
  KernelOf<OnQuad> kernel_;
  typename KernelOf<OnQuad>::Work work_;
};

template <template <class> class KernelOf, class Space>
std::unique_ptr<Exact> make_exact(const Model& model, const StateView& start) {
  return model.visit([&]<class Other>(const System<Other>& system) -> std::unique_ptr<Exact> {
    if constexpr (std::is_same_v<Other, Space>) {
      return std::make_unique<ExactOf<KernelOf, Space>>(system, start);
    } else {
      throw std::logic_error("a model of the other space");
    }
  });
}

}  // namespace hamiltree::test
