#include "hamiltree/io/import/mjcf/renaming.hpp"

#include <algorithm>
#include <array>

namespace hamiltree::mjcf {
namespace {

constexpr std::array kReferences{"joint",   "joint1",        "joint2",    "body",       "body1",
                                 "body2",   "site",          "site1",     "site2",      "geom",
                                 "refsite", "jointinparent", "cranksite", "slidersite", "tendon",
                                 "tendon1", "tendon2",       "sidesite"};
constexpr std::array kAssetReferences{"mesh", "material", "texture", "hfield"};

template <class Test>
bool any_reference(const XmlElement& element, const Test& test) {
  const auto holds = [&](const char* attribute) {
    return element.has(attribute) && test(element.text(attribute));
  };
  if (std::ranges::any_of(kReferences, holds)) return true;
  const auto children = element.children();
  return std::ranges::any_of(children, [&](const XmlElement& c) { return any_reference(c, test); });
}

}  // namespace

std::string with_slashes(std::string path) {
  std::ranges::replace(path, '\\', '/');
  return path;
}

void set_attribute(const XmlElement& element, const char* name, const std::string& value) {
  auto node = element.node();
  auto attribute = node.attribute(name);
  if (!attribute) attribute = node.append_attribute(name);
  attribute.set_value(value.c_str());
}

void remove_attribute(const XmlElement& element, const char* name) {
  auto node = element.node();
  node.remove_attribute(name);
}

std::string unused_name(const std::string& stem, std::set<std::string>& used) {
  std::string name = stem;
  for (int i = 2; !used.insert(name).second; ++i) name = stem + "_" + std::to_string(i);
  return name;
}

void collect_names(const XmlElement& element, std::set<std::string>& names) {
  if (element.has("name")) names.insert(element.text("name"));
  for (const auto& child : element.children()) collect_names(child, names);
}

bool refers_to_any(const XmlElement& element, const std::set<std::string>& names) {
  return any_reference(element, [&](const std::string& name) { return names.contains(name); });
}

bool refers_only_to(const XmlElement& element, const std::set<std::string>& names) {
  return !any_reference(
      element, [&](const std::string& name) { return name != "world" && !names.contains(name); });
}

void rename(const XmlElement& element, const Renaming& renaming) {
  const auto change = [&](const char* attribute) {
    set_attribute(element, attribute, renaming.of(element.text(attribute)));
  };
  if (element.has("name")) change("name");
  for (const char* reference : kReferences) {
    if (element.has(reference) && renaming.names.contains(element.text(reference))) {
      change(reference);
    }
  }
  for (const char* reference : kAssetReferences) {
    if (element.has(reference) && renaming.assets.contains(element.text(reference))) {
      change(reference);
    }
  }
  for (const auto& child : element.children()) rename(child, renaming);
}

}  // namespace hamiltree::mjcf
