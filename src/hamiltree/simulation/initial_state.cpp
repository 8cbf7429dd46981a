#include "hamiltree/simulation/initial_state.hpp"

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/model/loops.hpp"
#include "hamiltree/model/subsystems.hpp"
#include "hamiltree/simulation/assembly/loop_closer.hpp"
#include "hamiltree/simulation/assembly/velocity_fit.hpp"

namespace hamiltree {
namespace {

constexpr double kLeastInertia = 1e-12;  // of the largest

template <class Space>
class Assembler {
 public:
  Assembler(const Model& model, const System<Space>& system, double t) : pose_(model, system, t) {}

  // Coordinates and velocities.
  const assembly::PosedMechanism<Space>& solve() {
    pose_.prescribe();
    place(pose_.system, pose_.t, pose_.q.data(), pose_.kin);
    if (pose_.system.constraints > 0) {
      closer_.close_loops();
      place(pose_.system, pose_.t, pose_.q.data(), pose_.kin);  // tries stood elsewhere
      closer_.check_cuts();
      assembly::VelocityFit<Space>(pose_).solve();
    }
    return pose_;
  }

  // No further than Gauss-Newton leads by itself.
  std::vector<OpenLoop> open_loops() {
    pose_.prescribe();
    if (pose_.system.constraints == 0 || closer_.approach()) return {};
    const Eigen::VectorXd phi = pose_.gaps();
    std::vector<OpenLoop> open;
    for (int c = pose_.system.body_count(); c < pose_.system.joint_count(); ++c) {
      const double width = pose_.gap_of(pose_.system.joint(c), phi);
      if (width > assembly::kAcceptable * pose_.system.length) {
        open.push_back({pose_.model.described_joint(c), width, pose_.closing_frame(c)});
      }
    }
    return open;
  }

  // The same pose and motion on another spanning tree of the same mechanism. Joints that are in
  // both keep their coordinates to the last digit, and their turns.
  void take_over(const Model& from_model, const System<Space>& from,
                 const assembly::PosedMechanism<Space>& start) {
    Kinematics<Space> seen(from);
    place(from, pose_.t, start.q.data(), seen);
    move(from, start.v.data(), seen);
    stand_as(from_model, seen);
    for (int b = 0; b < pose_.system.body_count(); ++b) {
      const auto& joint = pose_.system.joint(b);
      const auto& there = from.joint(*from_model.find_joint(pose_.model.joint_name(b)));
      if (there.has_velocity()) {
        pose_.q.segment(joint.q, joint.coordinates) = start.q.segment(there.q, joint.coordinates);
        pose_.v.segment(joint.v, joint.velocities) = start.v.segment(there.v, joint.velocities);
      } else if (joint.has_velocity()) {
        visit_joint<Space>(joint, [&](const auto& type) {
          type.coordinates(relative_pose(pose_.system, pose_.kin, b), pose_.q.data() + joint.q);
        });
        add_free(joint, free_motion(pose_.system, pose_.kin, b), pose_.v.data());
      }
    }
    normalise_coordinates(pose_.system, pose_.q.data());
    closer_.unwind();
  }

  // With the momenta of the motion.
  InitialState finish() {
    place(pose_.system, pose_.t, pose_.q.data(), pose_.kin);
    if (!pose_.system.ballasted.empty()) check_inertia();
    move(pose_.system, pose_.v.data(), pose_.kin);
    InitialState state{pose_.q, pose_.v, Eigen::VectorXd::Zero(pose_.system.velocities)};
    momenta(pose_.system, pose_.kin, state.p.data());
    return state;
  }

 private:
  // Places and moves all bodies as they stand and move in other tables.
  void stand_as(const Model& from_model, const Kinematics<Space>& seen) {
    evaluate_drives(pose_.system, pose_.t, pose_.kin);
    const auto in_tables = [](const Frame& frame) {
      constexpr int n = Space::kLinear;
      return Pose<Space>{frame.rotation.template topLeftCorner<n, n>(),
                         frame.position.template head<n>()};
    };
    for (int b = 0; b < pose_.system.body_count(); ++b) {
      const int there = *from_model.find_body(pose_.model.body_name(b));
      const auto X_WB = seen.pose(there) * in_tables(from_model.user_frame(there)) *
                        inverse(in_tables(pose_.model.user_frame(b)));
      pose_.kin.X_WB[at(b)] = X_WB;
      pose_.kin.V_WB[at(b)] = seen.velocity_at(there, X_WB.r);
    }
    for (int j = 0; j < pose_.system.joint_count(); ++j) {
      pose_.kin.joints[at(j)].X_WJ = joint_frame(pose_.system, pose_.kin, j);
    }
  }

  // Bodies without inertia of their own must be held by loops or carry others that have some. Each
  // subsystem stands for itself.
  void check_inertia() {
    const auto& system = pose_.system;
    const auto numbers = subsystem_numbers(pose_.model);
    std::vector<std::vector<int>> velocities(numbers.size());
    for (int b = 0; b < system.body_count(); ++b) {
      const auto& joint = system.joint(b);
      for (int i = 0; i < joint.velocities; ++i)
        velocities[at(numbers[at(b)])].push_back(joint.v + i);
    }
    assembly::SparseMatrix held(system.velocities, system.velocities);
    if (system.constraints > 0) {
      const assembly::SparseMatrix A = pose_.closing_matrix();
      held = A.transpose() * A;
    }
    for (const auto& own : velocities) check_inertia(own, held);
  }
  // Of these velocities; A^T A as a whole.
  void check_inertia(const std::vector<int>& velocities, const assembly::SparseMatrix& held) {
    const auto n = static_cast<int>(velocities.size());
    if (n == 0) return;
    Eigen::MatrixXd K(n, n), own_held = Eigen::MatrixXd::Zero(n, n);
    Eigen::VectorXd p(pose_.system.velocities);
    std::vector<int> place(at(pose_.system.velocities), kNone);
    for (int k = 0; k < n; ++k) place[at(velocities[at(k)])] = k;
    for (int k = 0; k < n; ++k) {
      const int column = velocities[at(k)];
      pose_.with_unit_motion(column, [&] { momenta(pose_.system, pose_.kin, p.data()); });
      K.col(k) = pose_.unit_length(velocities).cwiseProduct(p(velocities));
      for (assembly::SparseMatrix::InnerIterator entry(held, column); entry; ++entry)
        own_held(place[at(static_cast<int>(entry.row()))], k) = entry.value();
    }
    if (const double most = K.diagonal().maxCoeff(); most > 0.0) K /= most;
    if (const double size = own_held.trace(); size > 0.0) K += own_held / size;
    const auto eigen = symmetric_eigen(K);
    if (eigen.values(0) > kLeastInertia * eigen.values(n - 1)) return;
    Eigen::Index k = 0;
    eigen.vectors.col(0).cwiseAbs().maxCoeff(&k);
    const int j = pose_.joint_of_velocity(velocities[static_cast<std::size_t>(k)]);
    const bool floats =
        pose_.described(j).type == JointType::kFree && pose_.described(j).parent == kGround;
    pose_.refuse(
        j,
        "its motion is undetermined: no body that moves with it has inertia there, or none above "
        "1e-12 of the largest, and no loop holds it" +
            std::string(floats ? "; in URDF and SDF --fixed-base holds what floats" : ""));
  }

  assembly::PosedMechanism<Space> pose_;
  assembly::LoopCloser<Space> closer_{pose_};
};

}  // namespace

std::vector<OpenLoop> open_loops(const Model& model) {
  const auto assembly = model.for_assembly();
  const Model& tried = assembly ? *assembly : model;
  return tried.visit([&]<class Space>(const System<Space>& system) {
    return Assembler<Space>(tried, system, 0.0).open_loops();
  });
}

InitialState initial_state(const Model& model, double t) {
  return model.visit([&]<class Space>(const System<Space>& system) {
    Assembler<Space> assembler(model, system, t);
    const auto assembly = system.constraints > 0 ? model.for_assembly() : std::nullopt;
    if (assembly) {
      const auto& other = std::get<System<Space>>(assembly->tables());
      assembler.take_over(*assembly, other, Assembler<Space>(*assembly, other, t).solve());
    } else {
      assembler.solve();
    }
    return assembler.finish();
  });
}

}  // namespace hamiltree
