#include "hamiltree/formulations/kernel/loads_of_forces.hpp"

#include <algorithm>

#include "hamiltree/base/index.hpp"

namespace hamiltree::kernel {
namespace {

// A sink of forces that adds them to loads and keeps the account of their power.
struct AccountedSink {
  LoadSink<Spatial<double>> loads;
  PowerSink<Spatial<double>, SolvedNow> account;

  void effort(ForceKind kind, int j, double effort) {
    loads.effort(kind, j, effort);
    account.effort(kind, j, effort);
  }
  void pair(ForceKind kind, int parent, int child, const Eigen::Vector3d& x,
            const Spatial<double>::Force& F) {
    loads.pair(kind, parent, child, x, F);
    account.pair(kind, parent, child, x, F);
  }
};

}  // namespace

void find_loads(const SolvedNow& now, Loads<Spatial<double>>& loads, ForcePower<double>* power) {
  std::ranges::fill(loads.effort, 0.0);
  for (auto& load : loads.body) load.setZero();
  const auto exert_all = [&](auto& sink) {
    now.system.for_each_force([&](const auto& element) { exert(element, now, sink); });
  };
  LoadSink<Spatial<double>> sink{now, loads};
  if (power == nullptr) return exert_all(sink);
  AccountedSink accounted{sink, {now}};
  exert_all(accounted);
  *power = accounted.account.power;
}

void add_joint_efforts(const System<Spatial<double>>& system, const Loads<Spatial<double>>& loads,
                       double* p_dot) {
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    if (joint.has_velocity() && joint.along != kNone) p_dot[joint.v] += loads.effort[at(b)];
  }
}

}  // namespace hamiltree::kernel
