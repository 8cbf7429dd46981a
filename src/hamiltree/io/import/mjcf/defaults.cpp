#include "hamiltree/io/import/mjcf/defaults.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace hamiltree::mjcf {
namespace {

constexpr const char* kMain = "main";
constexpr std::array kOrientations{"quat", "axisangle", "xyaxes", "zaxis", "euler"};

bool is_orientation(const std::string& attribute) {
  return std::ranges::find(kOrientations, attribute) != kOrientations.end();
}

bool has_orientation(const XmlElement& element) {
  return std::ranges::any_of(kOrientations, [&](const char* a) { return element.has(a); });
}

// The words of a list beyond the first `count`.
std::string after_words(std::string_view list, std::size_t count) {
  constexpr std::string_view kSpaces = " \t\r\n";
  for (; count > 0; --count) {
    list.remove_prefix(std::min(list.find_first_not_of(kSpaces), list.size()));
    list.remove_prefix(std::min(list.find_first_of(kSpaces), list.size()));
  }
  return std::string(list);
}

}  // namespace

Defaults::Defaults(const XmlElement& root) {
  classes_[kMain];
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
  for (const auto& child : element.children()) {
    if (child.name() == "default") continue;
    for (const auto& attribute : child.node().attributes()) {
      if (is_orientation(attribute.name())) {
        std::erase_if(own[child.name()], [](const auto& a) { return is_orientation(a.first); });
      }
      own[child.name()][attribute.name()] = attribute.value();
    }
  }
  classes_[name] = std::move(own);
  for (const auto& child : element.children("default")) read(child, name);
}

void Defaults::complete(const XmlElement& element, const std::string& childclass) const {
  const std::string name =
      element.text_or("class", childclass.empty() ? std::string(kMain) : childclass);
  const auto found = classes_.find(name);
  if (found == classes_.end()) element.fail("there is no default class \"" + name + "\"");
  const auto attributes = found->second.find(element.name());
  if (attributes == found->second.end()) return;
  const bool turned = has_orientation(element);
  auto node = element.node();
  for (const auto& [attribute, value] : attributes->second) {
    if (turned && is_orientation(attribute)) continue;
    if (!element.has(attribute)) {
      node.append_attribute(attribute.c_str()).set_value(value.c_str());
    } else if (attribute == "size") {
      // A shorter list leaves the rest as it was.
      const auto given = static_cast<std::size_t>(element.numbers("size").size());
      node.attribute("size").set_value(
          (element.text("size") + ' ' + after_words(value, given)).c_str());
    }
  }
}

}  // namespace hamiltree::mjcf
