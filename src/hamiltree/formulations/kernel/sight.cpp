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
void take_body(std::size_t b, const WorkIn<Number>& work, const VectorOf& vector_of,
               Kinematics<Spatial<double>>& kin) {
  const auto& body = work.bodies[b];
  auto& X_WB = kin.X_WB[b];
  take_axes(body.R, vector_of, X_WB.R);
  X_WB.r = vector_of(body.r);
  kin.arm[b] = vector_of(body.arm);
}

template <class Number, class VectorOf>
void take_tree_joint(const System<Spatial<double>>& system, int b, const Tables& tables,
                     const WorkIn<Number>& work, const VectorOf& vector_of,
                     Kinematics<Spatial<double>>& kin) {
  const auto& body = work.bodies[at(b)];
  auto& X_WJ = kin.joints[at(b)].X_WJ;
  if (tables.bodies[at(b)].reversed) {
    X_WJ = joint_frame(system, kin, b);
    return;
  }
  take_axes(body.R, vector_of, X_WJ.R);
  X_WJ.r = vector_of(body.r);
  const auto kind = tables.bodies[at(b)].kind;
  if (kind != Kind::kUniversal && kind != Kind::kPinInSlot) return;
  const Eigen::Index second = kind == Kind::kUniversal ? 1 : 2;
  X_WJ.R.col(0) = vector_of(body.axis[0]);
  X_WJ.R.col(second) = vector_of(body.axis[1]);
  if (kind == Kind::kUniversal) {
    X_WJ.R.col(2) = X_WJ.R.col(0).cross(X_WJ.R.col(1));
  } else {
    X_WJ.R.col(1) = X_WJ.R.col(2).cross(X_WJ.R.col(0));
  }
}

template <class Number, class VectorOf>
void take_cut(const System<Spatial<double>>& system, const Cut& cut, const CutWorkIn<Number>& work,
              const VectorOf& vector_of, Kinematics<Spatial<double>>& kin) {
  auto& X_WJ = kin.joints[at(cut.joint)].X_WJ;
  take_axes(work.E, vector_of, X_WJ.R);
  if (system.joint(cut.joint).at_parent) X_WJ.R = -X_WJ.R;
  X_WJ.r = vector_of(work.lever[0]);
  if (cut.body[0] != kNothing) X_WJ.r += kin.X_WB[at(cut.body[0])].r;
}

template <class Number, class VectorOf>
void take_frames(const System<Spatial<double>>& system, const Tables& tables,
                 const WorkIn<Number>& work, const VectorOf& vector_of, const Sight& sight,
                 Kinematics<Spatial<double>>& kin) {
  for (const int b : sight.bodies) take_body(at(b), work, vector_of, kin);
  for (const int j : sight.frames) {
    if (j < system.body_count()) {
      take_tree_joint(system, j, tables, work, vector_of, kin);
    } else {
      const auto c = at(j - system.body_count());
      take_cut(system, tables.cuts[c], work.cuts[c], vector_of, kin);
    }
  }
}

template <class Number, class VectorOf>
void take_velocities(const WorkIn<Number>& work, const VectorOf& vector_of, const Sight& sight,
                     Kinematics<Spatial<double>>& kin) {
  for (const int b : sight.bodies)
    kin.V_WB[at(b)] << vector_of(work.bodies[at(b)].v), vector_of(work.bodies[at(b)].w);
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

Sight full_sight(const System<Spatial<double>>& system) {
  Sight sight;
  for (int b = 0; b < system.body_count(); ++b) sight.bodies.push_back(b);
  for (int j = 0; j < system.joint_count(); ++j) sight.frames.push_back(j);
  return sight;
}

void take_poses(const System<Spatial<double>>& system, const Tables& tables, const Work& work,
                const Sight& sight, Kinematics<Spatial<double>>& kin) {
  take_frames(system, tables, work, OfOne{}, sight, kin);
}
void take_motions(const Work& work, const Sight& sight, Kinematics<Spatial<double>>& kin) {
  take_velocities(work, OfOne{}, sight, kin);
}
void take_bodies(const WorkIn<Pack>& work, int lane, Kinematics<Spatial<double>>& kin) {
  for (std::size_t b = 0; b < work.bodies.size(); ++b) take_body(b, work, OfEight{lane}, kin);
}
void take_all(const System<Spatial<double>>& system, const Tables& tables, const WorkIn<Pack>& work,
              int lane, const Sight& sight, Kinematics<Spatial<double>>& kin) {
  take_frames(system, tables, work, OfEight{lane}, sight, kin);
  take_velocities(work, OfEight{lane}, sight, kin);
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
