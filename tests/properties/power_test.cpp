// The energy balance of random mechanisms with every force, drives, couplings and loops:
// d(T + V)/dt, differentiated along the motion on dual numbers, is the power of the forces without
// a potential and of the drives.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "hamiltree/forces/loads.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/model/model.hpp"
#include "support/on_duals.hpp"
#include "support/random_mechanism.hpp"
#include "support/rates.hpp"

namespace hamiltree {
namespace {

using test::RandomMechanism;
using test::Topology;

constexpr std::uint64_t kSeed = 1847;
constexpr int kSamples = 60;      // per topology and space
constexpr double kBound = 1e-10;  // relative; measured: 3e-12 at most, the median is 2e-15

class PowerBalance : public testing::TestWithParam<std::tuple<SpaceKind, Topology>> {};

template <class Space>
double worst_of(const Model& model, const System<Space>& system, RandomMechanism& random) {
  constexpr double t = RandomMechanism::kTime;
  const Eigen::VectorXd q = random.closed_pose(model, system);
  const Eigen::VectorXd p = random.vector(system.velocities);
  const auto formulation = make_formulation("dense", model);
  const auto workspace = formulation->make_workspace();
  const StateView state{t, q.data(), p.data()};
  formulation->analyse(state, *workspace);
  if (formulation->accelerations(state, *workspace) != Status::kOk) return 0.0;
  const Eigen::VectorXd v = test::to_vector(workspace->v);

  using DualSpace = typename Space::template Rebind<Dual>;
  const System<DualSpace> moving_system = system.template cast<Dual>();
  Kinematics<DualSpace> moving(moving_system);
  const auto q_moving = test::to_duals(q, test::to_vector(workspace->q_dot));
  place(moving_system, Dual(t, 1.0), q_moving.data(), moving);
  move(moving_system, test::to_duals(v, test::to_vector(workspace->v_dot)).data(), moving);
  const Dual T = kinetic_energy(moving_system, moving);
  const Dual V = potential_energy(moving_system, moving, q_moving.data());

  Kinematics<Space> kin(system);
  place(system, t, q.data(), kin);
  move(system, v.data(), kin);
  const auto P = power(system, kin, t, q.data());
  EXPECT_LE(P.dissipated, 0.0);
  if (is_conservative(system)) {
    EXPECT_EQ(P.applied, 0.0);
    EXPECT_EQ(P.dissipated, 0.0);
  }
  double drives = 0.0;
  double size = std::abs(T.derivative) + std::abs(V.derivative) + 1.0;
  Loads<Space> loads(system);
  evaluate_loads(system, kin, t, q.data(), loads);
  for (int j = 0; j < system.joint_count(); ++j) {
    const auto& joint = system.joint(j);
    const auto reaction = formulation->reaction(j, *workspace);
    const typename Space::Force F = stack<Space>(reaction.force.head<Space::kLinear>(),
                                                 reaction.moment.tail<Space::kAngular>());
    const double given = F.dot(prescribed_motion(system, kin, j));
    size += std::abs(given);
    drives += given;
    // The effort along a driven joint is part of F, and has its own account.
    if (joint.velocities == 0 && joint.along != kNone) {
      drives -= loads.effort[at(j)] * joint_rate(system, kin, j);
    }
  }
  const double error = T.derivative + V.derivative - P.applied - P.dissipated - drives;
  return std::abs(error) / size;
}

TEST_P(PowerBalance, IsThatOfTheForces) {
  const auto [space, topology] = GetParam();
  double worst = 0.0;
  std::vector<double> errors;
  for (int i = 0; i < kSamples; ++i) {
    const auto seed =
        kSeed + 10000 * static_cast<std::uint64_t>(topology) + static_cast<std::uint64_t>(i);
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMechanism random(seed);
    const Model model(test::cut_where_closed(random.make(space, topology, test::Extent::kFull)));
    model.visit([&](const auto& system) { errors.push_back(worst_of(model, system, random)); });
    EXPECT_LE(errors.back(), kBound);
    worst = std::max(worst, errors.back());
  }
  std::sort(errors.begin(), errors.end());
  std::printf("%d samples from seed %llu: median %.2g, worst %.2g\n", kSamples,
              static_cast<unsigned long long>(kSeed), errors[errors.size() / 2], worst);
}

INSTANTIATE_TEST_SUITE_P(Random, PowerBalance,
                         testing::Combine(testing::Values(SpaceKind::kPlanar, SpaceKind::kSpatial),
                                          testing::ValuesIn(test::kTopologies)),
                         [](const auto& info) {
                           return test::case_name(std::get<0>(info.param), std::get<1>(info.param));
                         });

}  // namespace
}  // namespace hamiltree
