// How the geoms of MJCF look: those of the groups that MuJoCo shows.
#pragma once

#include <map>
#include <string>

#include "hamiltree/io/import/imported_looks.hpp"
#include "hamiltree/io/import/mjcf/meshes.hpp"
#include "hamiltree/io/import/mjcf/settings.hpp"

namespace hamiltree::mjcf {

class GeomLooks {
 public:
  GeomLooks(const XmlElement& root, const Settings& settings, const Meshes& meshes,
            ImportedLooks& looks);

  // Adds a <geom>, its default class already applied, that lies in the frame X of a body.
  void read(const XmlElement& geom, const std::string& body, const Frame& X);

 private:
  void read_mesh(const XmlElement& geom, const std::string& body, const Frame& X);
  Eigen::Vector4d colour_of(const XmlElement& geom) const;
  Eigen::Vector4d colour_of_material(const XmlElement& material, const XmlElement& root) const;

  const Settings& settings_;
  const Meshes& meshes_;
  ImportedLooks& looks_;
  std::map<std::string, Eigen::Vector4d> materials_;
};

}  // namespace hamiltree::mjcf
