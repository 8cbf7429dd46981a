// The recursive Hamiltonian algorithm for chains and trees, O(n) [Naudet2003]: a backward pass that
// eliminates joints, a forward pass for velocities, and one for loads and momentum rates.
// Everything happens in body axes at the joints.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/rate_work.hpp"
#include "hamiltree/formulations/recursive/assembly.hpp"
#include "hamiltree/formulations/recursive/momentum_rates.hpp"
#include "hamiltree/formulations/recursive/velocities.hpp"

namespace hamiltree {

template <class Space>
class Recursive {
 public:
  using Scalar = typename Space::Scalar;
  static constexpr const char* kName = "recursive";

  struct Work : RateWork<Space> {
    explicit Work(const Recursive& kernel)
        : RateWork<Space>(kernel.system()),
          bodies(kernel.system().bodies.size()),
          V(kernel.system().bodies.size()) {}

    std::vector<recursive::Articulated<Space>> bodies;
    std::vector<typename Space::Motion> V;  // body axes at the bodies' origins
  };

  explicit Recursive(System<Space> system) : system_(std::move(system)) {}

  const System<Space>& system() const { return system_; }

  // v from (q, p). A tree has no loops, so there is no constraint to displace: phi is not read.
  void velocities(const Scalar* q, const Scalar* p, const Scalar* /*phi*/, Work& work) const {
    for (int b = 0; b < system_.body_count(); ++b) {
      const auto& joint = system_.joint(b);
      const auto i = at(b);
      work.bodies[i].X_PB = joint.X_PF * joint_pose(joint, q);
      work.kin.X_WB[i] = joint.parent == kNone ? work.bodies[i].X_PB
                                               : work.kin.pose(joint.parent) * work.bodies[i].X_PB;
    }
    recursive::assemble(system_, p, work.bodies);
    recursive::solve_velocities(system_, p, work.bodies, work.V, work.result.v.data());
    for (std::size_t i = 0; i < work.V.size(); ++i) {
      work.kin.V_WB[i] = rotate<Space>(work.kin.X_WB[i].R, work.V[i]);
    }
    coordinate_rates(system_, q, work.result.v.data(), work.result.q_dot.data());
  }

  // p_dot after velocities() at the same state.
  void momentum_rates(const Scalar& t, const Scalar* q, Work& work) const {
    evaluate_loads(system_, work.kin, t, q, work.result.v.data(), work.loads);
    recursive::solve_momentum_rates(system_, work.bodies, work.V, work);
  }

 private:
  System<Space> system_;
};

}  // namespace hamiltree
