// Compiled once for each instruction set, with HAMILTREE_SET its name. All that it calls is
// inlined: nothing compiled for one set may be linked where another is wanted.
#include "hamiltree/ensemble/loop_kernels.hpp"

#include <cstddef>

#include "hamiltree/base/index.hpp"
#include "hamiltree/ensemble/loop_kernel_sets.hpp"
#include "hamiltree/formulations/contraction/front.hpp"
#include "hamiltree/math/sincos.hpp"

namespace hamiltree::loops {
namespace {

using Vector = State::Vector;

inline Vector world_point(const State& loops, int body, const Vector& point) {
  if (body == kGround) return point;
  const auto& [c, s] = loops.axes[at(body)];
  const auto& r = loops.r[at(body)];
  return {r.x + c * point.x - s * point.y, r.y + s * point.x + c * point.y};
}

inline Vector velocity(const State& loops, int body, const Vector& point) {
  if (body == kGround) return {Pack(0.0), Pack(0.0)};
  const auto b = at(body);
  return {loops.r_dot[b].x - loops.omega[b] * (point.y - loops.r[b].y),
          loops.r_dot[b].y + loops.omega[b] * (point.x - loops.r[b].x)};
}

// (1)
void place(State& loops, const Pack* q) {
  for (std::size_t b = 0; b < loops.pins.size(); ++b) {
    const auto& pin = loops.pins[b];
    Pack sine, cosine;
    sin_cos(q[b], sine, cosine);
    const Vector turn{pin.turn.x * cosine - pin.turn.y * sine,
                      pin.turn.y * cosine + pin.turn.x * sine};
    loops.r[b] = world_point(loops, pin.inboard, pin.at);
    loops.axes[b] = turn;
    if (pin.inboard == kGround) continue;
    const auto& [c, s] = loops.axes[at(pin.inboard)];
    loops.axes[b] = {c * turn.x - s * turn.y, s * turn.x + c * turn.y};
  }
  const auto n = loops.pins.size();
  for (std::size_t i = 0; i < loops.phi.size() * n; ++i) loops.A[i] = Pack(0.0);
  for (std::size_t k = 0; k < loops.closings.size(); ++k) {
    auto& closing = loops.closings[k];
    for (const int side : {0, 1}) {
      const Pack sign(side == 1 ? 1.0 : -1.0);
      auto& r = closing.r[side];
      r = world_point(loops, closing.body[side], closing.at[side]);
      for (int b = closing.body[side]; b != kGround; b = loops.pins[at(b)].inboard) {
        loops.A[2 * k * n + at(b)] -= sign * (r.y - loops.r[at(b)].y);
        loops.A[(2 * k + 1) * n + at(b)] += sign * (r.x - loops.r[at(b)].x);
      }
    }
    loops.phi[2 * k] = closing.r[1].x - closing.r[0].x;
    loops.phi[2 * k + 1] = closing.r[1].y - closing.r[0].y;
  }
}

// (2)
void factor(State& loops, const Pack* columns) {
  const auto m = loops.phi.size(), n = loops.pins.size();
  Pack trace(0.0);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      Pack sum(0.0);
      for (std::size_t b = 0; b < n; ++b) sum += loops.A[i * n + b] * columns[k * n + b];
      loops.S[i * m + k] = sum;
    }
    trace += loops.S[i * m + i];
  }
  const Pack least = Pack(contraction::kPivotMask) * trace;
  for (std::size_t j = 0; j < m; ++j) {
    const Pack d = loops.S[j * m + j];
    loops.inverse[j] = select(least < d, Pack(1.0) / d, Pack(0.0));
    for (std::size_t i = j + 1; i < m; ++i) {
      const Pack l = loops.S[i * m + j] * loops.inverse[j];
      for (std::size_t k = j + 1; k <= i; ++k) loops.S[i * m + k] -= l * loops.S[k * m + j];
    }
    for (std::size_t i = j + 1; i < m; ++i) loops.S[i * m + j] *= loops.inverse[j];
  }
}

void close(const State& loops, Pack* w) {
  const auto m = loops.phi.size();
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t i = j + 1; i < m; ++i) w[i] -= loops.S[i * m + j] * w[j];
  }
  for (std::size_t j = 0; j < m; ++j) w[j] = -(w[j] * loops.inverse[j]);
  for (std::size_t j = m; j-- > 0;) {
    for (std::size_t i = j + 1; i < m; ++i) w[j] -= loops.S[i * m + j] * w[i];
  }
}

void opening_velocities(const State& loops, const Pack* v, Pack* w) {
  const auto n = loops.pins.size();
  for (std::size_t i = 0; i < loops.phi.size(); ++i) {
    Pack sum(0.0);
    for (std::size_t b = 0; b < n; ++b) sum += loops.A[i * n + b] * v[b];
    w[i] = sum;
  }
}

void add_impulses(const State& loops, const Pack* sigma, Pack* p) {
  const auto n = loops.pins.size();
  for (std::size_t i = 0; i < loops.phi.size(); ++i) {
    for (std::size_t b = 0; b < n; ++b) p[b] += loops.A[i * n + b] * sigma[i];
  }
}

// (3)
void subtract_turning(State& loops, const Pack* v, const Pack* sigma, Pack* p_dot) {
  for (std::size_t b = 0; b < loops.pins.size(); ++b) {
    const int inboard = loops.pins[b].inboard;
    loops.r_dot[b] = velocity(loops, inboard, loops.r[b]);
    loops.omega[b] = inboard == kGround ? v[b] : loops.omega[at(inboard)] + v[b];
  }
  const auto n = loops.pins.size();
  for (std::size_t k = 0; k < loops.closings.size(); ++k) {
    const auto& closing = loops.closings[k];
    const int child = closing.body[1];
    if (child != kGround) {
      const Pack &omega = loops.omega[at(child)], *x = &loops.A[2 * k * n], *y = x + n;
      const Pack fx = omega * sigma[2 * k + 1], fy = omega * sigma[2 * k];
      for (std::size_t b = 0; b < n; ++b) p_dot[b] += x[b] * fx - y[b] * fy;
    }
    for (const int side : {0, 1}) {
      const Pack sign(side == 1 ? 1.0 : -1.0);
      const auto speed = velocity(loops, closing.body[side], closing.r[side]);
      for (int b = closing.body[side]; b != kGround; b = loops.pins[at(b)].inboard) {
        const Pack x = speed.x - loops.r_dot[at(b)].x, y = speed.y - loops.r_dot[at(b)].y;
        p_dot[b] -= sign * (x * sigma[2 * k + 1] - y * sigma[2 * k]);
      }
    }
  }
}

}  // namespace

const Kernels HAMILTREE_SET{place,        factor,          close, opening_velocities,
                            add_impulses, subtract_turning};

}  // namespace hamiltree::loops
