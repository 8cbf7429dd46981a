// What linearize and equilibrium share: their options, and linearised motions as text and JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hamiltree/analysis/linearize.hpp"
#include "options.hpp"

namespace hamiltree::app {

struct AnalysisArguments {
  ModelArguments model;
  std::vector<std::string> independent, inputs;
  double time = 0.0;
  bool json = false, quiet = false;
};

void add_analysis(CLI::App& command, AnalysisArguments& arguments);

// Frequency, damping ratio and the joints that move most, a line for each mode.
std::string modes_text(const Model& model, const analysis::Linearization& linear);

// Keys and units: docs/cli.md.
nlohmann::ordered_json linearization_json(const Model& model,
                                          const analysis::Linearization& linear);

// A line for each coordinate.
std::string pose_text(const Model& model, const Eigen::VectorXd& q);

}  // namespace hamiltree::app
