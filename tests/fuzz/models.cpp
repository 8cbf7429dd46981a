// Model files of every format.
#include "fuzz/checks.hpp"
#include "fuzz/targets.hpp"
#include "hamiltree/io/import/native.hpp"
#include "hamiltree/io/load.hpp"

namespace hamiltree::fuzz {
namespace {

// The sentence of an error begins with the file, so that a user finds the place.
void check_place(const ModelError& error, const std::filesystem::path& beside) {
  const std::filesystem::path file = error.where().file;
  require(!file.empty() && file.parent_path() == beside.parent_path(), error.what());
}

void import(std::string_view text, const std::filesystem::path& file, ModelFormat format) {
  if (format_of(text) != format) return;
  ImportLog log;
  try {
    check_mechanism(import_mechanism(text, file, {}, log));
  } catch (const ModelError& error) {
    check_place(error, file);
  }
  log.lines();
}

}  // namespace

void native(std::string_view bytes) {
  if (repeats_often(bytes)) return;
  try {
    check_mechanism(parse_native(bytes, "model.toml"));
  } catch (const ModelError& error) {
    check_place(error, "model.toml");
  }
}

void urdf(std::string_view bytes) {
  const auto end = bytes.find('\0');
  const auto yaml = folder() / "robot.yaml";
  if (end != bytes.npos) {
    write(yaml, bytes.substr(end + 1));
  } else {
    std::filesystem::remove(yaml);
  }
  import(bytes.substr(0, end), folder() / "robot.urdf", ModelFormat::kUrdf);
}

void sdf(std::string_view bytes) { import(bytes, folder() / "model.sdf", ModelFormat::kSdf); }

// Two files are there to be included, of which one includes the other.
void mjcf(std::string_view bytes) {
  static const bool written = [] {
    write(folder() / "part.xml", "<mujoco><include file='inner.xml'/><worldbody/></mujoco>");
    write(folder() / "inner.xml",
          "<mujocoinclude><default class='thin'><geom size='.01 .1'/></default></mujocoinclude>");
    return true;
  }();
  require(written, "files to be included");
  import(bytes, folder() / "model.xml", ModelFormat::kMjcf);
}

}  // namespace hamiltree::fuzz
