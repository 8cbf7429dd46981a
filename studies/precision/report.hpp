// The parts of the document: each computes, writes its section and returns its verdicts.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "studies/study.hpp"

namespace hamiltree::studies::round_off {

inline constexpr int kSeed = 1;

using Statements = std::vector<Statement>;

Statements report_evaluations(const StudyOptions& options, Document& document);
Statements report_segments(const StudyOptions& options, Document& document);
Statements report_trajectories(const StudyOptions& options, Document& document);

// Holds if it does; of this project.
inline Statement ours(std::string text, bool holds, std::string evidence) {
  return {"ours", std::move(text), holds ? Judgement::kHolds : Judgement::kFails,
          std::move(evidence)};
}
// A statement about sizes or tolerances that the quick run leaves out.
inline Statement not_run(std::string text) {
  return {"ours", std::move(text), Judgement::kUndecided, "not part of the quick run"};
}

// The exponent k of y = c x^k, by least squares on the logarithms.
inline double growth_exponent(const std::vector<double>& x, const std::vector<double>& y) {
  double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double u = std::log(x[i]);
    const double w = std::log(y[i]);
    sx += u;
    sy += w;
    sxx += u * u;
    sxy += u * w;
  }
  const auto n = static_cast<double>(x.size());
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace hamiltree::studies::round_off
