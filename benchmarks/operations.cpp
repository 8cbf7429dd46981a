#include "benchmarks/operations.hpp"

#include <utility>
#include <vector>

#include "benchmarks/states.hpp"
#include "hamiltree/formulations/aba/aba.hpp"
#include "hamiltree/formulations/choice/choice.hpp"
#include "hamiltree/formulations/dh_frames/compile.hpp"
#include "hamiltree/formulations/dh_frames/kernels.hpp"
#include "hamiltree/formulations/planar_loops/in_parts.hpp"
#include "hamiltree/formulations/planar_loops/passes.hpp"
#include "hamiltree/formulations/recursive/recursive.hpp"
#include "hamiltree/math/counting.hpp"
#include "studies/scalar_kernels/scalar_kernels.hpp"

namespace hamiltree {

void sin_cos_of_all(std::size_t count, const Counted* angles, Counted* sines, Counted* cosines) {
  for (std::size_t i = 0; i < count; ++i) {
    sines[i] = sin(angles[i]);
    cosines[i] = cos(angles[i]);
  }
}

namespace benchmarks {
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

// In DH frames, with gravity; angles and momenta are any.
template <class O>
OperationCount count(const dh_frames::Tree& tree, const EngineState& state) {
  dh_frames::ScrewWork<Counted, O> work;
  work.resize(tree.revolutes.size(), tree.sign.size(), at(tree.branchings), tree.free_roots.size());
  const CountOperations scope;
  for (std::size_t i = 0; i < tree.sign.size(); ++i) {
    work.s[i] = sin(Counted(state.q[at(tree.coordinate[i])]));
    work.c[i] = cos(Counted(state.q[at(tree.coordinate[i])]));
    work.p[i] = state.v[at(tree.velocity[i])];
  }
  constexpr auto kLoads = dh_frames::Loads::kGravity;
  dh_frames::inwards<kLoads>(tree.revolutes, work.p.data(), work);
  dh_frames::outwards<kLoads>(tree.revolutes, work.p.data(), tree.gravity, work, work.v.data(),
                              work.p_dot.data());
  return scope.count();
}

planar_loops::Vector2<Counted> counted(const planar_loops::Vector2<double>& x) {
  return {x.x, x.y};
}

planar_loops::Linkage<Counted> counted(const planar_loops::Linkage<double>& linkage) {
  planar_loops::Linkage<Counted> result;
  for (const auto& b : linkage.bodies) {
    result.bodies.push_back({b.inboard,
                             b.front,
                             b.is_loose,
                             counted(b.at),
                             b.sign,
                             b.offset,
                             b.mass,
                             counted(b.moments),
                             b.inertia,
                             {},
                             {}});
  }
  for (const auto& c : linkage.cuts) {
    result.cuts.push_back(
        {c.child, c.parent, counted(c.at), counted(c.at_parent), counted(c.turn), {}});
  }
  result.loop_cuts = linkage.loop_cuts;
  result.ends = linkage.ends;
  result.fronts = linkage.fronts;
  result.body_fronts = linkage.body_fronts;
  result.front_cuts = linkage.front_cuts;
  result.to = linkage.to;
  result.turnings = linkage.turnings;
  result.pulls = linkage.pulls;
  result.blocks = linkage.blocks;
  result.hub = linkage.hub;
  result.has_hub = linkage.has_hub;
  result.gravity = counted(linkage.gravity);
  return result;
}

// One by one.
template <planar_loops::Retained kRetained>
OperationCount count(const planar_loops::Linkage<double>& in_doubles, const EngineState& state,
                     const std::vector<double>& p) {
  const auto linkage = counted(in_doubles);
  planar_loops::Work<Counted> work(linkage);
  for (std::size_t b = 0; b < linkage.bodies.size(); ++b) {
    work.q[b] = state.q[at(in_doubles.bodies[b].coordinate.number)];
    work.p[b] = p[at(in_doubles.bodies[b].velocity.number)];
  }
  const CountOperations scope;
  place(linkage, work);
  contract_bodies(linkage, work);
  contract_over_ground<kRetained>(linkage, work);
  if constexpr (kRetained == planar_loops::Retained::kTurning) {
    auto& hub = work.bodies[at(linkage.hub)];
    hub.omega = (work.p[at(linkage.hub)] - hub.Dc) / hub.C;
  }
  release_over_ground<kRetained>(linkage, work);
  move_bodies(linkage, work);
  load_cuts(linkage, work);
  find_momentum_rates(linkage, work);
  return scope.count();
}

}  // namespace

std::optional<OperationCount> operations(const Model& model, const std::string& formulation) {
  const auto state = draw_states(model, 1).front();
  const bool recursive = formulation == "batch" || formulation.starts_with("recursive");
  const auto computed =
      formulation == "recursive" ? choice_of(formulation, model).computed() : model;
  if (recursive) {
    if (const auto tree = dh_frames::tree_of(computed)) {
      return tree->is_planar ? count<dh_frames::Zero>(*tree, state) : count<Counted>(*tree, state);
    }
    if (const auto linkage = planar_loops::linkage_of(computed, LaneChoice::kNever)) {
      using planar_loops::Retained;
      const auto& all = linkage->rest;
      const auto p = momenta_of(model, state);
      return all.hub == planar_loops::kGround ? count<Retained::kNothing>(all, state, p)
                                              : count<Retained::kTurning>(all, state, p);
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

}  // namespace benchmarks
}  // namespace hamiltree
