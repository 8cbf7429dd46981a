// Functions of time as kernels evaluate them: a piecewise polynomial plus a sine. All TimeFunctions
// of model/time_description.hpp become one.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <type_traits>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/time_description.hpp"

namespace hamiltree {

// s(t), ds/dt and d2s/dt2
template <class Scalar>
struct TimeValue {
  Scalar value{0}, rate{0}, acceleration{0};
};

class PiecewiseSine {
 public:
  PiecewiseSine() : pieces_{{0.0, {}}} {}
  explicit PiecewiseSine(const TimeFunction& description);

  // Whether it is zero at all times, as far as its coefficients show.
  bool is_zero() const;

  template <class Scalar>
  TimeValue<Scalar> operator()(const Scalar& t) const {
    TimeValue<Scalar> result;
    // Motors of robots have controls without a sine, and are asked at every rate.
    if (!std::is_floating_point_v<Scalar> || amplitude_ != 0.0) result = sine(t);
    if constexpr (std::same_as<decltype(t < t), bool>) {
      const auto after = std::upper_bound(
          pieces_.begin() + 1, pieces_.end(), t,
          [](const Scalar& time, const Piece& piece) { return time < Scalar(piece.start); });
      add(value_of(*(after - 1), t), result);
    } else {
      // A traced scalar cannot choose: every piece is evaluated, the right one is taken.
      auto chosen = value_of(pieces_.front(), t);
      for (std::size_t i = 1; i < pieces_.size(); ++i) {
        const auto next = value_of(pieces_[i], t);
        const auto later = Scalar(pieces_[i].start) <= t;
        chosen = {select(later, next.value, chosen.value), select(later, next.rate, chosen.rate),
                  select(later, next.acceleration, chosen.acceleration)};
      }
      add(chosen, result);
    }
    return result;
  }

 private:
  template <class Scalar>
  TimeValue<Scalar> sine(const Scalar& t) const {
    using std::cos;
    using std::sin;
    const Scalar angle = Scalar(omega_) * t + Scalar(phase_);
    const Scalar s = Scalar(amplitude_) * sin(angle);
    const Scalar c = Scalar(amplitude_ * omega_) * cos(angle);
    return {s, c, -(Scalar(omega_ * omega_) * s)};
  }

  // Sum of coefficients[i] (t - start)^i from `start` on; the first piece also rules before.
  struct Piece {
    double start = 0.0;
    std::vector<double> coefficients;
  };

  // Horner's scheme for a polynomial and its first two derivatives.
  template <class Scalar>
  static TimeValue<Scalar> value_of(const Piece& piece, const Scalar& t) {
    const Scalar x = t - Scalar(piece.start);
    TimeValue<Scalar> sum;
    for (auto c = piece.coefficients.rbegin(); c != piece.coefficients.rend(); ++c) {
      sum.acceleration = sum.acceleration * x + Scalar(2) * sum.rate;
      sum.rate = sum.rate * x + sum.value;
      sum.value = sum.value * x + Scalar(*c);
    }
    return sum;
  }

  template <class Scalar>
  static void add(const TimeValue<Scalar>& term, TimeValue<Scalar>& sum) {
    sum.value += term.value;
    sum.rate += term.rate;
    sum.acceleration += term.acceleration;
  }

  void set(const Polynomial& f);
  void set(const Sine& f);
  void set(const SmoothStep& f);
  void set(const Table& f);

  std::vector<Piece> pieces_;
  double amplitude_ = 0.0, omega_ = 0.0, phase_ = 0.0;
};

}  // namespace hamiltree
