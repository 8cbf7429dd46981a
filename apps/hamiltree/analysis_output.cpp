#include "analysis_output.hpp"

#include <algorithm>
#include <cmath>

#include "hamiltree/simulation/recording_header.hpp"
#include "print.hpp"

namespace hamiltree::app {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr int kMostParts = 4;       // of a mode's shape that are printed
constexpr double kLeastPart = 0.1;  // of the largest

// "v.crank 1, v.rocker -0.42"
std::string shape_text(const std::vector<std::string>& names, const Eigen::VectorXcd& shape) {
  std::vector<Eigen::Index> order(names.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Eigen::Index>(i);
  std::ranges::stable_sort(order, {}, [&](Eigen::Index i) { return -std::abs(shape(i)); });
  std::vector<std::string> parts;
  for (const auto i : order) {
    if (parts.size() == kMostParts || std::abs(shape(i)) < kLeastPart) break;
    const auto size = std::abs(shape(i)) * (shape(i).real() < 0.0 ? -1.0 : 1.0);
    parts.push_back(names[static_cast<std::size_t>(i)] + " " +
                    to_short(std::round(1e3 * size) / 1e3));
  }
  return listed(parts);
}

}  // namespace

std::vector<std::string> velocity_names(const Model& model) {
  std::vector<std::string> names;
  for (const auto& channel : make_header(model).v) names.push_back(channel.name);
  return names;
}

std::vector<std::string> independent_names(const Model& model, const std::vector<int>& numbers) {
  const auto all = velocity_names(model);
  std::vector<std::string> names;
  for (const int i : numbers) names.push_back(all[static_cast<std::size_t>(i)]);
  return names;
}

OrderedJson rows(const Eigen::MatrixXd& matrix) {
  OrderedJson all = OrderedJson::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    const Eigen::VectorXd row = matrix.row(i);
    all.push_back(std::vector<double>(row.begin(), row.end()));
  }
  return all;
}

OrderedJson numbers(const Eigen::VectorXd& x) { return std::vector<double>(x.begin(), x.end()); }

void add_analysis(CLI::App& command, AnalysisArguments& arguments) {
  add_model(command, arguments.model);
  add_list(command, "--independent", arguments.independent, "JOINTS",
           "joints, by commas, whose velocities are the independent ones; the rest is chosen");
  add_number(
      command, "--time", [&arguments](double value) { arguments.time = value; },
      "time in s at which drives, and forces given in time, are taken; default 0");
  command.add_flag("--json", arguments.json, "print JSON, nothing else, on stdout");
  command.add_flag("-q,--quiet", arguments.quiet, "errors only on stderr, nothing of the import");
}

Model analysed_model(const AnalysisArguments& arguments) {
  return Model(read_model(arguments.model, arguments.quiet).mechanism(arguments.model.overrides));
}

OrderedJson json_head(const Model& model, double t, const Eigen::VectorXd& q) {
  return {{"format", 1}, {"name", model.name()}, {"time", t}, {"q", numbers(q)}};
}

std::string modes_text(const Model& model, const analysis::Linearization& linear) {
  const auto names = velocity_names(model);
  Table table;
  table.add({"frequency, Hz", "damping", "eigenvalue, 1/s", "moves"});
  for (const auto& mode : analysis::modes(linear)) {
    const auto& s = mode.eigenvalue;
    const auto imaginary = s.imag() == 0.0 ? "" : " +- " + to_short(s.imag()) + " i";
    table.add({to_short(mode.frequency), to_short(mode.damping), to_short(s.real()) + imaginary,
               shape_text(names, mode.shape)});
  }
  return table.text();
}

OrderedJson linearization_json(const Model& model, const analysis::Linearization& linear) {
  OrderedJson modes = OrderedJson::array();
  for (const auto& mode : analysis::modes(linear)) {
    modes.push_back(
        {{"frequency", mode.frequency},
         {"damping", mode.damping},
         {"eigenvalue", {mode.eigenvalue.real(), mode.eigenvalue.imag()}},
         {"shape",
          {{"real", numbers(mode.shape.real())}, {"imaginary", numbers(mode.shape.imag())}}}});
  }
  auto all = json_head(model, linear.t, linear.q);
  all["v"] = numbers(linear.v);
  all["v_dot"] = numbers(linear.v_dot);
  all["velocities"] = velocity_names(model);
  all["independent"] = independent_names(model, linear.independent);
  all["inputs"] = linear.inputs;
  all["A"] = rows(linear.A);
  all["B"] = rows(linear.B);
  all["C_q"] = rows(linear.C_q);
  all["C_v"] = rows(linear.C_v);
  all["modes"] = modes;
  return all;
}

std::string pose_text(const Model& model, const Eigen::VectorXd& q) {
  const auto channels = make_header(model).q;
  Table table;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    table.add({channels[i].name, to_short(q(static_cast<Eigen::Index>(i))) +
                                     (channels[i].unit.empty() ? "" : " " + channels[i].unit)});
  }
  return table.text();
}

}  // namespace hamiltree::app
