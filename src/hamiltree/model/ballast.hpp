// Ballast: bodies without mass, or without inertia about some axis, may stand between joints. So
// that every formulation can invert every body, they carry a ballast, and its momentum is given
// back to them: with M_b the ballast of body b,
//   (M + M_b) V_new = impulses + M_b V_old
// has the motion of the bare bodies as its fixed point, which formulations/ballast_return.hpp
// finds. Where nothing but ballast moves, the fixed point does not exist: the motion is
// undetermined, which the assembly refuses.
#pragma once

#include "hamiltree/math/scalar.hpp"
#include "hamiltree/model/kinematics.hpp"

namespace hamiltree {

// Sweeps after the first solve, at most and where none can be saved, and the ballast in parts of
// the lightest neighbour. Measured: behind a cross without mass, a hand of a hundredth of the
// base's mass and a tenth of its size keeps all digits. None is lost with parts down to 1e-6, but
// the mobility of rows on such bodies grows as the ballast shrinks, and ranks are told apart within
// 1e-8 of it.
inline constexpr int kMostBallastSweeps = 40;
inline constexpr int kBallastSweeps = 8;
inline constexpr double kBallastShare = 1e-4;
// The same in parts of what a joint moves of its own, of which no more than 1e-22 is then left
// after the sweeps: as large as may be, since that may be far below the neighbours.
inline constexpr double kOwnShare = 1e-2;

// The difference of a traced number from itself is known to be zero, though its value is not.
template <class Space>
bool has_ballast(const System<Space>& system, int b) {
  if (system.ballasted.empty()) [[likely]]
    return false;
  const auto& carried = system.carried(b);
  const auto& body = system.body(b);
  bool same = to_double(carried.mass - body.mass) == 0.0;
  for (Eigen::Index i = 0; i < body.J_com.size(); ++i) {
    same = same && to_double(carried.J_com(i) - body.J_com(i)) == 0.0;
  }
  return !same;
}

// M_b V of a body, its own axes at its origin.
template <class Space>
typename Space::Force ballast_momentum(const System<Space>& system, int b,
                                       const typename Space::Motion& V) {
  return momentum<Space>(system.carried(b), V) - momentum<Space>(system.body(b), V);
}

}  // namespace hamiltree
