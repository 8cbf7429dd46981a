// <tendon> of MJCF: fixed ones, and spatial ones that are ropes over sites and pulleys.
#pragma once

#include <map>
#include <optional>

#include "hamiltree/io/import/mjcf/mjcf_tree.hpp"

namespace hamiltree::mjcf {

// A fixed tendon: its length is the sum of coefficient times coordinate over joints with one degree
// of freedom.
struct FixedTendon {
  std::vector<std::string> joints;
  std::vector<double> coefficients;
  double at_start = 0.0, at_springs = 0.0;  // its length with all joints at `ref`, at `springref`
  std::optional<Eigen::Vector2d> range;
  std::optional<Eigen::Vector2d> effort_range;  // of all that actuators pull along it
};

// A spatial tendon: its length is that of a rope over points.
struct SpatialTendon {
  std::vector<RopePoint> points;  // none where it wraps around a geom, which is not simulated
  std::optional<Eigen::Vector2d> range;
  std::optional<Eigen::Vector2d> effort_range;
};

struct Tendons {
  std::map<std::string, FixedTendon> fixed;
  std::map<std::string, SpatialTendon> spatial;
};

// All tendons by name; springs and dampers along them are added to the mechanism. One that pulls
// and wraps around a geom is left out with a warning.
Tendons read_tendons(const XmlElement& root, const Settings& settings, const Tree& tree,
                     Mechanism& mechanism, ImportLog& log);

}  // namespace hamiltree::mjcf
