#include "hamiltree/io/controller/unpack_zip.hpp"

#ifdef HAMILTREE_ZLIB
#include <zlib.h>
#endif

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

#include "hamiltree/base/crc32.hpp"

namespace hamiltree {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostUnpacked = std::size_t{1} << 30U;
// Sizes of records without their names, and where in them is what.
constexpr std::size_t kEnd = 22, kEntry = 46, kHead = 30;
constexpr std::size_t kLongestComment = 65535;
constexpr std::uint32_t kEndMark = 0x06054b50, kEntryMark = 0x02014b50, kHeadMark = 0x04034b50;
constexpr std::uint32_t kStored = 0, kDeflated = 8;
constexpr std::uint32_t kOnlyInZip64 = 0xffffffff;

// The bytes of an archive, of which nothing is read that is not there.
class Bytes {
 public:
  explicit Bytes(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(in), {});
    if (!in) throw std::runtime_error("it cannot be read");
  }
  std::size_t size() const { return bytes_.size(); }
  std::string_view part(std::size_t at, std::size_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at)
      throw std::runtime_error("it is cut short or damaged");
    return std::string_view(bytes_).substr(at, size);
  }
  std::uint32_t number(std::size_t at, std::size_t size) const {
    std::uint32_t value = 0;
    const auto digits = part(at, size);
    for (std::size_t i = size; i-- > 0;)
      value = value << 8U | static_cast<unsigned char>(digits[i]);
    return value;
  }

 private:
  std::string bytes_;
};

// Where the record is that ends an archive: comments may follow it.
std::size_t find_end(const Bytes& bytes) {
  for (std::size_t back = kEnd; back <= kEnd + kLongestComment && back <= bytes.size(); ++back) {
    if (bytes.number(bytes.size() - back, 4) == kEndMark) return bytes.size() - back;
  }
  throw std::runtime_error("it is no zip archive");
}

std::string inflated([[maybe_unused]] std::string_view packed, [[maybe_unused]] std::size_t size) {
#ifdef HAMILTREE_ZLIB
  std::string bytes(size, '\0');
  z_stream stream{};
  constexpr int kWithoutHeader = -15;
  if (inflateInit2(&stream, kWithoutHeader) != Z_OK)
    throw std::runtime_error("zlib does not start");
  // It has no const in its interface and changes nothing.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(size);
  const int code = inflate(&stream, Z_FINISH);
  const bool is_whole = code == Z_STREAM_END && stream.avail_out == 0;
  inflateEnd(&stream);
  if (!is_whole) throw std::runtime_error("it is damaged");
  return bytes;
#else
  throw std::runtime_error(
      "it is compressed, and this hamiltree was built without zlib: unpack it and name the folder");
#endif
}

// An entry is below the folder, whatever its name says.
fs::path inside(const fs::path& folder, const std::string& name) {
  const fs::path path(name);
  bool is_inside = path.is_relative() && name.find('\\') == std::string::npos;
  for (const auto& part : path) is_inside = is_inside && part != "..";
  if (!is_inside) throw std::runtime_error("its entry \"" + name + "\" lies outside");
  return folder / path;
}

void write_entry(const fs::path& path, std::string_view bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary);
  out << bytes;
  if (!out.flush()) throw std::runtime_error(path.string() + " cannot be written");
}

// The entry whose record is there; the bytes that it has unpacked.
std::size_t unpack_entry(const Bytes& bytes, std::size_t at, const fs::path& folder,
                         std::size_t room) {
  if (bytes.number(at, 4) != kEntryMark) throw std::runtime_error("its directory is damaged");
  const auto flags = bytes.number(at + 8, 2), method = bytes.number(at + 10, 2),
             crc = bytes.number(at + 16, 4), packed = bytes.number(at + 20, 4),
             size = bytes.number(at + 24, 4), head = bytes.number(at + 42, 4);
  const std::string name(bytes.part(at + kEntry, bytes.number(at + 28, 2)));
  const auto path = inside(folder, name);
  if (name.ends_with('/')) {
    fs::create_directories(path);
    return 0;
  }
  if ((flags & 1U) != 0) throw std::runtime_error("it is encrypted");
  if (size == kOnlyInZip64 || size > room) throw std::runtime_error("it has more than a gigabyte");
  if (bytes.number(head, 4) != kHeadMark) throw std::runtime_error("it is damaged");
  const auto data =
      bytes.part(head + kHead + bytes.number(head + 26, 2) + bytes.number(head + 28, 2), packed);
  if (method != kStored && method != kDeflated)
    throw std::runtime_error("its entry \"" + name + "\" is compressed by a method not known");
  const auto content = method == kStored ? std::string(data) : inflated(data, size);
  if (content.size() != size || crc32_of(content) != crc)
    throw std::runtime_error("its entry \"" + name + "\" is damaged");
  write_entry(path, content);
  return size;
}

}  // namespace

void unpack_zip(const fs::path& archive, const fs::path& folder) {
  const Bytes bytes(archive);
  const auto end = find_end(bytes);
  const auto entries = bytes.number(end + 10, 2);
  std::size_t at = bytes.number(end + 16, 4), room = kMostUnpacked;
  for (std::uint32_t i = 0; i < entries; ++i) {
    room -= unpack_entry(bytes, at, folder, room);
    at += kEntry + bytes.number(at + 28, 2) + bytes.number(at + 30, 2) + bytes.number(at + 32, 2);
  }
}

}  // namespace hamiltree
