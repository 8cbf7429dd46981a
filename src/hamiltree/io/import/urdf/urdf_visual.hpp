// <visual> of URDF: how links look.
#pragma once

#include <map>
#include <string>

#include "hamiltree/io/import/imported_looks.hpp"
#include "hamiltree/io/import/xml/xml_element.hpp"

namespace hamiltree::urdf {

class VisualReader {
 public:
  // Takes the materials that all of <robot> may name.
  VisualReader(const XmlElement& robot, ImportedLooks& looks);

  // Adds the visuals of a link; what cannot be drawn is noted.
  void read(const XmlElement& link, const std::string& body);

 private:
  std::optional<VisualShape> read_shape(const XmlElement& geometry);
  std::optional<Eigen::Vector4d> colour_of(const XmlElement& visual,
                                           const VisualShape& shape) const;

  ImportedLooks& looks_;
  std::map<std::string, Eigen::Vector4d> colours_;  // of materials by name
};

}  // namespace hamiltree::urdf
