// Events in a front: cuts open where their ends are, close where both have met, hand over
// what stays open, and are released again on the way back. In blocks of two rows a cut.
#pragma once

#include <type_traits>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/block_elimination/front.hpp"
#include "hamiltree/formulations/planar_loops/linkage.hpp"

namespace hamiltree::planar_loops {

// The arrays of a front.
template <class T>
struct FrontWork {
  FrontWork(const Front& front, Work<T>& work)
      : bias(work.bias.data() + front.first),
        turning(work.turning.data() + front.first_turning),
        pull(work.pull.data() + front.first_pull),
        Psi(work.blocks.data() + front.first_block) {}

  Block<T>& block(int i, int j) const { return Psi[i * (i + 1) / 2 + j]; }

  Vector2<T>* bias;
  Vector2<T>* turning;
  Block<T>* pull;
  Block<T>* Psi;
};

// How many cuts a front has and how many close there. The commonest numbers are known to the
// compiler.
template <class Cuts, class Closing>
struct Counts {
  Cuts cuts;
  Closing closing;
};

// Calls f with the Counts of a front.
template <class F>
inline void with_counts(const Front& front, const F& f) {
#define HAMILTREE_COUNTS(cuts_, closing_)               \
  if (front.cuts == cuts_ && front.closing == closing_) \
  return f(Counts<std::integral_constant<int, cuts_>, std::integral_constant<int, closing_>>{})
  HAMILTREE_COUNTS(1, 0);
  HAMILTREE_COUNTS(2, 0);
  HAMILTREE_COUNTS(1, 1);
  HAMILTREE_COUNTS(2, 1);
  HAMILTREE_COUNTS(3, 1);
#undef HAMILTREE_COUNTS
  f(Counts<int, int>{front.cuts, front.closing});
}

template <class T>
inline void clear(const Front& front, const FrontWork<T>& rows) {
  for (int i = 0; i < front.cuts; ++i) rows.bias[i] = {};
  for (int i = 0; i < front.cuts && front.retained != Retained::kNothing; ++i) rows.turning[i] = {};
  for (int i = 0; i < front.cuts && front.retained == Retained::kAll; ++i) rows.pull[i] = {};
  for (int i = 0; i < front.cuts * (front.cuts + 1) / 2; ++i) rows.Psi[i] = {};
}

// The effect of the ends that open here on the motion of their body.
template <Retained kRetained, class T>
inline void open_ends(const Linkage<T>& linkage, const Front& front, const FrontWork<T>& rows,
                      const Work<T>& work) {
  for (int k = front.first_end; k < front.first_end + front.ends; ++k) {
    const auto& end = linkage.ends[at(k)];
    const auto& r = work.bodies[at(end.body)].r;
    const auto& O = work.cuts[at(end.cut)].O;
    const T one(end.is_child ? 1.0 : -1.0);
    if constexpr (kRetained != Retained::kNothing) {
      rows.turning[end.position].x -= one * (O.y - r.y);
      rows.turning[end.position].y += one * (O.x - r.x);
    }
    if constexpr (kRetained == Retained::kAll) {
      rows.pull[end.position].xx += one;
      rows.pull[end.position].yy += one;
    }
  }
}

// Eliminates the cuts that close in a front, each as L d L^T of its two rows [Chadaj2017 eqs. 26,
// 34-36]; their stiffness goes to the body whose motion they feel. A pivot lost in a singular pose
// is masked: 1/d := 0 releases its row.
template <Retained kRetained, class T, class Count>
inline void close_cuts(const Linkage<T>& linkage, const Front& front, const Count& counts,
                       const FrontWork<T>& rows, const Work<T>& work, BodyWork<T>* body,
                       double mask = block_elimination::kPivotMask) {
  T trace(0);
  for (int s = 0; s < counts.closing; ++s) trace += rows.block(s, s).xx + rows.block(s, s).yy;
  const T least = T(mask) * trace;
  for (int s = 0; s < counts.closing; ++s) {
    auto& d = rows.block(s, s);
    const T inverse_x = select(least < d.xx, T(1) / d.xx, T(0));
    const T l = d.yx * inverse_x;
    const T second = d.yy - l * d.yx;
    const T inverse_y = select(least < second, T(1) / second, T(0));
    d.xx = inverse_x, d.yx = l, d.yy = inverse_y;
    const auto& gap = work.cuts[at(linkage.front_cuts[at(front.first + s)])].gap;
    auto& bias = rows.bias[s];
    bias.x += gap.x;
    bias.y += gap.y - l * bias.x;
    const T bias_x = inverse_x * bias.x, bias_y = inverse_y * bias.y;
    Vector2<T> m;
    Block<T> f;
    if constexpr (kRetained != Retained::kNothing) {
      rows.turning[s].y -= l * rows.turning[s].x;
      m = rows.turning[s];
      body->C += inverse_x * m.x * m.x + inverse_y * m.y * m.y;
      body->Dc += m.x * bias_x + m.y * bias_y;
    }
    if constexpr (kRetained == Retained::kAll) {
      rows.pull[s].xy -= l * rows.pull[s].xx, rows.pull[s].yy -= l * rows.pull[s].yx;
      f = rows.pull[s];
      const T xx = inverse_x * f.xx, yx = inverse_x * f.yx, xy = inverse_y * f.xy,
              yy = inverse_y * f.yy;
      body->Axx += xx * f.xx + xy * f.xy, body->Axy += xx * f.yx + xy * f.yy;
      body->Ayy += yx * f.yx + yy * f.yy;
      body->Bx += xx * m.x + xy * m.y, body->By += yx * m.x + yy * m.y;
      body->Dx += f.xx * bias_x + f.xy * bias_y, body->Dy += f.yx * bias_x + f.yy * bias_y;
    }
    for (int i = s + 1; i < counts.cuts; ++i) {
      auto& L = rows.block(i, s);
      L.xy -= l * L.xx, L.yy -= l * L.yx;
      const Block<T> G = L;
      L = {inverse_x * G.xx, inverse_y * G.xy, inverse_x * G.yx, inverse_y * G.yy};
      for (int j = s + 1; j < i; ++j) {
        const auto& other = rows.block(j, s);
        auto& Psi = rows.block(i, j);
        Psi.xx -= G.xx * other.xx + G.xy * other.xy, Psi.xy -= G.xx * other.yx + G.xy * other.yy;
        Psi.yx -= G.yx * other.xx + G.yy * other.xy, Psi.yy -= G.yx * other.yx + G.yy * other.yy;
      }
      auto& own = rows.block(i, i);
      own.xx -= G.xx * L.xx + G.xy * L.xy;
      own.yx -= G.yx * L.xx + G.yy * L.xy;
      own.yy -= G.yx * L.yx + G.yy * L.yy;
      rows.bias[i].x -= L.xx * bias.x + L.xy * bias.y;
      rows.bias[i].y -= L.yx * bias.x + L.yy * bias.y;
      if constexpr (kRetained != Retained::kNothing) {
        rows.turning[i].x -= L.xx * m.x + L.xy * m.y;
        rows.turning[i].y -= L.yx * m.x + L.yy * m.y;
      }
      if constexpr (kRetained == Retained::kAll) {
        auto& pull = rows.pull[i];
        pull.xx -= L.xx * f.xx + L.xy * f.xy, pull.yx -= L.xx * f.yx + L.xy * f.yy;
        pull.xy -= L.yx * f.xx + L.yy * f.xy, pull.yy -= L.yx * f.yx + L.yy * f.yy;
      }
    }
  }
}

// A front with what its sources and its own ends leave in it, all closed that can be.
template <Retained kRetained, class T, class Count>
inline void close_rows(const Linkage<T>& linkage, const Front& front, const Count& counts,
                       const FrontWork<T>& rows, const Work<T>& work, BodyWork<T>* body,
                       double mask = block_elimination::kPivotMask) {
  if (front.is_first) clear(front, rows);
  open_ends<kRetained>(linkage, front, rows, work);
  close_cuts<kRetained>(linkage, front, counts, rows, work, body, mask);
}

// The front that takes what a source leaves open: cut i of the source is
// cut to[i]. The first source clears it.
template <class T>
struct Receiver {
  Receiver(const Front& into, bool opens, const int* positions, Work<T>& work)
      : retained(into.retained), sum(into, work), to(positions) {
    if (opens) clear(into, sum);
  }
  Receiver(const Linkage<T>& linkage, const Front& source, Work<T>& work)
      : Receiver(linkage.fronts[at(source.into)], source.opens, linkage.to.data() + source.first,
                 work) {}

  void add_bias(int i, const T& x, const T& y) const {
    sum.bias[to[i]].x += x;
    sum.bias[to[i]].y += y;
  }
  // Psi of two cuts, the first of which comes later in the source.
  void add(const Block<T>& Psi, int i, int j) const {
    if (to[j] <= to[i]) {
      auto& block = sum.block(to[i], to[j]);
      block.xx += Psi.xx, block.xy += Psi.xy, block.yx += Psi.yx, block.yy += Psi.yy;
    } else {
      auto& block = sum.block(to[j], to[i]);
      block.xx += Psi.xx, block.xy += Psi.yx, block.yx += Psi.xy, block.yy += Psi.yy;
    }
  }

  Retained retained;
  FrontWork<T> sum;
  const int* to;
};

// The rest of a front over the ground, for another one. value(x): the entry x as the other
// one takes it.
template <class T, class U, class Count, class Value>
inline void hand_over(const Count& counts, const FrontWork<T>& rows, const Receiver<U>& into,
                      const Value& value) {
  for (int i = counts.closing; i < counts.cuts; ++i) {
    into.add_bias(i, value(rows.bias[i].x), value(rows.bias[i].y));
    if (into.retained == Retained::kTurning) {
      into.sum.turning[into.to[i]].x += value(rows.turning[i].x);
      into.sum.turning[into.to[i]].y += value(rows.turning[i].y);
    }
    for (int j = counts.closing; j <= i; ++j) {
      const auto& Psi = rows.block(i, j);
      into.add({value(Psi.xx), value(Psi.xy), value(Psi.yx), value(Psi.yy)}, i, j);
    }
  }
}

// sigma of the cuts that closed in a front, from those that were open and the motion felt.
template <Retained kRetained, class T, class Count>
inline void release(const Linkage<T>& linkage, const Front& front, const Count& counts,
                    const BodyWork<T>* body, Work<T>& work) {
  const FrontWork<T> rows(front, work);
  const int* const cuts = linkage.front_cuts.data() + front.first;
  for (int s = counts.closing; s-- > 0;) {
    const auto& d = rows.block(s, s);
    Vector2<T> w = rows.bias[s];
    if constexpr (kRetained == Retained::kAll) {
      const auto& f = rows.pull[s];
      w.x += f.xx * body->Vx + f.yx * body->Vy;
      w.y += f.xy * body->Vx + f.yy * body->Vy;
    }
    if constexpr (kRetained != Retained::kNothing) {
      w.x += rows.turning[s].x * body->omega;
      w.y += rows.turning[s].y * body->omega;
    }
    w.x *= d.xx, w.y *= d.yy;
    for (int i = s + 1; i < counts.cuts; ++i) {
      const auto& L = rows.block(i, s);
      const auto& sigma = work.cuts[at(cuts[i])].sigma;
      w.x += L.xx * sigma.x + L.yx * sigma.y;
      w.y += L.xy * sigma.x + L.yy * sigma.y;
    }
    auto& sigma = work.cuts[at(cuts[s])].sigma;
    sigma.y = -w.y;
    sigma.x = -w.x - d.yx * sigma.y;
  }
}

}  // namespace hamiltree::planar_loops
