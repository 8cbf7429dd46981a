// <tendon> of MJCF: fixed ones, and those that are a straight spring between two sites.
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
  double at_start = 0.0;  // its length with all joints at `ref`
  std::optional<Eigen::Vector2d> range;
  std::optional<Eigen::Vector2d> effort_range;  // of all that actuators pull along it
};

// All fixed tendons by name, the pull of all tendons in the mechanism. One that pulls and is
// neither fixed nor a straight spring is left out with a warning.
std::map<std::string, FixedTendon> read_tendons(const XmlElement& root, const Settings& settings,
                                                const Tree& tree, Mechanism& mechanism,
                                                ImportLog& log);

}  // namespace hamiltree::mjcf
