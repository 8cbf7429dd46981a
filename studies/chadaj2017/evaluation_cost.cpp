#include "studies/chadaj2017/evaluation_cost.hpp"

#include <random>
#include <utility>
#include <vector>

#include "hamiltree/formulations/hdca/hdca.hpp"
#include "hamiltree/math/critical_path.hpp"

namespace hamiltree::studies {
namespace {

using Space = Planar<Critical>;
using Kernel = Hdca<Space>;

struct RandomState {
  std::vector<Critical> q, p;

  explicit RandomState(const System<Space>& system) {
    std::mt19937_64 random(2017);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    for (int i = 0; i < system.coordinates; ++i) q.emplace_back(uniform(random));
    for (int i = 0; i < system.velocities; ++i) p.emplace_back(uniform(random));
  }
};

bool is_chain(const System<Space>& system) {
  for (int b = 0; b < system.body_count(); ++b) {
    if (system.inboard(b) != (b == 0 ? kNone : b - 1)) return false;
  }
  return true;
}

// X_i <- X_0 X_1 ... X_i for all i in about 2 log2(n) rounds; products within a round do not wait
// for each other.
void scan(std::vector<Pose<Space>>& X) {
  const std::size_t n = X.size();
  std::size_t stride = 1;
  for (; 2 * stride <= n; stride *= 2) {
    for (std::size_t i = 2 * stride - 1; i < n; i += 2 * stride) X[i] = X[i - stride] * X[i];
  }
  for (; stride >= 1; stride /= 2) {
    for (std::size_t i = 3 * stride - 1; i < n; i += 2 * stride) X[i] = X[i - stride] * X[i];
  }
}

// hdca::place_bodies() with the poses of a chain by a scan.
void scan_bodies(const System<Space>& system, const RandomState& state, Kernel::Work& work) {
  auto& kin = work.kin;
  for (int b = 0; b < system.body_count(); ++b)
    kin.X_WB[at(b)] = pose_in_inboard(system.joint(b), kin, state.q.data());
  scan(kin.X_WB);
  for (int b = 0; b < system.body_count(); ++b)
    kin.arm[at(b)] = kin.pose(b).r - kin.pose(system.inboard(b)).r;
  for (int j = 0; j < system.joint_count(); ++j)
    kin.joints[at(j)].X_WJ = joint_frame(system, kin, j);
  for (int b = 0; b < system.body_count(); ++b)
    work.mobility[at(b)] = {system.carried(b), kin.pose(b)};
}

void place_fast(const System<Space>& system, const RandomState& state, Kernel::Work& work) {
  if (is_chain(system)) {
    scan_bodies(system, state, work);
  } else {
    hdca::place_bodies(system, Critical(0.0), state.q.data(), work);
  }
}

// Operations since the last call, and how much longer the critical path has become.
class Phases {
 public:
  Cost next() {
    const Cost all{path_.work(), path_.span()};
    const Cost phase{all.work - before_.work, all.span - before_.span};
    before_ = all;
    path_.barrier();
    return phase;
  }

 private:
  MeasureCriticalPath path_;
  Cost before_;
};

EvaluationCost phase_by_phase(const Kernel& kernel, const RandomState& state, Kernel::Work& work) {
  const auto& system = kernel.system();
  const Critical t(0.0);
  EvaluationCost cost;
  Phases phases;
  hdca::place_bodies(system, t, state.q.data(), work);
  cost.poses = phases.next();
  place_fast(system, state, work);
  cost.scanned_poses = phases.next();
  hdca::contract(system, kernel.plan(), block_elimination::RowChoice::kKeep, work);
  cost.contraction = phases.next();
  hdca::disassemble(system, kernel.plan(), state.p.data(), nullptr, work);
  coordinate_rates(system, state.q.data(), work.result.v.data(), work.result.q_dot.data());
  cost.disassembly = phases.next();
  kernel.momentum_rates(t, state.q.data(), work);
  cost.rates = phases.next();
  kernel.accelerations(t, state.q.data(), work);
  cost.accelerations = phases.next();
  return cost;
}

std::uint32_t merged(const Kernel& kernel, const RandomState& state, Kernel::Work& work) {
  const MeasureCriticalPath path;
  place_fast(kernel.system(), state, work);
  hdca::contract(kernel.system(), kernel.plan(), block_elimination::RowChoice::kKeep, work);
  hdca::disassemble(kernel.system(), kernel.plan(), state.p.data(), nullptr, work);
  kernel.momentum_rates(Critical(0.0), state.q.data(), work);
  return path.span();
}

}  // namespace

EvaluationCost evaluation_cost(const System<Planar<double>>& system) {
  const Kernel kernel(system.cast<Critical>());
  const RandomState state(kernel.system());
  Kernel::Work work(kernel);
  auto cost = phase_by_phase(kernel, state, work);
  cost.merged_span = merged(kernel, state, work);
  return cost;
}

}  // namespace hamiltree::studies
