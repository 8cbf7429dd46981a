// Modes as recordings: loops closed, shapes and phases those of the linearization, the pose kept.
#include "hamiltree/analysis/show_modes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include "analysis/linkage.hpp"
#include "hamiltree/analysis/equilibrium.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "support/shipped.hpp"

namespace hamiltree::test {
namespace {

using analysis::ModelAtPose;
using analysis::ModesShown;
using analysis::show_modes;
using Eigen::VectorXd;

ModelAtPose at_rest(const Model& model) {
  ModelAtPose pose(model, 0.0, initial_state(model).q);
  analysis::equilibrium(pose);
  return pose;
}

class ShowModes : public testing::TestWithParam<std::string> {};

TEST_P(ShowModes, KeepsLoopsClosedAndMovesAsTheShapesSay) {
  const auto model = shipped(GetParam());
  auto pose = at_rest(model);
  const VectorXd rest = pose.q();
  const auto linear = analysis::linearize(pose, VectorXd::Zero(pose.freedom()));
  const auto modes = analysis::modes(linear);
  const double length = model.visit([](const auto& system) { return system.length; });
  const auto recording = show_modes(pose, linear, {3, 1e-4});
  EXPECT_LT((pose.q() - rest).norm(), 1e-12);
  ASSERT_EQ(recording.modes.size(), std::min<std::size_t>(3, modes.size()));
  EXPECT_EQ(recording.summary.model.degrees_of_freedom, pose.freedom());
  std::size_t next = 0;
  for (std::size_t i = 0; i < recording.modes.size(); ++i) {
    const auto& shown = recording.modes[i];
    EXPECT_EQ(shown.frequency, modes[i].frequency);
    EXPECT_EQ(shown.first, next);
    next = shown.last + 1;
    const auto n = static_cast<double>(shown.last - shown.first);
    for (auto k = shown.first; k <= shown.last; ++k) {
      const auto& sample = recording.samples[k];
      EXPECT_LT(sample.position_residual, 1e-12 * length);
      // To first order q is that of the rest and the shape; the largest entry is the amplitude.
      const auto turn =
          std::polar(1.0, 2.0 * std::numbers::pi * static_cast<double>(k - shown.first) / n);
      const VectorXd v = (modes[i].shape * turn).real();
      const VectorXd moved = pose.coordinate_rates(v);
      const double scale = pose.coordinate_rates(modes[i].shape.real()).norm();
      const VectorXd off = sample.q - rest;
      EXPECT_NEAR(off.dot(moved), off.norm() * moved.norm(), 1e-3 * off.norm() * scale);
      EXPECT_LT(off.norm(), 1e-3 * (1.0 + length) * std::sqrt(static_cast<double>(off.size())));
    }
    const auto& first = recording.samples[shown.first];
    EXPECT_GT((first.q - rest).norm(), 1e-6);
    EXPECT_LT((first.q - recording.samples[shown.last].q).norm(), 1e-12);
  }
  EXPECT_EQ(recording.samples.size(), next);
}

INSTANTIATE_TEST_SUITE_P(Shipped, ShowModes,
                         testing::Values("four_bar", "stewart", "hand", "motorcycle"));

TEST(ShowModesOptions, AreRefusedOutOfRange) {
  const auto model = shipped("four_bar");
  auto pose = at_rest(model);
  const auto linear = analysis::linearize(pose, VectorXd::Zero(pose.freedom()));
  EXPECT_THROW(show_modes(pose, linear, {0, 0.1}), UsageError);
  EXPECT_THROW(show_modes(pose, linear, {1, 0.0}), UsageError);
  EXPECT_THROW(show_modes(pose, linear, {1, std::nan("")}), UsageError);
}

// The links of the four-bar cannot swing so far: the amplitude is halved until they close.
TEST(ShowModesOptions, AmplitudesAreHalvedUntilLoopsClose) {
  const auto model = shipped("four_bar");
  auto pose = at_rest(model);
  const auto linear = analysis::linearize(pose, VectorXd::Zero(pose.freedom()));
  const auto recording = show_modes(pose, linear, {1, 1.0});
  const double length = model.visit([](const auto& system) { return system.length; });
  for (const auto& sample : recording.samples) EXPECT_LT(sample.position_residual, 1e-12 * length);
}

}  // namespace
}  // namespace hamiltree::test
