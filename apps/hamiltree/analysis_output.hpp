// Common to the commands that analyse a model at a pose: options, text and JSON.
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
  std::vector<std::string> independent;
  double time = 0.0;
  bool json = false, quiet = false;
};

void add_analysis(CLI::App& command, AnalysisArguments& arguments);

Model analysed_model(const AnalysisArguments& arguments);

// The first keys of every analysis: format, name, time and q.
nlohmann::ordered_json json_head(const Model& model, double t, const Eigen::VectorXd& q);

// Frequency, damping ratio and the joints that move most, a line for each mode.
std::string modes_text(const Model& model, const analysis::Linearization& linear);

// Keys and units: docs/cli.md.
nlohmann::ordered_json linearization_json(const Model& model,
                                          const analysis::Linearization& linear);

// Names of all velocities, and of those with these numbers.
std::vector<std::string> velocity_names(const Model& model);
std::vector<std::string> independent_names(const Model& model, const std::vector<int>& numbers);

nlohmann::ordered_json rows(const Eigen::MatrixXd& matrix);
nlohmann::ordered_json numbers(const Eigen::VectorXd& x);

// A line for each coordinate.
std::string pose_text(const Model& model, const Eigen::VectorXd& q);

}  // namespace hamiltree::app
