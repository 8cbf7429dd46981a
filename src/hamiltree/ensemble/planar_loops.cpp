#include "hamiltree/ensemble/planar_loops.hpp"

#include <algorithm>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/contraction/front.hpp"
#include "hamiltree/math/sincos.hpp"

namespace hamiltree {

PlanarLoops::PlanarLoops(std::span<const PinMechanism> mechanisms) {
  const auto& first = mechanisms.front();
  const auto in_lanes = [&](const auto& number) {
    Pack all(0.0);
    for (int lane = 0; lane < kLanes; ++lane)
      all.set(lane, number(mechanisms[std::min(at(lane), mechanisms.size() - 1)]));
    return all;
  };
  for (std::size_t b = 0; b < first.pins.size(); ++b) {
    const auto of = [&](double PlanarPin::*entry) {
      return in_lanes([&](const PinMechanism& m) { return m.pins[b].*entry; });
    };
    pins_.push_back({first.pins[b].inboard,
                     {of(&PlanarPin::x), of(&PlanarPin::y)},
                     {of(&PlanarPin::cosine), of(&PlanarPin::sine)}});
  }
  for (std::size_t c = 0; c < first.closings.size(); ++c) {
    const auto of = [&](auto side, std::size_t i) {
      return in_lanes([&](const PinMechanism& m) { return (m.closings[c].*side)[i]; });
    };
    Closing closing{{first.closings[c].parent, first.closings[c].child}, {}, {}};
    closing.at[0] = {of(&ClosingPin::at_parent, 0), of(&ClosingPin::at_parent, 1)};
    closing.at[1] = {of(&ClosingPin::at_child, 0), of(&ClosingPin::at_child, 1)};
    closings_.push_back(closing);
  }
  axes_.resize(pins_.size());
  r_.resize(pins_.size());
  r_dot_.resize(pins_.size());
  omega_.resize(pins_.size());
  phi_.resize(rows());
  A_.resize(rows() * pins_.size());
  S_.resize(rows() * rows());
  inverse_.resize(rows());
}

PlanarLoops::Vector PlanarLoops::world_point(int body, const Vector& point) const {
  if (body == kNone) return point;
  const auto& [c, s] = axes_[at(body)];
  const auto& r = r_[at(body)];
  return {r.x + c * point.x - s * point.y, r.y + s * point.x + c * point.y};
}

PlanarLoops::Vector PlanarLoops::velocity(int body, const Vector& point) const {
  if (body == kNone) return {Pack(0.0), Pack(0.0)};
  const auto b = at(body);
  return {r_dot_[b].x - omega_[b] * (point.y - r_[b].y),
          r_dot_[b].y + omega_[b] * (point.x - r_[b].x)};
}

// (1)
void PlanarLoops::place(const Pack* q) {
  for (std::size_t b = 0; b < pins_.size(); ++b) {
    const auto& pin = pins_[b];
    Pack sine, cosine;
    sin_cos(q[b], sine, cosine);
    const Vector turn{pin.turn.x * cosine - pin.turn.y * sine,
                      pin.turn.y * cosine + pin.turn.x * sine};
    r_[b] = world_point(pin.inboard, pin.at);
    axes_[b] = turn;
    if (pin.inboard == kNone) continue;
    const auto& [c, s] = axes_[at(pin.inboard)];
    axes_[b] = {c * turn.x - s * turn.y, s * turn.x + c * turn.y};
  }
  std::ranges::fill(A_, Pack(0.0));
  const auto n = pins_.size();
  for (std::size_t k = 0; k < closings_.size(); ++k) {
    auto& closing = closings_[k];
    for (const int side : {0, 1}) {
      const Pack sign(side == 1 ? 1.0 : -1.0);
      auto& r = closing.r[side];
      r = world_point(closing.body[side], closing.at[side]);
      for (int b = closing.body[side]; b != kNone; b = pins_[at(b)].inboard) {
        A_[2 * k * n + at(b)] -= sign * (r.y - r_[at(b)].y);
        A_[(2 * k + 1) * n + at(b)] += sign * (r.x - r_[at(b)].x);
      }
    }
    phi_[2 * k] = closing.r[1].x - closing.r[0].x;
    phi_[2 * k + 1] = closing.r[1].y - closing.r[0].y;
  }
}

// (2)
void PlanarLoops::factor(const std::vector<Pack>& columns) {
  const auto m = rows(), n = pins_.size();
  Pack trace(0.0);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      Pack sum(0.0);
      for (std::size_t b = 0; b < n; ++b) sum += A_[i * n + b] * columns[k * n + b];
      S_[i * m + k] = sum;
    }
    trace += S_[i * m + i];
  }
  const Pack least = Pack(contraction::kPivotMask) * trace;
  for (std::size_t j = 0; j < m; ++j) {
    const Pack d = S_[j * m + j];
    inverse_[j] = select(least < d, Pack(1.0) / d, Pack(0.0));
    for (std::size_t i = j + 1; i < m; ++i) {
      const Pack l = S_[i * m + j] * inverse_[j];
      for (std::size_t k = j + 1; k <= i; ++k) S_[i * m + k] -= l * S_[k * m + j];
    }
    for (std::size_t i = j + 1; i < m; ++i) S_[i * m + j] *= inverse_[j];
  }
}

void PlanarLoops::close(std::span<Pack> w) const {
  const auto m = rows();
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t i = j + 1; i < m; ++i) w[i] -= S_[i * m + j] * w[j];
  }
  for (std::size_t j = 0; j < m; ++j) w[j] = -(w[j] * inverse_[j]);
  for (std::size_t j = m; j-- > 0;) {
    for (std::size_t i = j + 1; i < m; ++i) w[j] -= S_[i * m + j] * w[i];
  }
}

void PlanarLoops::opening_velocities(const Pack* v, std::span<Pack> w) const {
  const auto n = pins_.size();
  for (std::size_t i = 0; i < w.size(); ++i) {
    Pack sum(0.0);
    for (std::size_t b = 0; b < n; ++b) sum += A_[i * n + b] * v[b];
    w[i] = sum;
  }
}

void PlanarLoops::add_impulses(std::span<const Pack> sigma, Pack* p) const {
  const auto n = pins_.size();
  for (std::size_t i = 0; i < sigma.size(); ++i) {
    for (std::size_t b = 0; b < n; ++b) p[b] += A_[i * n + b] * sigma[i];
  }
}

// (3)
void PlanarLoops::subtract_turning(const Pack* v, std::span<const Pack> sigma, Pack* p_dot) {
  for (std::size_t b = 0; b < pins_.size(); ++b) {
    const int inboard = pins_[b].inboard;
    r_dot_[b] = velocity(inboard, r_[b]);
    omega_[b] = inboard == kNone ? v[b] : omega_[at(inboard)] + v[b];
  }
  for (std::size_t k = 0; k < closings_.size(); ++k) {
    const auto& closing = closings_[k];
    for (const int side : {0, 1}) {
      const Pack sign(side == 1 ? 1.0 : -1.0);
      const auto speed = velocity(closing.body[side], closing.r[side]);
      for (int b = closing.body[side]; b != kNone; b = pins_[at(b)].inboard) {
        const Pack x = speed.x - r_dot_[at(b)].x, y = speed.y - r_dot_[at(b)].y;
        p_dot[b] -= sign * (x * sigma[2 * k + 1] - y * sigma[2 * k]);
      }
    }
  }
}

}  // namespace hamiltree
