// Shipped mechanisms, runs of them, and what a recording holds by the names of its columns.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "hamiltree/io/load.hpp"
#include "hamiltree/simulation/recording.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "support/shipped.hpp"

namespace hamiltree::test {

SimulationOptions options(const std::string& formulation, double tolerance);

Recording run(const Model& model, const std::string& formulation, double tolerance, double until,
              double every);

// "q.A", "v.A", "drive.drive", ...: a column of all samples.
std::vector<double> column(const Recording& recording, const std::string& name);

// The largest difference of two samples of a model in a body's place or axes, m and quaternions,
// or in a joint velocity. Quaternions of opposite sign are the same axes.
double difference(const Sample& a, const Sample& b);

// A note of the summary says this.
bool has_note(const Recording& recording, const std::string& part);

// The largest |x(t) - expected(t)| of a column.
template <class Expected>
double error(const Recording& recording, const std::string& name, const Expected& expected) {
  const auto values = column(recording, name);
  double largest = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    largest = std::max(largest, std::abs(values[i] - expected(recording.samples[i].t)));
  }
  return largest;
}

}  // namespace hamiltree::test
