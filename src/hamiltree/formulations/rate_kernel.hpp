// RateKernel and GeneralKernel: how a Formulation computes. A RateKernel has what integrators need,
// at the states that it takes: velocities and rates, energies and power, projection and reset. A
// GeneralKernel takes all states, chooses the rows of loops, and has what outputs and diagnostics
// need: accelerations and reactions. Both are immutable and write to a Workspace of their own.
// Functions do what those of the same names of Formulation do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/formulation.hpp"

namespace hamiltree {

// The Status of an evaluation, or nothing where the state is left to the next kernel. In one
// number: std::optional is written in two pieces and read as a whole, for which processors wait.
class Answer {
 public:
  Answer() = default;
  Answer(Status status) : number_(static_cast<int>(status)) {}  // NOLINT
  explicit operator bool() const { return number_ >= 0; }
  Status operator*() const { return static_cast<Status>(number_); }

 private:
  int number_ = -1;
};

class RateKernel {
 public:
  virtual ~RateKernel() = default;

  virtual std::unique_ptr<Workspace> make_workspace() const = 0;

  // Nothing: this state, or the last one, is left to the next kernel.
  virtual Answer velocities(const StateView& state, const double* phi,
                            Workspace& workspace) const = 0;
  virtual Answer rate(const StateView& state, Workspace& workspace) const = 0;
  virtual std::optional<Power> power(const StateView& state, Workspace& workspace) const = 0;
  virtual std::optional<WorkRate> work_rate(const StateView& state, Workspace& workspace) const {
    const auto now = power(state, workspace);
    return now ? std::optional(WorkRate{*now, {}}) : std::nullopt;
  }
  virtual std::optional<std::vector<int>> singular_joints(const Workspace&) const {
    return std::vector<int>();
  }
  virtual std::optional<double> least_pivot(const Workspace&) const { return 1.0; }
  // The last state, where the kernel knows that a pivot is masked, and the next one at which joint.
  virtual std::optional<StateView> masked_at(const Workspace&) const { return {}; }

  // Nothing: not known.
  virtual std::optional<Energies> energies(const StateView&, const Workspace&) const { return {}; }
  virtual std::uint64_t choice(const Workspace&) const { return 0; }
  virtual bool sees_motion() const { return false; }
  virtual bool projects() const { return false; }
  virtual const Kinematics<Spatial<double>>* placed(const StateView&, Workspace&) const {
    return nullptr;
  }
  virtual const Kinematics<Spatial<double>>* moved(Workspace&) const { return nullptr; }
  virtual bool project(const StateView&, double*, Workspace&) const { return false; }
  virtual bool reset(const StateView&, double*, Workspace&) const { return false; }
  virtual std::unique_ptr<EightStates> eight_states(const Workspace&) const;

  virtual void lower_mask(double, Workspace&) const {}

  // Specialised kernels take the rows that the general one has chosen, whose workspace is
  // `general`. Whether rates depend on that choice.
  virtual bool depends_on_rows() const { return true; }
  // After its analyse(). Whether the kernel takes this state.
  virtual bool take_rows(const StateView&, const Redundancy&, const Workspace& /*general*/,
                         Workspace&) const {
    return true;
  }
  // Whether the rows may stay, by the pivots at this state and the last evaluation.
  virtual bool keeps_rows(const StateView&, const Workspace&) const { return true; }
  // After a prepare() that chose others.
  virtual void change_rows(const StateView&, const Workspace& /*general*/, Workspace&) const {}
};

class GeneralKernel : public RateKernel {
 public:
  virtual StateForm form() const = 0;
  virtual bool takes_least_impulses() const { return false; }
  virtual Redundancy analyse(const StateView& state, Workspace& workspace) const = 0;
  virtual bool prepare(const StateView& state, Workspace& workspace) const = 0;
  // From now on velocities are refined, or not. Whether they are: not every kernel can.
  virtual bool refine(bool, Workspace&) const { return false; }
  virtual Status accelerations(const StateView& state, Workspace& workspace) const = 0;
  virtual Reaction reaction(int joint, const Workspace& workspace) const = 0;
};

// A specialised kernel's, with the arrays that it writes to.
struct RateWorkspace : Workspace {
  explicit RateWorkspace(const Model& model)
      : velocities(at(model.velocity_count())),
        coordinate_rates(at(model.coordinate_count())),
        momentum_rates(velocities.size()),
        impulses(at(model.constraint_count())) {
    v = velocities;
    q_dot = coordinate_rates;
    u_dot = momentum_rates;
    sigma = impulses;
  }

  // Another kernel's results.
  void copy_velocities(const Workspace& other) {
    std::ranges::copy(other.v, velocities.begin());
    std::ranges::copy(other.q_dot, coordinate_rates.begin());
    std::ranges::copy(other.sigma, impulses.begin());
  }
  void copy_rates(const Workspace& other) {
    copy_velocities(other);
    std::ranges::copy(other.u_dot, momentum_rates.begin());
  }

  std::vector<double> velocities, coordinate_rates, momentum_rates, impulses;
};

}  // namespace hamiltree
