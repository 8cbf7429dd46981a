// Default classes of MJCF.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hamiltree/io/import/xml/xml_element.hpp"

namespace hamiltree::mjcf {

// A class without defaults.
inline constexpr const char* kNoDefaults = "(none)";

class Defaults {
 public:
  // All <default> sections of a file; nested classes take over what those around them say.
  explicit Defaults(const XmlElement& root);

  // Writes the attributes that an element leaves out into it, from its own class, else from
  // `childclass`, else from the outermost one. Throws ModelError for a class that is not there.
  void complete(const XmlElement& element, const std::string& childclass) const;

  // The actuators, of whatever kind, of each class that an actuator goes by, outermost first.
  // Throws as above.
  std::vector<std::vector<XmlElement>> actuators_of(const XmlElement& element) const;

 private:
  using Attributes = std::map<std::string, std::string>;
  using Class = std::map<std::string, Attributes>;  // by the name of the element

  void read(const XmlElement& element, const std::string& outer);
  // The name of an element's class, which is there.
  std::string class_of(const XmlElement& element, const std::string& childclass) const;

  std::map<std::string, Class> classes_;
  std::map<std::string, std::vector<std::vector<XmlElement>>> actuators_;  // by class
};

}  // namespace hamiltree::mjcf
