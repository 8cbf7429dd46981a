#include "hamiltree/io/run_saver.hpp"

#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "hamiltree/io/export/columns.hpp"
#include "hamiltree/io/export/csv.hpp"
#include "hamiltree/io/export/pending_file.hpp"

namespace hamiltree {

namespace fs = std::filesystem;

void GrowingTable::open(bool anew) {
  errno = 0;
  out_.open(path_, std::ios::binary | (anew ? std::ios::trunc : std::ios::app));
  check();
}

void GrowingTable::check() {
  if (out_) return;
  throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(),
                          "cannot write " + path_.string());
}

void GrowingTable::create(const fs::path& path, const std::string& head) {
  path_ = path;
  open(true);
  add(head);
  rows_ = 0;
}

void GrowingTable::continue_at(const fs::path& path, const SavedTable& saved) {
  path_ = path;
  fs::resize_file(path, saved.bytes);
  rows_ = saved.rows;
  bytes_ = saved.bytes;
  std::ifstream in(path, std::ios::binary);
  std::array<char, 1 << 16> part;
  while (in.read(part.data(), part.size()) || in.gcount() > 0)
    checksum_.add({part.data(), static_cast<std::size_t>(in.gcount())});
  open(false);
}

void GrowingTable::add(const std::string& line) {
  errno = 0;
  out_ << line;
  check();
  ++rows_;
  bytes_ += line.size();
  checksum_.add(line);
}

SavedTable GrowingTable::saved() {
  errno = 0;
  out_.flush();
  check();
  sync(path_);
  return {rows_, bytes_, checksum_.text()};
}

void GrowingTable::publish(const fs::path& path) {
  saved();
  out_.close();
  fs::rename(path_, path);
}

RunSaver::RunSaver(fs::path folder) : folder_(std::move(folder)) {
  is_there_ = fs::exists(folder_);
  lock_.hold(folder_);
}

void RunSaver::go_on(const SavedRun& run) {
  samples_.continue_at(folder_ / kSavedSamplesFile, run.samples);
  steps_.continue_at(folder_ / kSavedStepsFile, run.steps);
  is_begun_ = true;
}

// Of all that find no folder, one makes it.
void RunSaver::take_new_folder() {
  const bool is_new = make_folder(folder_);
  lock_.hold(folder_);
  if (!is_new)
    throw std::runtime_error("another process has made " + folder_.string() + " meanwhile");
}

void RunSaver::begin(const RecordingHeader& header) {
  header_ = header;
  if (is_begun_) return;
  if (!is_there_) take_new_folder();
  remove_saved_run(folder_);
  samples_.create(folder_ / kSavedSamplesFile, csv_head(header));
  steps_.create(folder_ / kSavedStepsFile, kStepsCsvHead);
  is_begun_ = true;
}

void RunSaver::sample(const Sample& sample) {
  row_.clear();
  append_row(header_, sample, row_);
  samples_.add(csv_row(row_));
}

void RunSaver::step(const StepRecord& step) { steps_.add(csv_row(step)); }

void RunSaver::save(SavedRun run) {
  run.samples = samples_.saved();
  run.steps = steps_.saved();
  write_checkpoint(run, folder_);
}

void RunSaver::publish() {
  samples_.publish(folder_ / "trajectory.csv");
  steps_.publish(folder_ / "steps.csv");
}

}  // namespace hamiltree
