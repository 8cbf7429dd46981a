// Messages between ranks about their chain_blocks, as numbers. All lanes of a compound are alike:
// one is sent.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "hamiltree/base/ranks.hpp"
#include "hamiltree/formulations/dh_frames/chain_block_work.hpp"

namespace hamiltree::distributed {

// Calls f(number) for each number of a message, to take it or to set it; the lower halves of a and
// c are all there is of them.
template <class Of, class F>
requires requires(Of& x) { x.compound; }
void for_numbers(Of& x, const F& f) {
  for (std::size_t i = 0; i < x.compound.x.size(); ++i) {
    for (std::size_t j = 0; j < x.compound.x.size(); ++j) {
      if (j <= i) f(x.compound.a[i][j]), f(x.compound.c[i][j]);
      f(x.compound.b[i][j]);
    }
    f(x.compound.x[i]), f(x.compound.y[i]);
  }
  for (auto& entry : x.turn) f(entry);
  for (auto& entry : x.moments) f(entry);
}
template <class Of, class F>
requires requires(Of& x) { x.T_1; }
void for_numbers(Of& x, const F& f) {
  for (auto& entry : x.T_1) f(entry);
  for (auto& entry : x.T_2) f(entry);
  for (auto& entry : x.gravity) f(entry);
  for (auto& entry : x.behind) f(entry);
}
template <class Of, class F>
requires requires(Of& x) { x.p; }
void for_numbers(Of& x, const F& f) { f(x.s), f(x.c), f(x.p); }
template <class Of, class F>
requires requires(Of& x) { x.x, x.y; }
void for_numbers(Of& x, const F& f) {
  f(x.x), f(x.y);
  if constexpr (requires { x.turning; }) f(x.turning);
}

inline double number_of(double x) { return x; }
inline double number_of(const Pack& x) { return x[0]; }

// Broadcast from rank 0: whoever knows it tells one more, then two, four.
inline void broadcast(const Ranks& ranks, std::span<double> numbers) {
  for (int told = 1; told < ranks.count; told *= 2) {
    if (ranks.rank < told && ranks.rank + told < ranks.count)
      ranks.send(ranks.rank + told, numbers);
    if (told <= ranks.rank && ranks.rank < 2 * told) ranks.receive(ranks.rank - told, numbers);
  }
}

// The largest of a number that every rank has, to all.
inline double largest_of(const Ranks& ranks, double own) {
  for (int step = 1; step < ranks.count; step *= 2) {
    if (ranks.rank % (2 * step) != 0) {
      ranks.send(ranks.rank - step, {&own, 1});
      break;
    }
    if (ranks.rank + step >= ranks.count) continue;
    double other = 0.0;
    ranks.receive(ranks.rank + step, {&other, 1});
    own = std::max(own, other);
  }
  broadcast(ranks, {&own, 1});
  return own;
}

// More than any message has.
using Message = std::array<double, 64>;

template <class Of>
void send(const Ranks& ranks, int to, const Of& x) {
  Message message;
  std::size_t size = 0;
  for_numbers(x, [&](const auto& number) { message[size++] = number_of(number); });
  ranks.send(to, std::span(message).first(size));
}

template <class Of>
void receive(const Ranks& ranks, int from, Of& x) {
  Message message;
  std::size_t size = 0;
  for_numbers(x, [&](const auto&) { ++size; });
  ranks.receive(from, std::span(message).first(size));
  size = 0;
  for_numbers(x, [&](auto& number) { number = message[size++]; });
}

}  // namespace hamiltree::distributed
