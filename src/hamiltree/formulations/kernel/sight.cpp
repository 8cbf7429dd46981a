#include "hamiltree/formulations/kernel/sight.hpp"

#include <algorithm>
#include <cstddef>

#include "hamiltree/base/flat.hpp"
#include "hamiltree/base/index.hpp"

namespace hamiltree::kernel {
namespace {

// Where it lies: copied number by number it would be read in pairs before these are in memory.
struct OfOne {
  Eigen::Map<const Eigen::Vector3d> operator()(const Half& half) const {
    return Eigen::Map<const Eigen::Vector3d>(half.lane);
  }
};
struct OfEight {
  int lane;
  Eigen::Vector3d operator()(const HalfIn<Pack>& half) const {
    return {half.lane[0][lane], half.lane[1][lane], half.lane[2][lane]};
  }
};

template <class Number, class VectorOf>
void take_axes(const HalfIn<Number>* axes, const VectorOf& vector_of, Eigen::Matrix3d& R) {
  for (int i = 0; i < 3; ++i) R.col(i) = vector_of(axes[i]);
}

template <class Number, class VectorOf>
void take_body_frames(const WorkIn<Number>& work, const VectorOf& vector_of,
                      Kinematics<Spatial<double>>& kin) {
  for (std::size_t b = 0; b < work.bodies.size(); ++b) {
    const auto& body = work.bodies[b];
    auto& X_WB = kin.X_WB[b];
    take_axes(body.R, vector_of, X_WB.R);
    X_WB.r = vector_of(body.r);
    kin.arm[b] = vector_of(body.arm);
  }
}

template <class Number, class VectorOf>
void take_joints(const System<Spatial<double>>& system, const Tables& tables,
                 const WorkIn<Number>& work, const VectorOf& vector_of,
                 Kinematics<Spatial<double>>& kin) {
  for (std::size_t b = 0; b < work.bodies.size(); ++b) {
    auto& X_WJ = kin.joints[b].X_WJ;
    if (tables.bodies[b].reversed) {
      X_WJ = joint_frame(system, kin, static_cast<int>(b));
      continue;
    }
    take_axes(work.bodies[b].R, vector_of, X_WJ.R);
    X_WJ.r = vector_of(work.bodies[b].r);
    const auto kind = tables.bodies[b].kind;
    if (kind != Kind::kUniversal && kind != Kind::kPinInSlot) continue;
    const Eigen::Index second = kind == Kind::kUniversal ? 1 : 2;
    X_WJ.R.col(0) = vector_of(work.bodies[b].axis[0]);
    X_WJ.R.col(second) = vector_of(work.bodies[b].axis[1]);
    if (kind == Kind::kUniversal) {
      X_WJ.R.col(2) = X_WJ.R.col(0).cross(X_WJ.R.col(1));
    } else {
      X_WJ.R.col(1) = X_WJ.R.col(2).cross(X_WJ.R.col(0));
    }
  }
  for (std::size_t c = 0; c < tables.cuts.size(); ++c) {
    const auto& cut = tables.cuts[c];
    if (cut.is_coupling) continue;
    auto& X_WJ = kin.joints[at(cut.joint)].X_WJ;
    take_axes(work.cuts[c].E, vector_of, X_WJ.R);
    if (system.joint(cut.joint).at_parent) X_WJ.R = -X_WJ.R;
    X_WJ.r = vector_of(work.cuts[c].lever[0]);
    if (cut.body[0] != kNothing) X_WJ.r += kin.X_WB[at(cut.body[0])].r;
  }
}

template <class Number, class VectorOf>
void take_velocities(const WorkIn<Number>& work, const VectorOf& vector_of,
                     Kinematics<Spatial<double>>& kin) {
  for (std::size_t b = 0; b < work.bodies.size(); ++b)
    kin.V_WB[b] << vector_of(work.bodies[b].v), vector_of(work.bodies[b].w);
}

}  // namespace

void find_drives(const System<Spatial<double>>& system, double t, Kinematics<Spatial<double>>& kin,
                 std::vector<DriveWork>& drives) {
  flattened([&] { evaluate_drives(system, t, kin); });
  take_drives(kin, drives);
}

void take_drives(const Kinematics<Spatial<double>>& kin, std::vector<DriveWork>& drives) {
  for (std::size_t d = 0; d < drives.size(); ++d) {
    const auto& [X, V, V_dot, coordinate] = kin.drives[d];
    auto& drive = drives[d];
    std::copy_n(X.R.data(), 9, drive.R);
    std::copy_n(X.r.data(), 3, drive.r);
    std::copy_n(V.data(), 3, drive.v);
    std::copy_n(V.data() + 3, 3, drive.w);
  }
}

void take_poses(const System<Spatial<double>>& system, const Tables& tables, const Work& work,
                Kinematics<Spatial<double>>& kin) {
  take_body_frames(work, OfOne{}, kin);
  take_joints(system, tables, work, OfOne{}, kin);
}
void take_motions(const Work& work, Kinematics<Spatial<double>>& kin) {
  take_velocities(work, OfOne{}, kin);
}
void take_bodies(const WorkIn<Pack>& work, int lane, Kinematics<Spatial<double>>& kin) {
  take_body_frames(work, OfEight{lane}, kin);
}
void take_all(const System<Spatial<double>>& system, const Tables& tables, const WorkIn<Pack>& work,
              int lane, Kinematics<Spatial<double>>& kin) {
  take_body_frames(work, OfEight{lane}, kin);
  take_joints(system, tables, work, OfEight{lane}, kin);
  take_velocities(work, OfEight{lane}, kin);
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
