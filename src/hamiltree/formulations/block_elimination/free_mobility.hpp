// free_mobility: how far a constraint row gives way while its bodies are free. Where the other
// joints make the row redundant, that much cancels, and rounding of it is left.
#pragma once

#include <initializer_list>
#include <utility>

#include "hamiltree/base/index.hpp"
#include "hamiltree/math/scalar.hpp"
#include "hamiltree/model/ballast.hpp"
#include "hamiltree/model/system.hpp"

namespace hamiltree::block_elimination {

// Of the largest mobility that rows have while their bodies are free: pivots below it are what
// rounding leaves where all rows of a loop are redundant. Measured: 3e-15 is enough.
inline constexpr double kRounded = 1e-14;

enum class Ballast { kMoves, kLeftOut };

// The most that component i of the coordinates of joint j moves by a unit force, 1/kg, or moment,
// 1/(kg m^2).
template <class Space>
double free_mobility(const System<Space>& system, int j, int i, Ballast ballast) {
  const auto& joint = system.joint(j);
  double mobility = 0.0;
  for (const auto& [b, X] : {std::pair{joint.parent, &joint.X_PF}, {joint.child, &joint.X_CM}}) {
    if (b == kNone || (ballast == Ballast::kLeftOut && has_ballast(system, b))) continue;
    const auto& body = system.carried(b);
    const double turning = to_double(body.J_com_inverse.trace());
    mobility += i < Space::kLinear ? 1.0 / to_double(body.mass) +
                                         to_double((X->r - body.com).squaredNorm()) * turning
                                   : turning;
  }
  return mobility;
}

}  // namespace hamiltree::block_elimination
