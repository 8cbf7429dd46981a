// Numbers of XML formats, and a document as text.
#pragma once

#include <Eigen/Core>
#include <pugixml.hpp>
#include <string>

#include "hamiltree/math/dense_solvers.hpp"

namespace hamiltree::xml_text {

void set(pugi::xml_node node, const char* attribute, const std::string& value);
void set(pugi::xml_node node, const char* attribute, double value);
void set(pugi::xml_node node, const char* attribute, const Eigen::VectorXd& values);

std::string text_of(const pugi::xml_document& document);

// Principal moments and right-handed principal axes of an inertia; its own axes where it is
// diagonal.
PrincipalAxes right_handed_axes(const Eigen::Matrix3d& inertia);

}  // namespace hamiltree::xml_text
