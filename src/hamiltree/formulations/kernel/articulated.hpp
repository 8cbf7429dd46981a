// Articulated inertias inwards: of one body with its joint.
//   P = M V + D, one row of M for each component of P, D in the spare lane
#pragma once

#include "hamiltree/formulations/kernel/row_lanes.hpp"
#include "hamiltree/formulations/kernel/work.hpp"

namespace hamiltree::kernel {

// Inertia of the body alone: [m 1, -mc~; mc~, J], without momentum.
inline void rigid(const Body& body, const BodyWork& w, Eight* M) {
  const Four c = load(w.mc), minus = -c;  // lane 3 is 0
  const double m = body.mass;
  M[0] = join(Four{m, 0.0, 0.0, 0.0}, shuffled<3, 2, 5, 3>(c, minus));
  M[1] = join(Four{0.0, m, 0.0, 0.0}, shuffled<6, 3, 0, 3>(c, minus));
  M[2] = join(Four{0.0, 0.0, m, 0.0}, shuffled<1, 4, 3, 3>(c, minus));
  M[3] = join(shuffled<3, 6, 1, 3>(c, minus), load(w.J[0]));
  M[4] = join(shuffled<2, 3, 4, 3>(c, minus), load(w.J[1]));
  M[5] = join(shuffled<5, 0, 3, 3>(c, minus), load(w.J[2]));
}

// An axis of a joint turns, slides, or does both by the pitch.
enum class Axis { kTurns, kSlides, kScrews };

// h^T X for the rows X of a matrix.
template <Axis kAxis, class Row>
inline auto along(const Row& row, const Half& axis, [[maybe_unused]] double pitch) {
  const Number x = axis.lane[0], y = axis.lane[1], z = axis.lane[2];
  constexpr int first = kAxis == Axis::kSlides ? 0 : 3;
  const auto U = row(first) * x + row(first + 1) * y + row(first + 2) * z;
  if constexpr (kAxis != Axis::kScrews) {
    return U;
  } else {
    return U + (row(0) * x + row(1) * y + row(2) * z) * pitch;
  }
}
template <Axis kAxis>
inline Real component_along(const Eight& row, Four axis, [[maybe_unused]] double pitch) {
  if constexpr (kAxis == Axis::kSlides) return dot(low(row), axis);
  const Real turning = dot(high(row), axis);
  if constexpr (kAxis == Axis::kTurns) return turning;
  return turning + pitch * dot(low(row), axis);
}

// Open rows behind a joint, if there are any.
template <int n>
struct Behind {
  Rows<n>* rows = nullptr;
  LanesOf<n>* phi = nullptr;     // one for each axis
  const double* port = nullptr;  // of coupled joints
};

// f of every part of the rows that are open at a body.
template <class F>
inline void for_each_open(const Body& body, const F& f) {
  for_each_part(body.lane.data(), body.open, f);
}

// Eliminates axis k of a joint with the momentum p from M and from what is open:
//   U = M h,  d = h^T U + armature,  W = [U, h^T D - p] / d
//   phi = h^T F + port,  Psi += phi phi^T / d,  b -= phi (h^T D - p) / d,  F -= W phi,  M -= W U^T
// On the ground nothing further in asks for M and F.
template <Axis kAxis, bool kOnGround, int n>
inline void eliminate_axis(const Body& body, int k, Number p, const Behind<n>& behind, BodyWork& w,
                           Eight* M) {
  const auto& axis = w.axis[k];
  const Four h = load(axis);
  const Eight U = along<kAxis>([&](int i) { return M[i]; }, axis, body.pitch);
  const Real d = component_along<kAxis>(U, h, body.pitch) + body.armature;
  const Eight rest = with_fourth(U, U - all_eight(p));
  const Real inverse = 1.0 / d;
  const Eight W = rest * inverse;
  store(W, w.W[k]);
  w.inverse[k] = inverse;
  const Number* W_of = w.W[k].lane;
  if (behind.rows != nullptr) {
    auto& open = *behind.rows;
    const auto kept = keep(
        body.lane.data(), body.open,
        [&](auto part) {
          Open<n> phi =
              along<kAxis>([&](int i) { return load(open.F[i], part); }, axis, body.pitch);
          if (behind.port != nullptr) phi += load_part<n>(behind.port, part);
          return phi;
        },
        behind.phi[k]);
    for_each_open(body, [&](auto part) {
      const Open<n> phi = kept(part), scaled = phi * inverse;
      for (int i = 0; i < body.open; ++i) {
        const int lane = body.lane[at(i)];
        store(load(open.Psi[lane], part) + scaled * behind.phi[k].lane[lane], open.Psi[lane], part);
      }
      store(load(open.b, part) - phi * W_of[kFourth], open.b, part);
      if constexpr (!kOnGround) {
        for (int m = 0; m < 6; ++m)
          store(load(open.F[m], part) - phi * W_of[lane_of(m)], open.F[m], part);
      }
    });
  }
  if constexpr (!kOnGround) {
    for (int m = 0; m < 6; ++m) M[m] -= rest * W_of[lane_of(m)];
  }
}

// The inverse of a symmetric 3x3 matrix, both as xx xy xz yy yz zz.
inline void invert(const Real* a, Number* inverse) {
  const Real xx = a[3] * a[5] - a[4] * a[4], xy = a[2] * a[4] - a[1] * a[5],
             xz = a[1] * a[4] - a[2] * a[3];
  const Real f = 1.0 / (a[0] * xx + a[1] * xy + a[2] * xz);
  inverse[0] = xx * f;
  inverse[1] = xy * f;
  inverse[2] = xz * f;
  inverse[3] = (a[0] * a[5] - a[2] * a[2]) * f;
  inverse[4] = (a[1] * a[2] - a[0] * a[4]) * f;
  inverse[5] = (a[0] * a[3] - a[1] * a[1]) * f;
}
// The same times three rows.
template <class Row>
inline void times(const Number* inverse, const Row* x, Row* y) {
  y[0] = x[0] * inverse[0] + x[1] * inverse[1] + x[2] * inverse[2];
  y[1] = x[0] * inverse[1] + x[1] * inverse[3] + x[2] * inverse[4];
  y[2] = x[0] * inverse[2] + x[1] * inverse[4] + x[2] * inverse[5];
}

// Three axes at once leave their mark on open rows: Psi and b.
template <int n>
inline void eliminate_from_rows(const Body& body, const Number* inverse, const Real* rate,
                                const LanesOf<n>* phi, Rows<n>& open) {
  for_each_open(body, [&](auto part) {
    Open<n> x[3], y[3];
    for (int i = 0; i < 3; ++i) x[i] = load(phi[i], part);
    times(inverse, x, y);
    for (int i = 0; i < body.open; ++i) {
      const int lane = body.lane[at(i)];
      store(load(open.Psi[lane], part) + y[0] * phi[0].lane[lane] + y[1] * phi[1].lane[lane] +
                y[2] * phi[2].lane[lane],
            open.Psi[lane], part);
    }
    store(load(open.b, part) + x[0] * rate[0] + x[1] * rate[1] + x[2] * rate[2], open.b, part);
  });
}

// All turning directions, p their momentum: what is behind hands on its linear part only.
//   w = -W [v 1] + C^-1 phi sigma,  W = C^-1 [B^T, D - p]
template <int n>
inline void eliminate_turning(const Body& body, Four p, const Behind<n>& behind, BodyWork& w,
                              Eight* M) {
  for (int i = 0; i < 3; ++i) M[3 + i] = with_fourth(M[3 + i], M[3 + i] - all_eight(p[i]));
  const Four x = high(M[3]), y = high(M[4]), z = high(M[5]);
  const Real C[6] = {x[0], x[1], x[2], y[1], y[2], z[2]};
  invert(C, w.inverse);
  Eight below[3] = {only_low(M[3]), only_low(M[4]), only_low(M[5])}, W[3];
  times(w.inverse, below, W);
  for (int i = 0; i < 3; ++i) store(W[i], w.W[i]);
  if (behind.rows != nullptr) {
    auto& open = *behind.rows;
    for_each_open(body, [&](auto part) {
      for (int i = 0; i < 3; ++i) store(load(open.F[3 + i], part), behind.phi[i], part);
    });
    const Real rate[3] = {-w.W[0].lane[kFourth], -w.W[1].lane[kFourth], -w.W[2].lane[kFourth]};
    eliminate_from_rows(body, w.inverse, rate, behind.phi, open);
    for_each_open(body, [&](auto part) {
      for (int m = 0; m < 3; ++m) {
        Open<n> F = load(open.F[m], part);
        for (int i = 0; i < 3; ++i) F -= load(behind.phi[i], part) * w.W[i].lane[m];
        store(F, open.F[m], part);
        store(Open<n>{}, open.F[3 + m], part);
      }
    });
  }
  for (int m = 0; m < 3; ++m) {
    Eight A = only_low(M[m]);
    for (int i = 0; i < 3; ++i) A -= below[i] * w.W[i].lane[m];
    M[m] = A;
  }
  for (int i = 0; i < 3; ++i) M[3 + i] = join(Four{0.0, 0.0, 0.0, p[i]}, Four{});
}

// The rest of a free joint: nothing is handed on but its momentum.
template <int n>
inline void eliminate_free(const Body& body, Four p, const Behind<n>& behind, BodyWork& w,
                           Eight* M) {
  const Four x = low(M[0]), y = low(M[1]), z = low(M[2]);
  const Real A[6] = {x[0], x[1], x[2], y[1], y[2], z[2]};
  Number* inverse = w.inverse + 6;
  invert(A, inverse);
  const Real given[3] = {p[0] - x[3], p[1] - y[3], p[2] - z[3]};
  const Real v[3] = {inverse[0] * given[0] + inverse[1] * given[1] + inverse[2] * given[2],
                     inverse[1] * given[0] + inverse[3] * given[1] + inverse[4] * given[2],
                     inverse[2] * given[0] + inverse[4] * given[1] + inverse[5] * given[2]};
  store(Four{v[0], v[1], v[2], 1.0}, w.free_v);
  if (behind.rows != nullptr) {
    for_each_open(body, [&](auto part) {
      for (int i = 0; i < 3; ++i) {
        store(load(behind.rows->F[i], part), behind.phi[3 + i], part);
        store(Open<n>{}, behind.rows->F[i], part);
      }
    });
    eliminate_from_rows(body, inverse, v, behind.phi + 3, *behind.rows);
  }
  for (int i = 0; i < 3; ++i) M[i] = join(Four{0.0, 0.0, 0.0, p[i]}, Four{});
}

// A drive adds to the motion between the inboard body and the axes: D += M V, b += F^T V.
template <int n>
inline void add_driven(const Body& body, int axes, Rows<n>* rows, BodyWork& w, Eight* M) {
  const Eight V = join(load(w.given_v), load(w.given_w));
  const auto add = [&](Eight& row) {
    row = with_fourth(row, row + all_eight(dot(row, with_fourth(V, Eight{}))));
  };
  for (int m = 0; m < 6; ++m) add(M[m]);
  for (int k = 0; k < axes; ++k) {
    Eight W = load(w.W[k]);
    add(W);
    store(W, w.W[k]);
  }
  if (rows == nullptr) return;
  for_each_open(body, [&](auto part) {
    Open<n> b = load(rows->b, part);
    for (int i = 0; i < 3; ++i) {
      b += load(rows->F[i], part) * w.given_v.lane[i] +
           load(rows->F[3 + i], part) * w.given_w.lane[i];
    }
    store(b, rows->b, part);
  });
}

// From the body's point to that of the inboard body.
inline void move_inwards(int axes, BodyWork& w, Eight* M) {
  const Arm arm(load(w.arm));
  for (int m = 0; m < 6; ++m) M[m] = moved(M[m], arm);
  for (int k = 0; k < axes; ++k) store(moved(load(w.W[k]), arm), w.W[k]);
  const Number x = w.arm.lane[0], y = w.arm.lane[1], z = w.arm.lane[2];
  M[3] += M[2] * y - M[1] * z;
  M[4] += M[0] * z - M[2] * x;
  M[5] += M[1] * x - M[0] * y;
}
template <int n>
inline void move_inwards(const Body& body, const BodyWork& w, Rows<n>& rows) {
  const Number x = w.arm.lane[0], y = w.arm.lane[1], z = w.arm.lane[2];
  for_each_open(body, [&](auto part) {
    const Open<n> F0 = load(rows.F[0], part), F1 = load(rows.F[1], part),
                  F2 = load(rows.F[2], part);
    store(load(rows.F[3], part) + F2 * y - F1 * z, rows.F[3], part);
    store(load(rows.F[4], part) + F0 * z - F2 * x, rows.F[4], part);
    store(load(rows.F[5], part) + F1 * x - F0 * y, rows.F[5], part);
  });
}

}  // namespace hamiltree::kernel
