// Front: the symmetric system of one compound, V = Xi T + xi_0 written on constraint rows only
// [Chadaj2017 eqs. 15-16]; of the recursive algorithm also with the motion of the body that carries
// the compound. An impulse at a handle is always T = D sigma, so of V only D^T V
// matters: Xi(i, j) = D_i^T xi_ij D_j with the signs of the sides (+ child, - parent) included.
// Rows of eliminated joints stand first, rows of kept joints (the handles) follow.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/math/scalar.hpp"

namespace hamiltree::block_elimination {

// Pivots below this part of the trace are masked in fronts that close loops. Measured: 1e-9 to 1e-6
// works; 1e-12 to 1e-14 loses the branch at singular poses.
inline constexpr double kPivotMask = 1e-8;
// Beside ballast pivots lose digits to its own: they count from 1e-10 of these on.
inline constexpr double kBallastPart = 1e-2;

template <class Scalar>
struct Front {
  int eliminated = 0;      // rows that become internal
  int yielding = 0;        // the first of them have compliance 1, those of armatures; never masked
  int size = 0;            // all rows
  std::vector<int> order;  // positions of the eliminated rows in use, in the order of their pivots
  std::vector<double> scale;  // factor of each row that turns it into m/s
  std::vector<int> rows;      // global constraint row of each position
  std::vector<Scalar> Xi;     // size x size; after elimination the factors L below the pivots
  std::vector<Scalar> x;      // size; xi_0, then its eliminated entries forward-substituted
  std::vector<Scalar> inverse_pivot;  // by position; 0 where masked
  double mask = 0.0;                  // pivots below this part of the trace are masked; 0: none are
  double largest_pivot = 0.0;         // scaled, of rows that more than ballast holds, when chosen
  double floor = 0.0;  // 1/kg: scaled pivots below it are rounding, whatever the largest
  // 1/kg: what pivots can be, scaled, of rows that more than ballast holds. Ballast moves so easily
  // that pivots of all others would count as nothing beside it.
  double bare_mobility = std::numeric_limits<double>::infinity();

  // All of the first `rows_eliminated` rows in use, in their natural order.
  void resize(int rows_eliminated, double pivot_mask) {
    eliminated = rows_eliminated;
    mask = pivot_mask;
    order.resize(at(eliminated));
    std::iota(order.begin(), order.end(), 0);
  }
  void allocate() {
    size = static_cast<int>(rows.size());
    Xi.assign(rows.size() * rows.size(), Scalar(0));
    x.assign(rows.size(), Scalar(0));
    inverse_pivot.assign(rows.size(), Scalar(0));
  }

  Scalar& xi(int i, int j) { return Xi[at(i * size + j)]; }
  const Scalar& xi(int i, int j) const { return Xi[at(i * size + j)]; }
  // Adds to both halves of Xi, of which only those of eliminated rows are used above the diagonal.
  void add(int i, int j, const Scalar& value) {
    const auto [inner, outer] = std::minmax(i, j);
    xi(outer, inner) += value;
    if (outer < eliminated && inner < outer) xi(inner, outer) += value;
  }
  Scalar& x_at(int i) { return x[at(i)]; }
  const Scalar& x_at(int i) const { return x[at(i)]; }

  // Position that comes k-th: the rows in use in pivot order, then the handles.
  int active(int k) const {
    const int used = static_cast<int>(order.size());
    return k < used ? order[at(k)] : eliminated + k - used;
  }
  int active_count() const { return static_cast<int>(order.size()) + size - eliminated; }
};

// Adds the handles' part of a side's mobility to the join's.
template <class Scalar>
void extend_add(const Front<Scalar>& side, const std::vector<int>& map, Front<Scalar>& join) {
  for (int a = side.eliminated; a < side.size; ++a) {
    const int i = map[at(a - side.eliminated)];
    for (int b = side.eliminated; b <= a; ++b) {
      join.add(i, map[at(b - side.eliminated)], side.xi(a, b));
    }
  }
}

// The same for the biases xi_0.
template <class Scalar>
void extend_add_bias(const Front<Scalar>& side, const std::vector<int>& map, Front<Scalar>& join) {
  for (int a = side.eliminated; a < side.size; ++a) {
    join.x_at(map[at(a - side.eliminated)]) += side.x_at(a);
  }
}

// What a pivot is compared with: the sum of the scaled diagonal of the constraint rows in use; with
// ballast the largest pivot, when they were chosen, for each, or a part of that sum.
template <class Scalar>
Scalar scaled_mobility(const Front<Scalar>& front) {
  Scalar trace(0);
  for (const int i : front.order) {
    if (i < front.yielding) continue;
    const double s = front.scale[at(i)];
    trace += Scalar(s * s) * front.xi(i, i);
  }
  if (std::isinf(front.bare_mobility)) return trace;
  const Scalar bare(front.largest_pivot * static_cast<double>(front.order.size()));
  const Scalar part = Scalar(kBallastPart) * trace;
  return select(trace < bare, trace, select(part < bare, bare, part));
}

// The rows of a front as its elimination goes through them. `position(k)`: that of the k-th.
template <class Position, class Used, class Active>
struct Rows {
  Position position;
  Used used;      // rows to eliminate
  Active active;  // those and the handles
  Active stride;  // entries of a row of Xi
};
template <class Position, class Used, class Active>
Rows(Position, Used, Active, Active) -> Rows<Position, Used, Active>;

// Calls f with the rows of a front. The commonest numbers of rows are known to the compiler.
template <class Scalar, class F>
void with_rows(const Front<Scalar>& front, const F& f) {
  const int used = static_cast<int>(front.order.size()), size = front.size;
  if constexpr (std::is_floating_point_v<Scalar>) {
    const auto two_of = [&]<int kSize>() {
      const std::integral_constant<int, kSize> all;
      const int first = front.order[0], second = front.order[1];
      const auto position = [=](int k) {
        if (k == 0) return first;
        return k == 1 ? second : k;
      };
      f(Rows{position, std::integral_constant<int, 2>(), all, all});
    };
    if (used == 2 && front.eliminated == 2) {
      if (size == 2) return two_of.template operator()<2>();
      if (size == 4) return two_of.template operator()<4>();
      if (size == 5) return two_of.template operator()<5>();
      if (size == 6) return two_of.template operator()<6>();
      if (size == 7) return two_of.template operator()<7>();
    }
  }
  f(Rows{[&](int k) { return front.active(k); }, used, front.active_count(), size});
}

// Partial factorisation L d L^T over the rows in use, in their fixed order:
//   K = (G Xi G^T + C)^-1,   Xi_C = Xi_ee - Xi_ei G^T K G Xi_ie
// [Chadaj2017 eqs. 27, 34, 35 for any number of handles]. A pivot lost in a singular pose is
// masked: 1/d := 0 releases its row for this evaluation. The compliance C is 1 for armatures.
template <class Scalar>
void factor(Front<Scalar>& front) {
  if (front.order.empty()) return;
  const bool masked = front.mask > 0.0;
  const Scalar least = masked ? Scalar(front.mask) * scaled_mobility(front) : Scalar(0);
  for (int i = 0; i < front.yielding; ++i) front.xi(i, i) += Scalar(1);
  with_rows(front, [&](const auto& rows) {
    Scalar* const Xi = front.Xi.data();
    const auto xi = [&](int i, int k) -> Scalar& { return Xi[i * rows.stride + k]; };
    for (int s = 0; s < rows.used; ++s) {
      const int j = rows.position(s);
      const Scalar d = xi(j, j);
      Scalar inverse = Scalar(1) / d;
      if (masked && j >= front.yielding) {
        const double scale = front.scale[at(j)];
        inverse = select(least < Scalar(scale * scale) * d, inverse, Scalar(0));
      }
      front.inverse_pivot[at(j)] = inverse;
      if constexpr (std::is_same_v<decltype(rows.active), int>) {
        // Column j once more, as row j, whose other entries are not read again.
        Scalar* const column = &xi(j, 0);
        for (int a = s + 1; a < rows.active; ++a)
          column[rows.position(a)] = xi(rows.position(a), j);
        for (int a = s + 1; a < rows.active; ++a) {
          const int i = rows.position(a);
          Scalar* const row = &xi(i, 0);
          const Scalar l = column[i] * inverse;
          for (int b = s + 1; b <= a && b < rows.used; ++b)
            row[rows.position(b)] -= l * column[rows.position(b)];
          if (a < rows.used) continue;
          for (int k = front.eliminated; k <= i; ++k) row[k] -= l * column[k];
        }
      } else {
        for (int a = s + 1; a < rows.active; ++a) {
          const int i = rows.position(a);
          const Scalar l = xi(i, j) * inverse;
          for (int b = s + 1; b <= a; ++b) {
            const int k = rows.position(b);
            xi(i, k) -= l * xi(k, j);
          }
        }
      }
      for (int a = s + 1; a < rows.active; ++a) xi(rows.position(a), j) *= inverse;
    }
  });
}

// The same elimination on the right-hand side:
//   xi_C0 = xi_e0 - Xi_ei G^T K (G xi_i0 + r)                               [Chadaj2017 eq. 36]
template <class Scalar>
void forward_substitute(Front<Scalar>& front) {
  if (front.order.empty()) return;
  with_rows(front, [&](const auto& rows) {
    const Scalar* const Xi = front.Xi.data();
    Scalar* const x = front.x.data();
    for (int s = 0; s < rows.used; ++s) {
      const int j = rows.position(s);
      for (int a = s + 1; a < rows.active; ++a) {
        const int i = rows.position(a);
        x[i] -= Xi[i * rows.stride + j] * x[j];
      }
    }
  });
}

// Back-substitution: the eliminated sigma from the handles' sigma, both in the global vector
//   sigma = -K [ G (Xi_ie T_e + xi_i0) + r ]                              [Chadaj2017 eq. 26]
template <class Scalar>
void back_substitute(const Front<Scalar>& front, std::vector<Scalar>& sigma) {
  const auto value = [&](int position) -> Scalar& { return sigma[at(front.rows[at(position)])]; };
  for (int i = 0; i < front.eliminated; ++i) value(i) = Scalar(0);  // also the rows not in use
  if (front.order.empty()) return;
  with_rows(front, [&](const auto& rows) {
    const Scalar* const Xi = front.Xi.data();
    for (int s = rows.used - 1; s >= 0; --s) {
      const int j = rows.position(s);
      Scalar sum = front.x_at(j) * front.inverse_pivot[at(j)];
      for (int a = s + 1; a < rows.active; ++a) {
        const int i = rows.position(a);
        sum += Xi[i * rows.stride + j] * value(i);
      }
      value(j) = -sum;
    }
  });
}

}  // namespace hamiltree::block_elimination
