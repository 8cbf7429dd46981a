#include "hamiltree/sweep/results.hpp"

#include <cstdint>
#include <ostream>
#include <string>

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/export/csv_field.hpp"
#include "hamiltree/io/export/hdf5_file.hpp"
#include "hamiltree/io/export/pending_file.hpp"
#include "hamiltree/sweep/sweep_folder.hpp"

namespace hamiltree {
namespace {

// Calls f with every record, in order.
template <class F>
void for_each_sample(JournalIndex& samples, std::size_t count, const F& f) {
  for (std::size_t sample = 0; sample < count; ++sample) f(samples.read(sample));
}

void append(std::string& line, std::span<const double> numbers) {
  for (const double number : numbers) line += ',' + to_text(number);
}

std::string header(const SamplePlan& plan) {
  std::string line = "sample";
  for (const auto& name : plan.study().parameters) line += ',' + csv_field(name);
  for (const auto& output : plan.outputs().names()) line += ',' + csv_field(output.name);
  return line + ",failure\n";
}

std::string row(const SampleRecord& record) {
  auto line = std::to_string(record.sample);
  append(line, record.parameters);
  append(line, record.outputs);
  return line + ',' + csv_field(record.failure) + '\n';
}

// Rows of the trajectory's columns, with the sample's number in front.
void write_trajectory(const SampleRecord& record, std::size_t columns, std::ostream& out) {
  for (std::size_t i = 0; i + columns <= record.trajectory.size(); i += columns) {
    auto line = std::to_string(record.sample);
    append(line, std::span(record.trajectory).subspan(i, columns));
    out << line << '\n';
  }
}

void write_results_hdf5(const SamplePlan& plan, JournalIndex& samples, std::size_t count,
                        const std::filesystem::path& path) {
  const auto& study = plan.study();
  const auto& outputs = plan.outputs().names();
  const auto columns = plan.outputs().columns().size();
  Hdf5File file(path);
  file.write("parameters/columns", study.parameters);
  file.start_table("parameters/values", study.parameters.size());
  file.write_channels("outputs", outputs);
  file.start_table("outputs/values", outputs.size());
  if (study.trajectories) {
    file.write_channels("trajectories", plan.outputs().columns());
    file.start_table("trajectories/values", columns);
  }
  std::vector<std::string> failures;
  std::vector<std::uint64_t> first{0};  // row of each sample's trajectory
  for_each_sample(samples, count, [&](const SampleRecord& record) {
    file.append_row("parameters/values", record.parameters);
    file.append_row("outputs/values", record.outputs);
    failures.push_back(record.failure);
    if (!study.trajectories) return;
    for (std::size_t i = 0; i + columns <= record.trajectory.size(); i += columns)
      file.append_row("trajectories/values", std::span(record.trajectory).subspan(i, columns));
    first.push_back(first.back() + record.trajectory.size() / columns);
  });
  file.write("failure", failures);
  if (study.trajectories) file.write("trajectories/first", first);
  file.close();
}

}  // namespace

void write_results(const SamplePlan& plan, JournalIndex& samples, const SweepOptions& options,
                   SweepSummary& summary) {
  const auto count = summary.samples;
  const auto& folder = options.folder;
  PendingFile table(folder / "results.csv", [&](std::ostream& out) {
    out << header(plan);
    for_each_sample(samples, count, [&](const SampleRecord& record) {
      out << row(record);
      if (record.failure.empty()) return;
      if (summary.failed++ == 0)
        summary.first_failure = std::to_string(record.sample) + ": " + record.failure;
    });
  });
  if (plan.study().trajectories) {
    PendingFile(folder / "trajectories.csv", [&](std::ostream& out) {
      out << "sample";
      for (const auto& column : plan.outputs().columns()) out << ',' << csv_field(column.name);
      out << '\n';
      for_each_sample(samples, count, [&](const SampleRecord& record) {
        write_trajectory(record, plan.outputs().columns().size(), out);
      });
    }).publish();
  }
  if (options.hdf5) {
    PendingFile(folder / "results.h5", [&](const std::filesystem::path& path) {
      write_results_hdf5(plan, samples, count, path);
    }).publish();
  }
  table.publish();
  mark_complete(plan, folder, summary);
  remove_journals(folder);
}

}  // namespace hamiltree
