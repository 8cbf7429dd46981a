#include "hamiltree/ensemble/pin_lanes.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/screws/side_by_side.hpp"

namespace hamiltree {
namespace {

screws::TreeOf<Pack> trees_of(std::span<const PinMechanism> mechanisms) {
  std::vector<screws::Tree> trees;
  for (const auto& mechanism : mechanisms) {
    if (!are_alike(mechanism, mechanisms.front()))
      throw UsageError("mechanisms side by side must be alike");
    trees.push_back(mechanism.tree);
  }
  return *screws::side_by_side(trees);
}

}  // namespace

PinLanes::PinLanes(std::span<const PinMechanism> mechanisms)
    : tree_(trees_of(mechanisms)),
      kernels_(screws::kernels()),
      at_pose_(kernels_.eight_at_a_pose),
      work_(screws::work_of(tree_)) {
  const auto velocities = tree_.sign.size();
  const auto coordinates = velocities + tree_.free_roots.size();
  p_.resize(velocities);
  v_.resize(velocities);
  if (mechanisms.front().closings.empty()) return;
  loops_.emplace(mechanisms);
  columns_.resize(loops_->rows() * velocities);
  placed_.resize(coordinates, Pack(std::numeric_limits<double>::quiet_NaN()));
  sigma_.resize(loops_->rows());
}

// A and the factors of A M^-1 A^T, unless they are those of q already, as in the first stage after
// a reset: a column of M^-1 A^T is what the tree makes of a row of A as momenta. From then on the
// tree knows q, too.
void PinLanes::place_loops(const Pack* q) {
  if (std::memcmp(q, placed_.data(), sizeof(Pack) * placed_.size()) == 0) return;
  std::copy(q, q + placed_.size(), placed_.begin());
  loops_->place(q);
  for (std::size_t r = 0; r < loops_->rows(); ++r) {
    const screws::Request<Pack> asked{q, loops_->row(r), &columns_[r * v_.size()]};
    r == 0 ? at_pose_.velocities(tree_, asked, work_)
           : at_pose_.velocities_again(tree_, asked, work_);
  }
  loops_->factor(columns_);
}

// sigma that keeps the loops closed, and p_ = p + A^T sigma.
void PinLanes::find_impulses(const Pack* q, const Pack* p) {
  at_pose_.velocities_again(tree_, {q, p, v_.data()}, work_);
  loops_->opening_velocities(v_.data(), sigma_);
  loops_->close(sigma_);
  std::copy(p, p + p_.size(), p_.begin());
  loops_->add_impulses(sigma_, p_.data());
}

// With P = p + A^T sigma the momenta of the motion:  pdot = Pdot(q, P) - d(A^T sigma)/dt
bool PinLanes::rate(const Pack* q, const Pack* p, Pack* v, Pack* q_dot, Pack* p_dot) {
  if (!loops_) return kernels_.eight(tree_, {q, p, v, q_dot, p_dot}, work_);
  place_loops(q);
  find_impulses(q, p);
  const bool finite = at_pose_.rates_again(tree_, {q, p_.data(), v, q_dot, p_dot}, work_);
  loops_->subtract_turning(v, sigma_, p_dot);
  return finite;
}

void PinLanes::close_loops(Pack* q) {
  if (!loops_) return;
  place_loops(q);
  std::ranges::copy(loops_->gaps(), sigma_.begin());
  loops_->close(sigma_);
  const auto n = v_.size();
  for (std::size_t r = 0; r < loops_->rows(); ++r) {
    for (std::size_t i = 0; i < n; ++i) q[i] += columns_[r * n + i] * sigma_[r];
  }
}

void PinLanes::reset_momenta(const Pack* q, Pack* p) {
  if (!loops_) return;
  place_loops(q);
  find_impulses(q, p);
  std::ranges::copy(p_, p);
}

}  // namespace hamiltree
