#include "benchmarks/operations.hpp"

#include <utility>
#include <vector>

#include "benchmarks/states.hpp"
#include "hamiltree/formulations/aba/aba.hpp"
#include "hamiltree/formulations/in_plane.hpp"
#include "hamiltree/formulations/recursive/recursive.hpp"
#include "hamiltree/formulations/screws/compile.hpp"
#include "hamiltree/formulations/screws/kernels.hpp"
#include "hamiltree/math/counting.hpp"

namespace hamiltree::benchmarks {
namespace {

// Kernel: Recursive or Aba over a space of Counted.
template <class Kernel>
OperationCount count(const Kernel& kernel, const EngineState& state,
                     const std::vector<double>& half) {
  const std::vector<Counted> q(state.q.begin(), state.q.end()), u(half.begin(), half.end());
  typename Kernel::Work work(kernel);
  const Counted t(0.0);
  const CountOperations scope;
  kernel.velocities(t, q.data(), u.data(), nullptr, work);
  if constexpr (Kernel::kForm == StateForm::kMomenta) {
    kernel.momentum_rates(t, q.data(), work);
  } else {
    kernel.accelerations(t, q.data(), work);
  }
  return scope.count();
}

// In screw frames, with gravity; angles and momenta are any.
template <class O>
OperationCount count(const screws::Tree& tree, const EngineState& state) {
  screws::ScrewWork<Counted, O> work;
  work.resize(tree.pins.size(), tree.sign.size(), at(tree.branchings), tree.free_roots.size());
  const CountOperations scope;
  for (std::size_t i = 0; i < tree.sign.size(); ++i) {
    work.s[i] = sin(Counted(state.q[at(tree.coordinate[i])]));
    work.c[i] = cos(Counted(state.q[at(tree.coordinate[i])]));
    work.p[i] = state.v[at(tree.velocity[i])];
  }
  constexpr auto kLoads = screws::Loads::kGravity;
  screws::inwards<kLoads>(tree.pins, work.p.data(), work);
  screws::outwards<kLoads>(tree.pins, work.p.data(), tree.gravity, work, work.v.data(),
                           work.p_dot.data());
  return scope.count();
}

}  // namespace

std::optional<OperationCount> operations(const Model& model, const std::string& formulation) {
  const auto state = draw_states(model, 1).front();
  const bool recursive = formulation == "batch" || formulation.starts_with("recursive");
  const auto computed = as_computed(formulation, model);
  if (recursive) {
    if (const auto tree = screws::tree_of(computed)) {
      return tree->is_planar ? count<screws::Zero>(*tree, state) : count<Counted>(*tree, state);
    }
  }
  return computed.visit(
      [&]<class Space>(const System<Space>& system) -> std::optional<OperationCount> {
        using Counting = typename Space::template Rebind<Counted>;
        auto counted = system.template cast<Counted>();
        if (recursive) {
          return count(Recursive<Counting>(std::move(counted)), state, momenta_of(model, state));
        }
        if (formulation == "aba") {
          return count(Aba<Counting>(std::move(counted), 0.0), state, state.v);
        }
        return std::nullopt;
      });
}

}  // namespace hamiltree::benchmarks
