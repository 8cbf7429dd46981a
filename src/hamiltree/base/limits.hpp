// Limits: how much a file may ask for. They are beyond every mechanism that makes sense and keep a
// bad file from taking the machine's memory, stack or time. Messages call them by their names,
// which docs/reliability.md lists.
#pragma once

#include <cstddef>
#include <string>

namespace hamiltree {

struct Limit {
  const char* name;
  std::size_t value;
};

inline constexpr Limit kFileSize{"file_size", std::size_t{64} << 20};  // bytes: models, studies
// bytes: what a run or a sweep leaves and is read as a whole
inline constexpr Limit kRunFileSize{"run_file_size", std::size_t{512} << 20};
inline constexpr Limit kDepth{"depth", 256};        // elements, tables and lists within each other
inline constexpr Limit kKeyParts{"key_parts", 16};  // of a dotted key: each is a table
inline constexpr Limit kStringLength{"string_length", 1024};  // bytes: names and other words
inline constexpr Limit kIncludeDepth{"include_depth", 16};    // files that include files
// XML elements of a file with all that it includes; elements of one kind in a native file
inline constexpr Limit kElements{"elements", 2'000'000};
inline constexpr Limit kBodies{"bodies", 2'000'000};      // of a native file
inline constexpr Limit kLinks{"links", 1'000'000'000};    // of a chain that is read link by link
inline constexpr Limit kSamples{"samples", 100'000'000};  // of a sweep, and values of a parameter

// "the limit depth (256)"
std::string to_text(const Limit& limit);

}  // namespace hamiltree
