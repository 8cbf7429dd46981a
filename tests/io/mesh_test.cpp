// Masses of meshes: boxes and tetrahedra against closed forms, in every form of file; a prism in
// the shape of an L in all ways of MJCF against the numbers of MuJoCo 4.0.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <random>

#include "hamiltree/base/text.hpp"
#include "hamiltree/hamiltree.hpp"
#include "hamiltree/io/import/mesh/convex_hull.hpp"
#include "hamiltree/io/import/mesh/mesh_mass.hpp"
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
    text += "v " + to_text(x.x()) + ' ' + to_text(x.y()) + ' ' + to_text(x.z()) + "\n";
  }
  const std::array<const char*, 6> quads{"1 3 4 2",         "5 6 8 7",     "1 2 6 5",
                                         "3/1 7/1 8/1 4/1", "-8 -4 -2 -6", "2 4 8 6"};
  for (int f = 0; f < faces; ++f)
    text += "f " + std::string(quads[static_cast<std::size_t>(f)]) + "\n";
  return text;
}

std::optional<BodyDescription> solid_of_mesh(const TriangleMesh& mesh) {
  return mass_of_mesh(mesh, MeshInertia::kExact);
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

TEST_F(MeshFiles, OpenOnesAreKnown) {
  EXPECT_TRUE(is_closed(read_mesh(write("box.obj", box_obj({0, 0, 0}, {1, 1, 1})))));
  EXPECT_FALSE(is_closed(read_mesh(write("open.obj", box_obj({0, 0, 0}, {1, 1, 1}, 5)))));
}

// Points in a ball and the corners of the cube around it: only the corners are left.
TEST_F(MeshFiles, TheHullOfPointsInACubeIsTheCube) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  TriangleMesh mesh;
  for (int i = 0; i < 300; ++i) {
    mesh.vertices.emplace_back(uniform(random), uniform(random), uniform(random));
  }
  for (int i = 0; i < 8; ++i) {
    mesh.vertices.insert(
        mesh.vertices.begin() + 40 * i,
        Eigen::Vector3d(i & 1, (i >> 1) & 1, i >> 2) * 2.0 - Eigen::Vector3d::Ones());
  }
  const auto hull = convex_hull(mesh.vertices);
  EXPECT_EQ(hull.triangles.size(), 12U);
  EXPECT_TRUE(is_closed(hull));
  const auto solid = mass_of_mesh(mesh, MeshInertia::kConvex);
  ASSERT_TRUE(solid);
  EXPECT_NEAR(solid->mass, 8.0, 1e-13);
  EXPECT_NEAR(solid->inertia(0, 0), 8.0 * 2.0 / 3.0, 1e-12);
  // Points of a sphere are all on its hull, whose faces are then two less than twice as many.
  TriangleMesh ball;
  for (int i = 0; i < 500; ++i) {
    const Eigen::Vector3d x(uniform(random), uniform(random), uniform(random));
    ball.vertices.push_back(x.normalized());
  }
  EXPECT_EQ(convex_hull(ball.vertices).triangles.size(), 2U * 500U - 4U);
  EXPECT_TRUE(is_closed(convex_hull(ball.vertices)));
  // In a plane there is none.
  EXPECT_TRUE(convex_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}).triangles.empty());
}

// For a tetrahedron at the origin with edges 1, the integral of x^2 is 1/60, that of x y 1/120.
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
      written += "vertex " + to_text(x[0]) + ' ' + to_text(x[1]) + ' ' + to_text(x[2]) + "\n";
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
  EXPECT_EQ(error("a.dae", "<x/>"), "is none of STL, OBJ and MSH");
  EXPECT_EQ(error("a.msh", "short"), "ends within its head");
  EXPECT_EQ(error("a.msh", std::string(20, '\0')), "is not as long as its head says");
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
  // By default pyramids count as they are, also over what is not closed.
  const auto [light, warned] = read("<geom size='0.1' mass='1'/><geom type='mesh' mesh='open'/>");
  EXPECT_GT(light.mass, 1.0);
  EXPECT_EQ(warned, 0U);
  EXPECT_THROW(read("<geom type='mesh' mesh='box' shellinertia='true'/>"), ModelError);
  // Where the body says what it weighs, no mesh is opened.
  EXPECT_EQ(read("<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
                 "<geom type='mesh' mesh='open'/>")
                .second,
            0U);
}

// The file's numbers: vertices of a prism in the shape of an L, and its triangles.
constexpr const char* kPrism =
    "vertex='0 0 0 2 0 0 2 1 0 1 1 0 1 3 0 0 3 0 0 0 0.5 2 0 0.5 2 1 0.5 1 1 0.5 1 3 0.5 0 3 0.5' "
    "face='0 2 1 0 3 2 0 4 3 0 5 4 6 7 8 6 8 9 6 9 10 6 10 11 0 1 7 0 7 6 1 2 8 1 8 7 2 3 9 2 9 8 "
    "3 4 10 3 10 9 4 5 11 4 11 10 5 0 6 5 6 11' scale='0.1 0.2 0.3'";

struct Weighed {
  const char *inertia, *type, *compiler;
  double mass;
  std::array<double, 3> com;
  std::array<double, 6> inertia_about_com;  // xx, yy, zz, xy, xz, yz
};

// By MuJoCo 4.0.
const std::array<Weighed, 10> kWeighed{{
    {"legacy",
     "mesh",
     "",
     1.2482658102766804,
     {0.7517341897233202, 0.07789031620553366, 0.075},
     {0.005739040379335193, 0.03937537161760614, 0.04050581392381877, -0.004606806359532762, 0, 0}},
    {"exact", "mesh", "", 1.2, {0.75, 0.075, 0.075}, {0.0055, 0.03925, 0.04025, -0.0045, 0, 0}},
    {"convex",
     "mesh",
     "",
     1.5,
     {0.7333333333333334, 0.08666666666666671, 0.075},
     {0.007045833333333373, 0.04414583333333359, 0.045566666666666915, -0.003666666666666676, 0,
      0}},
    {"shell",
     "mesh",
     "",
     40.0,
     {0.735, 0.075, 0.075},
     {0.30333333333333484, 1.5793333333333428, 1.6126666666666751, -0.16500000000000076, 0, 0}},
    {"exact",
     "box",
     "",
     1.5,
     {0.75, 0.075, 0.075},
     {0.006875000000000027, 0.049062500000000224, 0.05031250000000021, -0.005625000000000027, 0,
      0}},
    {"exact",
     "capsule",
     "",
     1.2303890574792191,
     {0.75, 0.075, 0.075},
     {0.004329749161522867, 0.0434458333878995, 0.04412928877350758, -0.005215477896850218, 0, 0}},
    {"exact",
     "cylinder",
     "fitaabb='true'",
     2.4532164278969337,
     {0.7033765060398751, 0.07423373494396683, 0.075},
     {0.01662693753508394, 0.08532602782577309, 0.08652637198532183, -0.009159878705425221, 0, 0}},
    {"exact",
     "sphere",
     "fitaabb='true'",
     12.533261644120449,
     {0.7033765060398751, 0.07423373494396683, 0.075},
     {0.4831786787905104, 0.48317867879051035, 0.48317867879051035, 0, 0, 0}},
    {"exact",
     "capsule",
     "fitaabb='true'",
     2.1578202585760917,
     {0.7033765060398751, 0.07423373494396683, 0.075},
     {0.013648222954016999, 0.06070452055453446, 0.061526711237930215, -0.006274173013402328, 0,
      0}},
    {"exact",
     "box",
     "fitaabb='true'",
     2.0889361444331644,
     {0.7033765060398751, 0.07423373494396683, 0.075},
     {0.013659154660139615, 0.07004166427912455, 0.07586730839763972, -0.007517667949197993, 0, 0}},
}};

TEST_F(MeshFiles, AreWeighedAndFittedAsMuJoCoDoes) {
  for (const auto& one : kWeighed) {
    const auto file = write(
        "m.xml", std::string("<mujoco><compiler ") + one.compiler + "/><asset><mesh name='m' " +
                     kPrism + " inertia='" + one.inertia +
                     "'/></asset><worldbody><body><freejoint/><geom type='" + one.type +
                     "' mesh='m' density='100' pos='1 0 0' euler='0 0 90'/></body></worldbody>"
                     "</mujoco>");
    ImportLog log;
    const auto mechanism = read_model(file, {}, log).mechanism();
    const auto& body = mechanism.bodies.at(0);
    const std::string what = std::string(one.inertia) + " " + one.type + " " + one.compiler;
    EXPECT_NEAR(body.mass, one.mass, 1e-13 * one.mass) << what;
    EXPECT_LT((body.com - Eigen::Vector3d(one.com.data())).norm(), 1e-13) << what;
    const auto& [xx, yy, zz, xy, xz, yz] = one.inertia_about_com;
    Eigen::Matrix3d inertia;
    inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
    EXPECT_LT((body.inertia - inertia).norm(), 1e-12 * inertia.norm()) << what;
  }
}

TEST_F(MeshFiles, MuJoCosOwnFormat) {
  const std::array<std::int32_t, 4> head{4, 0, 0, 4};
  const std::array<float, 12> vertices{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  const std::array<std::int32_t, 12> triangles{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  const auto bytes = [](const auto& numbers) {
    return std::string(reinterpret_cast<const char*>(numbers.data()),
                       sizeof(numbers[0]) * numbers.size());
  };
  const std::string text = bytes(head) + bytes(vertices) + bytes(triangles);
  const auto solid = solid_of_mesh(read_mesh(write("t.msh", text)));
  ASSERT_TRUE(solid);
  EXPECT_NEAR(solid->mass, 1.0 / 6.0, 1e-15);
  std::string broken = text;
  broken[16 + 48] = 9;
  EXPECT_THROW(read_mesh(write("t.msh", broken)), std::runtime_error);
}

// Meshes that the file cannot say the weight of are not passed over in silence.
TEST_F(MeshFiles, UncertainOnesAreWarnedOf) {
  write("open.obj", box_obj({0, 0, 0}, {1, 1, 1}, 5));
  const auto warnings = [&](const std::string& mesh) {
    const auto file =
        write("m.xml", "<mujoco><asset><mesh name='m' " + mesh +
                           "/></asset><worldbody><body><freejoint/><geom size='1' density='1'/>"
                           "<geom type='mesh' mesh='m' density='1'/></body></worldbody></mujoco>");
    ImportLog log;
    read_model(file, {}, log);
    return log.warning_count();
  };
  EXPECT_EQ(warnings("file='open.obj'"), 0U);
  EXPECT_EQ(warnings("file='open.obj' inertia='exact'"), 1U);
  EXPECT_EQ(warnings("builtin='sphere'"), 1U);
  EXPECT_EQ(warnings("file='missing.obj'"), 1U);
  EXPECT_EQ(warnings("vertex='0 0 0 1 0 0 0 1 0 1 1 0'"), 1U);  // encloses nothing
  EXPECT_THROW(warnings("file='open.obj' inertia='heavy'"), ModelError);
  EXPECT_THROW(warnings("vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 7'"), ModelError);
}

}  // namespace
}  // namespace hamiltree
