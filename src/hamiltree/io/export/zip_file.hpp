// A zip archive without compression, the same bytes for the same entries.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace hamiltree {

struct ZipEntry {
  std::string name;  // a path with "/", in ASCII
  std::string bytes;
};

// Throws std::length_error for what only larger kinds of archive can hold: 4 GiB, 65,535 entries.
void write_zip(std::ostream& out, const std::vector<ZipEntry>& entries);

}  // namespace hamiltree
