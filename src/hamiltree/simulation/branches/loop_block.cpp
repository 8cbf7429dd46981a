#include "hamiltree/simulation/branches/loop_block.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <numeric>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/loops.hpp"
#include "hamiltree/simulation/branches/differences.hpp"

namespace hamiltree::branches {
namespace {

// qdot = B v of one joint at the coordinates q, which point at its own.
template <class Space>
Eigen::MatrixXd rates_matrix(const Joint<Space>& joint, const double* q) {
  Eigen::MatrixXd B(joint.coordinates, joint.velocities);
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(joint.velocities);
  for (int k = 0; k < joint.velocities; ++k) {
    unit(k) = 1.0;
    visit_joint<Space>(joint, [&]<class J>(const J&) {
      J::coordinate_rates(q, unit.data(), B.col(k).data());
    });
    unit(k) = 0.0;
  }
  return B;
}

constexpr int kQuaternion = 4;  // the last coordinates of joints that have more than velocities

template <class Space>
class LoopBlockOf final : public LoopBlock {
 public:
  LoopBlockOf(const System<Space>& system, std::vector<int> joints, std::vector<int> rows)
      : system_(system), kin_(system), unit_(Eigen::VectorXd::Zero(system.velocities)) {
    length_ = system.length;
    joints_ = std::move(joints);
    rows_ = std::move(rows);
    std::ranges::sort(joints_);
    std::ranges::sort(rows_);
    for (const int j : joints_) {
      const auto& joint = system.joint(j);
      has_drives_ = has_drives_ || joint.drive != kNone;
      has_quasi_velocities_ = has_quasi_velocities_ || joint.velocities > 1;
      for (int i = 0; i < joint.coordinates; ++i) coordinates_.push_back(joint.q + i);
      for (int i = 0; i < joint.velocities; ++i) {
        velocities_.push_back(joint.v + i);
        per_metre_.push_back(joint.free[at(i)] < Space::kLinear ? 1.0 : 1.0 / length_);
      }
    }
    for (int c = system.body_count(); c < system.joint_count(); ++c) {
      const auto& cut = system.joint(c);
      if (cut.drive != kNone && std::ranges::binary_search(rows_, cut.row)) has_drives_ = true;
    }
  }

  Gaps gaps(const Eigen::VectorXd& x) override {
    const auto n = static_cast<Eigen::Index>(velocities_.size());
    const auto m = static_cast<Eigen::Index>(rows_.size());
    const Eigen::VectorXd q = displaced(x);
    Eigen::VectorXd all(system_.constraints);
    Gaps result{Eigen::VectorXd(m), Eigen::MatrixXd(m, n)};
    const auto take = [&](auto&& to) {
      for (Eigen::Index r = 0; r < m; ++r) {
        const int row = rows_[static_cast<std::size_t>(r)];
        to(r) = system_.row_scales[at(row)] * all(row);
      }
    };
    place(system_, t_, q.data(), kin_);
    position_residual(system_, kin_, q.data(), all.data());
    take(result.phi);
    kin_.frozen = true;
    for (Eigen::Index k = 0; k < n; ++k) {
      const int v = velocities_[static_cast<std::size_t>(k)];
      unit_(v) = per_metre_[static_cast<std::size_t>(k)];
      move(system_, unit_.data(), kin_);
      velocity_residual(system_, kin_, all.data());
      take(result.J.col(k));
      unit_(v) = 0.0;
    }
    kin_.frozen = false;
    result.J = result.J * chart(x);
    return result;
  }

  Eigen::VectorXd displaced(const Eigen::VectorXd& x) const override {
    Eigen::VectorXd q = home_;
    int k = 0;
    for (const int j : joints_) {
      const auto& joint = system_.joint(j);
      if (joint.velocities == 0) continue;
      add_displacement(joint, x, k, q);
      visit_joint<Space>(joint, [&]<class J>(const J&) { J::normalise(q.data() + joint.q); });
      k += joint.velocities;
    }
    return q;
  }

  Eigen::VectorXd displacement_to(const Eigen::VectorXd& q) const override {
    Eigen::VectorXd x(static_cast<Eigen::Index>(velocities_.size()));
    int k = 0;
    for (const int j : joints_) {
      const auto& joint = system_.joint(j);
      if (joint.velocities == 0) continue;
      Eigen::VectorXd there = q.segment(joint.q, joint.coordinates);
      const Eigen::VectorXd here = home_.segment(joint.q, joint.coordinates);
      if (joint.coordinates > joint.velocities) {
        // On the line through the quaternion where the tangent plane at home meets it.
        auto there_turn = there.tail<kQuaternion>();
        there_turn /= there_turn.dot(here.tail<kQuaternion>());
      }
      const Eigen::MatrixXd B = rates_matrix(joint, here.data());
      const Eigen::VectorXd v = (B.transpose() * B).ldlt().solve(B.transpose() * (there - here));
      for (int i = 0; i < joint.velocities; ++i, ++k) x(k) = v(i) / per_metre_[at(k)];
    }
    return x;
  }

  Eigen::VectorXd velocities(const Eigen::VectorXd& x,
                             const Eigen::VectorXd& x_rate) const override {
    Eigen::VectorXd v = chart(x) * x_rate;
    for (Eigen::Index k = 0; k < v.size(); ++k) v(k) *= per_metre_[static_cast<std::size_t>(k)];
    return v;
  }

 private:
  // q += B(home) x, without bringing quaternions back to length 1.
  void add_displacement(const Joint<Space>& joint, const Eigen::VectorXd& x, int k,
                        Eigen::VectorXd& q) const {
    Eigen::VectorXd v(joint.velocities), q_step(joint.coordinates);
    for (int i = 0; i < joint.velocities; ++i) v(i) = per_metre_[at(k + i)] * x(k + i);
    visit_joint<Space>(joint, [&]<class J>(const J&) {
      J::coordinate_rates(home_.data() + joint.q, v.data(), q_step.data());
    });
    q.segment(joint.q, joint.coordinates) += q_step;
  }

  // Velocities, in m/s, of unit rates of x: the identity but for quasi-velocities.
  Eigen::MatrixXd chart(const Eigen::VectorXd& x) const {
    const auto n = static_cast<Eigen::Index>(velocities_.size());
    Eigen::MatrixXd C = Eigen::MatrixXd::Identity(n, n);
    int k = 0;
    for (const int j : joints_) {
      const auto& joint = system_.joint(j);
      if (joint.velocities > 1) {
        Eigen::VectorXd raw = home_;
        add_displacement(joint, x, k, raw);
        Eigen::MatrixXd B_home = rates_matrix(joint, home_.data() + joint.q);
        if (joint.coordinates > joint.velocities) {
          auto turn = raw.segment(joint.q + joint.coordinates - kQuaternion, kQuaternion);
          B_home.bottomRows(kQuaternion) /= turn.norm();
          turn.normalize();
        }
        const Eigen::MatrixXd B = rates_matrix(joint, raw.data() + joint.q);
        Eigen::MatrixXd block = (B.transpose() * B).ldlt().solve(B.transpose() * B_home);
        for (int a = 0; a < joint.velocities; ++a) {
          for (int b = 0; b < joint.velocities; ++b)
            block(a, b) *= per_metre_[at(k + b)] / per_metre_[at(k + a)];
        }
        C.block(k, k, joint.velocities, joint.velocities) = block;
      }
      k += joint.velocities;
    }
    return C;
  }

  const System<Space>& system_;
  Kinematics<Space> kin_;
  Eigen::VectorXd unit_;
  std::vector<double> per_metre_;  // rad or m for each metre of x
};

// Joints of the tree that a joint's coordinate, or the loop that it closes, depends on.
template <class Space>
std::vector<int> tree_joints(const System<Space>& system, int joint) {
  if (!system.joint(joint).is_cut()) return {joint};
  std::vector<bool> between(at(system.body_count()), false);
  for (const int end : {system.joint(joint).parent, system.joint(joint).child}) {
    for (int b = end; b != kNone; b = system.inboard(b)) between[at(b)] = !between[at(b)];
  }
  std::vector<int> joints;
  for (int b = 0; b < system.body_count(); ++b) {
    if (between[at(b)]) joints.push_back(b);
  }
  return joints;
}

template <class Space>
std::vector<std::unique_ptr<LoopBlock>> blocks_of(const System<Space>& system) {
  struct Loop {
    std::vector<int> joints, rows;
  };
  std::vector<Loop> loops;
  for (int c = system.body_count(); c < system.joint_count(); ++c) {
    const auto& cut = system.joint(c);
    std::vector<int> rows(at(cut.constraints));
    std::iota(rows.begin(), rows.end(), cut.row);
    loops.push_back({tree_joints(system, c), rows});
  }
  for (const auto& coupling : system.couplings) {
    auto joints = tree_joints(system, coupling.joint);
    for (const int j : tree_joints(system, coupling.to)) joints.push_back(j);
    loops.push_back({joints, {coupling.row}});
  }
  std::vector<int> root(system.bodies.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int j) {
    while (root[at(j)] != j) j = root[at(j)] = root[at(root[at(j)])];
    return j;
  };
  for (const auto& loop : loops) {
    for (const int j : loop.joints) root[at(find(j))] = find(loop.joints.front());
  }
  std::vector<std::unique_ptr<LoopBlock>> blocks;
  for (int r = 0; r < system.body_count(); ++r) {
    std::vector<int> joints, rows;
    for (const auto& loop : loops) {
      if (loop.joints.empty() || find(loop.joints.front()) != r) continue;
      joints.insert(joints.end(), loop.joints.begin(), loop.joints.end());
      rows.insert(rows.end(), loop.rows.begin(), loop.rows.end());
    }
    if (rows.empty()) continue;
    std::ranges::sort(joints);
    joints.erase(std::ranges::unique(joints).begin(), joints.end());
    blocks.push_back(std::make_unique<LoopBlockOf<Space>>(system, joints, rows));
  }
  return blocks;
}

}  // namespace

// The velocities are C(x) x_rate: the rate of C is taken by differences of sixth order along x.
Eigen::VectorXd LoopBlock::accelerations(const Eigen::VectorXd& x, const Eigen::VectorXd& x_rate,
                                         const Eigen::VectorXd& x_rate_rate) const {
  Eigen::VectorXd rates = velocities(x, x_rate_rate);
  const double speed = x_rate.norm();
  if (!has_quasi_velocities_ || speed == 0.0) return rates;
  const double h = 0.01 * length_ / speed;  // s
  return rates + rate_by_differences(h, [&](double dt) -> Eigen::VectorXd {
           return velocities(x + dt * x_rate, x_rate);
         });
}

std::vector<std::unique_ptr<LoopBlock>> loop_blocks(const Model& model) {
  return model.visit([](const auto& system) { return blocks_of(system); });
}

}  // namespace hamiltree::branches
