// Reports of runs of any length.
#include "hamiltree/io/export/thin_recording.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hamiltree/io/export/report_data.hpp"

namespace hamiltree::test {
namespace {

std::vector<double> times_of_thin(std::size_t count, std::size_t most) {
  ThinRecording thin(most);
  for (std::size_t i = 0; i < count; ++i) {
    Sample sample;
    sample.t = static_cast<double>(i);
    sample.q = Eigen::VectorXd::Constant(2, sample.t);
    thin.sample(sample);
    thin.step({sample.t, 1.0, 4});
  }
  std::vector<double> times;
  const auto shown = thin.recording();
  for (const auto& sample : shown.samples) {
    EXPECT_EQ(sample.q(1), sample.t);
    times.push_back(sample.t);
  }
  EXPECT_EQ(shown.steps.size(), shown.samples.size());
  return times;
}

TEST(ThinRecording, KeepsAllOfAShortRun) {
  for (const std::size_t count : {0U, 1U, 7U, 100U})
    EXPECT_EQ(times_of_thin(count, 100).size(), count);
}

// Every length: the first and the last are there, equally far apart but for the last.
TEST(ThinRecording, IsEvenWithBothEnds) {
  for (std::size_t most = 2; most < 10; ++most) {
    for (std::size_t count = 1; count < 300; ++count) {
      const auto times = times_of_thin(count, most);
      ASSERT_LE(times.size(), most + 1) << count;
      ASSERT_GE(times.size(), std::min(count, most / 2)) << count << " of " << most;
      ASSERT_EQ(times.front(), 0.0);
      ASSERT_EQ(times.back(), static_cast<double>(count - 1)) << most;
      for (std::size_t i = 2; i + 1 < times.size(); ++i)
        ASSERT_EQ(times[i] - times[i - 1], times[1]) << count << " of " << most;
    }
  }
}

// The report tells how many samples there were, and of every interval the worst.
TEST(ThinRecording, TellsTheWorstOfWhatIsLeftOut) {
  for (const std::size_t spike : {0U, 1U, 333U, 500U, 511U, 998U, 999U}) {
    ThinRecording thin(40);
    for (std::size_t i = 0; i < 1000; ++i) {
      Sample sample;
      sample.t = static_cast<double>(i);
      sample.kinetic_energy = 1.0 + static_cast<double>(i);
      sample.work.applied = static_cast<double>(i) - (i == spike && spike > 0 ? 7.0 : 0.0);
      sample.position_residual = i == spike ? -3.0 : 1.0;
      sample.velocity_residual = i == spike ? 5.0 : 1.0;
      thin.sample(sample);
      thin.step({sample.t, i == spike ? 0.25 : 1.0, 4});
    }
    Recording recording = thin.recording();
    recording.summary.energy.scale = 1e4;
    const auto left_out = thin.left_out();
    const auto data = nlohmann::json::parse(to_report_data(recording, nullptr, {}, &left_out));
    EXPECT_EQ(data["recorded"], 1000);
    const auto worst = [&](const char* name) {
      const auto all = data[name].get<std::vector<double>>();
      return *std::ranges::max_element(all);
    };
    EXPECT_EQ(worst("position_residual"), 3.0) << spike;
    EXPECT_EQ(worst("velocity_residual"), 5.0) << spike;
    EXPECT_NEAR(worst("energy_error"), spike > 0 ? 7e-4 : 0.0, 1e-9) << spike;
    const auto sizes = data["step_size"].get<std::vector<double>>();
    EXPECT_EQ(*std::ranges::min_element(sizes), 0.25) << spike;
    EXPECT_LE(sizes.size(), 41U);
  }
}

}  // namespace
}  // namespace hamiltree::test
