// A planar mechanism lifted into space moves as in the plane, number by number.
#include "hamiltree/model/lifted.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <variant>

#include "hamiltree/forces/loads.hpp"
#include "hamiltree/model/loop_gaps.hpp"
#include "hamiltree/model/model.hpp"
#include "support/random_mechanism.hpp"

namespace hamiltree {
namespace {

using Flat = System<Planar<double>>;
using InSpace = System<Spatial<double>>;

// All that a pose and velocities make of a system.
struct Seen {
  Eigen::VectorXd phi, phi_dot;
  Eigen::VectorXd momenta, efforts;  // of impulses in the loops, of gravity and all forces
  double kinetic = 0.0, potential = 0.0;
  Eigen::Matrix2Xd places;
};

template <class Space>
Seen seen_in(const System<Space>& system, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
             const Eigen::VectorXd& impulses) {
  Kinematics<Space> kin(system);
  place(system, test::RandomMechanism::kTime, q.data(), kin);
  move(system, v.data(), kin);
  const auto zero = [](int rows) { return Eigen::VectorXd(Eigen::VectorXd::Zero(rows)); };
  Seen seen;
  seen.phi = seen.phi_dot = zero(system.constraints);
  seen.momenta = seen.efforts = zero(system.velocities);
  LoopGaps<Space>(system).find(kin, q.data(), seen.phi.data());
  velocity_residual(system, kin, seen.phi_dot.data());
  add_loop_impulses(system, 1.0, impulses.data(), kin, seen.momenta.data());
  Loads<Space> loads(system);
  evaluate_loads(system, kin, test::RandomMechanism::kTime, q.data(), loads);
  accumulate(system, kin, loads.body);
  add_along_joints(system, kin, loads.body, seen.efforts.data());
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    if (joint.has_velocity() && joint.along != kNone) seen.efforts(joint.v) += loads.effort[at(b)];
  }
  seen.kinetic = kinetic_energy(system, kin);
  seen.places.resize(2, system.body_count());
  for (int b = 0; b < system.body_count(); ++b) {
    const auto place_of_com = kin.pose(b) * system.body(b).com;
    seen.places.col(b) = place_of_com.template head<2>();
    seen.potential -= system.body(b).mass * system.gravity.dot(place_of_com);
    if constexpr (!Space::kIsPlanar) {
      EXPECT_EQ(place_of_com.z(), 0.0);
    }
  }
  return seen;
}

double off(const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
  return x.size() == 0 ? 0.0 : (x - y).lpNorm<Eigen::Infinity>() / std::max(1.0, y.norm());
}

class Lifted : public testing::TestWithParam<test::Topology> {};

// Measured: 4e-16.
TEST_P(Lifted, MovesAsInThePlane) {
  constexpr std::uint64_t kSeed = 20261126;
  double worst = 0.0;
  int compared = 0, driven = 0;
  for (std::uint64_t seed = kSeed; seed < kSeed + 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    test::RandomMechanism random(seed);
    const Model model(random.make(SpaceKind::kPlanar, GetParam(), test::Extent::kFull));
    const auto& flat = std::get<Flat>(model.tables());
    const auto in_space = lifted(flat);
    ++compared;
    driven += !flat.drives.empty();
    // Beside the closed pose, so that every row has a gap.
    const Eigen::VectorXd q = random.closed_pose(model, flat) +
                              0.1 * random.vector(flat.coordinates),
                          v = random.vector(flat.velocities),
                          impulses = random.vector(flat.constraints);
    const auto expected = seen_in(flat, q, v, impulses);
    const auto found = seen_in(in_space, q, v, impulses);
    const double error =
        std::max({off(found.phi, expected.phi), off(found.phi_dot, expected.phi_dot),
                  off(found.momenta, expected.momenta), off(found.efforts, expected.efforts),
                  std::abs(found.kinetic - expected.kinetic) / std::max(1.0, expected.kinetic),
                  std::abs(found.potential - expected.potential) /
                      std::max(1.0, std::abs(expected.potential)),
                  off(found.places.reshaped(), expected.places.reshaped())});
    EXPECT_LE(error, 5e-15);
    worst = std::max(worst, error);
    EXPECT_EQ(in_space.row_scales, flat.row_scales);
  }
  std::printf("seeds from %llu: %d compared, %d driven, worst %.1e\n",
              static_cast<unsigned long long>(kSeed), compared, driven, worst);
  EXPECT_GT(driven, 0);
}

INSTANTIATE_TEST_SUITE_P(All, Lifted, testing::ValuesIn(test::kTopologies), [](const auto& info) {
  return test::case_name(SpaceKind::kPlanar, info.param);
});

}  // namespace
}  // namespace hamiltree
