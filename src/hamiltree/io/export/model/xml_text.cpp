#include "hamiltree/io/export/model/xml_text.hpp"

#include <Eigen/LU>
#include <sstream>

#include "hamiltree/base/listed.hpp"
#include "hamiltree/base/text.hpp"

namespace hamiltree::xml_text {

void set(pugi::xml_node node, const char* attribute, const std::string& value) {
  node.append_attribute(attribute).set_value(value.c_str());
}
void set(pugi::xml_node node, const char* attribute, double value) {
  set(node, attribute, to_text(value));
}
void set(pugi::xml_node node, const char* attribute, const Eigen::VectorXd& values) {
  set(node, attribute, listed_numbers(values));
}

std::string text_of(const pugi::xml_document& document) {
  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

PrincipalAxes right_handed_axes(const Eigen::Matrix3d& inertia) {
  if (inertia.isDiagonal(0.0)) return {inertia.diagonal(), Eigen::Matrix3d::Identity()};
  return principal_axes(inertia);
}

}  // namespace hamiltree::xml_text
