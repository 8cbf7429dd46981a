// clang-format off
#include "hamiltree/formulations/without_packets.hpp"
// clang-format on
#include "hamiltree/formulations/kernel/loads_of_forces.hpp"

#include <algorithm>

#include "hamiltree/base/index.hpp"

namespace hamiltree::kernel {
namespace {

// A sink of forces that adds them to loads and, if asked for, keeps the account of their power.
struct KernelSink {
  LoadSink<Spatial<double>> loads;
  PowerSink<Spatial<double>, SolvedNow> account;
  bool accounts;

  void effort(ForceKind kind, int j, double effort) {
    loads.effort(kind, j, effort);
    if (accounts) account.effort(kind, j, effort);
  }
  template <class Parts, class WrenchOf>
  void pair(int parent, int child, const Eigen::Vector3d& x, const Parts& parts,
            const WrenchOf& wrench_of) {
    loads.pair(parent, child, x, parts, wrench_of);
    if (accounts) account.pair(parent, child, x, parts, wrench_of);
  }
};

}  // namespace

void find_loads(const SolvedNow& now, Loads<Spatial<double>>& loads, ForcePower<double>* power) {
  std::ranges::fill(loads.effort, 0.0);
  for (auto& load : loads.body) load.setZero();
  KernelSink sink{{now, loads}, {now}, power != nullptr};
  now.system.for_each_force([&](const auto& element) { exert(element, now, sink); });
  if (power != nullptr) *power = sink.account.power;
}

void add_joint_efforts(const System<Spatial<double>>& system, const Loads<Spatial<double>>& loads,
                       double* p_dot) {
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    if (joint.has_velocity() && joint.along != kNone) p_dot[joint.v] += loads.effort[at(b)];
  }
}

}  // namespace hamiltree::kernel
