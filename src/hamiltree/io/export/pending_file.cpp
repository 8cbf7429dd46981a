#include "hamiltree/io/export/pending_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace hamiltree {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::error_code& reason) {
  throw std::runtime_error("cannot write " + path.string() + ": " + reason.message());
}

}  // namespace

PendingFile::PendingFile(fs::path path) : path_(std::move(path)), temporary_(path_) {
  temporary_.replace_filename("." + path_.filename().string() + "." + std::to_string(getpid()) +
                              ".part");
}

// Delegates, so that the destructor discards what was begun where writing throws.
PendingFile::PendingFile(fs::path path, const std::function<void(std::ostream&)>& write)
    : PendingFile(std::move(path)) {
  write_all(write);
}

PendingFile::PendingFile(fs::path path, const std::function<void(const fs::path&)>& write)
    : PendingFile(std::move(path)) {
  write(temporary_);
}

PendingFile::~PendingFile() { discard(); }

void PendingFile::publish() {
  std::error_code error;
  fs::rename(temporary_, path_, error);
  if (error) fail(path_, error);
  temporary_.clear();
}

void PendingFile::write_all(const std::function<void(std::ostream&)>& write) const {
  errno = 0;
  std::ofstream out(temporary_, std::ios::binary);
  if (out) write(out);
  out.close();
  if (!out) fail(path_, {errno != 0 ? errno : EIO, std::generic_category()});
}

void PendingFile::discard() const noexcept {
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove(temporary_, ignored);
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail(folder, error);
}

}  // namespace hamiltree
