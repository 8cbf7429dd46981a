// DH frames lose no more digits than the general kernel, nor do segments side by side: all
// against quadruple precision, for masses that differ by six orders, slender links and axes that
// are nearly parallel.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "formulations/by_general_kernel.hpp"
#include "hamiltree/formulations/dh_frames/compile.hpp"
#include "hamiltree/formulations/dh_frames/into_lanes.hpp"
#include "hamiltree/math/quad.hpp"
#include "studies/scalar_kernels/scalar_kernels.hpp"
#include "support/dh_rates.hpp"
#include "support/pins.hpp"
#include "support/relative_error.hpp"

namespace hamiltree::test {
namespace {

using Vector = std::vector<double>;

using Rates = GeneralRates;

// One pin after the other, or segments of the chain side by side.
Rates in_dh_frames(const Model& model, bool lanes, const Eigen::VectorXd& q,
                   const Eigen::VectorXd& p) {
  auto tree = *dh_frames::tree_of(model);
  if (lanes) tree = dh_frames::into_lanes(tree, {.segment_step = 0.0, .joins = 0.0});
  EXPECT_EQ(tree.chain.has_value(), lanes);
  const auto all = rates(dh_frames::kernels(), tree, q, p);
  const auto n = p.size();
  return {{all.data(), all.data() + n}, {all.data() + n + q.size(), all.data() + all.size()}};
}

struct Case {
  std::string name;
  Axes axes;
  double mass_ratio;  // from the lightest body to the heaviest
  double width;       // of the links, by their length
  bool rods;
};

class ScrewPrecision : public testing::TestWithParam<Case> {};

// Rods of 0.6 m and of the given width, or compact bodies of that size at their pins.
void reshape(const Case& c, BodyDescription& body) {
  const double spread = 0.3 * c.width;  // m
  const Eigen::Vector3d along = c.rods ? body.com.normalized() : Eigen::Vector3d::Zero();
  body.com = c.rods ? Eigen::Vector3d(0.3 * along) : Eigen::Vector3d(c.width * body.com);
  body.inertia =
      body.mass *
      (spread * spread * Eigen::Matrix3d::Identity() +
       0.03 * (along.squaredNorm() * Eigen::Matrix3d::Identity() - along * along.transpose()));
}

Mechanism harder(Mechanism mechanism, const Case& c) {
  const auto n = static_cast<double>(mechanism.bodies.size());
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
    auto& body = mechanism.bodies[i];
    body.mass *= std::pow(c.mass_ratio, std::fmod(7.0 * static_cast<double>(i), n) / n);
    reshape(c, body);
  }
  return mechanism;
}

TEST_P(ScrewPrecision, IsThatOfTheGeneralKernel) {
  double dh_frames = 0.0, lanes = 0.0, general = 0.0;
  for (const unsigned seed : {1U, 2U, 3U, 4U}) {
    Pins pins(seed);
    const Model model(harder(pins.tree(48, GetParam().axes, 1), GetParam()));
    const Eigen::VectorXd q = 3.0 * pins.vector(48), p = pins.vector(48);
    model.visit([&](const auto& system) {
      const auto exact = by_general_kernel(system.template cast<Quad>(), q, p);
      const auto ours = in_dh_frames(model, false, q, p);
      const auto side_by_side = in_dh_frames(model, true, q, p);
      const auto other = by_general_kernel(system.template cast<double>(), q, p);
      for (const auto part : {&Rates::v, &Rates::p_dot}) {
        dh_frames = std::max(dh_frames, relative_error(ours.*part, exact.*part));
        lanes = std::max(lanes, relative_error(side_by_side.*part, exact.*part));
        general = std::max(general, relative_error(other.*part, exact.*part));
      }
    });
  }
  std::printf("  dh_frames %.2g, in lanes %.2g, general %.2g\n", dh_frames, lanes, general);
  EXPECT_LT(dh_frames, 10.0 * general + 1e-15);
  // Segments invert the inertia of a chain that floats, which costs a digit or two of the last.
  EXPECT_LT(lanes, 10.0 * std::max(dh_frames, general) + 1e-13);
}

INSTANTIATE_TEST_SUITE_P(
    Chains, ScrewPrecision,
    testing::Values(Case{"plain", Axes::kAny, 1.0, 1.0, false},
                    Case{"masses", Axes::kAny, 1e6, 1.0, false},
                    Case{"slender", Axes::kAny, 1.0, 1e-2, true},
                    Case{"slender_masses", Axes::kRightAngles, 1e6, 1e-2, true},
                    Case{"compact", Axes::kAny, 1.0, 1e-2, false},
                    Case{"parallel", Axes::kParallel, 1e3, 0.1, true},
                    Case{"in_plane", Axes::kInPlane, 1.0, 1.0, false},
                    Case{"in_plane_slender_masses", Axes::kInPlane, 1e6, 1e-2, true},
                    Case{"nearly_parallel", Axes::kNearlyParallel, 1e3, 0.1, true}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace hamiltree::test
