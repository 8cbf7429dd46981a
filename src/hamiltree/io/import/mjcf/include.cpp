#include "hamiltree/io/import/mjcf/include.hpp"

#include <memory>
#include <set>
#include <vector>

#include "hamiltree/io/import/native.hpp"

namespace hamiltree::mjcf {
namespace {

// Elements named <include> below `element`, in document order.
void find_includes(const XmlElement& element, std::vector<XmlElement>& found) {
  for (const auto& child : element.children()) {
    if (child.name() == "include") {
      found.push_back(child);
    } else {
      find_includes(child, found);
    }
  }
}

std::string read_included(const XmlElement& include, const std::filesystem::path& path) {
  try {
    return read_text(path);
  } catch (const ModelError&) {
    include.fail("cannot read \"" + path.string() + "\"");
  }
}

}  // namespace

void include_files(XmlDocument& document, const std::filesystem::path& file, ImportLog& log) {
  std::set<std::string> names;
  for (;;) {
    std::vector<XmlElement> includes;
    find_includes(document.root(), includes);
    if (includes.empty()) return;
    for (const auto& include : includes) {
      const std::string name = include.text("file");
      if (!names.insert(name).second) include.fail("\"" + name + "\" is included a second time");
      const auto path = file.parent_path() / name;
      const XmlDocument included(read_included(include, path), path.string(), log);
      const auto root = included.root();
      if (root.name() != "mujoco" && root.name() != "mujocoinclude") {
        root.fail("is not the root of an MJCF file");
      }
      document.replace(include, root);
    }
  }
}

}  // namespace hamiltree::mjcf
