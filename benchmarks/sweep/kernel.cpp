// The lower bound of a sweep of four-bars: the equations of eight of them side by side,
// called for the steps of rk4 without reading models, without arithmetic of the method, without
// output. Prints CPU seconds per step and four-bar, of whole steps and of rates only.
#include <algorithm>
#include <array>
#include <ctime>
#include <iostream>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/batch/revolute_lanes.hpp"
#include "hamiltree/io/load.hpp"
#include "hamiltree/simulation/initial_state.hpp"

namespace {

using namespace hamiltree;

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// The median of several rounds of many steps.
template <class Step>
double seconds_per_step(const Step& step) {
  constexpr int kRounds = 61, kSteps = 20000;
  std::array<double, kRounds> seconds{};
  for (auto& round : seconds) {
    const double start = cpu_seconds();
    for (int i = 0; i < kSteps; ++i) step();
    round = (cpu_seconds() - start) / kSteps / kLanes;
  }
  std::ranges::nth_element(seconds, seconds.begin() + kRounds / 2);
  return seconds[kRounds / 2];
}

}  // namespace

int main(int, char** argv) {
  const auto model = load(argv[1]);
  const auto pins = *revolute_mechanism(model);
  const auto start = initial_state(model);
  RevoluteLanes lanes(std::span(&pins, 1));
  const auto n = at(model.velocity_count());
  std::vector<Pack> q(n), p(n), v(n), q_dot(n), p_dot(n);
  for (std::size_t i = 0; i < n; ++i) q[i] = Pack(start.q(static_cast<Eigen::Index>(i)));
  std::vector<Pack> moved = q;
  // Each stage is at another place, or the factors of the one before would be used again.
  const auto rates = [&] {
    for (int stage = 0; stage < 4; ++stage) {
      moved[0] = q[0] + Pack(1e-9 * stage);
      lanes.rate(moved.data(), p.data(), v.data(), q_dot.data(), p_dot.data());
    }
  };
  const double whole = seconds_per_step([&] {
    rates();
    moved = q;
    lanes.close_loops(moved.data());
    lanes.reset_momenta(moved.data(), p.data());
    q = moved;
  });
  const double rates_only = seconds_per_step(rates);
  std::cout << "{\"step\": " << whole << ", \"rates_of_a_step\": " << rates_only << "}\n";
}
