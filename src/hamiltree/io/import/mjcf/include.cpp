#include "hamiltree/io/import/mjcf/include.hpp"

#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "hamiltree/base/limits.hpp"
#include "hamiltree/io/import/mjcf/renaming.hpp"
#include "hamiltree/io/import/named_file.hpp"
#include "hamiltree/io/import/read_text.hpp"

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

// From the model's folder; what is not there is looked for beside the file that includes it.
std::string name_in_folder(const XmlElement& include, const std::filesystem::path& folder) {
  const std::string name = with_slashes(include.text("file"));
  const auto beside = std::filesystem::path(include.where().file).parent_path() / name;
  std::error_code ignored;
  if (std::filesystem::exists(folder / name, ignored) || !std::filesystem::exists(beside, ignored))
    return name;
  return beside.lexically_relative(folder).string();
}

std::filesystem::path included_file(const XmlElement& include, const std::filesystem::path& file,
                                    const ImportOptions& options) {
  const std::string name = include.text("file");
  try {
    return named_file(file, name_in_folder(include, file.parent_path()), options);
  } catch (const std::runtime_error& error) {
    include.fail("\"" + name + "\" " + error.what());
  }
}

}  // namespace

void include_files(XmlDocument& document, const std::filesystem::path& file,
                   const ImportOptions& options, ImportLog& log) {
  std::set<std::filesystem::path> paths;
  for (std::size_t depth = 1;; ++depth) {
    std::vector<XmlElement> includes;
    find_includes(document.root(), includes);
    if (includes.empty()) return;
    for (const auto& include : includes) {
      if (depth > kIncludeDepth.value) {
        include.fail("files include each other deeper than " + to_text(kIncludeDepth));
      }
      const auto path = included_file(include, file, options);
      // By its name, as in MuJoCo: models include a file several times through links to it.
      if (!paths.insert(path.lexically_normal()).second) {
        include.fail("\"" + include.text("file") + "\" is included a second time");
      }
      const XmlDocument included(read_text(path), path.string(), log);
      const auto root = included.root();
      if (root.name() != "mujoco" && root.name() != "mujocoinclude") {
        log.warn(root.where(), "the root <" + root.name() +
                                   "> of an included file is not read, but what it holds, as by "
                                   "MuJoCo");
      }
      document.replace(include, root);
    }
  }
}

}  // namespace hamiltree::mjcf
