#include "prepared.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <pugixml.hpp>
#include <set>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "hamiltree/base/listed.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/io/import/frames.hpp"

namespace hamiltree::test {
namespace {

Eigen::VectorXd numbers(const pugi::xml_attribute& attribute, Eigen::Index count) {
  Eigen::VectorXd values = Eigen::VectorXd::Zero(count);
  std::istringstream text(attribute.value());
  for (auto& value : values) {
    std::string word;
    text >> word;
    value = parse_number(word).value_or(0.0);
  }
  return values;
}

struct Principal {
  Eigen::Vector3d moments;
  Eigen::Matrix3d axes;
};

Principal principal(const Eigen::Matrix3d& J) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(J);
  Principal result{eigen.eigenvalues(), eigen.eigenvectors()};
  if (result.axes.determinant() < 0.0) result.axes.col(0) *= -1.0;
  return result;
}

void set(pugi::xml_node node, const char* name, const std::string& value) {
  if (!node.attribute(name)) node.append_attribute(name);
  node.attribute(name).set_value(value.c_str());
}

void turn_urdf_inertia(pugi::xml_node inertial) {
  auto inertia = inertial.child("inertia");
  if (!inertia) return;
  auto origin = inertial.child("origin");
  if (!origin) origin = inertial.append_child("origin");
  const auto value = [&](const char* name) { return numbers(inertia.attribute(name), 1)(0); };
  Eigen::Matrix3d J;
  J << value("ixx"), value("ixy"), value("ixz"), value("ixy"), value("iyy"), value("iyz"),
      value("ixz"), value("iyz"), value("izz");
  const auto [moments, axes] = principal(J);
  const Eigen::Vector3d rpy = numbers(origin.attribute("rpy"), 3);
  set(origin, "rpy", listed_numbers(to_rpy(from_rpy(rpy) * axes)));
  set(inertia, "ixx", to_text(moments.x()));
  set(inertia, "iyy", to_text(moments.y()));
  set(inertia, "izz", to_text(moments.z()));
  for (const char* product : {"ixy", "ixz", "iyz"}) set(inertia, product, "0");
}

void turn_mjcf_inertia(pugi::xml_node inertial) {
  if (!inertial.attribute("fullinertia")) return;
  const Eigen::VectorXd six = numbers(inertial.attribute("fullinertia"), 6);
  Eigen::Matrix3d J;
  J << six(0), six(3), six(4), six(3), six(1), six(5), six(4), six(5), six(2);
  const auto [moments, axes] = principal(J);
  inertial.remove_attribute("fullinertia");
  set(inertial, "diaginertia", listed_numbers(moments));
  set(inertial, "quat", listed_numbers(to_quat_wxyz(axes)));
}

struct Stripping {
  bool urdf = false;
  Actuation actuation = Actuation::kLeftOut;
};

bool is_actuation(const std::string& name) { return name == "tendon" || name == "actuator"; }

// Elements of <tendon> and <actuator> are named like others elsewhere: they are kept as a whole.
void strip(pugi::xml_node node, const Stripping& how) {
  static const std::set<std::string> kUrdf{"visual", "collision",    "loop_joint",
                                           "loop",   "coupling",     "mimic",
                                           "gazebo", "transmission", "force_element"};
  static const std::set<std::string> kMjcf{"asset",  "equality", "tendon",    "actuator",
                                           "sensor", "contact",  "keyframe",  "camera",
                                           "light",  "visual",   "statistic", "include"};
  std::vector<pugi::xml_node> gone;
  for (const auto& child : node.children()) {
    const std::string name = child.name();
    const bool is_mesh = name == "geom" && (child.attribute("mesh") || name == "mesh" ||
                                            std::string(child.attribute("type").value()) == "mesh");
    const bool kept = !how.urdf && how.actuation == Actuation::kKept && is_actuation(name);
    if (kept) continue;
    if ((how.urdf ? kUrdf : kMjcf).contains(name) || (!how.urdf && is_mesh)) {
      gone.push_back(child);
    } else {
      strip(child, how);
    }
  }
  for (const auto& child : gone) node.remove_child(child);
  for (const char* attribute : {"material", "align", "alignfree"}) node.remove_attribute(attribute);
  if (std::string(node.name()) == "inertial") {
    how.urdf ? turn_urdf_inertia(node) : turn_mjcf_inertia(node);
  }
}

}  // namespace

std::string prepared(const std::filesystem::path& file, Actuation actuation) {
  pugi::xml_document document;
  if (!document.load_file(file.c_str())) throw std::runtime_error("not well-formed");
  const bool urdf = std::string(document.document_element().name()) == "robot";
  strip(document.document_element(), {urdf, actuation});
  if (urdf) {
    auto mujoco = document.document_element().prepend_child("mujoco");
    mujoco.append_child("compiler").append_attribute("fusestatic").set_value("true");
  }
  std::ostringstream text;
  document.save(text);
  return text.str();
}

bool is_actuated(const std::filesystem::path& file) {
  pugi::xml_document document;
  if (!document.load_file(file.c_str())) return false;
  const auto root = document.document_element();
  return std::string(root.name()) == "mujoco" &&
         std::ranges::any_of(root.children(),
                             [](const auto& child) { return is_actuation(child.name()); });
}

}  // namespace hamiltree::test
