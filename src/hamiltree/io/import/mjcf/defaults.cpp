#include "hamiltree/io/import/mjcf/defaults.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace hamiltree::mjcf {
namespace {

constexpr const char* kMain = "main";
constexpr std::array kOrientations{"quat", "axisangle", "xyaxes", "zaxis", "euler"};

constexpr std::array kActuators{"general",     "motor",       "position", "velocity",
                                "intvelocity", "damper",      "cylinder", "muscle",
                                "adhesion",    "orientation", "pid",      "dcmotor"};

// Equalities of all kinds share their defaults, and so do tendons.
std::string kind_of_defaults(const XmlElement& element) {
  const std::string parent = element.node().parent().name();
  return parent == "equality" || parent == "tendon" ? parent : element.name();
}

bool is_actuator(const std::string& name) {
  return std::ranges::find(kActuators, name) != kActuators.end();
}

bool is_orientation(const std::string& attribute) {
  return std::ranges::find(kOrientations, attribute) != kOrientations.end();
}

bool has_orientation(const XmlElement& element) {
  return std::ranges::any_of(kOrientations, [&](const char* a) { return element.has(a); });
}

// Takes the first word away; false where there is none.
bool drop_word(std::string_view& list) {
  constexpr std::string_view kSpaces = " \t\r\n";
  list.remove_prefix(std::min(list.find_first_not_of(kSpaces), list.size()));
  const auto length = std::min(list.find_first_of(kSpaces), list.size());
  list.remove_prefix(length);
  return length > 0;
}

// What an attribute says where `outer` is the default: a shorter `size` leaves the rest as it was.
std::string over(const std::string& attribute, const std::string& value, std::string_view outer) {
  if (attribute != "size") return value;
  for (std::string_view given = value; drop_word(given);) drop_word(outer);
  return value + ' ' + std::string(outer);
}

}  // namespace

Defaults::Defaults(const XmlElement& root) {
  classes_[kMain];
  classes_[kNoDefaults];
  for (const auto& section : root.children("default")) read(section, "");
}

void Defaults::read(const XmlElement& element, const std::string& outer) {
  const std::string name = element.text_or("class", outer.empty() ? kMain : "");
  if (name.empty()) element.fail("attribute class is missing");
  // A class written in two places adds to itself.
  Class own = classes_.contains(name) ? classes_.at(name) : Class{};
  if (!outer.empty()) {
    for (const auto& [kind, attributes] : classes_.at(outer)) {
      own[kind].insert(attributes.begin(), attributes.end());
    }
  }
  auto& actuators = actuators_[name];
  if (actuators.empty()) {
    if (!outer.empty()) actuators = actuators_.at(outer);
    actuators.emplace_back();
  }
  for (const auto& child : element.children()) {
    if (child.name() == "default") continue;
    if (is_actuator(child.name())) actuators.back().push_back(child);
    for (const auto& attribute : child.node().attributes()) {
      if (is_orientation(attribute.name())) {
        std::erase_if(own[child.name()], [](const auto& a) { return is_orientation(a.first); });
      }
      std::string& value = own[child.name()][attribute.name()];
      value = over(attribute.name(), attribute.value(), value);
    }
  }
  classes_[name] = std::move(own);
  for (const auto& child : element.children("default")) read(child, name);
}

std::string Defaults::class_of(const XmlElement& element, const std::string& childclass) const {
  const std::string name =
      element.text_or("class", childclass.empty() ? std::string(kMain) : childclass);
  if (!classes_.contains(name)) element.fail("there is no default class \"" + name + "\"");
  return name;
}

std::vector<std::vector<XmlElement>> Defaults::actuators_of(const XmlElement& element) const {
  const auto found = actuators_.find(class_of(element, ""));
  if (found == actuators_.end()) return {};
  return found->second;
}

void Defaults::complete(const XmlElement& element, const std::string& childclass) const {
  const auto& found = classes_.at(class_of(element, childclass));
  const auto attributes = found.find(kind_of_defaults(element));
  if (attributes == found.end()) return;
  const bool turned = has_orientation(element);
  auto node = element.node();
  for (const auto& [attribute, value] : attributes->second) {
    if (turned && is_orientation(attribute)) continue;
    if (!element.has(attribute)) {
      node.append_attribute(attribute.c_str()).set_value(value.c_str());
    } else if (attribute == "size") {
      node.attribute("size").set_value(over(attribute, element.text("size"), value).c_str());
    }
  }
}

}  // namespace hamiltree::mjcf
