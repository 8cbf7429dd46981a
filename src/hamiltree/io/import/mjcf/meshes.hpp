// <mesh> of MJCF, as far as geoms weigh what their meshes enclose.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "hamiltree/io/import/import_log.hpp"
#include "hamiltree/io/import/mjcf/defaults.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::mjcf {

class Meshes {
 public:
  // Files are read only where a geom asks for them.
  Meshes(const XmlElement& root, const Defaults& defaults, std::filesystem::path file,
         const ImportOptions& options);

  // The solid that the mesh of a geom encloses, in the geom's frame at a density of 1 kg/m^3;
  // nothing, with a warning, where it cannot be said.
  std::optional<BodyDescription> solid(const XmlElement& geom, ImportLog& log);

 private:
  BodyDescription read(const XmlElement& mesh) const;

  std::filesystem::path file_, folder_;
  ImportOptions options_;
  bool strip_path_ = false;
  std::map<std::string, XmlElement> meshes_;
  std::map<std::string, BodyDescription> solids_;
};

}  // namespace hamiltree::mjcf
