#include "hamiltree/io/export/pending_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

namespace hamiltree {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPart = ".part";

[[noreturn]] void fail(const fs::path& path, const std::error_code& reason) {
  throw std::system_error(reason, "cannot write " + path.string());
}

}  // namespace

PendingFile::PendingFile(fs::path path) : path_(std::move(path)), temporary_(path_) {
  temporary_.replace_filename("." + path_.filename().string() + "." + std::to_string(getpid()) +
                              kPart);
  // Known before others that belong to it are published.
  if (fs::is_directory(path_)) fail(path_, std::make_error_code(std::errc::is_a_directory));
}

PendingFile::PendingFile(fs::path path, std::string_view text)
    : PendingFile(std::move(path), [&](std::ostream& out) { out << text; }) {}

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

// On the disk before it has its name: after a loss of power either the old file is there or this.
void PendingFile::publish() {
  sync(temporary_);
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

void sync(const fs::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool kept =
      file >= 0 && (fsync(file) == 0 || errno == EINVAL);  // some devices know no sync
  const int reason = errno;
  if (file >= 0) close(file);
  if (!kept) fail(path, {reason, std::generic_category()});
}

void remove_pending(const fs::path& path) {
  const auto prefix = "." + path.filename().string() + ".";
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(path.parent_path(), ignored)) {
    const auto name = entry.path().filename().string();
    if (name.starts_with(prefix) && name.ends_with(kPart)) fs::remove(entry.path(), ignored);
  }
}

bool make_folder(const fs::path& folder) {
  std::error_code error;
  const bool is_new = fs::create_directories(folder, error);
  if (error) fail(folder, error);
  return is_new;
}

}  // namespace hamiltree
