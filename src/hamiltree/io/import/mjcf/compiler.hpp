// <compiler> of MJCF: how the rest of the file is to be read.
#pragma once

#include <filesystem>
#include <string>

#include "hamiltree/io/import/xml/xml_element.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::mjcf {

struct Compiler {
  enum class FromGeoms { kNever, kAlways, kWithoutInertial };

  double angle = 1.0;  // rad, of the file's unit
  std::string euler_sequence = "xyz";
  bool automatic_limits = true;
  bool balance_inertia = false;
  FromGeoms inertia_from_geoms = FromGeoms::kWithoutInertial;
  int first_group = 0, last_group = 5;  // of geoms that have inertia
  double least_mass = 0.0, least_inertia = 0.0;
  double total_mass = -1.0;  // kg; negative: as it comes out
  bool aligns_free = false;  // free joints of bodies without children with the inertial frame

  // Settings of meshes.
  std::string mesh_folder;
  bool strips_path = false, fits_box = false;

  // The mesh file of that name, from the folder of the model.
  std::filesystem::path mesh_file(const std::string& name) const;
  // The pose that `pos` and one of quat, axisangle, xyaxes, zaxis, euler say.
  Frame pose(const XmlElement& element) const;
  Eigen::Matrix3d rotation(const XmlElement& element) const;
  // The rotation of three angles in the file's unit, in the order of `eulerseq`.
  Eigen::Matrix3d euler_rotation(const Eigen::Vector3d& angles) const;
};

// All <compiler> elements of a file; later ones win.
Compiler read_compiler(const XmlElement& root);

}  // namespace hamiltree::mjcf
