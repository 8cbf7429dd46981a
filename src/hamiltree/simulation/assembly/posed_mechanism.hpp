// PosedMechanism: a mechanism at a time with what its joints prescribe, as the assembly moves it
// until its loops close.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/model/loop_gaps.hpp"
#include "hamiltree/model/loop_joints.hpp"
#include "hamiltree/model/loops.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree::assembly {

inline constexpr double kAcceptable = 1e-11;  // of the length: what rounding may leave
inline constexpr double kConsistent = 1e-9;  // of prescribed values that the loops determine anyway
inline constexpr double kRankTolerance = 1e-9;  // of least-norm solutions

using SparseMatrix = Eigen::SparseMatrix<double>;

// One matrix below the other.
inline SparseMatrix stacked(const SparseMatrix& above, const SparseMatrix& below) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(static_cast<std::size_t>(above.nonZeros() + below.nonZeros()));
  const auto add = [&](const SparseMatrix& A, Eigen::Index first_row) {
    for (Eigen::Index k = 0; k < A.outerSize(); ++k) {
      for (SparseMatrix::InnerIterator entry(A, k); entry; ++entry) {
        entries.emplace_back(static_cast<int>(first_row + entry.row()), static_cast<int>(k),
                             entry.value());
      }
    }
  };
  add(above, 0);
  add(below, above.rows());
  SparseMatrix both(above.rows() + below.rows(), above.cols());
  both.setFromTriplets(entries.begin(), entries.end());
  return both;
}

template <class Space>
struct PosedMechanism {
  PosedMechanism(const Model& of_model, const System<Space>& of_system, double at_time)
      : model(of_model),
        system(of_system),
        t(at_time),
        kin(system),
        loop_gaps(system),
        q(Eigen::VectorXd::Zero(system.coordinates)),
        v(Eigen::VectorXd::Zero(system.velocities)),
        unit_length(Eigen::VectorXd::Ones(system.velocities)) {}

  const Model& model;
  const System<Space>& system;
  double t;  // s
  Kinematics<Space> kin;
  LoopGaps<Space> loop_gaps;
  Eigen::VectorXd q, v;
  Eigen::VectorXd unit_length;  // of each velocity: 1 for angles, the length for displacements
  std::vector<int> free_q, held_v;
  std::vector<int> conditions;  // cuts with initial.q, which loops are closed beside

  const JointDescription& described(int j) const {
    return model.mechanism().joints[at(model.described_joint(j))];
  }

  [[noreturn]] void refuse(int j, const std::string& why) const {
    const std::string element = "joint \"" + described(j).name + "\"";
    throw ModelError(described(j).where, element, element + ": " + why);
  }

  void prescribe() {
    for (int b = 0; b < system.body_count(); ++b) {
      const auto& joint = system.joint(b);
      const auto& said = described(b);
      auto own = q.segment(joint.q, joint.coordinates);
      if (said.initial_q) {
        own = *said.initial_q;
      } else if (said.guess_q) {
        own = *said.guess_q;
      } else {
        visit_joint<Space>(joint, [&](const auto& type) { type.coordinates({}, own.data()); });
      }
      if (said.initial_v) v.segment(joint.v, joint.velocities) = *said.initial_v;
      for (int i = 0; i < joint.velocities; ++i) {
        if (joint.free[at(i)] < Space::kLinear) unit_length(joint.v + i) = system.length;
        if (!said.initial_q) free_q.push_back(joint.v + i);
        if (said.initial_v) held_v.push_back(joint.v + i);
      }
    }
    normalise_coordinates(system, q.data());
    for (int c = system.body_count(); c < system.joint_count(); ++c) {
      if (described(c).initial_q) conditions.push_back(c);
    }
  }

  int joint_of_velocity(int k) const {
    for (int b = system.body_count() - 1; b >= 0; --b) {
      if (system.joint(b).v <= k && system.joint(b).velocities > 0) return b;
    }
    return 0;
  }

  double scale_of_row(int r) const { return system.row_scales[at(r)]; }

  // Angles and quaternions times the length, m.
  double unit_of(const Joint<Space>& joint, int coordinate) const {
    const bool is_length =
        coordinate < joint.velocities && joint.free[at(coordinate)] < Space::kLinear;
    return is_length ? 1.0 : system.length;
  }

  Eigen::VectorXd gaps() {
    Eigen::VectorXd phi(system.constraints);
    place(system, t, q.data(), kin);
    loop_gaps.find(kin, q.data(), phi.data());
    return phi;
  }

  // m; what Gauss-Newton makes small.
  double size_of(const Eigen::VectorXd& phi) const {
    double square = 0.0;
    for (int r = 0; r < phi.size(); ++r) square += std::pow(scale_of_row(r) * phi(r), 2);
    return std::sqrt(square);
  }

  // m
  double gap_of(const Joint<Space>& cut, const Eigen::VectorXd& phi) const {
    Eigen::VectorXd own = Eigen::VectorXd::Zero(phi.size());
    own.segment(cut.row, cut.constraints) = phi.segment(cut.row, cut.constraints);
    return size_of(own);
  }

  // The bodies from the parent, and from the child, of a joint inwards, as far as these ways
  // differ.
  std::array<std::vector<int>, 2> ways_of(int j) const {
    std::array<std::vector<int>, 2> ways;
    std::array<int, 2> here{system.joint(j).parent, system.joint(j).child};
    while (here[0] != here[1]) {
      const std::size_t outer = here[0] > here[1] ? 0 : 1;
      ways[outer].push_back(here[outer]);
      here[outer] = system.inboard(here[outer]);
    }
    return ways;
  }

  // The joints of the tree between the two bodies of a cut.
  std::vector<int> loop_of(int cut) const {
    auto loop = tree_joints(system, cut);
    std::ranges::sort(loop);
    return loop;
  }

  Eigen::VectorXd coordinates_of(int c) const {
    Eigen::VectorXd q(system.joint(c).coordinates);
    visit_joint<Space>(system.joint(c), [&](const auto& type) {
      type.coordinates(relative_pose(system, kin, c), q.data());
    });
    return q;
  }

  Eigen::VectorXd velocities_of(int c) const {
    const auto& joint = system.joint(c);
    const auto V = seen_motion(system, kin, c);
    Eigen::VectorXd v(joint.velocities);
    for (int i = 0; i < joint.velocities; ++i) v(i) = V(joint.free[at(i)]);
    return v;
  }

  Eigen::VectorXd coordinate_rates_of(int c) const {
    const auto& joint = system.joint(c);
    const Eigen::VectorXd q = coordinates_of(c);
    const Eigen::VectorXd v = velocities_of(c);
    Eigen::VectorXd q_dot(joint.coordinates);
    visit_joint<Space>(
        joint, [&](const auto& type) { type.coordinate_rates(q.data(), v.data(), q_dot.data()); });
    return q_dot;
  }

  // The frame of a cut on its child that is where the joint's own coordinates put it.
  Frame closing_frame(int c) const {
    const auto X_FM = relative_pose(system, kin, c);
    const Eigen::VectorXd q = coordinates_of(c);
    const auto shift = visit_joint<Space>(
        system.joint(c), [&](const auto& type) { return inverse(X_FM) * type.pose(q.data()); });
    constexpr int n = Space::kLinear;
    Frame frame = described(c).at_child;
    frame.position.template head<n>() += frame.rotation.template topLeftCorner<n, n>() * shift.r;
    frame.rotation.template topLeftCorner<n, n>() *= shift.R;
    return frame;
  }

  // Calls take() with the bodies moving by one unit of velocity k, and no drive.
  template <class Take>
  void with_unit_motion(int k, const Take& take) {
    Eigen::VectorXd unit = Eigen::VectorXd::Zero(system.velocities);
    unit(k) = unit_length(k);
    kin.frozen = true;
    move(system, unit.data(), kin);
    take();
    kin.frozen = false;
  }

  // The same for the velocities that move the two bodies of a joint against each other, with these
  // bodies moving.
  template <class Take>
  void each_unit_motion_of(int j, const Take& take) {
    Eigen::VectorXd unit = Eigen::VectorXd::Zero(system.velocities);
    kin.frozen = true;
    for (const int end : {system.joint(j).parent, system.joint(j).child}) stop(end);
    const auto ways = ways_of(j);
    for (const auto& way : ways) {
      for (const int b : way) stop(system.inboard(b));
    }
    for (const auto& way : ways) {
      for (std::size_t i = 0; i < way.size(); ++i) {
        const auto& joint = system.joint(way[i]);
        for (int k = joint.v; k < joint.v + joint.velocities; ++k) {
          unit(k) = unit_length(k);
          for (std::size_t outer = i + 1; outer-- > 0;)
            move_body(system, way[outer], unit.data(), kin);
          take(k);
          unit(k) = 0.0;
        }
      }
      for (const int b : way) stop(b);
    }
    kin.frozen = false;
  }

  // A with columns per unit angle or length and rows in metres. Rows that nothing moves, as those
  // of a planar joint in the plane of the motion, are zero and not rounding.
  SparseMatrix closing_matrix() {
    std::vector<Eigen::Triplet<double>> entries;
    Eigen::VectorXd rates(system.constraints);
    for (int c = system.body_count(); c < system.joint_count(); ++c) {
      const auto& cut = system.joint(c);
      each_unit_motion_of(c, [&](int k) {
        cut_rates(system, kin, c, rates.data());
        for (int r = cut.row; r < cut.row + cut.constraints; ++r)
          entries.emplace_back(r, k, scale_of_row(r) * rates(r));
      });
    }
    for (std::size_t i = 0; i < system.couplings.size(); ++i) {
      const auto& coupling = system.couplings[i];
      const auto add = [&](int j, double factor) {
        each_unit_motion_of(j, [&](int k) {
          entries.emplace_back(coupling.row, k, factor * joint_rate(system, kin, j));
        });
      };
      add(coupling.joint, scale_of_row(coupling.row));
      add(coupling.to, -scale_of_row(coupling.row) * kin.couplings[i].slope);
    }
    SparseMatrix A(system.constraints, system.velocities);
    A.setFromTriplets(entries.begin(), entries.end());
    const Eigen::VectorXd squares = A.cwiseProduct(A) * Eigen::VectorXd::Ones(A.cols());
    const double least = kRankTolerance * system.length;
    A.prune([&](Eigen::Index row, Eigen::Index, double) { return squares(row) > least * least; });
    return A;
  }

  // How fast the drives alone would open the loops, rows in m/s.
  Eigen::VectorXd opening_rates() {
    Eigen::VectorXd rates(system.constraints);
    const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(system.velocities);
    move(system, at_rest.data(), kin);
    velocity_residual(system, kin, rates.data());
    for (int r = 0; r < rates.size(); ++r) rates(r) *= scale_of_row(r);
    return rates;
  }

  void advance(const Eigen::VectorXd& delta) {
    Eigen::VectorXd q_step = Eigen::VectorXd::Zero(system.coordinates);
    coordinate_rates(system, q.data(), delta.data(), q_step.data());
    q += q_step;
    normalise_coordinates(system, q.data());
  }

 private:
  void stop(int body) {
    if (body != kNone) kin.V_WB[at(body)].setZero();
  }
};

}  // namespace hamiltree::assembly
