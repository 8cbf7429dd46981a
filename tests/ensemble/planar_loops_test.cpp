// What works on the loops of eight mechanisms, on every instruction set: against quotients of the
// gaps, and against each other.
#include "hamiltree/ensemble/planar_loops.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/base/instruction_set.hpp"
#include "hamiltree/ensemble/loop_kernel_sets.hpp"

namespace hamiltree {
namespace {

constexpr unsigned kSeed = 1709;

// Of the sets that this machine has.
std::vector<std::pair<std::string, const loops::Kernels*>> kernel_sets() {
  std::vector<std::pair<std::string, const loops::Kernels*>> sets;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(instruction_set()); ++i) {
    sets.emplace_back(to_name(static_cast<InstructionSet>(i)), loops::kKernelSets[i]);
  }
  return sets;
}

// A chain of six pins, of which the tip is pinned to the ground and to the second body.
class PlanarLoopsOf : public testing::Test {
 protected:
  PlanarLoopsOf() : random_(kSeed) {
    for (int lane = 0; lane < kLanes; ++lane) {
      PinMechanism m;
      for (int b = 0; b < kBodies; ++b) {
        const double angle = number();
        m.pins.push_back({b - 1, number(), number(), std::cos(angle), std::sin(angle)});
      }
      m.closings.push_back({-1, 5, {number(), number()}, {number(), number()}});
      m.closings.push_back({1, 5, {number(), number()}, {number(), number()}});
      mechanisms_.push_back(m);
    }
    q_ = packs(kBodies);
    v_ = packs(kBodies);
    w_ = packs(kRows);
  }

  double number() { return std::uniform_real_distribution<double>(-1.0, 1.0)(random_); }
  std::vector<Pack> packs(std::size_t count) {
    std::vector<Pack> all(count);
    for (auto& pack : all) {
      for (int lane = 0; lane < kLanes; ++lane) pack.set(lane, number());
    }
    return all;
  }

  static constexpr int kBodies = 6;
  static constexpr std::size_t kRows = 4;
  std::mt19937 random_;
  std::vector<PinMechanism> mechanisms_;
  std::vector<Pack> q_, v_, w_;
};

// A v is how fast the gaps open; sigma turns with the child, the tip of the chain.
TEST_F(PlanarLoopsOf, RatesAreQuotients) {
  constexpr double kStep = 1e-6;
  const std::vector<Pack> sigma = w_;
  for (const auto& [name, kernels] : kernel_sets()) {
    SCOPED_TRACE(name);
    PlanarLoops loops(mechanisms_, *kernels);
    std::vector<Pack> gaps[2], pulls[2];
    for (const int side : {0, 1}) {
      auto q = q_;
      for (int b = 0; b < kBodies; ++b) q[at(b)] += Pack(side == 0 ? -kStep : kStep) * v_[at(b)];
      loops.place(q.data());
      gaps[side].assign(loops.gaps().begin(), loops.gaps().end());
      auto turned = sigma;
      for (std::size_t r = 0; r < kRows; r += 2) {
        for (int lane = 0; lane < kLanes; ++lane) {
          double angle = 0.0;
          for (std::size_t b = 0; b < at(kBodies); ++b) angle += q[b][lane] - q_[b][lane];
          const double x = sigma[r][lane], y = sigma[r + 1][lane];
          turned[r].set(lane, std::cos(angle) * x - std::sin(angle) * y);
          turned[r + 1].set(lane, std::sin(angle) * x + std::cos(angle) * y);
        }
      }
      pulls[side].assign(at(kBodies), Pack(0.0));
      loops.add_impulses(turned, pulls[side].data());
    }
    loops.place(q_.data());
    std::vector<Pack> opening(kRows), turning(at(kBodies), Pack(0.0));
    loops.opening_velocities(v_.data(), opening);
    loops.subtract_turning(v_.data(), sigma, turning.data());
    for (int lane = 0; lane < kLanes; ++lane) {
      for (std::size_t r = 0; r < kRows; ++r) {
        EXPECT_NEAR(opening[r][lane], (gaps[1][r][lane] - gaps[0][r][lane]) / (2.0 * kStep), 1e-8);
      }
      for (std::size_t b = 0; b < at(kBodies); ++b) {
        EXPECT_NEAR(-turning[b][lane], (pulls[1][b][lane] - pulls[0][b][lane]) / (2.0 * kStep),
                    1e-8);
      }
    }
  }
}

// With the rows of A for columns S = A A^T: sigma = -S^-1 w opens the loops by -w.
TEST_F(PlanarLoopsOf, ImpulsesUndoOpeningVelocities) {
  for (const auto& [name, kernels] : kernel_sets()) {
    SCOPED_TRACE(name);
    PlanarLoops loops(mechanisms_, *kernels);
    loops.place(q_.data());
    loops.factor({loops.row(0), loops.row(0) + kRows * at(kBodies)});
    auto sigma = w_;
    loops.close(sigma);
    std::vector<Pack> v(at(kBodies), Pack(0.0)), opening(kRows);
    loops.add_impulses(sigma, v.data());
    loops.opening_velocities(v.data(), opening);
    for (std::size_t r = 0; r < kRows; ++r) {
      for (int lane = 0; lane < kLanes; ++lane) EXPECT_NEAR(opening[r][lane], -w_[r][lane], 1e-9);
    }
  }
}

}  // namespace
}  // namespace hamiltree
