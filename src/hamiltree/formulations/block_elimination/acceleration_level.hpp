// The acceleration-level baselines: the equations of motion in (q, v) with the factors of a
// momentum-level kernel. Bodies move as v says, whether or not that keeps the loops closed, and
// forces take the place of impulses: Hdca becomes the divide-and-conquer algorithm of Featherstone,
// Recursive the articulated-body algorithm with multipliers for the loops.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/block_elimination/rows.hpp"
#include "hamiltree/formulations/rate_work.hpp"

namespace hamiltree {

// Kernel: a momentum-level kernel; the class derived from this one gives it its name.
template <class Kernel, class Space>
class AccelerationLevel {
 public:
  using Scalar = typename Space::Scalar;
  static constexpr StateForm kForm = StateForm::kVelocities;

  struct Work : Kernel::Work {
    explicit Work(const AccelerationLevel& level)
        : Kernel::Work(level.kernel_),
          gap(at(level.system().constraints)),
          gap_rate(at(level.system().constraints)) {}

    std::vector<Scalar> gap, gap_rate;  // Phi and its rate
  };

  // baumgarte: a in 1/s, see FormulationOptions.
  AccelerationLevel(System<Space> system, double baumgarte)
      : kernel_(std::move(system)), baumgarte_(baumgarte) {}

  const System<Space>& system() const { return kernel_.system(); }
  const Kernel& momentum_level() const { return kernel_; }

  // The velocities are the state's; with phi the Newton step of the momentum-level kernel, whose
  // momenta u then are.
  void velocities(const Scalar& t, const Scalar* q, const Scalar* u, const Scalar* phi,
                  Work& work) const {
    if (phi != nullptr) return kernel_.velocities(t, q, u, phi, work);
    kernel_.assemble(t, q, block_elimination::RowChoice::kKeep, work);
    work.kin.frozen = false;
    std::copy(u, u + system().velocities, work.result.v.begin());
    move(system(), u, work.kin);
    coordinate_rates(system(), q, u, work.result.q_dot.data());
  }

  // v_dot and all reactions after velocities() at the same state.
  void accelerations(const Scalar& t, const Scalar* q, Work& work) const {
    if (baumgarte_ == 0.0) return kernel_.accelerations(t, q, work);
    // 2 a Phidot + a^2 Phi
    const Scalar a(baumgarte_);
    position_residual(system(), work.kin, q, work.gap.data());
    velocity_residual(system(), work.kin, work.gap_rate.data());
    for (std::size_t i = 0; i < work.gap.size(); ++i) {
      work.gap[i] = a * (Scalar(2) * work.gap_rate[i] + a * work.gap[i]);
    }
    kernel_.accelerations(t, q, work, work.gap.data());
  }

 private:
  Kernel kernel_;
  double baumgarte_;
};

}  // namespace hamiltree
