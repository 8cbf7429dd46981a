#include "hamiltree/formulations/kernel/spatial_kernel.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "hamiltree/base/index.hpp"
#include "hamiltree/base/instruction_set.hpp"
#include "hamiltree/formulations/block_elimination/front.hpp"
#include "hamiltree/formulations/block_elimination/rows.hpp"
#include "hamiltree/formulations/gravity_kernel.hpp"
#include "hamiltree/formulations/kernel/compile.hpp"
#include "hamiltree/formulations/kernel/eight_states.hpp"
#include "hamiltree/formulations/kernel/kernel_sets.hpp"
#include "hamiltree/formulations/kernel/loads_of_forces.hpp"
#include "hamiltree/formulations/kernel/pivots.hpp"
#include "hamiltree/formulations/kernel/sight.hpp"
#include "hamiltree/formulations/rate_work.hpp"
#include "hamiltree/model/loops.hpp"

namespace hamiltree::kernel {

const Kernels& kernels() { return *kKernelSets[static_cast<std::size_t>(instruction_set())]; }
const StateKernels* state_kernels() {
#if HAMILTREE_KERNELS_AVX512
  if (instruction_set() == InstructionSet::kAvx512) return &states::kAvx512;
#endif
  return nullptr;
}

namespace {

using InSpace = System<Spatial<double>>;

// Pivots are about the same as long as one is more than this of the other.
constexpr double kSamePivot = 0.5;

// The parts of a motion that are seen: each sees what those before it see.
enum class Seen { kNothing, kByForces, kAll };

// Tables, and what is computed on them.
struct Compiled {
  explicit Compiled(Tables made) : tables(std::move(made)), work(tables) {}
  Tables tables;
  Work work;
};

struct SpatialWorkspace final : GravityWorkspace {
  SpatialWorkspace(const InSpace& system, const Model& model, std::unique_ptr<AddedForces> added)
      : GravityWorkspace(model, std::move(added)), kin(system), loads(system) {
    placed_at.reserve(at(system.coordinates));
  }

  std::optional<Compiled> compiled;           // nothing: all states are left to the general kernel
  bool by_general = true;                     // the last evaluation
  bool has_choice = false;                    // of rows: some are redundant
  std::uint64_t choice = 0;                   // its number
  mutable std::optional<double> least_pivot;  // of the last evaluation, once it was asked for
  mutable double judged = 0.0;                // the pivot at which rows were last chosen anew
  double mask = block_elimination::kPivotMask;
  Kinematics<Spatial<double>> kin;
  Seen poses = Seen::kNothing, motions = Seen::kNothing;  // of `compiled` that `kin` has
  std::vector<double> placed_at;  // coordinates that placed() was asked for, where it still stands
  Loads<Spatial<double>> loads;
  std::optional<ForcePower<double>> power;  // of these loads at the last evaluation
  bool accounts = false;                    // power is asked for, and found with the loads
};

// A number that was not given before in this process.
std::uint64_t next_choice() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

// The momentum of all behind, or the load, from the fourth lane on.
Spatial<double>::Force carried(const BodyWork& body, int first) {
  const double *linear = body.X.lane + first, *angular = body.Y.lane + first;
  Spatial<double>::Force F;
  F << linear[0], linear[1], linear[2], angular[0], angular[1], angular[2];
  return F;
}

class SpatialKernel final : public GravityKernel {
 public:
  SpatialKernel(const Model& model, std::unique_ptr<AddedForces> forces, RowsInUse rows_in_use,
                bool is_lifted)
      : GravityKernel(model, std::move(forces)),
        system_(std::get<InSpace>(this->model().tables())),
        rows_in_use_(std::move(rows_in_use)),
        is_lifted_(is_lifted) {
    system_.for_each_force([&](const auto&) { has_loads_ = true; });
    if (!adds_forces()) sight_of_forces_ = sight_of_forces(system_);
  }

  std::unique_ptr<Workspace> make_workspace() const override {
    return std::make_unique<SpatialWorkspace>(system_, model(), copy_of_forces());
  }

  bool take_rows(const StateView& state, const Redundancy& rows, const Workspace& general,
                 Workspace& workspace) const override {
    auto& own = of(workspace);
    own.has_choice = rows.redundant > 0;
    own.judged = 0.0;
    make_tables(state, general, own);
    // Tips of loops have no pivot in any pose. A start in a gimbal lock looks the same, and costs
    // the run its speed.
    if (own.by_general && own.compiled && !own.compiled->tables.watched.empty())
      own.compiled.reset();
    return !own.by_general;
  }
  bool keeps_rows(const StateView&, const Workspace& workspace) const override {
    const auto& own = of(workspace);
    if (own.by_general) return false;
    if (!own.has_choice) return true;
    const double pivot = pivot_of(own);
    if (pivot >= block_elimination::kWornPivot) return true;
    // Some robots have no better rows in any pose: they are not looked for at every step.
    if (kSamePivot * own.judged < pivot && kSamePivot * pivot < own.judged) return true;
    own.judged = pivot;
    return false;
  }
  void change_rows(const StateView& state, const Workspace& general,
                   Workspace& workspace) const override {
    auto& own = of(workspace);
    if (own.compiled && own.has_choice) make_tables(state, general, own);
  }

  Answer velocities(const StateView& state, const double* phi,
                    Workspace& workspace) const override {
    auto& own = of(workspace);
    if (!find_velocities(state, phi, own)) return {};
    // energies() reads them.
    if (phi == nullptr && !adds_forces() && system_.drives.empty())
      see_motions(Seen::kByForces, own);
    return are_finite(own.velocities) ? Status::kOk : Status::kNotFinite;
  }
  Answer rate(const StateView& state, Workspace& workspace) const override {
    auto& own = of(workspace);
    if (!find_velocities(state, nullptr, own)) return {};
    const auto status = find_rates(state, arrays_of(state, nullptr, own), own);
    if (own.leak > 0.0) add_leak(own);
    return status;
  }
  bool sees_motion() const override { return true; }
  bool reset(const StateView& state, double* p, Workspace& workspace) const override {
    auto& own = of(workspace);
    if (own.by_general || own.leak > 0.0) return false;
    std::ranges::fill(own.impulses, 0.0);
    // Quaternions may have been normalised since.
    coordinate_rates(system_, state.q, own.velocities.data(), own.coordinate_rates.data());
    auto arrays = arrays_of(state, nullptr, own);
    arrays.p_clean = p;
    return find_rates(state, arrays, own) == Status::kOk;
  }
  const Kinematics<Spatial<double>>* placed(const StateView& state,
                                            Workspace& workspace) const override {
    auto& own = of(workspace);
    if (!own.compiled || is_lifted_) return nullptr;
    place_bodies(state, nullptr, own);
    see_poses(Seen::kAll, own);
    if (system_.drives.empty()) own.placed_at.assign(state.q, state.q + system_.coordinates);
    return &own.kin;
  }
  const Kinematics<Spatial<double>>* moved(Workspace& workspace) const override {
    auto& own = of(workspace);
    if (own.by_general || is_lifted_) return nullptr;
    see_motions(Seen::kAll, own);
    return &own.kin;
  }
  std::optional<Power> power(const StateView& state, Workspace& workspace) const override {
    auto& own = of(workspace);
    if (adds_forces()) return GravityKernel::power(state, workspace);
    if (own.by_general || !system_.drives.empty()) return {};
    const auto forces = power_of_forces(state, own);
    return Power{0.0, forces.applied, forces.dissipated};
  }
  std::optional<WorkRate> work_rate(const StateView& state, Workspace& workspace) const override {
    auto& own = of(workspace);
    if (own.by_general) return {};
    if (system_.drives.empty()) return RateKernel::work_rate(state, workspace);
    see_motions(Seen::kAll, own);
    const auto forces = power_of_forces(state, own);
    WorkRate rate{{0.0, forces.applied, forces.dissipated}, {}};
    for (int b = 0; b < system_.body_count(); ++b) {
      if (system_.joint(b).drive == kNone) continue;
      const auto& body = own.compiled->work.bodies[at(b)];
      auto Q = carried(body, 4);
      if (own.leak > 0.0) Q += own.kin.P[at(b)];  // left there by add_leak()
      add_driven_work<Spatial<double>>(system_, own.kin, b, carried(body, 0), Q,
                                       own.loads.effort[at(b)], rate);
    }
    return rate;
  }
  std::optional<Energies> energies(const StateView& state,
                                   const Workspace& workspace) const override {
    const auto& own = of(workspace);
    if (own.by_general || !system_.drives.empty()) return {};
    double potential = gravity_energy(own.compiled->tables, own.compiled->work);
    if (adds_forces()) {
      potential += own.forces->stored_energy(state.q);
    } else {
      potential += stored_energies(now_of(state, own));
    }
    return Energies{kinetic_energy(state, workspace), potential};
  }

  std::unique_ptr<EightStates> eight_states(const Workspace& workspace) const override {
    const auto& own = of(workspace);
    if (!own.compiled) return nullptr;
    const auto& [tables, work] = *own.compiled;
    return kernel::eight_states(system_, copy_of_forces(), tables, work, own.has_choice);
  }

  std::optional<std::vector<int>> singular_joints(const Workspace& workspace) const override {
    const auto& own = of(workspace);
    if (own.by_general) return {};
    return masked_joints(own.compiled->tables, own.compiled->work);
  }
  std::optional<double> least_pivot(const Workspace& workspace) const override {
    const auto& own = of(workspace);
    return own.by_general ? std::nullopt : std::optional(pivot_of(own));
  }
  std::uint64_t choice(const Workspace& workspace) const override {
    const auto& own = of(workspace);
    return own.by_general ? 0 : own.choice;
  }
  void lower_mask(double share, Workspace& workspace) const override {
    auto& own = of(workspace);
    own.mask *= share;
    own.choice = next_choice();
    if (own.compiled) own.compiled->work.mask = own.mask;
  }

 private:
  static SpatialWorkspace& of(Workspace& workspace) {
    return static_cast<SpatialWorkspace&>(workspace);
  }
  static const SpatialWorkspace& of(const Workspace& workspace) {
    return static_cast<const SpatialWorkspace&>(workspace);
  }

  static double pivot_of(const SpatialWorkspace& own) {
    if (!own.least_pivot)
      own.least_pivot = kernel::least_pivot(own.compiled->tables, own.compiled->work);
    return *own.least_pivot;
  }
  static Arrays arrays_of(const StateView& state, const double* phi, SpatialWorkspace& own) {
    return {.q = state.q,
            .p = state.u,
            .phi = phi,
            .loads = nullptr,
            .v = own.velocities.data(),
            .q_dot = own.coordinate_rates.data(),
            .sigma = own.impulses.data(),
            .p_dot = own.momentum_rates.data()};
  }

  void make_tables(const StateView& state, const Workspace& general, SpatialWorkspace& own) const {
    own.kin.frozen = false;
    own.poses = Seen::kNothing;
    own.placed_at.clear();
    place(system_, state.t, state.q, own.kin);
    auto tables = compile(system_, rows_in_use_(general), own.kin);
    own.compiled.reset();
    own.choice = next_choice();
    own.by_general = !tables;
    if (!tables) return;
    own.compiled.emplace(std::move(*tables));
    own.compiled->work.mask = own.mask;
    // Rows that do not close in this pose are judged as they do later.
    if (find_velocities(state, nullptr, own))
      set_references(own.compiled->tables, own.compiled->work);
    own.least_pivot.reset();
  }

  Arrays place_bodies(const StateView& state, const double* phi, SpatialWorkspace& own) const {
    auto& [tables, work] = *own.compiled;
    const auto arrays = arrays_of(state, phi, own);
    if (std::equal(own.placed_at.begin(), own.placed_at.end(), state.q) && !own.placed_at.empty())
      return arrays;
    own.poses = Seen::kNothing;
    own.placed_at.clear();
    if (!system_.drives.empty()) {
      find_drives(system_, state.t, own.kin, work.drives);
      work.moving = phi == nullptr;
    }
    kernels_.place(tables, arrays, work);
    return arrays;
  }

  // False where that is left to the general kernel.
  bool find_velocities(const StateView& state, const double* phi, SpatialWorkspace& own) const {
    own.by_general = true;
    if (!own.compiled) return false;
    auto& [tables, work] = *own.compiled;
    const auto arrays = place_bodies(state, phi, own);
    own.least_pivot.reset();
    own.power.reset();
    own.motions = Seen::kNothing;
    kernels_.velocities(tables, arrays, work);
    own.by_general = work.held;
    return !work.held;
  }

  // After the velocities.
  Status find_rates(const StateView& state, Arrays arrays, SpatialWorkspace& own) const {
    auto& [tables, work] = *own.compiled;
    if (adds_forces()) {
      kernels_.momentum_rates(tables, arrays, work);
      if (const auto status = add_efforts(state, own); status != Status::kOk) return status;
    } else if (!has_loads_) {
      kernels_.momentum_rates(tables, arrays, work);
    } else {
      find_loads(state, own);
      arrays.loads = own.loads.body.front().data();
      kernels_.momentum_rates(tables, arrays, work);
      add_joint_efforts(system_, own.loads, own.momentum_rates.data());
    }
    return are_finite(own.velocities) && are_finite(own.momentum_rates) ? Status::kOk
                                                                        : Status::kNotFinite;
  }

  // p_dot += leak A^T sigma
  void add_leak(SpatialWorkspace& own) const {
    see_motions(Seen::kAll, own);
    add_loop_impulses(system_, own.leak, own.impulses.data(), own.kin, own.momentum_rates.data());
  }

  const Sight& sight_of(Seen seen) const {
    return seen == Seen::kAll ? full_sight_ : sight_of_forces_;
  }
  void see_poses(Seen seen, SpatialWorkspace& own) const {
    if (own.poses >= seen) return;
    const auto& [tables, work] = *own.compiled;
    take_poses(system_, tables, work, sight_of(seen), own.kin);
    own.poses = seen;
  }
  void see_motions(Seen seen, SpatialWorkspace& own) const {
    see_poses(seen, own);
    if (own.motions >= seen) return;
    take_motions(own.compiled->work, sight_of(seen), own.kin);
    own.motions = seen;
  }

  Instant<Spatial<double>> now_of(const StateView& state, const SpatialWorkspace& own) const {
    return {system_, own.kin, state.t, state.q, own.velocities.data()};
  }
  void find_loads(const StateView& state, SpatialWorkspace& own) const {
    see_motions(Seen::kByForces, own);
    if (own.accounts) own.power.emplace();
    kernel::find_loads(now_of(state, own), own.loads, own.accounts ? &*own.power : nullptr);
  }
  // Whoever asks for power asks again: later rates find it with the loads.
  ForcePower<double> power_of_forces(const StateView& state, SpatialWorkspace& own) const {
    own.accounts = true;
    if (!has_loads_) return {};
    if (!own.power) find_loads(state, own);
    return *own.power;
  }

  const InSpace& system_;
  RowsInUse rows_in_use_;
  bool has_loads_ = false;  // forces that the kernel computes
  Sight full_sight_ = full_sight(system_), sight_of_forces_;
  bool is_lifted_;
  const Kernels& kernels_ = kernels();
};

}  // namespace

std::unique_ptr<RateKernel> make_kernel(const Model& model, std::unique_ptr<AddedForces> forces,
                                        RowsInUse rows_in_use, bool is_lifted) {
  return std::make_unique<SpatialKernel>(model, std::move(forces), std::move(rows_in_use),
                                         is_lifted);
}

}  // namespace hamiltree::kernel
