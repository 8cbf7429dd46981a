#include "hamiltree/sweep/reduction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hamiltree/base/error.hpp"
#include "hamiltree/io/export/columns.hpp"
#include "hamiltree/io/import/suggestion.hpp"
#include "hamiltree/simulation/recording_header.hpp"

namespace hamiltree {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

const char* prefix_of(Take take) {
  switch (take) {
    case Take::kMinimum:
      return "min.";
    case Take::kMaximum:
      return "max.";
    case Take::kIntegral:
      return "integral.";
    case Take::kEvent:
      return "time.";
    case Take::kFinal:
      break;
  }
  return "final.";
}

std::vector<std::string> names_of(const auto& elements) {
  std::vector<std::string> names;
  for (const auto& element : elements) names.push_back(element.name);
  return names;
}

[[noreturn]] void refuse(const StudyOutput& output, const std::string& why) {
  throw ModelError(output.where, output.element, output.element + ": " + why);
}

}  // namespace

OutputPlan::OutputPlan(const std::vector<StudyOutput>& outputs,
                       const std::vector<std::string>& parameters, const Model& model)
    : columns_(columns_of(make_header(model))) {
  for (const auto& output : outputs) {
    if (output.take == Take::kEvent) {
      const auto events = names_of(model.mechanism().events);
      if (std::ranges::find(events, output.event) == events.end())
        refuse(output, "the model has no event \"" + output.event + "\"" +
                           suggestion(output.event, events, "events"));
      items_.push_back({output.take, 0, output.event});
      add({prefix_of(output.take) + output.event, "s"}, parameters, output);
      continue;
    }
    bool found = false;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const auto& [name, unit] = columns_[c];
      if (name != output.channel && !name.starts_with(output.channel + ".")) continue;
      found = true;
      items_.push_back({output.take, c, {}});
      const bool integral = output.take == Take::kIntegral;
      add({prefix_of(output.take) + name, integral ? unit + " s" : unit}, parameters, output);
    }
    if (!found)
      refuse(output, "the runs record no channel \"" + output.channel + "\"" +
                         suggestion(output.channel, names_of(columns_), "channels"));
  }
}

void OutputPlan::add(Channel column, const std::vector<std::string>& parameters,
                     const StudyOutput& output) {
  if (std::ranges::find(parameters, column.name) != parameters.end())
    refuse(output, "\"" + column.name + "\" is the name of a parameter");
  if (std::ranges::find(names_, column.name, &Channel::name) != names_.end())
    refuse(output, "\"" + column.name + "\" is kept by an output before this one");
  names_.push_back(std::move(column));
}

void Reduction::begin(const RecordingHeader& header) {
  header_ = header;
  before_.clear();
  trajectory_.clear();
  outputs_.assign(plan_.items_.size(), kNothing);
}

void Reduction::sample(const Sample& sample) {
  row_.clear();
  append_row(header_, sample, row_);
  const bool first = before_.empty();
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const auto& [take, column, event] = plan_.items_[i];
    const double now = row_[column];
    double& kept = outputs_[i];
    if (take == Take::kFinal) kept = now;
    if (take == Take::kMinimum) kept = first || std::isnan(now) ? now : std::min(kept, now);
    if (take == Take::kMaximum) kept = first || std::isnan(now) ? now : std::max(kept, now);
    if (take == Take::kIntegral)
      kept = first ? 0.0 : kept + 0.5 * (row_[0] - before_[0]) * (before_[column] + now);
  }
  before_ = row_;
  if (keeps_) trajectory_.insert(trajectory_.end(), row_.begin(), row_.end());
}

void Reduction::finish(const Summary& summary) {
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const auto& item = plan_.items_[i];
    if (item.take != Take::kEvent) continue;
    const auto found = std::ranges::find(summary.events, item.event, &EventRecord::name);
    if (found != summary.events.end()) outputs_[i] = found->t;
  }
}

}  // namespace hamiltree
