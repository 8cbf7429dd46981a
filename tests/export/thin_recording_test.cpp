// Reports of runs of any length.
#include "hamiltree/io/export/thin_recording.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace hamiltree::test
