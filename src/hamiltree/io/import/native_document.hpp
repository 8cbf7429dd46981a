// A native model file once its TOML is parsed, for those who change values of it before it is read.
#pragma once

#include <toml++/toml.h>

#include <cstddef>
#include <string>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// As parse_native() of the text that the document comes from.
Mechanism read_mechanism(const toml::table& document, const std::string& file);

// Elements of a kind by number, copies included, in the order of the file.
struct ElementRange {
  std::size_t first = 0, last = static_cast<std::size_t>(-1);
};

struct ElementCounts {
  std::size_t bodies, joints, couplings, forces, sensors, events;
};
ElementCounts count_elements(const toml::table& document, const std::string& file);

// The bodies of a range and the joints of the same range, and what else concerns all.
Mechanism read_links(const toml::table& document, const std::string& file,
                     const ElementRange& range);

}  // namespace hamiltree
