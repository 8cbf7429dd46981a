#include "hamiltree/formulations/kernel/sight.hpp"

#include <algorithm>
#include <cstddef>

#include "hamiltree/base/index.hpp"

namespace hamiltree::kernel {
namespace {

Eigen::Vector3d vector_of(const Half& half) { return {half.lane[0], half.lane[1], half.lane[2]}; }

}  // namespace

void take_drives(const Kinematics<Spatial<double>>& kin, Work& work) {
  for (std::size_t d = 0; d < work.drives.size(); ++d) {
    const auto& [X, V, V_dot, coordinate] = kin.drives[d];
    auto& drive = work.drives[d];
    std::copy_n(X.R.data(), 9, drive.R);
    std::copy_n(X.r.data(), 3, drive.r);
    std::copy_n(V.data(), 3, drive.v);
    std::copy_n(V.data() + 3, 3, drive.w);
  }
}

void take_poses(const System<Spatial<double>>& system, const Work& work,
                Kinematics<Spatial<double>>& kin) {
  for (std::size_t b = 0; b < work.bodies.size(); ++b) {
    const auto& body = work.bodies[b];
    for (int i = 0; i < 3; ++i) kin.X_WB[b].R.col(i) = vector_of(body.R[i]);
    kin.X_WB[b].r = vector_of(body.r);
    kin.arm[b] = vector_of(body.arm);
  }
  for (int j = 0; j < system.joint_count(); ++j)
    kin.joints[at(j)].X_WJ = joint_frame(system, kin, j);
}

void take_motions(const Work& work, Kinematics<Spatial<double>>& kin) {
  for (std::size_t b = 0; b < work.bodies.size(); ++b)
    kin.V_WB[b] << vector_of(work.bodies[b].v), vector_of(work.bodies[b].w);
}

double gravity_energy(const Tables& tables, const Work& work) {
  double energy = 0.0;
  for (std::size_t b = 0; b < tables.bodies.size(); ++b) {
    const auto& w = work.bodies[b];
    for (int i = 0; i < 3; ++i)
      energy -= tables.gravity[i] * (tables.bodies[b].mass * w.r.lane[i] + w.mc.lane[i]);
  }
  return energy;
}

}  // namespace hamiltree::kernel
