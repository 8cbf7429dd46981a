// Ten million steps of a four-bar and of Bricard's linkage, which has a redundant constraint: what
// does not grow. For the extended tests (./dev test --extended): minutes each. How long steps take
// is printed, not tested: machines are shared.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <string>

#include "support/recorded.hpp"

namespace hamiltree {
namespace {

using test::shipped;

constexpr long kSteps = 10'000'000;

// bytes
double resident_memory() {
  std::ifstream file("/proc/self/statm");
  double all = 0.0, resident = 0.0;
  file >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// How long steps took, in bins a tenth of an octave wide from 10 ns on.
class StepTimes {
 public:
  void add(double seconds) {
    const double bin = 10.0 * std::log2(std::max(seconds, kFirst) / kFirst);
    ++counts_[std::min(static_cast<std::size_t>(bin), counts_.size() - 1)];
    ++count_;
    longest_ = std::max(longest_, seconds);
  }
  // The time that a share of all steps took no longer than.
  double quantile(double share) const {
    double sum = 0.0;
    for (std::size_t bin = 0; bin < counts_.size(); ++bin) {
      sum += static_cast<double>(counts_[bin]);
      if (sum >= share * static_cast<double>(count_))
        return kFirst * std::exp2(static_cast<double>(bin + 1) / 10.0);
    }
    return longest_;
  }
  double longest() const { return longest_; }

 private:
  static constexpr double kFirst = 1e-8;  // s
  std::array<long, 400> counts_{};
  long count_ = 0;
  double longest_ = 0.0;
};

struct Tenth {
  double open = 0.0, rate = 0.0, sigma = 0.0, energy = 0.0;  // m, m/s, N s, J: the largest
  double memory = 0.0;                                       // bytes, at its end
};

class TenMillionSteps : public testing::TestWithParam<const char*>, public Recorder {
 public:
  void begin(const RecordingHeader&) override {}
  void sample(const Sample& s) override {
    const double energy = s.kinetic_energy + s.potential_energy;
    if (s.t == 0.0) initial_ = energy;
    auto& tenth = tenth_at(s.t);
    tenth.open = std::max(tenth.open, s.position_residual);
    tenth.rate = std::max(tenth.rate, s.velocity_residual);
    tenth.energy = std::max(tenth.energy, std::abs(energy - initial_));
    tenth.memory = resident_memory();
  }
  void step(const StepRecord&) override { ++steps_; }
  void finish(const Summary& s) override { summary_ = s; }

 protected:
  static constexpr double kStep = 1e-3;  // s
  static constexpr double kUntil = kStep * kSteps;

  Tenth& tenth_at(double t) {
    return tenths_[std::min<std::size_t>(9, static_cast<std::size_t>(10.0 * t / kUntil))];
  }

  std::array<Tenth, 10> tenths_{};
  double initial_ = 0.0;
  long steps_ = 0;
  Summary summary_;
};

TEST_P(TenMillionSteps, DISABLED_GrowNothing) {
  using Clock = std::chrono::steady_clock;
  Simulation simulation(shipped(GetParam()),
                        {.formulation = "recursive", .integrator = RungeKutta4{kStep}});
  StepTimes times;
  auto before = Clock::now();
  simulation.on_step([&](double t) {
    const auto now = Clock::now();
    times.add(std::chrono::duration<double>(now - before).count());
    before = now;
    auto& tenth = tenth_at(t);
    tenth.sigma = std::max(tenth.sigma, simulation.step_impulses().lpNorm<Eigen::Infinity>());
  });
  simulation.run_until(kUntil, 1.0, *this);
  std::printf(
      "%s, %ld steps of %g s\n tenth  open (m)  rate (m/s)  impulse (N s)  energy (J)  "
      "memory (MiB)\n",
      GetParam(), steps_, kStep);
  for (std::size_t i = 0; i < tenths_.size(); ++i) {
    const auto& t = tenths_[i];
    std::printf(" %5zu  %.2e  %.2e    %.4e     %.2e    %.1f\n", i + 1, t.open, t.rate, t.sigma,
                t.energy, t.memory / 1048576.0);
  }
  std::printf("a step takes %.3g us, 99 %% at most %.3g us, 99.9 %% %.3g us, the longest %.3g us\n",
              1e6 * times.quantile(0.5), 1e6 * times.quantile(0.99), 1e6 * times.quantile(0.999),
              1e6 * times.longest());
  EXPECT_EQ(steps_, kSteps);
  const auto& first = tenths_.front();
  const auto& last = tenths_.back();
  EXPECT_LE(last.open, 2.0 * first.open + 1e-14);
  EXPECT_LE(last.rate, 2.0 * first.rate + 1e-13);
  EXPECT_LE(last.sigma, 1.2 * first.sigma);
  EXPECT_LE(last.memory, first.memory + 1048576.0);
}

INSTANTIATE_TEST_SUITE_P(Of, TenMillionSteps, testing::Values("four_bar", "bricard"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace hamiltree
