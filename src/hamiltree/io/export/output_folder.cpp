#include "hamiltree/io/export/output_folder.hpp"

#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <system_error>

#include "hamiltree/io/export/csv.hpp"
#include "hamiltree/io/export/report.hpp"
#include "hamiltree/io/export/summary.hpp"

namespace hamiltree {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::error_code& reason) {
  throw std::runtime_error("cannot write " + path.string() + ": " + reason.message());
}

// A file under a temporary name beside its place; gone again unless published.
class PendingFile {
 public:
  PendingFile(fs::path path, const std::function<void(std::ostream&)>& write)
      : path_(std::move(path)), temporary_(path_) {
    temporary_.replace_filename("." + path_.filename().string() + "." + std::to_string(getpid()) +
                                ".part");
    try {
      write_all(write);
    } catch (...) {
      discard();
      throw;
    }
  }
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;
  ~PendingFile() { discard(); }

  void publish() {
    std::error_code error;
    fs::rename(temporary_, path_, error);
    if (error) fail(path_, error);
    temporary_.clear();
  }

 private:
  void write_all(const std::function<void(std::ostream&)>& write) const {
    errno = 0;
    std::ofstream out(temporary_, std::ios::binary);
    if (out) write(out);
    out.close();
    if (!out) fail(path_, {errno != 0 ? errno : EIO, std::generic_category()});
  }

  void discard() const noexcept {
    std::error_code ignored;
    if (!temporary_.empty()) fs::remove(temporary_, ignored);
  }

  fs::path path_, temporary_;
};

}  // namespace

void write_output_folder(const Recording& recording, const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail(folder, error);

  PendingFile report(folder / "report.html",
                     [&](std::ostream& out) { out << to_report(recording); });
  PendingFile trajectory(folder / "trajectory.csv",
                         [&](std::ostream& out) { write_csv(recording, out); });
  PendingFile summary(folder / "summary.json",
                      [&](std::ostream& out) { out << to_json(recording.summary); });
  report.publish();
  trajectory.publish();
  summary.publish();
}

}  // namespace hamiltree
