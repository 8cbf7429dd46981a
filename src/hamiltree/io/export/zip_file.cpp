#include "hamiltree/io/export/zip_file.hpp"

#include <cstdint>
#include <limits>
#include <ostream>
#include <stdexcept>

#include "hamiltree/base/crc32.hpp"

namespace hamiltree {
namespace {

constexpr std::uint32_t kZipVersion = 20;  // 2.0 of the format: files and folders
constexpr std::uint32_t kDate = 0x0021;    // 1980-01-01, the first there is
constexpr std::uint32_t kEntryMark = 0x04034b50, kListMark = 0x02014b50, kEndMark = 0x06054b50;

// Little-endian numbers, one after the other.
struct Fields {
  std::string bytes;

  Fields& u16(std::uint32_t value) { return add(value, 2); }
  Fields& u32(std::uint32_t value) { return add(value, 4); }
  Fields& add(std::uint32_t value, int size) {
    for (int i = 0; i < size; ++i, value >>= 8U) bytes += static_cast<char>(value & 0xffU);
    return *this;
  }
};

// The fields that an entry's own head and the list at the end have in common.
void describe(const ZipEntry& entry, Fields& to) {
  const auto size = static_cast<std::uint32_t>(entry.bytes.size());
  to.u16(kZipVersion).u16(0).u16(0).u16(0).u16(kDate);  // no flags, stored, midnight
  to.u32(crc32_of(entry.bytes)).u32(size).u32(size);
  to.u16(static_cast<std::uint32_t>(entry.name.size())).u16(0);
}

}  // namespace

void write_zip(std::ostream& out, const std::vector<ZipEntry>& entries) {
  Fields list;
  std::uint64_t offset = 0;
  for (const auto& entry : entries) {
    Fields head;
    head.u32(kEntryMark);
    describe(entry, head);
    list.u32(kListMark).u16(kZipVersion);
    describe(entry, list);
    list.u16(0).u16(0).u16(0).u32(0).u32(static_cast<std::uint32_t>(offset));
    list.bytes += entry.name;
    out << head.bytes << entry.name << entry.bytes;
    offset += head.bytes.size() + entry.name.size() + entry.bytes.size();
  }
  if (offset + list.bytes.size() > std::numeric_limits<std::uint32_t>::max() ||
      entries.size() > std::numeric_limits<std::uint16_t>::max()) {
    throw std::length_error("too much for a zip archive of this kind");
  }
  const auto count = static_cast<std::uint32_t>(entries.size());
  Fields end;
  end.u32(kEndMark).u16(0).u16(0).u16(count).u16(count);
  end.u32(static_cast<std::uint32_t>(list.bytes.size())).u32(static_cast<std::uint32_t>(offset));
  end.u16(0);
  out << list.bytes << end.bytes;
}

}  // namespace hamiltree
