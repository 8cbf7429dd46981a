// hamiltree diff: whether two runs are the same to a tolerance.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "commands.hpp"
#include "hamiltree/io/export/run_difference.hpp"
#include "hamiltree/io/saved_run.hpp"
#include "options.hpp"
#include "print.hpp"
#include "run.hpp"

namespace hamiltree::app {
namespace {

constexpr double kTolerance = 1e-6;
constexpr std::size_t kMostColumns = 10;  // in the table for people

struct DiffArguments {
  std::string first, other;  // folders of runs
  std::optional<double> tolerance;
  bool json = false, quiet = false;
};

std::string columns_text(const RunDifference& difference) {
  Table table;
  table.add({"column", "first", "second", "difference", "relative", "at t, s"});
  for (const auto& c : difference.columns) {
    table.add({c.column, to_short(c.first), to_short(c.other), to_short(c.difference),
               to_short(c.relative), to_short(c.t)});
    if (&c - difference.columns.data() + 1 == kMostColumns) break;
  }
  return table.text();
}

nlohmann::ordered_json difference_json(const RunDifference& difference, double tolerance,
                                       bool same) {
  auto columns = nlohmann::ordered_json::array();
  for (const auto& c : difference.columns)
    columns.push_back({{"name", c.column},
                       {"size", c.size},
                       {"difference", c.difference},
                       {"relative", c.relative},
                       {"time", c.t},
                       {"first", c.first},
                       {"second", c.other}});
  return {{"format", 1},
          {"same", same},
          {"tolerance", tolerance},
          {"shared_times", difference.shared_times},
          {"ends", {difference.first_end, difference.other_end}},
          {"only_first", difference.only_first},
          {"only_second", difference.only_other},
          {"columns", columns}};
}

void diff(const DiffArguments& arguments) {
  for (const auto& folder : {arguments.first, arguments.other}) check_holds_no_saved_run(folder);
  const auto difference =
      hamiltree::difference(read_compared(arguments.first), read_compared(arguments.other));
  const double tolerance = arguments.tolerance.value_or(kTolerance);
  const auto beyond = difference.beyond(tolerance);
  if (arguments.json) {
    std::cout << difference_json(difference, tolerance, beyond.empty()).dump(2) << '\n';
  } else if (!arguments.quiet) {
    std::cout << columns_text(difference);
  }
  if (!beyond.empty()) throw GateFailed(beyond);
}

}  // namespace

Command add_diff(CLI::App& app) {
  const auto given = std::make_shared<DiffArguments>();
  auto& arguments = *given;
  auto* command = app.add_subcommand("diff", "tell whether two runs are the same to a tolerance");
  command->add_option("FIRST", arguments.first, "the folder of a run")
      ->required()
      ->type_name("RUN");
  command->add_option("SECOND", arguments.other, "the folder of another one")
      ->required()
      ->type_name("RUN");
  add_positive(*command, "--tolerance", arguments.tolerance,
               "by which a column may differ, relative to its largest value where that is more "
               "than 1; default 1e-6");
  command->add_flag("--json", arguments.json, "print JSON, nothing else, on stdout");
  command->add_flag("-q,--quiet", arguments.quiet,
                    "no table; with --json, the object is still printed");
  return {command, [given] { diff(*given); }};
}

}  // namespace hamiltree::app
