#include "hamiltree/io/import/mjcf/replicate.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "hamiltree/base/limits.hpp"
#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/mjcf/compiler.hpp"
#include "hamiltree/io/import/mjcf/renaming.hpp"

namespace hamiltree::mjcf {
namespace {

// The first one in which there is no other.
std::optional<XmlElement> innermost(const XmlElement& element) {
  for (const auto& child : element.children()) {
    if (const auto inner = innermost(child)) return inner;
    if (child.name() == "replicate") return child;
  }
  return std::nullopt;
}

class Replicator {
 public:
  Replicator(XmlDocument& document, const XmlElement& element)
      : document_(document),
        element_(element),
        compiler_(read_compiler(document.root())),
        separator_(element.text_or("sep", "")) {
    const double count = element.number("count");
    if (!(count >= 1.0) || count != std::floor(count) ||
        count > static_cast<double>(kElements.value)) {
      element.fail("count must be a whole number above 0");
    }
    count_ = static_cast<int>(count);
  }

  void expand() {
    std::set<std::string> names;
    collect_names(element_, names);
    Eigen::Vector3d position = Eigen::Vector3d::Zero();
    const Eigen::Vector3d offset = element_.vector_or("offset", Eigen::Vector3d::Zero());
    for (int i = 0; i < count_; ++i) {
      const Eigen::Matrix3d R = rotation(i);
      add_copy(i, {position, R}, names);
      position += R * offset;
    }
    document_.remove(element_);
    for (const char* section : {"tendon", "equality", "actuator", "sensor"}) {
      for (const auto& part : document_.root().children(section)) copy_references(part, names);
    }
  }

 private:
  std::string suffix(int i) const {
    std::string number = std::to_string(i);
    const auto digits = std::to_string(count_).size();
    return separator_ + std::string(digits - std::min(digits, number.size()), '0') + number;
  }

  Eigen::Matrix3d rotation(int i) const {
    const Eigen::Vector3d euler = element_.vector_or("euler", Eigen::Vector3d::Zero());
    return compiler_.euler_rotation(i * euler);
  }

  void add_copy(int i, const Frame& X, const std::set<std::string>& names) {
    const auto frame = document_.insert(element_, "frame");
    set_numbers(frame, "pos", X.position);
    set_numbers(frame, "quat", to_quat_wxyz(X.rotation));
    if (element_.has("childclass")) {
      set_attribute(frame, "childclass", element_.text("childclass"));
    }
    for (const auto& child : element_.children()) {
      rename(document_.append_copy(frame, child), {names, {}, "", suffix(i)});
    }
  }

  // A tendon that is copied is itself named by others.
  void copy_references(const XmlElement& section, std::set<std::string>& names) {
    for (const auto& element : section.children()) {
      if (!refers_to_any(element, names)) continue;
      for (int i = 0; i < count_; ++i) {
        rename(document_.insert_copy(element, element), {names, {}, "", suffix(i)});
      }
      if (section.name() == std::string("tendon") && element.has("name")) {
        names.insert(element.text("name"));
      }
      document_.remove(element);
    }
  }

  XmlDocument& document_;
  XmlElement element_;
  Compiler compiler_;
  std::string separator_;
  int count_ = 0;
};

}  // namespace

void expand_replicates(XmlDocument& document) {
  while (const auto element = innermost(document.root())) Replicator(document, *element).expand();
}

}  // namespace hamiltree::mjcf
