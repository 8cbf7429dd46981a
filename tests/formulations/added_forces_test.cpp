// Forces of every kind on mechanisms of revolute joints, which kernels that know gravity alone
// compute: against the dense formulation.
#include "hamiltree/formulations/added_forces.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include "hamiltree/formulations/choice/choice.hpp"
#include "hamiltree/model/joints/joints.hpp"
#include "hamiltree/simulation/probe.hpp"
#include "support/pins.hpp"
#include "support/planar_linkages.hpp"
#include "support/random_mechanism.hpp"
#include "support/rates.hpp"
#include "support/same_motion.hpp"

namespace hamiltree::test {
namespace {

using Eigen::VectorXd;

constexpr double kTime = 0.37;

// Springs between points, bushings, wrenches, ropes, a winch, a spring along a joint that closes a
// loop; what was drawn stays the same for the same seed.
Mechanism with_forces(Mechanism mechanism, unsigned seed) {
  RandomMechanism random(seed);
  random.make(mechanism.space, Topology::kTree);  // whose space the frames of forces are of
  random.add_further_forces(mechanism);
  random.add_ropes(mechanism);
  for (auto& joint : mechanism.joints) joint.armature = 0.0;  // which these kernels leave to others
  const auto point = [&] {
    Eigen::Vector3d x = random.vector(3);
    if (mechanism.space == SpaceKind::kPlanar) x.z() = 0.0;
    return x;
  };
  mechanism.add(PointSpringDamper{"spring",
                                  {{kGround, point()}, {mechanism.bodies.back().name, point()}},
                                  7.0,
                                  0.4,
                                  0.3,
                                  {},
                                  {}});
  auto& last = mechanism.joints.back();
  last.cut = mechanism.joints.size() > mechanism.bodies.size();
  if (joint_size(last.type, mechanism.space).velocities == 1)
    mechanism.add(JointSpringDamper{last.name, 3.0, 0.2, 0.4, {}});
  return mechanism;
}

Mechanism without_forces(Mechanism mechanism) {
  mechanism.forces.clear();
  return mechanism;
}

// Power and energy, too.
void expect_as_dense(const Model& model, unsigned seed, const FormulationOptions& options = {}) {
  SCOPED_TRACE(model.name() + ", seed " + std::to_string(seed));
  ASSERT_EQ(joint_forces_of(model), nullptr);
  const auto choice = choice_of("recursive", model, options);
  ASSERT_TRUE(std::holds_alternative<dh_frames::Tree>(choice.kernel) ||
              std::holds_alternative<planar_loops::Alternatives>(choice.kernel));
  const auto recursive = make_formulation("recursive", model, options),
             dense = make_formulation("dense", model);
  const auto own = recursive->make_workspace(), other = dense->make_workspace();
  const auto probe = make_probe(model);
  Pins random(seed);
  double apart = 0.0;  // potential energies are told less a constant
  for (int state = 0; state < 3; ++state) {
    const VectorXd q = 3.0 * random.vector(model.coordinate_count());
    const VectorXd p = random.vector(model.velocity_count());
    const StateView now{kTime, q.data(), p.data()};
    recursive->analyse(now, *own);
    dense->analyse(now, *other);
    ASSERT_EQ(recursive->rate(now, *own), Status::kOk);
    ASSERT_EQ(dense->rate(now, *other), Status::kOk);
    expect_near(to_vector(own->v), to_vector(other->v), 1e-9, "v");
    expect_near(to_vector(own->u_dot), to_vector(other->u_dot), 1e-9, "p_dot");
    const auto power = recursive->power(now, *own), expected = dense->power(now, *other);
    EXPECT_NEAR(power.applied, expected.applied, 1e-9 * (1.0 + std::abs(expected.applied)));
    EXPECT_NEAR(power.dissipated, expected.dissipated,
                1e-9 * (1.0 + std::abs(expected.dissipated)));
    const auto energies = recursive->energies(now, *own);
    ASSERT_TRUE(energies);
    probe->set(kTime, q.data(), own->v.data());
    const double difference = energies->potential - probe->potential_energy();
    if (state == 0) apart = difference;
    EXPECT_NEAR(difference, apart, 1e-9);
  }
}

TEST(AddedForces, OfEveryKindActOnTreesOfRevolutes) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    Pins random(seed);
    expect_as_dense(Model(with_forces(random.tree(6, Axes::kInPlane, 2), seed)), seed);
    expect_as_dense(Model(with_forces(random.tree(12, Axes::kAny, 6), seed)), seed,
                    {.lanes = LaneChoice::kAlways});
  }
}

TEST(AddedForces, OfEveryKindActOnLoopsOfRevolutes) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    PlanarLinkages random(seed);
    expect_as_dense(Model(with_forces(random.ladder(2 + static_cast<int>(seed % 3)), seed)), seed);
  }
}

// On joints of all types: what the momentum rates are more than without forces.
TEST(AddedForces, AreWhatForcesAddToMomentumRates) {
  for (const auto space : {SpaceKind::kPlanar, SpaceKind::kSpatial}) {
    for (const auto topology : kTopologies) {
      for (unsigned seed = 1; seed <= 10; ++seed) {
        SCOPED_TRACE(case_name(space, topology) + ", seed " + std::to_string(seed));
        auto mechanism = with_forces(
            cut_where_closed(without_forces(RandomMechanism(seed).make(space, topology))), seed);
        const Model model(mechanism);
        const Model bare(without_forces(mechanism));
        if (model.velocity_count() == 0) continue;
        Pins random(seed);
        const VectorXd q = random.vector(model.coordinate_count());
        const VectorXd p = random.vector(model.velocity_count());
        const auto with = rates("dense", model, kTime, q, p),
                   without = rates("dense", bare, kTime, q, p);
        VectorXd added = VectorXd::Zero(p.size());
        forces_of(model)->add_efforts(kTime, q.data(), with.v.data(), added.data());
        EXPECT_LE((added - (with.p_dot - without.p_dot)).norm(), 1e-10 * (1.0 + with.p_dot.norm()));
      }
    }
  }
}

// At another pose with the same velocities, with other velocities at the same pose, and again.
TEST(AddedForces, AreThoseOfTheStateTheyAreAskedAt) {
  Pins random(5);
  const Model model(with_forces(random.tree(6, Axes::kInPlane, 2), 5));
  const auto n = model.velocity_count();
  const auto forces = forces_of(model);
  const VectorXd q[] = {random.vector(n), random.vector(n)},
                 v[] = {random.vector(n), random.vector(n)};
  for (const auto& [pose, motion] : {std::pair(0, 0), {1, 0}, {1, 1}, {0, 1}, {0, 0}}) {
    VectorXd found = VectorXd::Zero(n), expected = VectorXd::Zero(n);
    forces->add_efforts(kTime, q[pose].data(), v[motion].data(), found.data());
    forces_of(model)->add_efforts(kTime, q[pose].data(), v[motion].data(), expected.data());
    EXPECT_EQ(found, expected) << pose << motion;
    EXPECT_EQ(forces->stored_energy(q[1 - pose].data()),
              forces_of(model)->stored_energy(q[1 - pose].data()));
    found.setZero();
    forces->add_efforts(kTime, q[pose].data(), v[motion].data(), found.data());
    EXPECT_EQ(found, expected) << pose << motion;
  }
}

}  // namespace
}  // namespace hamiltree::test
