// The recursive O(n) algorithm for trees [Naudet2003], and for the loops on them: momenta inwards
// (assembly.hpp), velocities outwards (velocities.hpp), loads and momentum rates
// (momentum_rates.hpp). All in body axes, with the frame of each body at its inboard joint. A loop
// is eliminated at the body, or at the ground, where it closes. What works on one body is compiled
// flat: a fifth faster.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "hamiltree/base/flat.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/rate_work.hpp"
#include "hamiltree/formulations/recursive/accelerations.hpp"
#include "hamiltree/formulations/recursive/assembly.hpp"
#include "hamiltree/formulations/recursive/momentum_rates.hpp"
#include "hamiltree/formulations/recursive/velocities.hpp"
#include "hamiltree/space/planar.hpp"
#include "hamiltree/space/spatial.hpp"

namespace hamiltree {

template <class Space>
class Recursive {
 public:
  using Scalar = typename Space::Scalar;
  static constexpr const char* kName = "recursive";
  static constexpr StateForm kForm = StateForm::kMomenta;

  struct Work : recursive::Work<Space> {
    explicit Work(const Recursive& kernel);
  };

  explicit Recursive(System<Space> system) : system_(std::move(system)) {}

  const System<Space>& system() const { return system_; }
  static int joint_of(int row, const Work& work) { return work.row_joint[at(row)]; }

  // The factors of all bodies and loops.
  void assemble(const Scalar& t, const Scalar* q, block_elimination::RowChoice rows,
                Work& work) const;
  // v and sigma from (q, p) at t; phi: see Formulation::velocities.
  void velocities(const Scalar& t, const Scalar* q, const Scalar* p, const Scalar* phi,
                  Work& work) const;
  // p_dot after velocities() at the same state.
  void momentum_rates(const Scalar& t, const Scalar* q, Work& work) const;
  // v_dot and all reactions after velocities() at the same state.
  void accelerations(const Scalar& t, const Scalar* q, Work& work,
                     const Scalar* feedback = nullptr) const;
  // Pbar and Qbar of a joint, as in momentum_rate(); after momentum_rates() at the same state, and
  // add_leak() where the leak is not 0.
  std::pair<typename Space::Force, typename Space::Force> carried(int j, double leak,
                                                                  const Work& work) const;

 private:
  System<Space> system_;
};

template <class Space>
Recursive<Space>::Work::Work(const Recursive& kernel) : recursive::Work<Space>(kernel.system()) {}

template <class Space>
void Recursive<Space>::assemble(const Scalar& t, const Scalar* q, block_elimination::RowChoice rows,
                                Work& work) const {
  flat<Scalar>([&] { recursive::place_bodies(system_, t, q, work); });
  recursive::assemble(system_, rows, work);
}

template <class Space>
void Recursive<Space>::velocities(const Scalar& t, const Scalar* q, const Scalar* p,
                                  const Scalar* phi, Work& work) const {
  assemble(t, q, block_elimination::RowChoice::kKeep, work);
  recursive::solve_velocities(system_, p, phi, work);
  coordinate_rates(system_, q, work.result.v.data(), work.result.q_dot.data());
}

template <class Space>
void Recursive<Space>::momentum_rates(const Scalar& t, const Scalar* q, Work& work) const {
  evaluate_loads(system_, work.kin, t, q, work.loads);
  flat<Scalar>([&] { recursive::solve_momentum_rates(system_, work); });
}

template <class Space>
std::pair<typename Space::Force, typename Space::Force> Recursive<Space>::carried(
    int j, double leak, const Work& work) const {
  return recursive::carried(system_, j, leak, work);
}

template <class Space>
void Recursive<Space>::accelerations(const Scalar& t, const Scalar* q, Work& work,
                                     const Scalar* feedback) const {
  evaluate_loads(system_, work.kin, t, q, work.loads);
  recursive::solve_accelerations(system_, feedback, work);
}

// On double: compiled once, in planar.cpp and spatial.cpp.
extern template class Recursive<Planar<double>>;
extern template class Recursive<Spatial<double>>;

}  // namespace hamiltree
