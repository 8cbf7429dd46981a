// Errors of one evaluation over the number of bodies, and what they say.
#pragma once

#include <string>
#include <vector>

#include "studies/precision/evaluation.hpp"
#include "studies/precision/report.hpp"

namespace hamiltree::studies::round_off {

struct Series {
  SpaceKind space = SpaceKind::kPlanar;
  Shape shape = Shape::kStraight;
  Momenta momenta = Momenta::kRandom;
  std::vector<EvaluationErrors> points;

  std::string text() const { return to_text(space, shape); }
  std::string file() const;  // "random_planar_straight"
};

// Both states of both shapes in both spaces.
std::vector<Series> compute_series(const StudyOptions& options);

Statements evaluation_verdicts(const std::vector<Series>& all);

}  // namespace hamiltree::studies::round_off
