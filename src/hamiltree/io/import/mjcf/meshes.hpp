// <mesh> of MJCF, as far as geoms weigh what their meshes do, or are fitted to them.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hamiltree/io/import/import_log.hpp"
#include "hamiltree/io/import/mesh/mesh.hpp"
#include "hamiltree/io/import/mjcf/compiler.hpp"
#include "hamiltree/io/import/mjcf/defaults.hpp"
#include "hamiltree/io/import/mjcf/geom_shape.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::mjcf {

class Meshes {
 public:
  // Files are read only where a geom asks for them.
  Meshes(const XmlElement& root, const Defaults& defaults, std::filesystem::path file,
         const ImportOptions& options);

  // The mass of the mesh of a geom by its `inertia`, in the geom's frame at a density of 1 kg/m^3,
  // of shells 1 kg/m^2; nothing, with a warning, where it cannot be said.
  std::optional<BodyDescription> weight(const XmlElement& geom, ImportLog& log);

  // The shape of a type fitted to the mesh of a geom, in the geom's frame; the same.
  std::optional<GeomShape> fitted(const XmlElement& geom, const std::string& type, ImportLog& log);

  // The mesh of a geom as it is to be seen: the file as the model names it, its scale and how it
  // lies in the geom's frame. Throws std::runtime_error, whose sentence goes on after its name.
  struct Seen {
    std::string file;
    Eigen::Vector3d scale;
    Frame X;
  };
  Seen seen(const XmlElement& geom) const;

  // Says which meshes count more than they enclose.
  void note_overcounted(ImportLog& log) const;

 private:
  struct Loaded {
    TriangleMesh triangles;
    BodyDescription weight;
  };

  const XmlElement& find(const XmlElement& geom) const;
  std::string file_of(const XmlElement& mesh) const;
  TriangleMesh read(const XmlElement& mesh) const;
  Loaded load(const XmlElement& mesh, const std::string& name, ImportLog& log);
  const Loaded* loaded(const XmlElement& geom, ImportLog& log);
  GeomShape fit(const XmlElement& geom, const std::string& type, const Loaded& mesh) const;

  std::filesystem::path file_;
  ImportOptions options_;
  Compiler compiler_;
  std::map<std::string, XmlElement> meshes_;
  std::map<std::string, Loaded> loaded_;
  std::vector<std::string> overcounted_;
  double most_ = 0.0;  // how many times their volume
};

}  // namespace hamiltree::mjcf
