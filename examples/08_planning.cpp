// Planning by sampling, as predictive controllers do: 41 pushes are rolled out from where the cart
// is, the best is applied for one period, and so on. The pole starts tilted and ends upright.
#include <cmath>
#include <limits>
#include <vector>

#include "hamiltree/batch/rollout.hpp"
#include "hamiltree/hamiltree.hpp"
#include "show.hpp"

namespace {

constexpr int kPushes = 41;
constexpr double kPeriod = 0.05, kHorizon = 0.3;  // s

hamiltree::Model cart_with_pole() {
  hamiltree::Mechanism mechanism;
  mechanism.name = "cart_with_pole";
  mechanism.space = hamiltree::SpaceKind::kPlanar;
  mechanism.gravity = {0.0, -9.81, 0.0};
  hamiltree::BodyDescription cart, pole;
  cart.name = "cart";
  cart.mass = 1.0;
  pole.name = "pole";
  pole.mass = 0.2;
  pole.com = {0.0, 0.5, 0.0};
  pole.inertia(2, 2) = 0.01;
  hamiltree::JointDescription rail, pin;
  rail.name = "rail";
  rail.type = hamiltree::JointType::kPrismatic;
  rail.parent = hamiltree::kGround;
  rail.child = "cart";
  pin.name = "pin";
  pin.parent = "cart";
  pin.child = "pole";
  pin.initial_q = Eigen::VectorXd::Constant(1, 0.2);
  return hamiltree::Model(mechanism.add(cart).add(pole).add(rail).add(pin));
}

}  // namespace

int main() {
  const auto model = cart_with_pole();
  hamiltree::Rollout rollout(model, hamiltree::RungeKutta4{0.01});
  auto state = hamiltree::Simulation(model).state();
  for (int period = 0; period < 40; ++period) {
    std::vector<double> q(2 * kPushes), p(2 * kPushes), efforts(2 * kPushes);
    for (std::size_t k = 0; k < kPushes; ++k) {
      for (std::size_t i = 0; i < 2; ++i) {
        q[2 * k + i] = state.q(static_cast<Eigen::Index>(i));
        p[2 * k + i] = state.p(static_cast<Eigen::Index>(i));
      }
      efforts[2 * k] = static_cast<double>(k) - 20.0;  // N, on the cart
    }
    rollout.advance(state.t, kHorizon, kPushes, q.data(), p.data(), efforts.data());
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < kPushes; ++k) {
      const double cart = q[2 * k] * q[2 * k] + p[2 * k] * p[2 * k];
      const double pole = q[2 * k + 1] * q[2 * k + 1] + p[2 * k + 1] * p[2 * k + 1];
      const double cost = 0.1 * cart + 10.0 * pole;
      if (cost < least) {
        least = cost;
        best = k;
      }
    }
    rollout.advance(state.t, kPeriod, 1, state.q.data(), state.p.data(), &efforts[2 * best]);
    state.t += kPeriod;
  }
  show("cart", state.q(0));
  show("pole", state.q(1));
  show("upright", std::abs(state.q(1)) < 0.1);
}
