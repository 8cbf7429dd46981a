// A Peaucellier linkage whose crank falls until both arms lie upon each other. There its rhombus
// may also turn about the point where they meet, and neither motion is found by the loops' rows.
// The rhombus' outer corner D, where the frame of the body DA is, keeps to the line
//   x = (arm^2 - side^2) / (2 crank).
#pragma once

#include <Eigen/Core>
#include <cmath>

#include "hamiltree/model/mechanism.hpp"
#include "support/folded.hpp"

namespace hamiltree::test {

struct Peaucellier {
  double arm = 1.6, side = 0.7, crank = 0.5;  // m
  double start = 0.6;                         // rad, of the crank
  double line() const { return (arm * arm - side * side) / (2.0 * crank); }
};

// With the crank on a cart D keeps to no line.
inline Mechanism peaucellier(const Peaucellier& sizes, bool on_cart = false) {
  using Eigen::Vector3d;
  const auto [arm, side, crank, start] = sizes;
  Bars bars;
  const auto pin = [&](const char* name, const char* parent, double at_parent, const char* child,
                       double at_child, double guess) -> JointDescription& {
    auto& joint = bars.pin(name, parent, child, at_parent, at_child);
    joint.guess_q = Eigen::VectorXd::Constant(1, guess);
    return joint;
  };
  const Vector3d C(crank * (1.0 + std::cos(start)), crank * std::sin(start), 0.0);
  const double along = std::atan2(C.y(), C.x());
  const double half =
      std::acos((arm * arm + C.squaredNorm() - side * side) / (2.0 * arm * C.norm()));
  const auto on_arm = [&](double angle) -> Vector3d {
    return arm * Vector3d(std::cos(angle), std::sin(angle), 0.0);
  };
  const Vector3d A = on_arm(along + half), B = on_arm(along - half), D = A + B - C;
  const auto angle = [](const Vector3d& from, const Vector3d& to) {
    return std::atan2(to.y() - from.y(), to.x() - from.x());
  };
  const double oa = along + half, ob = along - half, ac = angle(A, C), cb = angle(C, B),
               bd = angle(B, D), da = angle(D, A);
  bars.bar("crank", crank);
  for (const auto* name : {"OA", "OB"}) bars.bar(name, arm);
  for (const auto* name : {"AC", "CB", "BD", "DA"}) bars.bar(name, side);
  if (on_cart) {
    bars.bar("cart", 0.1);
    auto& rail = pin("rail", kGround, crank, "cart", 0.0, 0.0);
    rail.type = JointType::kPrismatic;
    rail.initial_q = rail.guess_q;
  }
  auto& start_pin = on_cart ? pin("P", "cart", 0.0, "crank", 0.0, start)
                            : pin("P", kGround, crank, "crank", 0.0, start);
  start_pin.initial_q = start_pin.guess_q;
  pin("O1", kGround, 0.0, "OA", 0.0, oa);
  pin("O2", kGround, 0.0, "OB", 0.0, ob);
  pin("A1", "OA", arm, "AC", 0.0, ac - oa);
  pin("C1", "crank", crank, "AC", side, ac - start);
  pin("C2", "crank", crank, "CB", 0.0, cb - start);
  pin("B1", "OB", arm, "CB", side, cb - ob);
  pin("B2", "OB", arm, "BD", 0.0, bd - ob);
  pin("D1", "BD", side, "DA", 0.0, da - bd);
  pin("A2", "OA", arm, "DA", side, da - oa);
  return bars.mechanism();
}

}  // namespace hamiltree::test
