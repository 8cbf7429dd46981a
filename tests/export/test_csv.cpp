// The trajectory table: names, and numbers that read back exactly.
#include <gtest/gtest.h>

#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "export/sample_recording.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/io/export/csv.hpp"

namespace hamiltree {
namespace {

std::vector<std::string> lines_of(const Recording& recording) {
  std::stringstream text;
  write_csv(recording, text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

std::vector<double> numbers_of(const std::string& line) {
  std::vector<double> numbers;
  std::stringstream text(line);
  for (std::string field; std::getline(text, field, ',');) {
    numbers.push_back(parse_number(field).value());
  }
  return numbers;
}

TEST(Csv, HeaderNamesEveryColumnInOrder) {
  const auto lines = lines_of(test::double_pendulum(3));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0],
            "t,q.shoulder,q.elbow,v.shoulder,v.elbow,p.shoulder,p.elbow,kinetic_energy,"
            "potential_energy,total_energy,position_residual,velocity_residual,linear_momentum.x,"
            "linear_momentum.y,angular_momentum.z,tip.position.x,tip.position.y");
}

TEST(Csv, NumbersReadBackExactly) {
  Recording recording = test::double_pendulum(200);
  recording.samples[7].q[0] = std::numeric_limits<double>::denorm_min();
  recording.samples[7].v[0] = -std::numeric_limits<double>::max();
  recording.samples[7].p[0] = 0.1 + 0.2;
  recording.samples[7].position_residual = 1e-17;
  const auto lines = lines_of(recording);
  ASSERT_EQ(lines.size(), recording.samples.size() + 1);
  for (std::size_t k = 0; k < recording.samples.size(); ++k) {
    const Sample& s = recording.samples[k];
    const std::vector<double> expected{s.t,
                                       s.q[0],
                                       s.q[1],
                                       s.v[0],
                                       s.v[1],
                                       s.p[0],
                                       s.p[1],
                                       s.kinetic_energy,
                                       s.potential_energy,
                                       s.kinetic_energy + s.potential_energy,
                                       s.position_residual,
                                       s.velocity_residual,
                                       s.linear_momentum.x(),
                                       s.linear_momentum.y(),
                                       s.angular_momentum.z(),
                                       s.sensors[0],
                                       s.sensors[1]};
    EXPECT_EQ(numbers_of(lines[k + 1]), expected) << "row " << k;
  }
}

TEST(Csv, WhatIsNotFiniteIsSpelledOut) {
  Recording recording = test::double_pendulum(1);
  recording.samples[0].q[0] = std::numeric_limits<double>::quiet_NaN();
  recording.samples[0].q[1] = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(lines_of(recording)[1].substr(0, 10), "0,nan,-inf");
}

TEST(Csv, NamesWithCommasAndQuotesAreQuoted) {
  Recording recording = test::double_pendulum(0);
  recording.header.q[0].name = "q.a,\"b\"";
  EXPECT_EQ(lines_of(recording)[0].substr(0, 22), "t,\"q.a,\"\"b\"\"\",q.elbow,");
}

TEST(Csv, SampleThatDoesNotFitTheHeaderIsRefused) {
  Recording recording = test::double_pendulum(3);
  recording.samples[1].sensors.resize(1);
  std::stringstream text;
  EXPECT_THROW(write_csv(recording, text), std::invalid_argument);
  EXPECT_EQ(text.str(), "");
}

}  // namespace
}  // namespace hamiltree
