// Copies of MJCF's elements get names of their own, and so do the references to them.
#pragma once

#include <set>
#include <string>

#include "hamiltree/base/listed.hpp"
#include "hamiltree/io/import/xml/xml_element.hpp"

namespace hamiltree::mjcf {

// The names that change, of what moves and of assets, and how.
struct Renaming {
  std::set<std::string> names, assets;
  std::string prefix, suffix;

  std::string of(const std::string& name) const { return prefix + name + suffix; }
};

// The stem, or else the stem with the first number that makes it a name not yet used; it is then.
std::string unused_name(const std::string& stem, std::set<std::string>& used);

// All names in an element.
void collect_names(const XmlElement& element, std::set<std::string>& names);

// Whether an element names one of these, or nothing but these and the world.
bool refers_to_any(const XmlElement& element, const std::set<std::string>& names);
bool refers_only_to(const XmlElement& element, const std::set<std::string>& names);

// Changes all names in an element, and its references to those that change elsewhere.
void rename(const XmlElement& element, const Renaming& renaming);

// A path as it is on Windows, as it is elsewhere.
std::string with_slashes(std::string path);

void set_attribute(const XmlElement& element, const char* name, const std::string& value);
// Numbers with spaces between them, to the last bit.
template <class Numbers>
void set_numbers(const XmlElement& element, const char* name, const Numbers& numbers) {
  set_attribute(element, name, listed_numbers(numbers));
}

void remove_attribute(const XmlElement& element, const char* name);

}  // namespace hamiltree::mjcf
