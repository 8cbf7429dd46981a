// Default classes of MJCF.
#pragma once

#include <map>
#include <string>

#include "hamiltree/io/import/xml/xml_element.hpp"

namespace hamiltree::mjcf {

class Defaults {
 public:
  // All <default> sections of a file; nested classes take over what those around them say.
  explicit Defaults(const XmlElement& root);

  // Writes the attributes that an element leaves out into it, from its own class, else from
  // `childclass`, else from the outermost one. Throws ModelError for a class that is not there.
  void complete(const XmlElement& element, const std::string& childclass) const;

 private:
  using Attributes = std::map<std::string, std::string>;
  using Class = std::map<std::string, Attributes>;  // by the name of the element

  void read(const XmlElement& element, const std::string& outer);

  std::map<std::string, Class> classes_;
};

}  // namespace hamiltree::mjcf
