// Gives the momentum of the ballast (model/ballast.hpp) back in the fewest sweeps. A sweep takes a
// guess g of the motions of all bodies that carry ballast and answers
//   (M + M_b) G(g) = impulses + M_b g          on the motions that joints and loops allow
// The motion x = G(x) of the bare bodies solves A (x - g) = G(g) - g, where A = 1 - dG/dg is
// positive and self-adjoint in the product <x, y> = x^T M_b y. Plain repetition needs hundreds of
// sweeps where little else than the ballast moves, as near the gimbal lock of a cross without mass;
// conjugate residuals need about one for each such motion, and five elsewhere.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/math/scalar.hpp"
#include "hamiltree/model/ballast.hpp"

namespace hamiltree {

template <class Space>
class BallastReturn {
 public:
  using Scalar = typename Space::Scalar;
  using Motion = typename Space::Motion;

  explicit BallastReturn(const System<Space>& system) {
    for (int b = 0; b < system.body_count(); ++b) {
      if (!has_ballast(system, b)) continue;
      bodies_.emplace_back().body = b;
    }
  }

  // After the sweep without a guess, motion(b) in the body's own axes.
  //   (1)  g = 0     r = G(g) - g
  template <class MotionOf>
  void start(const System<Space>& system, const MotionOf& motion) {
    for (auto& at : bodies_) {
      at.g = at.tried = at.p = at.Ap = Motion::Zero();
      at.r = motion(at.body);
    }
    sweeps_ = 0;
    is_rounding_ = false;
    first_ = r_r_ = square(system);
    if constexpr (kBranches) rounding_ = rounding(system, motion);
  }

  // Whether another sweep is to be made: its guess is then g + r. The last sweep stands where its
  // own guess was right.
  bool next() {
    if (bodies_.empty() || sweeps_ == most()) return false;
    if constexpr (kBranches) {
      if (is_rounding_) return false;
      if (sweeps_ > 0 && !(tried_ > kRight * kRight * first_)) return false;
      if (sweeps_ > 1 && r_r_ > kStalls * tried_ && r_r_ <= rounding_) return false;
    }
    tried_ = r_r_;
    ++sweeps_;
    return true;
  }

  // turn(b, P, dP) for each body with ballast: the momentum of its ballast by the next guess, and
  // by how much that differs from the last one's; own axes at the body's origin.
  template <class Turn>
  void each_guess(const System<Space>& system, const Turn& turn) {
    for (auto& at : bodies_) {
      const Motion next = at.g + at.r;
      turn(at.body, ballast_momentum(system, at.body, next),
           ballast_momentum(system, at.body, Motion(next - at.tried)));
      at.tried = next;
    }
  }

  // After the sweep with that guess.
  //   (2)  A r = r - (G(g + r) - G(g))
  //   (3)  p <- r + beta p     A p <- A r + beta A p     beta  = <r, A r> / its last value
  //   (4)  g <- g + alpha p    r <- r - alpha A p        alpha = <r, A r> / <A p, A p>
  template <class MotionOf>
  void take(const System<Space>& system, const MotionOf& motion) {
    // (2)
    Scalar r_Ar(0), Ar_Ar(0);
    for (auto& at : bodies_) {
      at.Ar = at.r - (motion(at.body) - at.tried);
      const auto P = ballast_momentum(system, at.body, at.Ar);
      r_Ar += at.r.dot(P);
      if constexpr (kBranches) Ar_Ar += at.Ar.dot(P);
    }
    if constexpr (kBranches) {
      is_rounding_ = !(Ar_Ar <= kGrows * r_r_);
      if (is_rounding_) return;
    }
    // (3)
    const Scalar beta = sweeps_ == 1 ? Scalar(0) : ratio(r_Ar, r_Ar_);
    Scalar Ap_Ap(0);
    for (auto& at : bodies_) {
      at.p = at.r + beta * at.p;
      at.Ap = at.Ar + beta * at.Ap;
      Ap_Ap += at.Ap.dot(ballast_momentum(system, at.body, at.Ap));
    }
    r_Ar_ = r_Ar;
    // (4)
    const Scalar alpha = ratio(r_Ar, Ap_Ap);
    for (auto& at : bodies_) {
      at.g += alpha * at.p;
      at.r -= alpha * at.Ap;
    }
    r_r_ = square(system);
  }

 private:
  // Scalars whose comparisons are no decisions, as those that are traced, make as many each time.
  static constexpr bool kBranches = std::is_floating_point_v<Scalar>;
  static constexpr double kRight = 1e-13;    // |r|, of the first
  static constexpr double kStalls = 0.25;    // <r, r>, of the last
  static constexpr double kGrows = 4.0;      // <A r, A r>, of <r, r>: A is at most 1
  static constexpr double kRounded = 1e-15;  // of a motion
  static constexpr int most() { return kBranches ? kMostBallastSweeps : kBallastSweeps; }

  struct OfBody {
    int body = 0;
    Motion g = Motion::Zero(), r = g, p = g, Ar = g, Ap = g, tried = g;
  };

  // Zero over zero is zero: nothing is left to give back.
  static Scalar ratio(const Scalar& a, const Scalar& b) {
    const Scalar divisor = select(b > Scalar(0), b, Scalar(1));
    return select(b > Scalar(0), a / divisor, Scalar(0));
  }
  Scalar square(const System<Space>& system) const {
    Scalar sum(0);
    for (const auto& at : bodies_) sum += at.r.dot(ballast_momentum(system, at.body, at.r));
    return sum;
  }

  // <r, r> by the rounding of the motions of which r is a difference: where a rotor without inertia
  // falls with its robot, r is rounded like the speed of the fall.
  template <class MotionOf>
  double rounding(const System<Space>& system, const MotionOf& motion) const {
    double sum = 0.0;
    for (const auto& at : bodies_) {
      const auto &carried = system.carried(at.body), &body = system.body(at.body);
      const double length = system.length, mass = static_cast<double>(carried.mass - body.mass),
                   inertia = static_cast<double>((carried.J_com - body.J_com).trace());
      const Motion V = motion(at.body);
      const auto slide = V.template head<Space::kLinear>().squaredNorm();
      const double slides = static_cast<double>(slide),
                   turns = static_cast<double>(V.squaredNorm() - slide);
      sum += (mass + inertia / (length * length)) * (slides + length * length * turns);
    }
    return kRounded * kRounded * sum;
  }

  std::vector<OfBody> bodies_;
  int sweeps_ = 0;
  bool is_rounding_ = false;             // A r is none: the motions' rounding is all that is left
  Scalar first_{0}, tried_{0}, r_r_{0};  // <r, r>: at first, at the last guess, now
  double rounding_ = 0.0;                // of that
  Scalar r_Ar_{1};
};

}  // namespace hamiltree
