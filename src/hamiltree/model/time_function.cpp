#include "hamiltree/model/time_function.hpp"

#include <algorithm>
#include <cstddef>
#include <numbers>

namespace hamiltree {

PiecewiseSine::PiecewiseSine(const TimeFunction& description) {
  std::visit([&](const auto& f) { set(f); }, description);
}

bool PiecewiseSine::is_zero() const {
  const auto vanishes = [](const Piece& piece) {
    return std::all_of(piece.coefficients.begin(), piece.coefficients.end(),
                       [](double c) { return c == 0.0; });
  };
  return amplitude_ == 0.0 && std::all_of(pieces_.begin(), pieces_.end(), vanishes);
}

void PiecewiseSine::set(const Polynomial& f) { pieces_ = {{0.0, f.coefficients}}; }

void PiecewiseSine::set(const Sine& f) {
  pieces_ = {{0.0, {f.constant}}};
  amplitude_ = f.amplitude;
  omega_ = 2.0 * std::numbers::pi * f.frequency;
  phase_ = f.phase;
}

// s(u) = from + (to - from) (10 u^3 - 15 u^4 + 6 u^5),   u = (t - start) / duration
void PiecewiseSine::set(const SmoothStep& f) {
  const double rise = f.to - f.from;
  const double cube = f.duration * f.duration * f.duration;
  pieces_ = {{f.start, {f.from}},
             {f.start,
              {f.from, 0.0, 0.0, 10.0 * rise / cube, -15.0 * rise / (cube * f.duration),
               6.0 * rise / (cube * f.duration * f.duration)}},
             {f.start + f.duration, {f.to}}};
}

// Clamped cubic spline: the rates m_i at the times solve, with h_i = t_{i+1} - t_i,
//   h_i m_{i-1} + 2 (h_{i-1} + h_i) m_i + h_{i-1} m_{i+1}
//     = 3 (h_i (y_i - y_{i-1}) / h_{i-1} + h_{i-1} (y_{i+1} - y_i) / h_i)
// which has no pivot to choose: the matrix is diagonally dominant.
void PiecewiseSine::set(const Table& f) {
  const auto last = f.times.size() - 1;
  const auto h = [&](std::size_t i) { return f.times[i + 1] - f.times[i]; };
  const auto slope = [&](std::size_t i) { return (f.values[i + 1] - f.values[i]) / h(i); };
  std::vector<double> rate(last + 1, f.start_rate);
  rate[last] = f.end_rate;
  std::vector<double> diagonal(last + 1, 1.0);
  for (std::size_t i = 1; i < last; ++i) {  // forward elimination; the rate at the start is known
    const double below = h(i) / diagonal[i - 1];
    diagonal[i] = 2.0 * (h(i - 1) + h(i)) - (i == 1 ? 0.0 : below * h(i - 2));
    rate[i] = 3.0 * (h(i) * slope(i - 1) + h(i - 1) * slope(i)) - below * rate[i - 1];
  }
  for (std::size_t i = last; i-- > 1;) {  // back-substitution
    rate[i] = (rate[i] - h(i - 1) * rate[i + 1]) / diagonal[i];
  }
  pieces_ = {{f.times.front(), {f.values.front(), f.start_rate}}};
  for (std::size_t i = 0; i < last; ++i) {
    const double m = slope(i);
    pieces_.push_back({f.times[i],
                       {f.values[i], rate[i], (3.0 * m - 2.0 * rate[i] - rate[i + 1]) / h(i),
                        (rate[i] + rate[i + 1] - 2.0 * m) / (h(i) * h(i))}});
  }
  pieces_.push_back({f.times.back(), {f.values.back(), f.end_rate}});
}

}  // namespace hamiltree
