// RunDifference: how far one run is from another, column by column of their trajectories.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "hamiltree/io/export/compared_run.hpp"

namespace hamiltree {

// Rows of two runs at the same times.
struct SharedTimes {
  std::vector<double> t;  // s
  std::vector<std::size_t> first, other;
};

// Throws std::runtime_error if there are none.
SharedTimes shared_times(const ComparedRun& first, const ComparedRun& other);

// Whether a > b; a NaN is farther than any number.
bool is_farther(double a, double b);
// The largest |value|; NaN where one is.
double largest(const std::vector<double>& values);
// The largest |value| of those that are finite.
double size_of(const std::vector<double>& values);

// By the size, where that is more than 1 in SI units: a column of rounding errors differs by
// nothing.
double relative_difference(double difference, double size);

// |first - other| of a column at the times that the runs share, of a part of a quaternion with the
// sign of all parts at which the two are nearer: both are the same rotation.
std::vector<double> differences(const ComparedRun& first, const ComparedRun& other,
                                const SharedTimes& shared, const std::string& column);

// Coordinates, velocities and sensors; momenta depend on the gauge.
bool is_motion(const std::string& column);

struct ColumnDifference {
  std::string column;
  double size = 0.0;                // largest |value| of the first run
  double t = 0.0;                   // s, where the runs are farthest apart
  double first = 0.0, other = 0.0;  // there
  double difference = 0.0;          // |first - other|
  double relative = 0.0;            // as relative_difference()
};

struct RunDifference {
  std::size_t shared_times = 0;
  double first_end = 0.0, other_end = 0.0;          // s
  std::vector<std::string> only_first, only_other;  // columns that one run has alone
  // The motion, energies, momenta of the whole mechanism, power and work, the farthest apart
  // first.
  std::vector<ColumnDifference> columns;

  // The first reason why the runs are not the same to a tolerance, as a clause; empty: they are.
  std::string beyond(double tolerance) const;
};

// Throws std::runtime_error if the runs share no output time.
RunDifference difference(const ComparedRun& first, const ComparedRun& other);

}  // namespace hamiltree
