// The choice of "auto": recursive where no other keeps more digits, and among light and heavy
// bodies whatever brings velocities back from momenta as well as any.
#include "hamiltree/formulations/select.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <random>
#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "support/random_mechanism.hpp"
#include "support/shipped.hpp"

namespace hamiltree {
namespace {

constexpr std::uint64_t kSeed = 20261123;

TEST(Select, TakesRecursiveOfWhatIsShipped) {
  for (const auto& folder : std::filesystem::directory_iterator(HAMILTREE_MECHANISMS)) {
    const auto name = folder.path().filename().string();
    const auto model = test::shipped(name);
    const auto selected = select_formulation(model, initial_state(model).q);
    EXPECT_EQ(selected.name, "recursive") << name;
    EXPECT_FALSE(selected.reason.empty()) << name;
  }
}

TEST(Select, IsOneOfTheChoices) {
  const auto& choices = formulation_choices();
  ASSERT_EQ(choices.size(), formulation_names().size() + 1);
  EXPECT_EQ(choices.front(), kAutoFormulation);
  EXPECT_THROW(make_formulation(kAutoFormulation, test::shipped("four_bar")), UsageError);
}

// Half of the bodies are lighter, by up to six orders of magnitude.
Mechanism scattered(test::RandomMechanism& random, SpaceKind space, test::Topology topology,
                    std::uint64_t seed) {
  auto mechanism = random.make(space, topology);
  std::mt19937_64 draw(seed);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (auto& body : mechanism.bodies) {
    if (uniform(draw) < 0.5) continue;
    const double factor = std::pow(10.0, -6.0 * uniform(draw));
    body.mass *= factor;
    body.inertia *= factor;
  }
  return mechanism;
}

TEST(Select, KeepsTheDigitsOfLightBodies) {
  std::map<std::string, int> taken;
  double worst = 0.0;
  for (std::uint64_t k = 0; k < 40; ++k) {
    for (const auto space : {SpaceKind::kPlanar, SpaceKind::kSpatial}) {
      for (const auto topology : test::kTopologies) {
        test::RandomMechanism random(kSeed + k);
        const Model model(scattered(random, space, topology, k));
        const auto q =
            model.visit([&](const auto& system) { return random.closed_pose(model, system); });
        const auto selected = select_formulation(model, q);
        ++taken[selected.name];
        double best = 1.0;
        for (const auto* name : {"recursive", "hdca", "dense"})
          best = std::min(best, round_trip_error(name, model, q));
        const double error = round_trip_error(selected.name, model, q);
        // Measured where nothing is tried, with 11 estimated digits and more: 1.1e-9.
        EXPECT_LE(error, std::max(1e-8, 10.0 * best))
            << test::case_name(space, topology) << ", seed " << kSeed + k;
        worst = std::max(worst, error / std::max(1e-9, best));
      }
    }
  }
  std::printf("seed %llu: recursive %d, hdca %d, dense %d; worst %.2g of 10 times the best\n",
              static_cast<unsigned long long>(kSeed), taken["recursive"], taken["hdca"],
              taken["dense"], 0.1 * worst);
  EXPECT_GT(taken["hdca"] + taken["dense"], 0);
  EXPECT_GT(taken["recursive"], 500);
}

// A chain of four bodies, each a thousandth of the next one: a property of the state, of which no
// formulation keeps more, so the cheapest is taken.
TEST(Select, DoesNotPayForDigitsThatNoneKeeps) {
  Mechanism mechanism;
  mechanism.name = "heavy at its end";
  mechanism.space = SpaceKind::kPlanar;
  double mass = 1e-9;
  for (int k = 0; k < 4; ++k, mass *= 1e3) {
    BodyDescription body;
    body.name = "b" + std::to_string(k);
    body.mass = mass;
    body.com = {0.1, 0.0, 0.0};
    body.inertia = 0.01 * mass * Eigen::Matrix3d::Identity();
    mechanism.add(body);
    JointDescription pin;
    pin.name = "j" + std::to_string(k);
    pin.type = JointType::kRevolute;
    pin.parent = k == 0 ? kGround : "b" + std::to_string(k - 1);
    pin.child = body.name;
    if (k > 0) pin.at_parent.position = {0.2, 0.0, 0.0};
    pin.initial_q = Eigen::VectorXd(Eigen::VectorXd::Constant(1, 0.4));
    mechanism.add(pin);
  }
  const Model model(mechanism);
  const auto q = initial_state(model).q;
  EXPECT_EQ(select_formulation(model, q).name, "recursive");
  EXPECT_NE(select_formulation(model, q).reason.find("light bodies"), std::string::npos);
}

}  // namespace
}  // namespace hamiltree
