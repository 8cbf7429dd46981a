// Symmetric methods run backwards as they ran forwards: from the end, with velocities turned round,
// back to the start. Drives would have to run backwards too: conservative mechanisms only.
#include <gtest/gtest.h>

#include <cstdio>
#include <ostream>
#include <string>
#include <vector>

#include "support/methods.hpp"
#include "support/recorded.hpp"

namespace hamiltree {
namespace {

using test::difference;
using test::shipped;

// The same mechanism, released as a sample says but with velocities turned round.
Model turned_round(const Model& model, const Sample& end) {
  auto mechanism = model.mechanism();
  for (auto& joint : mechanism.joints) joint.initial_v.reset();  // cuts may have some, too
  model.visit([&](const auto& system) {
    for (int b = 0; b < system.body_count(); ++b) {
      const auto& joint = system.joint(b);
      auto& description = mechanism.joints[static_cast<std::size_t>(model.described_joint(b))];
      description.initial_q = end.q.segment(joint.q, joint.coordinates);
      description.initial_v = -end.v.segment(joint.v, joint.velocities);
      description.guess_q.reset();
    }
  });
  return Model(mechanism);
}

Recording run_back(const Model& model, const Method& method, double until) {
  // For the Bricard linkage, recursive leaves spark's iteration fewer digits.
  return Simulation(model, {.formulation = "hdca", .integrator = method}).run_until(until, until);
}

// How far from the start, there and back.
double missed(const Model& model, const Method& method, double until) {
  const auto there = run_back(model, method, until);
  auto back = run_back(turned_round(model, there.samples.back()), method, until).samples.back();
  back.v = -back.v;
  EXPECT_GT(difference(there.samples.front(), there.samples.back()), 0.1);
  return difference(there.samples.front(), back);
}

struct Journey {
  const char* mechanism;
  double until, step;  // s
};
std::ostream& operator<<(std::ostream& out, const Journey& j) { return out << j.mechanism; }

class Reversal : public testing::TestWithParam<Journey> {};

TEST_P(Reversal, LeadsBackToTheStart) {
  const auto& [name, until, step] = GetParam();
  const auto model = shipped(name);
  const bool tree = model.constraint_count() == 0;
  for (const char* method :
       {"implicit_midpoint", "gauss_4", "gauss_6", "spark_1", "spark_2", "spark_3"}) {
    if (!tree && std::holds_alternative<Gauss>(*method_from_name(method))) continue;
    const double by_symmetric = missed(model, test::with_step(method, step), until);
    std::printf("%s by %s: %.2g\n", name, method, by_symmetric);
    EXPECT_LE(by_symmetric, 1e-10) << method;  // measured: up to 1.5e-11
  }
  const double by_other = missed(model, RungeKutta4{step}, until);
  std::printf("%s by rk4: %.2g\n", name, by_other);
  EXPECT_GE(by_other, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(
    Mechanisms, Reversal,
    testing::Values(Journey{"double_pendulum", 1.0, 0.005}, Journey{"heavy_top", 1.0, 0.002},
                    Journey{"torque_free_body", 2.0, 0.02}, Journey{"four_bar", 1.0, 0.005},
                    Journey{"bricard", 2.0, 0.02}, Journey{"rssr", 0.5, 0.005}),
    [](const auto& info) { return std::string(info.param.mechanism); });

}  // namespace
}  // namespace hamiltree
