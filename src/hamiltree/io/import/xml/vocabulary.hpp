// The words of a format: which elements and attributes are known, and what becomes of them.
#pragma once

#include <span>
#include <string_view>

#include "hamiltree/io/import/import_log.hpp"
#include "hamiltree/io/import/xml/xml_element.hpp"

namespace hamiltree {

// The children and attributes of an element; words are separated by spaces.
struct Word {
  std::string_view element;  // "joint", or "transmission/joint" where the parent matters
  std::string_view attributes;
  std::string_view children;  // that are read
  std::string_view ignored;   // children that no motion depends on
};

// Holds every element below and including `root` against the words. What is not known is warned
// about, what is known to be needless is counted. A word "*" among the attributes or the ignored
// children takes all. Elements without a word of their own have no attributes and no children.
void check_vocabulary(const XmlElement& root, std::span<const Word> words, ImportLog& log);

}  // namespace hamiltree
