#include "hamiltree/simulation/branches/loop_block.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/loop_joints.hpp"
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
    visit_joint<Space>(
        joint, [&]<class J>(const J&) { J::coordinate_rates(q, unit.data(), B.col(k).data()); });
    unit(k) = 0.0;
  }
  return B;
}

struct LoopGroup {
  std::vector<int> joints, cuts, couplings;
};

constexpr double kAtRest = 1e-9;           // of the length, 1/s
constexpr double kAtRestPerSecond = 1e-6;  // of the length, of loops that drives open
constexpr int kQuaternion = 4;  // the last coordinates of joints that have more than velocities

// For all blocks of a model: what an evaluation needs of the whole.
template <class Space>
struct Scratch {
  explicit Scratch(const System<Space>& system)
      : kin(system),
        unit(Eigen::VectorXd::Zero(system.velocities)),
        rows(Eigen::VectorXd::Zero(system.constraints)) {}

  Kinematics<Space> kin;
  Eigen::VectorXd unit;  // joint velocities, all zero between evaluations
  Eigen::VectorXd rows;  // Phi or its rate
};

template <class Space>
class LoopBlockOf final : public LoopBlock {
 public:
  LoopBlockOf(const System<Space>& system, std::shared_ptr<Scratch<Space>> scratch,
              const LoopGroup& group)
      : system_(system), scratch_(std::move(scratch)), couplings_(group.couplings) {
    cuts_ = group.cuts;
    length_ = system.length;
    joints_ = group.joints;
    for (const int j : joints_) {
      const auto& joint = system.joint(j);
      if (joint.drive != kNone) drives_.push_back(joint.drive);
      has_quasi_velocities_ = has_quasi_velocities_ || joint.velocities > 1;
      for (int i = 0; i < joint.coordinates; ++i) coordinates_.push_back(joint.q + i);
      for (int i = 0; i < joint.velocities; ++i) {
        velocities_.push_back(joint.v + i);
        per_metre_.push_back(joint.free[at(i)] < Space::kLinear ? 1.0 : 1.0 / length_);
      }
      const int inboard = system.inboard(j);
      if (inboard != kNone && !std::ranges::binary_search(joints_, inboard))
        outside_.push_back(inboard);
    }
    for (const int c : cuts_) {
      const auto& cut = system.joint(c);
      if (cut.drive != kNone) drives_.push_back(cut.drive);
      for (int i = 0; i < cut.constraints; ++i) rows_.push_back(cut.row + i);
    }
    for (const int i : couplings_) rows_.push_back(system.couplings[at(i)].row);
    std::ranges::sort(rows_);
    has_drives_ = !drives_.empty();
    for (const int j : joints_) {
      std::vector<int> carried{j}, opened;
      const auto is_carried = [&](int body) {
        return std::ranges::find(carried, body) != carried.end();
      };
      for (const int b : joints_) {
        if (b > j && is_carried(system.inboard(b))) carried.push_back(b);
      }
      for (const int c : cuts_) {
        if (is_carried(system.joint(c).parent) || is_carried(system.joint(c).child))
          opened.push_back(c);
      }
      carried_.push_back(std::move(carried));
      opened_.push_back(std::move(opened));
    }
  }

  Gaps gaps(const Eigen::VectorXd& x) override {
    const auto n = static_cast<Eigen::Index>(velocities_.size());
    const Eigen::VectorXd q = displaced(x);
    place_at(time_at(x), q);
    Gaps result{Eigen::VectorXd(), Eigen::MatrixXd(rows_.size(), size())};
    for (const int c : cuts_) cut_residual(system_, scratch_->kin, c, scratch_->rows.data());
    for (const int i : couplings_) {
      scratch_->rows(system_.couplings[at(i)].row) =
          coupling_residual(system_, scratch_->kin, q.data(), at(i));
    }
    result.phi = own_rows();
    fill_with_opening_rates(result.J);
    if (has_quasi_velocities_) result.J.leftCols(n) = result.J.leftCols(n) * chart(x);
    if (has_drives_) result.J.col(n) = opening_rates_of_drives() / home_.clock_rate;
    return result;
  }

  Eigen::VectorXd displaced(const Eigen::VectorXd& x) const override {
    Eigen::VectorXd q = home_.q;
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

  Eigen::VectorXd displacement_to(double t, const Eigen::VectorXd& q) const override {
    Eigen::VectorXd x(size());
    int k = 0;
    for (const int j : joints_) {
      const auto& joint = system_.joint(j);
      if (joint.velocities == 0) continue;
      Eigen::VectorXd there = q.segment(joint.q, joint.coordinates);
      const Eigen::VectorXd here = home_.q.segment(joint.q, joint.coordinates);
      if (joint.coordinates > joint.velocities) {
        // On the line through the quaternion where the tangent plane at home meets it.
        auto there_turn = there.tail<kQuaternion>();
        there_turn /= there_turn.dot(here.tail<kQuaternion>());
      }
      const Eigen::MatrixXd B = rates_matrix(joint, here.data());
      const Eigen::VectorXd v = (B.transpose() * B).ldlt().solve(B.transpose() * (there - here));
      for (int i = 0; i < joint.velocities; ++i, ++k) x(k) = v(i) / per_metre_[at(k)];
    }
    if (has_drives_) x(k) = home_.clock_rate * (t - home_.t);
    return x;
  }

  Eigen::VectorXd velocities(const Eigen::VectorXd& x,
                             const Eigen::VectorXd& x_rate) const override {
    Eigen::VectorXd v = chart(x) * x_rate.head(static_cast<Eigen::Index>(velocities_.size()));
    for (Eigen::Index k = 0; k < v.size(); ++k) v(k) *= per_metre_[static_cast<std::size_t>(k)];
    return v;
  }

 private:
  // Bodies outside stay where they are: it moves all of a loop or nothing.
  void place_at(double t, const Eigen::VectorXd& q) {
    auto& kin = scratch_->kin;
    for (const int d : drives_) kin.drives[at(d)] = evaluate<Space>(system_.drives[at(d)], t);
    for (const int b : outside_) kin.V_WB[at(b)] = Space::Motion::Zero();
    for (const int b : joints_) {
      place_body(system_, b, pose_in_inboard(system_.joint(b), kin, q.data()), kin);
      kin.joints[at(b)].X_WJ = joint_frame(system_, kin, b);
    }
    for (const int c : cuts_) kin.joints[at(c)].X_WJ = joint_frame(system_, kin, c);
    place_couplings(system_, q.data(), kin);
  }

  // How fast unit velocities open the rows, m/s, each in a column: those of a joint move the bodies
  // that it carries, and open the loops through these.
  void fill_with_opening_rates(Eigen::MatrixXd& J) {
    auto& [kin, unit, rows] = *scratch_;
    kin.frozen = true;
    for (const int b : joints_) kin.V_WB[at(b)] = Space::Motion::Zero();
    Eigen::Index k = 0;
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      for (int i = 0; i < system_.joint(joints_[j]).velocities; ++i, ++k) {
        const int v = velocities_[static_cast<std::size_t>(k)];
        unit(v) = per_metre_[static_cast<std::size_t>(k)];
        for (const int r : rows_) rows(r) = 0.0;
        for (const int b : carried_[j]) move_body(system_, b, unit.data(), kin);
        for (const int c : opened_[j]) cut_rates(system_, kin, c, rows.data());
        set_coupling_rates();
        J.col(k) = own_rows();
        unit(v) = 0.0;
      }
      for (const int b : carried_[j]) kin.V_WB[at(b)] = Space::Motion::Zero();
    }
    kin.frozen = false;
  }

  // The same of the drives.
  Eigen::VectorXd opening_rates_of_drives() {
    auto& [kin, unit, rows] = *scratch_;
    for (const int b : joints_) move_body(system_, b, unit.data(), kin);
    for (const int c : cuts_) cut_rates(system_, kin, c, rows.data());
    set_coupling_rates();
    return own_rows();
  }

  void set_coupling_rates() {
    for (const int i : couplings_) {
      scratch_->rows(system_.couplings[at(i)].row) = coupling_rate(system_, scratch_->kin, at(i));
    }
  }

  Eigen::VectorXd own_rows() const {
    Eigen::VectorXd own(static_cast<Eigen::Index>(rows_.size()));
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const int row = rows_[r];
      own(static_cast<Eigen::Index>(r)) = system_.row_scales[at(row)] * scratch_->rows(row);
    }
    return own;
  }

  double opening_speed_of_drives() override {
    place_at(home_.t, home_.q);
    return opening_rates_of_drives().norm();
  }

  // q += B(home) x, without bringing quaternions back to length 1.
  void add_displacement(const Joint<Space>& joint, const Eigen::VectorXd& x, int k,
                        Eigen::VectorXd& q) const {
    Eigen::VectorXd v(joint.velocities), q_step(joint.coordinates);
    for (int i = 0; i < joint.velocities; ++i) v(i) = per_metre_[at(k + i)] * x(k + i);
    visit_joint<Space>(joint, [&]<class J>(const J&) {
      J::coordinate_rates(home_.q.data() + joint.q, v.data(), q_step.data());
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
        Eigen::VectorXd raw = home_.q;
        add_displacement(joint, x, k, raw);
        Eigen::MatrixXd B_home = rates_matrix(joint, home_.q.data() + joint.q);
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
  std::shared_ptr<Scratch<Space>> scratch_;
  std::vector<int> couplings_, drives_;
  std::vector<int> outside_;  // bodies that carry the block
  // Of each joint: the bodies that it carries, inboard ones first, and the cuts that they open.
  std::vector<std::vector<int>> carried_, opened_;
};

// Loops that share joints, as the numbers of their joints, cuts and couplings.
template <class Space>
std::vector<LoopGroup> groups_of(const System<Space>& system) {
  std::vector<int> root(system.bodies.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int j) {
    while (root[at(j)] != j) j = root[at(j)] = root[at(root[at(j)])];
    return j;
  };
  std::vector<LoopGroup> loops;
  for (int c = system.body_count(); c < system.joint_count(); ++c)
    loops.push_back({tree_joints(system, c), {c}, {}});
  for (int i = 0; i < static_cast<int>(system.couplings.size()); ++i) {
    const auto& coupling = system.couplings[at(i)];
    loops.push_back({tree_joints(system, coupling.joint), {}, {i}});
    for (const int j : tree_joints(system, coupling.to)) loops.back().joints.push_back(j);
  }
  for (const auto& loop : loops) {
    for (const int j : loop.joints) root[at(find(j))] = find(loop.joints.front());
  }
  std::map<int, LoopGroup> groups;
  for (const auto& loop : loops) {
    if (loop.joints.empty()) continue;  // between bodies that are the same
    auto& group = groups[find(loop.joints.front())];
    const auto append = [](const std::vector<int>& from, std::vector<int>& to) {
      to.insert(to.end(), from.begin(), from.end());
    };
    append(loop.joints, group.joints);
    append(loop.cuts, group.cuts);
    append(loop.couplings, group.couplings);
  }
  std::vector<LoopGroup> result;
  for (auto& [first, group] : groups) {
    std::ranges::sort(group.joints);
    group.joints.erase(std::unique(group.joints.begin(), group.joints.end()), group.joints.end());
    result.push_back(std::move(group));
  }
  return result;
}

}  // namespace

// Drives that rest here for now have no unit of their own.
void LoopBlock::set_home(double t, const Eigen::VectorXd& q, double speed) {
  home_ = {t, q, 0.0};
  if (!has_drives_) return;
  const double rate = std::max(opening_speed_of_drives(), speed);
  home_.clock_rate = rate > kAtRestPerSecond * length_ ? rate : length_;
}

Eigen::VectorXd LoopBlock::displacement_rate(const Eigen::VectorXd& v) const {
  Eigen::VectorXd rate = Eigen::VectorXd::Constant(size(), home_.clock_rate);
  for (std::size_t k = 0; k < velocities_.size(); ++k)
    rate(static_cast<Eigen::Index>(k)) = v(velocities_[k]) / per_metre_[k];
  return rate;
}

double LoopBlock::speed(const Eigen::VectorXd& v) const {
  const auto joints = static_cast<Eigen::Index>(velocities_.size());
  return displacement_rate(v).head(joints).lpNorm<Eigen::Infinity>();
}

bool LoopBlock::moves(const Eigen::VectorXd& v) const {
  return displacement_rate(v).cwiseAbs().maxCoeff() > kAtRest * length_;
}

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
  return model.visit([]<class Space>(const System<Space>& system) {
    std::vector<std::unique_ptr<LoopBlock>> blocks;
    const auto scratch = std::make_shared<Scratch<Space>>(system);
    for (const auto& group : groups_of(system))
      blocks.push_back(std::make_unique<LoopBlockOf<Space>>(system, scratch, group));
    return blocks;
  });
}

}  // namespace hamiltree::branches
