#include "hamiltree/io/saved_run.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "hamiltree/base/checksum.hpp"
#include "hamiltree/io/export/columns.hpp"
#include "hamiltree/io/export/pending_file.hpp"
#include "hamiltree/io/import/csv_table.hpp"
#include "hamiltree/io/import/native.hpp"
#include "hamiltree/io/import/native_visual.hpp"
#include "hamiltree/io/saved_run_document.hpp"
#include "hamiltree/simulation/probe.hpp"
#include "hamiltree/simulation/recording_header.hpp"
#include "hamiltree/simulation/sample_numbers.hpp"

namespace hamiltree {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStateFile = "checkpoint.json";

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw std::runtime_error(path.string() + " cannot be resumed from: " + why);
}

// Whether the table begins with what was saved of it.
void check_table(const fs::path& path, const SavedTable& table) {
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse(path, "it cannot be read");
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error || size < table.bytes) refuse(path, "its end is missing");
  Checksum checksum;
  std::string part;
  for (std::size_t left = table.bytes; left > 0; left -= part.size()) {
    part.resize(std::min(left, std::size_t{1} << 16U));
    if (!file.read(part.data(), static_cast<std::streamsize>(part.size()))) break;
    checksum.add(part);
  }
  if (!file || checksum.text() != table.checksum)
    refuse(path, std::string("it is not the table that ") + kStateFile + " belongs to");
}

// Calls f(numbers) for each of the lines after the first, as far as they were saved.
template <class F>
void for_saved_rows(const fs::path& path, const SavedTable& table, std::size_t columns,
                    const F& f) {
  check_table(path, table);
  std::ifstream in(path, std::ios::binary);
  std::string line;
  std::size_t bytes = 0, rows = 0;
  for (std::size_t number = 1; bytes < table.bytes && std::getline(in, line); ++number) {
    bytes += line.size() + 1;
    if (bytes > table.bytes) line.resize(line.size() + 1 - (bytes - table.bytes));
    if (number == 1) continue;
    const auto row = parse_csv_numbers(line);
    if (!row) refuse(path, "line " + std::to_string(number) + " holds what is no number");
    if (row->size() != columns) {
      refuse(path, "line " + std::to_string(number) + " does not have " + std::to_string(columns) +
                       " columns");
    }
    f(*row);
    ++rows;
  }
  if (rows != table.rows) refuse(path, "it does not have " + std::to_string(table.rows) + " rows");
}

// Takes numbers off a row, front to back.
struct Row {
  const std::vector<double>& values;
  std::size_t next = 0;

  double take() { return values[next++]; }
  Eigen::VectorXd take(std::size_t count) {
    const Eigen::Map<const Eigen::VectorXd> part(values.data() + next,
                                                 static_cast<Eigen::Index>(count));
    next += count;
    return part;
  }
};

// As export/csv.cpp writes it; poses are computed anew.
Sample to_sample(const std::vector<double>& values, const RecordingHeader& header, Probe& probe) {
  Row row{values};
  Sample s;
  s.t = row.take();
  s.q = row.take(header.q.size());
  s.outside_q = row.take(header.outside_q.size());
  s.v = row.take(header.v.size());
  s.outside_v = row.take(header.outside_v.size());
  s.p = row.take(header.p.size());
  for (const auto& number : sample_numbers(header)) {
    const double value = row.take();
    if (number.restore != nullptr) number.restore(s, value);
  }
  s.sensors = row.take(header.sensors.size());
  probe.set(s.t, s.q.data(), s.v.data());
  probe.poses(s.poses);
  return s;
}

}  // namespace

Model SavedRun::model() const { return Model(parse_native(model_text, model_file, overrides)); }

ModelLooks SavedRun::looks(bool files_elsewhere) const {
  return {parse_looks(model_text, model_file, overrides), model_file, files_elsewhere};
}

void write_checkpoint(const SavedRun& run, const fs::path& folder) {
  PendingFile(folder / kStateFile, saved_run_document(run)).publish();
}

bool has_saved_run(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / kStateFile, ignored);
}

void check_holds_no_saved_run(const fs::path& folder, const std::string& otherwise) {
  if (!has_saved_run(folder)) return;
  const auto name = folder.string();
  throw std::runtime_error(name + " holds an interrupted run: hamiltree resume " + name +
                           " goes on with it" + otherwise);
}

SavedRun load_run(const fs::path& folder) {
  const auto path = folder / kStateFile;
  if (!fs::exists(path)) {
    const bool ended = fs::exists(folder / "summary.json");
    refuse(folder,
           std::string("it has no ") + kStateFile + (ended ? ", for the run has ended" : ""));
  }
  try {
    return read_saved_run(path);
  } catch (const std::runtime_error& error) {
    refuse(path, error.what());
  }
}

void recover_tables(const SavedRun& run, const fs::path& folder) {
  const auto recover = [&](const char* saved, const char* published, const SavedTable& table) {
    if (fs::exists(folder / saved) || !fs::exists(folder / published)) return;
    check_table(folder / published, table);
    fs::remove(folder / "summary.json");  // which goes with tables of its own
    fs::rename(folder / published, folder / saved);
  };
  recover(kSavedSamplesFile, "trajectory.csv", run.samples);
  recover(kSavedStepsFile, "steps.csv", run.steps);
}

void replay_recording(const SavedRun& run, const Model& model, const fs::path& folder,
                      Recorder& recorder) {
  const auto header = make_header(model);
  recorder.begin(header);
  const auto probe = make_probe(model);
  for_saved_rows(
      folder / kSavedSamplesFile, run.samples, columns_of(header).size(),
      [&](const std::vector<double>& row) { recorder.sample(to_sample(row, header, *probe)); });
  for_saved_rows(folder / kSavedStepsFile, run.steps, 3, [&](const std::vector<double>& row) {
    constexpr double kHighestOrder = 100.0;
    if (!(row[2] >= 0.0 && row[2] <= kHighestOrder))
      refuse(folder / kSavedStepsFile, "it has a bad order");
    recorder.step({row[0], row[1], static_cast<int>(row[2])});
  });
}

Recording load_recording(const SavedRun& run, const Model& model, const fs::path& folder) {
  Recording recording;
  replay_recording(run, model, folder, recording);
  return recording;
}

void remove_saved_run(const fs::path& folder) {
  std::error_code ignored;
  for (const char* name : {kStateFile, kSavedSamplesFile, kSavedStepsFile}) {
    fs::remove(folder / name, ignored);
    remove_pending(folder / name);
  }
}

}  // namespace hamiltree
