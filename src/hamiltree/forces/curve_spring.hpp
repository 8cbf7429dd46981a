// Spring with a characteristic curve f along a joint with one degree of freedom. f is a sum over
// the pieces of the curve, each of which takes the part u of the deflection x that lies on it, and
// the straight lines before and behind them, so that nothing branches. At a point the part that
// begins there has the slope, and no other one:
//   f(x) = f_0 + m_0 w_0 + sum of (slope u + c2 u^2 + c3 u^3) + m_n w_n
//   u = x - start, held between 0 and length;  w_0 = min(x - x_0, 0);  w_n = max(x - x_n, 0)
#pragma once

#include "hamiltree/forces/instant.hpp"
#include "hamiltree/math/scalar.hpp"

namespace hamiltree {

// f, and its integral from the first point on.
template <class Scalar>
struct CurveValue {
  Scalar value, integral;
};

template <class Scalar>
CurveValue<Scalar> curve_value(const std::vector<CurvePiece>& pieces, const Scalar& x) {
  const auto& first = pieces.front();
  const Scalar before = x - Scalar(first.start);
  const Scalar w0 = select(before < Scalar(0), before, Scalar(0));
  CurveValue<Scalar> f{Scalar(first.value) + Scalar(first.slope) * w0,
                       w0 * (Scalar(first.value) + Scalar(0.5 * first.slope) * w0)};
  for (const auto& piece : pieces) {
    const Scalar beyond = x - Scalar(piece.start);
    const Scalar inside = select(beyond < Scalar(0), Scalar(0), beyond);
    const Scalar length(piece.length);
    const Scalar u = select(inside < length, inside, length);
    const Scalar slope(piece.slope), c2(piece.c2), c3(piece.c3);
    f.value += u * (slope + u * (c2 + u * c3));
    f.integral +=
        u * (Scalar(piece.value) +
             u * (Scalar(0.5) * slope + u * (Scalar(1.0 / 3) * c2 + u * Scalar(0.25) * c3)));
  }
  const auto& last = pieces.back();
  const double h = last.length;
  const double f_n = last.value + h * (last.slope + h * (last.c2 + h * last.c3));
  const double m_n = last.slope + h * (2.0 * last.c2 + h * 3.0 * last.c3);
  const Scalar behind = x - Scalar(last.start) - Scalar(h);
  const Scalar wn = select(behind < Scalar(0), Scalar(0), behind);
  f.value += Scalar(m_n) * wn;
  f.integral += wn * (Scalar(f_n) + Scalar(0.5 * m_n) * wn);
  return f;
}

// effort = -scale f(x - rest) - d xdot
template <class Space, class Now, class Sink>
void exert(const JointCurveSpring<Space>& spring, const Now& now, Sink& sink) {
  using Scalar = typename Space::Scalar;
  const Scalar deflection = now.position(spring.joint) - spring.rest;
  sink.effort(ForceKind::kConservative, spring.joint,
              -(spring.scale * curve_value<Scalar>(spring.pieces, deflection).value));
  sink.effort(ForceKind::kDissipative, spring.joint, -(spring.damping * now.rate(spring.joint)));
}

// V = scale times the integral of f from no deflection on
template <class Space, class Now>
typename Space::Scalar stored_energy(const JointCurveSpring<Space>& spring, const Now& now) {
  using Scalar = typename Space::Scalar;
  const Scalar deflection = now.position(spring.joint) - spring.rest;
  const Scalar at_rest = curve_value<Scalar>(spring.pieces, Scalar(0)).integral;
  return spring.scale * (curve_value<Scalar>(spring.pieces, deflection).integral - at_rest);
}

template <class Space>
bool is_conservative(const JointCurveSpring<Space>& spring) {
  return spring.damping == 0.0;
}

}  // namespace hamiltree
