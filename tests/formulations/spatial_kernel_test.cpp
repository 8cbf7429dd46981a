// The kernel in world axes under every instruction set: it gives what the dense formulation gives
// on random mechanisms of every topology, closes loops onto given gaps, and leaves to the general
// kernel what it says it leaves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "hamiltree/formulations/dense/dense.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/formulations/kernel/compile.hpp"
#include "hamiltree/formulations/kernel/kernel_sets.hpp"
#include "hamiltree/model/model.hpp"
#include "support/condition.hpp"
#include "support/random_mechanism.hpp"

namespace hamiltree {
namespace {

using InSpace = System<Spatial<double>>;
using test::RandomMechanism;

constexpr std::uint64_t kSeed = 20261123;

struct Set {
  const char* name;
  const kernel::Kernels* kernels;
};

std::vector<Set> sets_of_this_machine() {
  std::vector<Set> sets{{"baseline", &kernel::kBaseline}};
#if defined(__x86_64__) && !defined(HAMILTREE_ONE_INSTRUCTION_SET)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    sets.push_back({"avx2", &kernel::kAvx2});
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
    sets.push_back({"avx512", &kernel::kAvx512});
#endif
  return sets;
}

struct Result {
  std::vector<double> v, q_dot, sigma, p_dot;
  bool held = false;
};

// By one set, of a system without forces.
Result evaluate(const kernel::Kernels& kernels, const kernel::Tables& tables, const double* q,
                const double* p, const double* phi) {
  Result result{
      std::vector<double>(at(tables.velocities)), std::vector<double>(at(tables.coordinates)),
      std::vector<double>(at(tables.constraints)), std::vector<double>(at(tables.velocities))};
  kernel::Work work(tables);
  work.mask = 1e-12;
  const kernel::Arrays arrays{.q = q,
                              .p = p,
                              .phi = phi,
                              .loads = nullptr,
                              .v = result.v.data(),
                              .q_dot = result.q_dot.data(),
                              .sigma = result.sigma.data(),
                              .p_dot = result.p_dot.data()};
  kernels.place(tables, arrays, work);
  kernels.velocities(tables, arrays, work);
  result.held = work.held;
  if (!work.held && phi == nullptr) kernels.momentum_rates(tables, arrays, work);
  return result;
}

double difference(const std::vector<double>& x, const std::vector<double>& y, double size) {
  double most = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    size = std::max(size, std::abs(y[i]));
    most = std::max(most, std::abs(x[i] - y[i]));
    if (!std::isfinite(x[i])) return 1e300;
  }
  return size > 0.0 ? most / size : 0.0;
}

class SpatialKernel : public testing::TestWithParam<test::Topology> {};

TEST_P(SpatialKernel, AgreesWithTheDenseFormulationUnderEveryInstructionSet) {
  int compared = 0, held = 0, too_many_rows = 0;
  double worst = 0.0;
  for (std::uint64_t i = 0; i < 150; ++i) {
    const auto seed = kSeed + 10000 * static_cast<std::uint64_t>(GetParam()) + i;
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMechanism random(seed);
    const Model model(random.make(SpaceKind::kSpatial, GetParam(),
                                  i % 2 == 0 ? test::Extent::kBasic : test::Extent::kFull));
    const auto system = std::get<InSpace>(model.tables()).without_forces();
    if (!kernel::foreign_part(system).empty() || !system.drives.empty()) continue;
    const Eigen::VectorXd q = random.closed_pose(model, system),
                          p = random.vector(system.velocities);
    const Dense<Spatial<double>> dense(system);
    Dense<Spatial<double>>::Work work(dense);
    dense.velocities(0.0, q.data(), p.data(), nullptr, work);
    dense.momentum_rates(0.0, q.data(), work);
    const double condition = test::scaled_condition(work.augmented.M, work.augmented.A);
    if (!(condition <= 1e6)) continue;
    Kinematics<Spatial<double>> kin(system);
    place(system, 0.0, q.data(), kin);
    const auto tables =
        kernel::compile(system, std::vector<bool>(at(system.constraints), true), kin);
    if (!tables) {
      ++too_many_rows;
      continue;
    }
    const auto rates = work.result;
    const Eigen::VectorXd phi = 1e-3 * random.vector(system.constraints), none = 0.0 * p;
    dense.velocities(0.0, q.data(), none.data(), phi.data(), work);
    const double tolerance = 1e-13 * condition + 1e-11;
    const double speed = p.norm() / work.augmented.M.diagonal().maxCoeff();
    for (const auto& [name, kernels] : sets_of_this_machine()) {
      SCOPED_TRACE(name);
      const auto result = evaluate(*kernels, *tables, q.data(), p.data(), nullptr);
      held += result.held;
      if (result.held) continue;
      ++compared;
      const double error = std::max({difference(result.v, rates.v, speed),
                                     difference(result.q_dot, rates.q_dot, speed),
                                     difference(result.sigma, rates.sigma, p.norm()),
                                     difference(result.p_dot, rates.p_dot, p.norm())});
      worst = std::max(worst, error / tolerance);
      EXPECT_LE(difference(result.v, rates.v, speed), tolerance);
      EXPECT_LE(difference(result.q_dot, rates.q_dot, speed), tolerance);
      EXPECT_LE(difference(result.sigma, rates.sigma, p.norm()), tolerance);
      EXPECT_LE(difference(result.p_dot, rates.p_dot, p.norm()), tolerance);
      const auto step = evaluate(*kernels, *tables, q.data(), none.data(), phi.data());
      EXPECT_LE(difference(step.v, work.result.v, phi.norm()), tolerance) << "projection";
    }
  }
  std::printf("from seed %llu: %d compared, %d held, %d with too many rows, worst %.2g\n",
              static_cast<unsigned long long>(kSeed), compared, held, too_many_rows, worst);
  EXPECT_GT(compared, 50);
}

INSTANTIATE_TEST_SUITE_P(Random, SpatialKernel, testing::ValuesIn(test::kTopologies),
                         [](const auto& info) {
                           return test::case_name(SpaceKind::kSpatial, info.param);
                         });

}  // namespace
}  // namespace hamiltree
