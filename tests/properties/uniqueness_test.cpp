// Which reactions redundant constraints leave open: the flags of unique_reactions, by elimination
// with either formulation, against the null space of all constraints on free bodies; and reactions
// that are unique are the same whoever computes them.
#include "hamiltree/formulations/uniqueness.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numbers>
#include <string>
#include <vector>

#include "hamiltree/formulations/dense/dense.hpp"
#include "hamiltree/io/load.hpp"
#include "hamiltree/model/loops.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "properties/null_space.hpp"
#include "properties/variants.hpp"
#include "support/newton_euler.hpp"
#include "support/random_mechanism.hpp"

namespace hamiltree {
namespace {

using test::NullSpace;
using test::RandomMechanism;
using test::Topology;

// Over all samples of a test.
struct Tally {
  int samples = 0, redundant = 0, unclear = 0, torn = 0;
  int unique = 0, not_unique = 0;                   // components of redundant mechanisms
  double least_part = 1.0, largest_zero = 0.0;      // of the oracle's decisions
  double worst_unique = 0.0, worst_not_unique = 0;  // difference of reactions over the loads

  void print(const std::string& name) const {
    std::printf(
        "%s: %d samples, %d redundant, %d unclear and %d torn by drives apart; %d components "
        "unique, %d not; "
        "oracle's parts above %.2g or below %.2g; unique reactions differ by %.2g, others "
        "by up to %.2g of the largest\n",
        name.c_str(), samples, redundant, unclear, torn, unique, not_unique, least_part,
        largest_zero, worst_unique, worst_not_unique);
  }
};

template <class Space>
class Sample {
 public:
  Sample(const Model& model, const System<Space>& system, double t, Eigen::VectorXd q,
         Eigen::VectorXd p, std::string label)
      : model_(model),
        system_(system),
        t_(t),
        q_(std::move(q)),
        p_(std::move(p)),
        label_(std::move(label)) {}

  void check(Tally& tally) {
    const auto expected = test::null_space(model_, system_, t_, q_);
    ++tally.samples;
    if (!expected.clear()) {
      ++tally.unclear;
      return;
    }
    tally.redundant += expected.redundant > 0;
    if (expected.redundant > 0) {
      tally.least_part = std::min(tally.least_part, expected.least_part);
      tally.largest_zero = std::max(tally.largest_zero, expected.largest_zero);
    }
    // Drives that ask of redundant loops what these cannot follow: no reactions, but flags.
    follows_ = reset();
    tally.torn += !follows_;
    const auto reference = components("dense", expected, false);
    for (const std::string name : {"hdca", "recursive"}) {
      const auto found = components(name, expected, true);
      if (follows_) compare(found, reference, expected, tally);
    }
  }

 private:
  // The momenta of the motion, in the gauge of a reset. False if the loops open all the same.
  bool reset() {
    const Dense<Space> dense(system_);
    typename Dense<Space>::Work work(dense);
    dense.velocities(t_, q_.data(), p_.data(), nullptr, work);
    momenta(system_, work.kin, p_.data());
    Eigen::VectorXd opening(system_.constraints);
    velocity_residual(system_, work.kin, opening.data());
    return largest_residual(system_, opening) < 1e-10;
  }

  // All reactions as the joints' own components; checks the flags and the count on the way.
  std::vector<double> components(const std::string& name, const NullSpace& expected, bool flags) {
    const auto formulation = make_formulation(name, model_);
    const auto workspace = formulation->make_workspace();
    const StateView state{t_, q_.data(), p_.data()};
    const auto redundancy = formulation->analyse(state, *workspace);
    EXPECT_EQ(redundancy.redundant, expected.redundant) << name << ", " << label_;
    if (flags) {
      const auto found = unique_reactions(model_, *formulation, redundancy, state, *workspace);
      for (int j = 0; j < system_.joint_count(); ++j) {
        EXPECT_EQ(found[at(j)].not_unique(), expected.unique[at(j)].not_unique())
            << name << ", joint " << model_.joint_name(j) << ", " << label_;
      }
    }
    EXPECT_EQ(formulation->accelerations(state, *workspace), Status::kOk) << name << ", " << label_;
    // Reactions that are not unique must still balance.
    const auto balance = test::newton_euler(system_, *formulation, *workspace, t_, q_);
    if (follows_) {
      EXPECT_LE(balance.residual, 1e-9 * balance.size) << name << ", " << label_;
    }
    load_ = balance.size;
    std::vector<double> values;
    for (int j = 0; j < system_.joint_count(); ++j) {
      const auto r = formulation->reaction(j, *workspace);
      values.insert(values.end(), r.joint_force.begin(), r.joint_force.end());
      const Eigen::Vector3d moment = r.joint_moment / system_.length;
      values.insert(values.end(), moment.begin(), moment.end());
      values.push_back(r.drive);
    }
    return values;
  }

  void compare(const std::vector<double>& found, const std::vector<double>& reference,
               const NullSpace& expected, Tally& tally) {
    double size = std::max(load_, 1e-300);
    for (const double x : reference) size = std::max(size, std::abs(x));
    for (std::size_t k = 0; k < found.size(); ++k) {
      const auto& flags = expected.unique[k / 7];
      const auto i = k % 7;
      const bool unique = i < 3 ? flags.force[i] : i < 6 ? flags.moment[i - 3] : flags.drive;
      const double difference = std::abs(found[k] - reference[k]) / size;
      double& worst = unique ? tally.worst_unique : tally.worst_not_unique;
      worst = std::max(worst, difference);
      if (unique) {
        EXPECT_LE(difference, 1e-9) << "component " << i << " of joint "
                                    << model_.joint_name(static_cast<int>(k / 7)) << ", " << label_;
      }
      if (expected.redundant > 0) ++(unique ? tally.unique : tally.not_unique);
    }
  }

  const Model& model_;
  const System<Space>& system_;
  double t_;
  Eigen::VectorXd q_, p_;
  std::string label_;
  bool follows_ = true;
  double load_ = 0.0;  // the largest force on any body
};

void check(const Model& model, double t, const Eigen::VectorXd& q, const Eigen::VectorXd& p,
           const std::string& label, Tally& tally) {
  model.visit([&]<class Space>(const System<Space>& system) {
    Sample<Space>(model, system, t, q, p, label).check(tally);
  });
}

struct Shipped {
  const char* name;
  int redundant;
};

class ShippedMechanism : public testing::TestWithParam<Shipped> {};

// At the start and further on.
TEST_P(ShippedMechanism, KnowsItsUniqueReactions) {
  const auto model =
      load(std::string(HAMILTREE_MECHANISMS) + "/" + GetParam().name + "/model.toml");
  Simulation simulation(model);
  Tally tally;
  for (const double until : {0.0, 0.07, 0.31}) {
    if (until > 0.0) simulation.run_until(until, until);
    const auto state = simulation.state();
    check(model, state.t, state.q, state.p,
          GetParam().name + std::string(" at ") + std::to_string(until) + " s", tally);
    model.visit([&](const auto& system) {
      EXPECT_EQ(test::null_space(model, system, state.t, state.q).redundant, GetParam().redundant);
    });
  }
  tally.print(GetParam().name);
  EXPECT_EQ(tally.unclear, 0);
}

INSTANTIATE_TEST_SUITE_P(All, ShippedMechanism,
                         testing::Values(Shipped{"four_bar_spatial", 3}, Shipped{"bennett", 3},
                                         Shipped{"bricard", 1}, Shipped{"door", 10},
                                         Shipped{"iftomm_a04_bricard", 1},
                                         Shipped{"parallelogram", 7}, Shipped{"cardan_shaft", 3},
                                         Shipped{"screw_press", 4}, Shipped{"rssr", 0}),
                         [](const auto& info) { return std::string(info.param.name); });

constexpr std::uint64_t kSeed = 19050301;

// A planar mechanism in space: pins are revolute joints, sliders slide along their z.
Mechanism in_space(Mechanism mechanism) {
  mechanism.space = SpaceKind::kSpatial;
  Frame x_to_z;  // its z is the old x
  x_to_z.rotation = Eigen::AngleAxisd(0.5 * std::numbers::pi, Eigen::Vector3d::UnitY());
  for (auto& joint : mechanism.joints) {
    if (joint.type != JointType::kPrismatic) continue;
    joint.at_parent = test::operator*(joint.at_parent, x_to_z);
    joint.at_child = test::operator*(joint.at_child, x_to_z);
  }
  return mechanism;
}

bool exists_in_space(const Mechanism& mechanism) {
  for (const auto& joint : mechanism.joints) {
    // A moved frame of a slider would have to move along the turned axes.
    if (joint.type == JointType::kPrismatic && joint.parent_motion) return false;
  }
  return true;
}

Eigen::VectorXd closed_pose(const RandomMechanism& random, const Model& model) {
  return model.visit([&](const auto& system) { return random.closed_pose(model, system); });
}

TEST(RandomOverconstrained, PlanarMechanismsInSpace) {
  Tally tally;
  int drawn = 0;
  for (std::uint64_t seed = kSeed; tally.redundant < 60; ++seed) {
    ASSERT_LT(++drawn, 2000);
    RandomMechanism random(seed);
    const auto topology = test::kTopologies[3 + seed % 4];
    const Mechanism said = random.make(SpaceKind::kPlanar, topology, test::Extent::kFull);
    if (!exists_in_space(said)) continue;
    const Model model(in_space(said));
    check(model, RandomMechanism::kTime, closed_pose(random, model),
          random.vector(model.velocity_count()),
          "planar " + std::string(test::to_name(topology)) + " in space, seed " +
              std::to_string(seed),
          tally);
    if (HasFailure()) return;
  }
  tally.print("planar in space, seeds from " + std::to_string(kSeed));
}

// A second joint of the same kind on the same axis, some way along it, as a second hinge of a door.
JointDescription once_more(const JointDescription& said, double shift, const std::string& name) {
  JointDescription joint = said;
  joint.name = name;
  joint.armature = 0.0;  // the rotor is there once
  // Frames that move take their shift along, and these two have but one place.
  if (joint.parent_motion || joint.type == JointType::kSpherical ||
      joint.type == JointType::kUniversal) {
    return joint;
  }
  const Frame along{{0.0, 0.0, shift}, Eigen::Matrix3d::Identity()};
  joint.at_parent = test::operator*(joint.at_parent, along);
  joint.at_child = test::operator*(joint.at_child, along);
  return joint;
}

// Any spatial mechanism, some joints of it doubled or threefold: doors with chains on them, loops
// with two bearings.
TEST(RandomOverconstrained, DoubledJoints) {
  Tally tally;
  int drawn = 0;
  for (std::uint64_t seed = kSeed; tally.redundant < 120; ++seed) {
    ASSERT_LT(++drawn, 2000);
    RandomMechanism random(seed);
    const auto topology = test::kTopologies[seed % 7];
    Mechanism mechanism = random.make(SpaceKind::kSpatial, topology, test::Extent::kFull);
    const int joints = static_cast<int>(mechanism.joints.size());
    for (int k = random.integer(1, 3); k > 0; --k) {
      const auto original = mechanism.joints[at(random.integer(0, joints - 1))];
      if (original.type == JointType::kFree) continue;
      mechanism.add(once_more(original, random.uniform(0.5, 1.5), "D" + std::to_string(k)));
    }
    // A second gear beside the first couples the same shafts.
    if (!mechanism.couplings.empty() && random.chance(0.5)) {
      auto coupling = mechanism.couplings.front();
      coupling.name = "second gear";
      mechanism.add(coupling);
    }
    const Model model(mechanism);
    check(model, RandomMechanism::kTime, closed_pose(random, model),
          random.vector(model.velocity_count()),
          "doubled " + std::string(test::to_name(topology)) + ", seed " + std::to_string(seed),
          tally);
    if (HasFailure()) return;
  }
  tally.print("doubled joints, seeds from " + std::to_string(kSeed));
}

}  // namespace
}  // namespace hamiltree
