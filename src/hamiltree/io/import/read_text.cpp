#include "hamiltree/io/import/read_text.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <system_error>

#include "hamiltree/base/error.hpp"

namespace hamiltree {

// In parts: a pipe or a device does not know how much there will be.
std::string read_text(const std::filesystem::path& file, const Limit& size) {
  const SourceLocation where{file.string(), 0};
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) throw ModelError(where, "", "file not found");
  if (std::filesystem::is_directory(status)) throw ModelError(where, "", "is a folder, not a file");
  const auto refuse_if_more = [&](std::uintmax_t bytes) {
    if (bytes > size.value) {
      throw ModelError(where, "", "is larger than " + to_text(size) + ", in bytes");
    }
  };
  if (std::filesystem::is_regular_file(status)) {
    refuse_if_more(std::filesystem::file_size(file, error));
  }
  std::ifstream stream(file, std::ios::binary);
  std::string text;
  while (stream && text.size() <= size.value) {
    constexpr std::size_t kPart = std::size_t{1} << 16;
    const std::size_t before = text.size();
    text.resize(before + std::min(kPart, size.value + 1 - before));
    stream.read(text.data() + before, static_cast<std::streamsize>(text.size() - before));
    text.resize(before + static_cast<std::size_t>(stream.gcount()));
  }
  if (!stream.is_open() || stream.bad()) throw ModelError(where, "", "cannot be read");
  refuse_if_more(text.size());
  return text;
}

}  // namespace hamiltree
