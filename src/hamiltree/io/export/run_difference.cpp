#include "hamiltree/io/export/run_difference.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include "hamiltree/base/text.hpp"
#include "hamiltree/simulation/sample_numbers.hpp"

namespace hamiltree {
namespace {

constexpr double kSameInstant = 1e-12;  // relative

// Residuals are what rounding leaves.
bool is_judged(const std::string& column) {
  return is_motion(column) || (is_sample_number(column) && !column.ends_with("_residual"));
}

std::vector<std::string> missing(const CsvTable& in, const CsvTable& of) {
  std::vector<std::string> names;
  for (const auto& name : of.names) {
    if (in.find(name) == nullptr) names.push_back(name);
  }
  return names;
}

std::string some_of(const std::vector<std::string>& columns) {
  const auto more = columns.size() - 1;
  return "the column " + columns.front() +
         (more == 0 ? "" : " and " + std::to_string(more) + " more");
}

// What is not finite in both is the same.
double apart(double a, double b) {
  const bool same = a == b || (std::isnan(a) && std::isnan(b));
  return same ? 0.0 : std::abs(a - b);
}

constexpr std::string_view kParts = "wxyz";

// The name of the quaternion that a column is a part of, but for the letter of the part; empty:
// it is none of one that both runs have.
std::string quaternion_of(const std::string& column, const ComparedRun& first,
                          const ComparedRun& other) {
  auto name = column.substr(0, column.size() - 1);
  const auto have = [&](char part) {
    return first.trajectory.find(name + part) != nullptr &&
           other.trajectory.find(name + part) != nullptr;
  };
  const bool is_one = name.ends_with(".quat_") && kParts.find(column.back()) != kParts.npos &&
                      std::ranges::all_of(kParts, have);
  return is_one ? name : std::string();
}

// A column of the other run at the times that the runs share. Quaternions of both signs are the
// same rotation: they are given with the one that is nearer to the first run's.
std::vector<double> as_nearest(const ComparedRun& first, const ComparedRun& other,
                               const SharedTimes& shared, const std::string& column) {
  std::vector<double> products(shared.t.size(), 0.0);
  if (const auto quaternion = quaternion_of(column, first, other); !quaternion.empty()) {
    for (const char part : kParts) {
      const auto &a = first.column(quaternion + part), &b = other.column(quaternion + part);
      for (std::size_t i = 0; i < products.size(); ++i)
        products[i] += a[shared.first[i]] * b[shared.other[i]];
    }
  }
  const auto& values = other.column(column);
  std::vector<double> nearest;
  for (std::size_t i = 0; i < products.size(); ++i) {
    const double x = values[shared.other[i]];
    nearest.push_back(products[i] < 0.0 ? -x : x);
  }
  return nearest;
}

ColumnDifference column_difference(const ComparedRun& first, const ComparedRun& other,
                                   const SharedTimes& shared, const std::string& column) {
  const auto off = differences(first, other, shared, column);
  const auto at = static_cast<std::size_t>(
      std::ranges::max_element(off, [](double a, double b) { return is_farther(b, a); }) -
      off.begin());
  const auto& values = first.column(column);
  const double size = size_of(values);
  return {column,
          size,
          shared.t[at],
          values[shared.first[at]],
          as_nearest(first, other, shared, column)[at],
          off[at],
          relative_difference(off[at], size)};
}

}  // namespace

SharedTimes shared_times(const ComparedRun& first, const ComparedRun& other) {
  const auto& a = first.column("t");
  const auto& b = other.column("t");
  SharedTimes shared;
  for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    const double tolerance = kSameInstant * (1.0 + std::abs(a[i]));
    if (std::abs(a[i] - b[k]) <= tolerance) {
      shared.t.push_back(a[i]);
      shared.first.push_back(i++);
      shared.other.push_back(k++);
    } else {
      a[i] < b[k] ? ++i : ++k;
    }
  }
  if (shared.t.empty())
    throw std::runtime_error(first.label + " and " + other.label +
                             " have no output time in common");
  return shared;
}

bool is_farther(double a, double b) { return !std::isnan(b) && !(a <= b); }

double largest(const std::vector<double>& values) {
  double size = 0.0;
  for (const double x : values) {
    if (is_farther(std::abs(x), size)) size = std::abs(x);
  }
  return size;
}

double relative_difference(double difference, double size) {
  return difference / std::max(1.0, size);
}

double size_of(const std::vector<double>& values) {
  double size = 0.0;
  for (const double x : values) {
    if (std::isfinite(x)) size = std::max(size, std::abs(x));
  }
  return size;
}

std::vector<double> differences(const ComparedRun& first, const ComparedRun& other,
                                const SharedTimes& shared, const std::string& column) {
  const auto& a = first.column(column);
  const auto b = as_nearest(first, other, shared, column);
  std::vector<double> off;
  for (std::size_t i = 0; i < shared.t.size(); ++i) off.push_back(apart(a[shared.first[i]], b[i]));
  return off;
}

bool is_motion(const std::string& column) {
  return column != "t" && !column.starts_with("p.") && !is_sample_number(column);
}

RunDifference difference(const ComparedRun& first, const ComparedRun& other) {
  const auto shared = shared_times(first, other);
  RunDifference all{shared.t.size(),
                    first.column("t").back(),
                    other.column("t").back(),
                    missing(other.trajectory, first.trajectory),
                    missing(first.trajectory, other.trajectory),
                    {}};
  for (const auto& name : first.trajectory.names) {
    if (is_judged(name) && other.trajectory.find(name) != nullptr)
      all.columns.push_back(column_difference(first, other, shared, name));
  }
  std::ranges::stable_sort(all.columns, is_farther, &ColumnDifference::relative);
  return all;
}

std::string RunDifference::beyond(double tolerance) const {
  if (!only_first.empty()) return "only the first run has " + some_of(only_first);
  if (!only_other.empty()) return "only the second run has " + some_of(only_other);
  if (!(relative_difference(std::abs(first_end - other_end), first_end) <= tolerance))
    return "the first run ends at " + to_short(first_end) + " s, the second one at " +
           to_short(other_end) + " s";
  const auto far = [&](const ColumnDifference& c) { return !(c.relative <= tolerance); };
  const auto count = std::ranges::count_if(columns, far);
  if (count == 0) return {};
  const auto& worst = columns.front();
  return worst.column + " differs by " + to_short(worst.difference) +
         " at t = " + to_short(worst.t) + " s; " + std::to_string(count) + " of " +
         std::to_string(columns.size()) + " columns differ by more than the tolerance, " +
         to_short(tolerance);
}

}  // namespace hamiltree
