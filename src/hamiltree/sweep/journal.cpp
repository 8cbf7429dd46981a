#include "hamiltree/sweep/journal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "hamiltree/base/checksum.hpp"

namespace hamiltree {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMark = 0x31706565777368;  // begins every record
constexpr const char* kPrefix = "samples-";
constexpr const char* kSuffix = ".journal";

// The head of a record; its numbers and its failure follow, then a sum of all bytes before.
struct Head {
  std::uint64_t mark = kMark;
  std::uint64_t sample = 0, parameters = 0, outputs = 0, trajectory = 0, failure = 0;

  // Whether a record that begins so can lie in as many bytes.
  bool fits(std::uint64_t bytes) const {
    for (const auto part : {parameters, outputs, trajectory, failure}) {
      if (part > bytes) return false;
    }
    return mark == kMark && size() <= bytes;
  }
  std::uint64_t size() const {
    return sizeof(Head) + sizeof(double) * (parameters + outputs + trajectory) + failure +
           sizeof(std::uint64_t);
  }
};

[[noreturn]] void fail(const fs::path& path, const char* what, int error) {
  throw std::runtime_error(std::string("cannot ") + what + ' ' + path.string() + ": " +
                           std::generic_category().message(error));
}

std::vector<char> bytes_of(const SampleRecord& record) {
  const Head head{kMark,
                  record.sample,
                  record.parameters.size(),
                  record.outputs.size(),
                  record.trajectory.size(),
                  record.failure.size()};
  std::vector<char> bytes;
  bytes.reserve(head.size());
  const auto add = [&](const void* from, std::size_t count) {
    const auto* chars = static_cast<const char*>(from);
    bytes.insert(bytes.end(), chars, chars + count);
  };
  add(&head, sizeof head);
  for (const auto* numbers : {&record.parameters, &record.outputs, &record.trajectory})
    add(numbers->data(), sizeof(double) * numbers->size());
  add(record.failure.data(), record.failure.size());
  const auto sum = Checksum({bytes.data(), bytes.size()}).value();
  add(&sum, sizeof sum);
  return bytes;
}

SampleRecord record_of(const std::vector<char>& bytes) {
  Head head;
  std::memcpy(&head, bytes.data(), sizeof head);
  SampleRecord record;
  record.sample = head.sample;
  record.parameters.resize(head.parameters);
  record.outputs.resize(head.outputs);
  record.trajectory.resize(head.trajectory);
  const char* from = bytes.data() + sizeof head;
  for (auto* numbers : {&record.parameters, &record.outputs, &record.trajectory}) {
    if (!numbers->empty()) std::memcpy(numbers->data(), from, sizeof(double) * numbers->size());
    from += sizeof(double) * numbers->size();
  }
  record.failure.assign(from, head.failure);
  return record;
}

}  // namespace

JournalWriter::JournalWriter(const fs::path& file)
    : path_(file),
      file_(open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666)) {
  if (file_ < 0) fail(path_, "write", errno);
}

JournalWriter::~JournalWriter() { close(file_); }

void JournalWriter::append(const SampleRecord& record) {
  const auto bytes = bytes_of(record);
  for (std::size_t done = 0; done < bytes.size();) {
    const auto written = ::write(file_, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(path_, "write", errno);
    done += static_cast<std::size_t>(written);
  }
}

JournalIndex::JournalIndex(const fs::path& folder, std::size_t samples) : places_(samples) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const auto name = entry.path().filename().string();
    if (name.starts_with(kPrefix) && name.ends_with(kSuffix)) files.push_back(entry.path());
  }
  if (error) fail(folder, "read", error.value());
  std::ranges::sort(files);
  for (const auto& file : files) add_file(file);
}

void JournalIndex::add_file(const fs::path& file) {
  const auto name = file.filename().string().substr(std::strlen(kPrefix));
  int session = 0;
  std::from_chars(name.data(), name.data() + name.size(), session);
  next_session_ = std::max(next_session_, session + 1);
  std::ifstream in(file, std::ios::binary);
  if (!in) fail(file, "read", errno);
  const auto end = fs::file_size(file);
  std::vector<char> bytes;
  for (std::uint64_t offset = 0; offset + sizeof(Head) <= end;) {
    Head head;
    in.seekg(static_cast<std::streamoff>(offset));
    in.read(reinterpret_cast<char*>(&head), sizeof head);
    // A record that was not finished, and nothing after it.
    if (!in || !head.fits(end - offset)) break;
    bytes.resize(head.size());
    std::memcpy(bytes.data(), &head, sizeof head);
    in.read(bytes.data() + sizeof head, static_cast<std::streamsize>(bytes.size() - sizeof head));
    const auto content = bytes.size() - sizeof(std::uint64_t);
    std::uint64_t sum = 0;
    std::memcpy(&sum, bytes.data() + content, sizeof sum);
    if (!in || sum != Checksum({bytes.data(), content}).value()) break;
    if (head.sample < places_.size() && !has(head.sample) &&
        bytes.size() <= std::numeric_limits<std::uint32_t>::max()) {
      places_[head.sample] = {offset, static_cast<std::uint32_t>(bytes.size()),
                              static_cast<std::uint32_t>(files_.size())};
      ++count_;
    }
    offset += bytes.size();
  }
  in.clear();
  files_.push_back({file, std::move(in)});
}

SampleRecord JournalIndex::read(std::size_t sample) {
  const auto& place = places_[sample];
  auto& [path, in] = files_[place.file];
  std::vector<char> bytes(place.size);
  in.seekg(static_cast<std::streamoff>(place.offset));
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!in) fail(path, "read", errno);
  return record_of(bytes);
}

fs::path journal_path(const fs::path& folder, int session, int rank, int thread) {
  return folder / (kPrefix + std::to_string(session) + '-' + std::to_string(rank) + '-' +
                   std::to_string(thread) + kSuffix);
}

void remove_journals(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const auto name = entry.path().filename().string();
    if (name.starts_with(kPrefix) && name.ends_with(kSuffix)) files.push_back(entry.path());
  }
  for (const auto& file : files) fs::remove(file);
}

}  // namespace hamiltree
