#include "hamiltree/io/export/document/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "hamiltree/io/export/colours.hpp"
#include "hamiltree/io/export/run_difference.hpp"

namespace hamiltree {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostRows = 30;  // of the table of differences
constexpr std::size_t kMostShown = 6;  // channels with a plot

// A fact of the summary: where it is, and what it is called.
struct Fact {
  const char* pointer;
  const char* name;
};
constexpr Fact kFacts[] = {{"/status", "status"},
                           {"/formulation", "formulation"},
                           {"/integrator/name", "integrator"},
                           {"/integrator/rtol", "rtol"},
                           {"/integrator/step", "step, s"},
                           {"/reached", "reached, s"},
                           {"/steps", "steps"},
                           {"/rejected_steps", "rejected steps"},
                           {"/rate_evaluations", "rate evaluations"},
                           {"/velocity_solves", "velocity solves"},
                           {"/wall_seconds", "wall time, s"},
                           {"/energy/max_error", "largest energy error, J"},
                           {"/energy/max_relative_error", "relative energy error"},
                           {"/constraint/position_max", "largest |Φ|, m"},
                           {"/constraint/velocity_max", "largest |dΦ/dt|, m/s"}};

Cell to_cell(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  return std::string("-");
}

DataTable facts(const std::vector<ComparedRun>& runs, const std::vector<Json>& summaries) {
  DataTable table{"runs", "The runs", {{"", ""}}, {}};
  for (const auto& run : runs) table.columns.push_back({run.label, ""});
  for (const auto& fact : kFacts) {
    const Json::json_pointer at(fact.pointer);
    if (std::ranges::none_of(summaries, [&](const Json& s) { return s.contains(at); })) continue;
    std::vector<Cell> row{fact.name};
    for (const auto& s : summaries) row.push_back(s.contains(at) ? to_cell(s[at]) : "-");
    table.rows.push_back(row);
  }
  return table;
}

// Each formulation's own colour, unless two runs have the same one.
std::vector<std::string> colours(const std::vector<Json>& summaries) {
  std::vector<std::string> result;
  std::set<std::string> different;
  for (const auto& s : summaries) {
    result.push_back(formulation_colour(s.value("formulation", "")));
    different.insert(result.back());
  }
  if (different.size() == result.size()) return result;
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = nth_colour(i);
  return result;
}

// A channel of the motion, and how far each other run is from the first.
struct Difference {
  std::string channel;
  double size = 0.0;                        // largest |value| of the first run
  std::vector<std::vector<double>> by_run;  // |difference| at shared times
  double worst = 0.0;                       // over runs, as relative_difference()
};

class Comparison {
 public:
  explicit Comparison(const std::vector<ComparedRun>& runs) : runs_(runs) {
    for (const auto& run : runs) summaries_.push_back(Json::parse(run.summary));
    colours_ = colours(summaries_);
    for (std::size_t r = 1; r < runs.size(); ++r) shared_.push_back(shared_times(runs[0], runs[r]));
  }

  Document document() {
    const auto& model = summaries_.front();
    document_.title = model.value("/model/name"_json_pointer, std::string("mechanism"));
    document_.subtitle = std::to_string(runs_.size()) + " runs side by side";
    document_.table(facts(runs_, summaries_));
    document_.heading("Energy and loops");
    kept("energy_error", "Error of the energy balance |E - E0 - W|", {"|E - E0 - W|", "J", true},
         [&](std::size_t r) { return energy_errors(r); });
    kept("position_residual", "Loops open at the position level", {"max |Φ|", "m", true},
         [&](std::size_t r) { return runs_[r].column("position_residual"); });
    kept("velocity_residual", "Loops open at the velocity level", {"max |dΦ/dt|", "m/s", true},
         [&](std::size_t r) { return runs_[r].column("velocity_residual"); });
    show(differences());
    return std::move(document_);
  }

 private:
  using Values = std::function<std::vector<double>(std::size_t)>;

  const std::vector<double>& times(std::size_t run) const { return runs_[run].column("t"); }

  std::vector<double> energy_errors(std::size_t run) const {
    auto errors = runs_[run].column("total_energy");
    for (std::size_t i = errors.size(); i-- > 0;) errors[i] -= errors.front();
    for (const char* work : {"work.driven", "work.applied", "work.dissipated"}) {
      const auto* done = runs_[run].trajectory.find(work);
      for (std::size_t i = 0; done && i < errors.size(); ++i) errors[i] -= (*done)[i];
    }
    for (auto& error : errors) error = std::abs(error);
    return errors;
  }

  void kept(const char* name, const char* caption, const Axis& axis, const Values& values) {
    Figure figure{name, caption, {"time", "s"}, axis, {}};
    for (std::size_t r = 0; r < runs_.size(); ++r)
      figure.curves.push_back({runs_[r].label, times(r), values(r), colours_[r]});
    document_.figure(figure);
  }

  // Channels that all runs have, the farthest apart first.
  std::vector<Difference> differences() const {
    std::vector<Difference> all;
    for (const auto& name : runs_[0].trajectory.names) {
      const auto has = [&](const ComparedRun& run) { return run.trajectory.find(name) != nullptr; };
      if (!is_motion(name) || !std::ranges::all_of(runs_, has)) continue;
      Difference difference{name, size_of(runs_[0].column(name)), {}, 0.0};
      for (std::size_t r = 1; r < runs_.size(); ++r) {
        auto off = hamiltree::differences(runs_[0], runs_[r], shared_[r - 1], name);
        const double worst = relative_difference(largest(off), difference.size);
        if (is_farther(worst, difference.worst)) difference.worst = worst;
        difference.by_run.push_back(std::move(off));
      }
      all.push_back(std::move(difference));
    }
    std::ranges::stable_sort(all, is_farther, &Difference::worst);
    return all;
  }

  std::string unit(const std::string& channel) const {
    const auto& units = runs_[0].units;
    const auto found = units.find(channel);
    return found == units.end() ? "SI" : found->second;
  }

  void show(const std::vector<Difference>& differences) {
    document_.heading("Motion");
    document_.paragraph("Differences from `" + runs_[0].label + "` at " +
                        std::to_string(shared_.front().t.size()) +
                        " output times that runs share, the largest first.");
    DataTable table{"differences",
                    "Largest differences over time",
                    {{"channel", ""}, {"unit", ""}, {"largest |value|", ""}},
                    {}};
    for (std::size_t r = 1; r < runs_.size(); ++r) table.columns.push_back({runs_[r].label, ""});
    for (const auto& d : differences) {
      if (table.rows.size() == kMostRows) break;
      std::vector<Cell> row{d.channel, unit(d.channel), d.size};
      for (const auto& off : d.by_run) row.push_back(largest(off));
      table.rows.push_back(row);
    }
    if (differences.size() > kMostRows)
      table.caption += ", " + std::to_string(kMostRows) + " of " +
                       std::to_string(differences.size()) + " channels";
    document_.table(table);
    for (std::size_t i = 0; i < std::min(kMostShown, differences.size()); ++i)
      show(differences[i], i + 1);
  }

  void show(const Difference& difference, std::size_t number) {
    const auto& channel = difference.channel;
    const auto n = std::to_string(number);
    Figure values{"channel_" + n, channel, {"time", "s"}, {channel, unit(channel)}, {}};
    Figure off{"difference_" + n,
               channel + ": difference from " + runs_[0].label,
               {"time", "s"},
               {"|difference|", unit(channel), true},
               {}};
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      values.curves.push_back({runs_[r].label, times(r), runs_[r].column(channel), colours_[r],
                               r == 0 ? CurveStyle::kLine : CurveStyle::kDashed});
      if (r > 0)
        off.curves.push_back(
            {runs_[r].label, shared_[r - 1].t, difference.by_run[r - 1], colours_[r]});
    }
    document_.figure(values);
    document_.figure(off);
  }

  const std::vector<ComparedRun>& runs_;
  std::vector<Json> summaries_;
  std::vector<std::string> colours_;
  std::vector<SharedTimes> shared_;  // of the first run and each other
  Document document_;
};

}  // namespace

Document compare(const std::vector<ComparedRun>& runs) { return Comparison(runs).document(); }

}  // namespace hamiltree
