// TOML as text: strings, numbers, arrays, inline tables.
#pragma once

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::toml_text {

std::string quoted(const std::string& text);
std::string number(double value);
std::string array(const Eigen::VectorXd& values);
std::string array(const std::vector<std::string>& texts);

// Two numbers of a vector in the plane, three in space.
std::string vector(const Eigen::Vector3d& x, SpaceKind space);

// { key = value, ... } without the keys whose value is empty; empty if none is left.
std::string table(const std::vector<std::pair<std::string, std::string>>& entries);

// { position, angle | quat_wxyz } without what is zero; empty for the body's own frame.
std::string frame(const Frame& frame, SpaceKind space);

std::string function(const TimeFunction& function);

}  // namespace hamiltree::toml_text
