// Masses of meshes: boxes and tetrahedra against closed forms, in every form of file; what is not
// closed weighs nothing, with a warning.
#include "hamiltree/io/import/mesh/mesh.hpp"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "hamiltree/hamiltree.hpp"
#include "support/own_path.hpp"

namespace hamiltree {
namespace {

namespace fs = std::filesystem;

// A box from `low` to `low + size`, of quadrangles seen from outside.
std::string box_obj(const Eigen::Vector3d& low, const Eigen::Vector3d& size, int faces = 6) {
  std::string text = "# a box\n";
  for (int i = 0; i < 8; ++i) {
    const Eigen::Vector3d corner(i & 1, (i >> 1) & 1, i >> 2);
    const Eigen::Vector3d x = low + size.cwiseProduct(corner);
    text += "v " + std::to_string(x.x()) + ' ' + std::to_string(x.y()) + ' ' +
            std::to_string(x.z()) + "\n";
  }
  const std::array<const char*, 6> quads{"1 3 4 2",         "5 6 8 7",     "1 2 6 5",
                                         "3/1 7/1 8/1 4/1", "-8 -4 -2 -6", "2 4 8 6"};
  for (int f = 0; f < faces; ++f)
    text += "f " + std::string(quads[static_cast<std::size_t>(f)]) + "\n";
  return text;
}

class MeshFiles : public testing::Test {
 protected:
  MeshFiles() : folder_(test::own_path("meshes")) {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "assets");
  }
  ~MeshFiles() override { fs::remove_all(folder_); }
  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  fs::path folder_;
};

TEST_F(MeshFiles, ABoxHasItsMoments) {
  const auto mesh = read_mesh(write("box.obj", box_obj({1, -2, 3}, {2, 3, 4})));
  EXPECT_EQ(mesh.vertices.size(), 8U);
  EXPECT_EQ(mesh.triangles.size(), 12U);
  const auto solid = solid_of_mesh(mesh);
  ASSERT_TRUE(solid);
  EXPECT_NEAR(solid->mass, 24.0, 1e-13);
  EXPECT_LT((solid->com - Eigen::Vector3d(2, -0.5, 5)).norm(), 1e-14);
  const Eigen::Vector3d moments(24.0 * 25.0 / 12.0, 24.0 * 20.0 / 12.0, 24.0 * 13.0 / 12.0);
  EXPECT_LT((solid->inertia - Eigen::Matrix3d(moments.asDiagonal())).norm(), 1e-12);
}

TEST_F(MeshFiles, InsideOutIsTheSame) {
  auto mesh = read_mesh(write("box.obj", box_obj({0, 0, 0}, {1, 1, 1})));
  for (auto& t : mesh.triangles) std::swap(t[0], t[1]);
  EXPECT_NEAR(solid_of_mesh(mesh)->mass, 1.0, 1e-15);
  EXPECT_NEAR(solid_of_mesh(mesh)->inertia(0, 0), 1.0 / 6.0, 1e-15);
}

TEST_F(MeshFiles, OpenOnesEncloseNothing) {
  EXPECT_FALSE(solid_of_mesh(read_mesh(write("open.obj", box_obj({0, 0, 0}, {1, 1, 1}, 5)))));
}

// Of a tetrahedron at the origin with edges 1 the integral of x^2 is 1/60, that of x y 1/120.
TEST_F(MeshFiles, StlWrittenAndBinary) {
  const std::array<std::array<std::array<float, 3>, 3>, 4> facets{
      {{{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}}},
       {{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}},
       {{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}}},
       {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}}};
  std::string written = "solid t\n", binary(84, '\0');
  binary[80] = 4;
  for (const auto& facet : facets) {
    written += "facet normal 0 0 0\nouter loop\n";
    binary += std::string(12, '\0');
    for (const auto& x : facet) {
      written += "vertex " + std::to_string(x[0]) + ' ' + std::to_string(x[1]) + ' ' +
                 std::to_string(x[2]) + "\n";
      binary.append(reinterpret_cast<const char*>(x.data()), 12);
    }
    written += "endloop\nendfacet\n";
    binary += std::string(2, '\0');
  }
  for (const auto& file : {write("t.stl", written + "endsolid\n"), write("t.STL", binary)}) {
    const auto solid = solid_of_mesh(read_mesh(file));
    ASSERT_TRUE(solid) << file;
    EXPECT_NEAR(solid->mass, 1.0 / 6.0, 1e-15);
    EXPECT_NEAR(solid->com.x(), 0.25, 1e-15);
    EXPECT_NEAR(solid->inertia(0, 0), 2.0 * (1.0 / 60.0 - 1.0 / 96.0), 1e-15);
    EXPECT_NEAR(solid->inertia(0, 1), -(1.0 / 120.0 - 1.0 / 96.0), 1e-15);
  }
}

TEST_F(MeshFiles, BrokenOnesAreRefused) {
  const auto error = [&](const std::string& name, const std::string& text) -> std::string {
    try {
      read_mesh(write(name, text));
    } catch (const std::runtime_error& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_EQ(error("a.dae", "<x/>"), "is neither STL nor OBJ");
  EXPECT_EQ(error("a.obj", "v 0 0 x\n"), "has \"x\" where a number must be");
  EXPECT_EQ(error("a.obj", "v 0 0 0\nf 1 2 3\n"),
            "has a face with the vertex \"2\", which is not there");
  EXPECT_EQ(error("a.stl", "solid\nfacet\nvertex 0 0 0\nendfacet\n"),
            "has a facet that is no triangle");
}

TEST_F(MeshFiles, AreWeighedByGeomsWithoutInertial) {
  write("assets/box.obj", box_obj({-1, -1, -1}, {2, 2, 2}));
  write("assets/open.obj", box_obj({0, 0, 0}, {1, 1, 1}, 5));
  const auto read = [&](const std::string& body) {
    const auto file = write("m.xml",
                            "<mujoco><compiler meshdir='assets'/><asset>"
                            "<mesh file='box.obj' scale='0.1 0.2 0.3'/><mesh file='open.obj'/>"
                            "</asset><worldbody><body name='b'><freejoint/>" +
                                body + "</body></worldbody></mujoco>");
    ImportLog log;
    auto mechanism = read_model(file, {}, log).mechanism();
    return std::pair(mechanism.bodies.at(0), log.warning_count());
  };
  const auto [dense, none] = read("<geom type='mesh' mesh='box' pos='1 0 0' density='500'/>");
  EXPECT_NEAR(dense.mass, 500.0 * 0.048, 1e-12);
  EXPECT_NEAR(dense.com.x(), 1.0, 1e-15);
  EXPECT_NEAR(dense.inertia(2, 2), 24.0 * (0.04 + 0.16) / 12.0, 1e-12);
  EXPECT_EQ(none, 0U);
  EXPECT_NEAR(read("<geom type='mesh' mesh='box' mass='3'/>").first.mass, 3.0, 1e-14);
  const auto [light, warned] = read("<geom size='0.1' mass='1'/><geom type='mesh' mesh='open'/>");
  EXPECT_EQ(light.mass, 1.0);
  EXPECT_EQ(warned, 1U);
  EXPECT_EQ(
      read("<geom size='0.1' mass='1'/><geom type='mesh' mesh='box' shellinertia='true'/>").second,
      1U);
  // Where the body says what it weighs, no mesh is opened.
  EXPECT_EQ(read("<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
                 "<geom type='mesh' mesh='open'/>")
                .second,
            0U);
}

// What the file asks for beyond the exact integral is not passed over in silence.
TEST_F(MeshFiles, HullsAndShellsAreWarnedOf) {
  write("box.obj", box_obj({-1, -1, -1}, {2, 2, 2}));
  const auto read = [&](const std::string& inertia) {
    const auto file = write(
        "m.xml", "<mujoco><asset><mesh file='box.obj' inertia='" + inertia +
                     "'/></asset><worldbody><body><freejoint/><geom size='1' density='1'/>"
                     "<geom type='mesh' mesh='box' density='1'/></body></worldbody></mujoco>");
    ImportLog log;
    const auto mechanism = read_model(file, {}, log).mechanism();
    return std::pair(mechanism.bodies.at(0).mass, log.warning_count());
  };
  const double ball = 4.0 / 3.0 * std::numbers::pi;
  EXPECT_EQ(read("exact").second, 0U);
  EXPECT_NEAR(read("exact").first, ball + 8.0, 1e-12);
  EXPECT_EQ(read("convex").second, 1U);
  EXPECT_NEAR(read("convex").first, ball + 8.0, 1e-12);
  EXPECT_EQ(read("shell").second, 1U);
  EXPECT_NEAR(read("shell").first, ball, 1e-12);
}

}  // namespace
}  // namespace hamiltree
