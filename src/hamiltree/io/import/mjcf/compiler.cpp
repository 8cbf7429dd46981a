#include "hamiltree/io/import/mjcf/compiler.hpp"

#include <Eigen/Geometry>
#include <cctype>
#include <numbers>

#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/mjcf/renaming.hpp"
#include "hamiltree/io/import/native_frame.hpp"

namespace hamiltree::mjcf {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

Eigen::Vector3d direction(const XmlElement& element, const char* attribute,
                          const Eigen::Vector3d& given) {
  if (given.isZero(0.0)) element.fail(std::string(attribute) + " has no direction, it is zero");
  return given.stableNormalized();
}

Compiler::FromGeoms read_from_geoms(const XmlElement& element) {
  const std::string value = element.text("inertiafromgeom");
  if (value == "true") return Compiler::FromGeoms::kAlways;
  if (value == "false") return Compiler::FromGeoms::kNever;
  if (value == "auto") return Compiler::FromGeoms::kWithoutInertial;
  element.fail("inertiafromgeom must be true, false or auto, not \"" + value + "\"");
}

}  // namespace

Eigen::Matrix3d Compiler::rotation(const XmlElement& element) const {
  if (element.has("quat")) {
    const Eigen::Vector4d quat = element.numbers("quat", 4);
    if (quat.isZero(0.0)) element.fail("quat is zero");
    return from_quat_wxyz(quat);
  }
  if (element.has("axisangle")) {
    const Eigen::VectorXd given = element.numbers("axisangle", 4);
    return turn(direction(element, "axisangle", given.head<3>()), angle * given(3));
  }
  if (element.has("xyaxes")) {
    const Eigen::VectorXd given = element.numbers("xyaxes", 6);
    const Eigen::Vector3d x = direction(element, "xyaxes", given.head<3>());
    const Eigen::Vector3d across = given.tail<3>() - x * x.dot(given.tail<3>());
    const Eigen::Vector3d y = direction(element, "xyaxes", across);
    Eigen::Matrix3d R;
    R << x, y, x.cross(y);
    return R;
  }
  if (element.has("zaxis")) {
    return turn_z_to(direction(element, "zaxis", element.numbers("zaxis", 3)));
  }
  if (element.has("euler")) return euler_rotation(element.numbers("euler", 3));
  return Eigen::Matrix3d::Identity();
}

// Small letters turn about the axes as they are by then, capitals about those at rest.
Eigen::Matrix3d Compiler::euler_rotation(const Eigen::Vector3d& angles) const {
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  for (int i = 0; i < 3; ++i) {
    const char letter = euler_sequence[static_cast<std::size_t>(i)];
    const int axis = std::tolower(static_cast<unsigned char>(letter)) - 'x';
    const Eigen::Matrix3d step = turn(Eigen::Vector3d::Unit(axis), angle * angles(i));
    R = std::islower(static_cast<unsigned char>(letter)) != 0 ? R * step : step * R;
  }
  return R;
}

std::filesystem::path Compiler::mesh_file(const std::string& name) const {
  const std::filesystem::path said = with_slashes(name);
  return std::filesystem::path(mesh_folder) / (strips_path ? said.filename() : said);
}

Frame Compiler::pose(const XmlElement& element) const {
  return {element.vector_or("pos", Eigen::Vector3d::Zero()), rotation(element)};
}

Compiler read_compiler(const XmlElement& root) {
  Compiler compiler;
  compiler.angle = kDegree;
  for (const auto& element : root.children("compiler")) {
    if (element.has("angle")) {
      const std::string unit = element.text("angle");
      if (unit != "degree" && unit != "radian") element.fail("angle must be degree or radian");
      compiler.angle = unit == "degree" ? kDegree : 1.0;
    }
    if (element.has("eulerseq")) {
      compiler.euler_sequence = element.text("eulerseq");
      if (compiler.euler_sequence.size() != 3 ||
          compiler.euler_sequence.find_first_not_of("xyzXYZ") != std::string::npos) {
        element.fail("eulerseq must be three of x, y, z, X, Y, Z");
      }
    }
    if (element.text_or("coordinate", "local") != "local") {
      element.fail("only local coordinates are read");
    }
    compiler.automatic_limits = element.boolean_or("autolimits", compiler.automatic_limits);
    compiler.balance_inertia = element.boolean_or("balanceinertia", compiler.balance_inertia);
    if (element.has("inertiafromgeom")) compiler.inertia_from_geoms = read_from_geoms(element);
    if (element.has("inertiagrouprange")) {
      const Eigen::VectorXd range = element.numbers("inertiagrouprange", 2);
      compiler.first_group = static_cast<int>(std::clamp(range(0), -1e6, 1e6));
      compiler.last_group = static_cast<int>(std::clamp(range(1), -1e6, 1e6));
    }
    compiler.least_mass = element.number_or("boundmass", compiler.least_mass);
    compiler.least_inertia = element.number_or("boundinertia", compiler.least_inertia);
    compiler.total_mass = element.number_or("settotalmass", compiler.total_mass);
    compiler.aligns_free = element.boolean_or("alignfree", compiler.aligns_free);
    compiler.mesh_folder =
        with_slashes(element.text_or("meshdir", element.text_or("assetdir", compiler.mesh_folder)));
    compiler.strips_path = element.boolean_or("strippath", compiler.strips_path);
    compiler.fits_box = element.boolean_or("fitaabb", compiler.fits_box);
  }
  return compiler;
}

}  // namespace hamiltree::mjcf
