#include "hamiltree/io/import/imported_looks.hpp"

#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "hamiltree/io/import/mesh/mesh_format.hpp"
#include "hamiltree/io/import/named_file.hpp"

namespace hamiltree {
namespace {

namespace fs = std::filesystem;

// The rest of an address of one of these kinds.
std::optional<std::string> after_scheme(const std::string& uri,
                                        std::initializer_list<std::string_view> schemes) {
  for (const auto scheme : schemes) {
    if (uri.starts_with(scheme)) return uri.substr(scheme.size());
  }
  return std::nullopt;
}

// NAME/PATH below a folder around the model, where NAME may be the folder itself.
std::optional<fs::path> find_in_package(const fs::path& model, const fs::path& in_package) {
  const fs::path name = *in_package.begin();
  const fs::path rest = in_package.lexically_relative(name);
  std::error_code ignored;
  for (fs::path folder = fs::weakly_canonical(model, ignored).parent_path();
       folder != folder.parent_path(); folder = folder.parent_path()) {
    if (fs::exists(folder / in_package, ignored)) return folder / in_package;
    if (folder.filename() == name && fs::exists(folder / rest, ignored)) return folder / rest;
  }
  return std::nullopt;
}

bool has_size(const Eigen::Vector3d& size) { return size.minCoeff() > 0.0; }
bool has_size(const BoxShape& box) { return has_size(box.size); }
bool has_size(const SphereShape& sphere) { return sphere.radius > 0.0; }
bool has_size(const EllipsoidShape& ellipsoid) { return has_size(ellipsoid.radii); }
bool has_size(const MeshShape& mesh) { return (mesh.scale.array() != 0.0).all(); }
template <class Round>
bool has_size(const Round& round) {
  return round.radius > 0.0 && round.length > 0.0;
}

}  // namespace

ImportedLooks::ImportedLooks(fs::path model, const ImportOptions& options)
    : model_(std::move(model)), options_(options) {}

std::string ImportedLooks::locate(const std::string& uri) const {
  std::string name = after_scheme(uri, {"file://"}).value_or(uri);
  if (auto rest = after_scheme(uri, {"package://", "model://"})) {
    rest->erase(0, rest->find_first_not_of('/'));  // of package:///PATH
    if (rest->empty()) throw std::runtime_error("is no name of a file");
    const auto found = find_in_package(model_, *rest);
    if (!found) throw std::runtime_error("is in no folder around the model");
    std::error_code error;
    const fs::path folder = model_.parent_path().empty() ? "." : model_.parent_path();
    name = fs::relative(*found, folder, error).string();
    if (error) throw std::runtime_error("cannot be read");
  }
  named_file(model_, name, options_);
  if (!mesh_format(name)) throw std::runtime_error("is none of STL, OBJ, MSH, glTF and Collada");
  return name;
}

std::optional<std::string> ImportedLooks::find(const std::string& uri) {
  const auto known = found_.find(uri);
  if (known != found_.end() && known->second) return known->second;
  auto& found = found_[uri];
  try {
    found = locate(uri);
  } catch (const std::runtime_error& error) {
    leave_out(uri, error.what());
  }
  return found;
}

void ImportedLooks::add(Visual visual) {
  if (visual.rgba) visual.rgba = visual.rgba->cwiseMax(0.0).cwiseMin(1.0);
  if (std::visit([](const auto& shape) { return has_size(shape); }, visual.shape)) {
    visuals.push_back(std::move(visual));
  } else {
    leave_out("a shape of " + visual.body, "has no size");
  }
}

void ImportedLooks::leave_out(const std::string& name, const std::string& why) {
  auto& [first, count] = left_out_[why];
  if (count++ == 0) first = name;
}

void ImportedLooks::tell(ImportLog& log) const {
  for (const auto& [why, what] : left_out_) {
    const auto& [first, count] = what;
    log.note(count == 1 ? "\"" + first + "\" is not drawn: it " + why
                        : std::to_string(count) + " shapes are not drawn, the first of them \"" +
                              first + "\": it " + why);
  }
}

}  // namespace hamiltree
