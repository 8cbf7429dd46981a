// How bodies look: what each format says of it, in the frames of the bodies that are left, and what
// the report holds of it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numbers>

#include "hamiltree/hamiltree.hpp"
#include "hamiltree/io/export/mesh_data.hpp"
#include "hamiltree/io/export/model/native_writer.hpp"
#include "hamiltree/io/export/report_data.hpp"
#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/native.hpp"
#include "hamiltree/io/import/native_visual.hpp"
#include "import_text.hpp"

namespace hamiltree::test {
namespace {

struct Looked {
  Looks looks;
  std::vector<std::string> lines;
};

Looked look_at(const std::string& text) {
  ImportLog log(true);
  Looked looked;
  import_mechanism(text, "m.xml", {}, log, &looked.looks);
  looked.lines = log.lines();
  return looked;
}

template <class Shape>
const Shape& shape(const Visual& visual) {
  return std::get<Shape>(visual.shape);
}

void expect_at(const Visual& visual, const std::string& body, const Eigen::Vector3d& position) {
  EXPECT_EQ(visual.body, body);
  EXPECT_LT((visual.at.position - position).norm(), 1e-15) << visual.at.position.transpose();
}

const std::string kInertial =
    "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>";

TEST(LooksOfUrdf, ShapesColoursAndMergedLinks) {
  const auto [looks, lines] = look_at(
      "<robot name='r'><material name='red'><color rgba='1 0 0 1'/></material>"
      "<link name='a'>" +
      kInertial +
      "<visual><origin xyz='0 0 0.5'/><geometry><box size='1 2 3'/></geometry>"
      "<material name='red'/></visual></link>"
      "<link name='b'>" +
      kInertial +
      "<visual><geometry><cylinder radius='0.1' length='2'/></geometry>"
      "<material name='own'><color rgba='0 1 0 0.5'/></material></visual>"
      "<visual><geometry><sphere radius='0.2'/></geometry></visual>"
      "<visual><geometry><sphere radius='0'/></geometry></visual></link>"
      "<joint name='j' type='fixed'><parent link='a'/><child link='b'/>"
      "<origin xyz='1 0 0'/></joint></robot>");
  ASSERT_EQ(looks.size(), 3U);
  expect_at(looks[0], "a", {0.0, 0.0, 0.5});
  EXPECT_EQ(shape<BoxShape>(looks[0]).size, Eigen::Vector3d(1.0, 2.0, 3.0));
  EXPECT_EQ(looks[0].rgba, Eigen::Vector4d(1.0, 0.0, 0.0, 1.0));
  expect_at(looks[1], "a", {1.0, 0.0, 0.0});
  EXPECT_EQ(shape<CylinderShape>(looks[1]).length, 2.0);
  EXPECT_EQ(looks[1].rgba, Eigen::Vector4d(0.0, 1.0, 0.0, 0.5));
  EXPECT_EQ(shape<SphereShape>(looks[2]).radius, 0.2);
  EXPECT_FALSE(looks[2].rgba);
  EXPECT_EQ(lines.back(), "\"a shape of b\" is not drawn: it has no size");
}

// A tool frame that is left out with its joint stays to be seen where it was.
TEST(LooksOfUrdf, WhatHasNoMassStaysInSight) {
  ImportLog log;
  Looks looks;
  import_mechanism(
      "<robot name='r'><link name='a'>" + kInertial +
          "</link><link name='tool'><visual><origin xyz='0 0 1'/><geometry><sphere radius='1'/>"
          "</geometry></visual></link><joint name='j' type='revolute'><parent link='a'/>"
          "<child link='tool'/><origin xyz='0 2 0' rpy='1.5707963267948966 0 0'/>"
          "<axis xyz='0 1 0'/></joint></robot>",
      "m.xml", {}, log, &looks);
  ASSERT_EQ(looks.size(), 1U);
  EXPECT_EQ(looks[0].body, "a");
  EXPECT_LT((looks[0].at.position - Eigen::Vector3d(0.0, 1.0, 0.0)).norm(), 1e-15);
}

TEST(LooksOfUrdf, WhatIsWrongWithThemRefusesNothing) {
  const auto [looks, lines] =
      look_at("<robot name='r'><link name='a'>" + kInertial +
              "<visual name='bad'><geometry><box size='1 2'/></geometry></visual></link></robot>");
  EXPECT_TRUE(looks.empty());
  EXPECT_NE(
      lines.back().find("is not drawn: it is not as it must be (m.xml:1: <box>: size needs 3"),
      std::string::npos)
      << lines.back();
}

TEST(LooksOfMjcf, GeomsOfTheGroupsThatAreShown) {
  const auto [looks, lines] = look_at(
      "<mujoco><asset><material name='m' rgba='0 0 1 1'/></asset>"
      "<default><geom rgba='0.1 0.2 0.3 1'/></default><worldbody>"
      "<geom type='plane' size='1 1 1'/><geom type='box' size='1 1 1' pos='0 0 3'/>"
      "<body name='b' pos='0 0 1'><joint/><geom type='capsule' fromto='0 0 0 0 0 2' size='0.1'/>"
      "<geom type='ellipsoid' size='1 2 3' material='m' rgba='0.5 0.5 0.5 1'/>"
      "<geom type='sphere' size='1' group='3'/><geom type='sphere' size='1' rgba='1 1 1 0'/>"
      "<frame pos='1 0 0'><geom type='cylinder' size='0.5 1' pos='0 1 0'/></frame>"
      "</body></worldbody></mujoco>");
  ASSERT_EQ(looks.size(), 4U);
  expect_at(looks[0], "ground", {0.0, 0.0, 3.0});
  EXPECT_EQ(shape<BoxShape>(looks[0]).size, Eigen::Vector3d::Constant(2.0));
  expect_at(looks[1], "b", {0.0, 0.0, 1.0});
  EXPECT_EQ(shape<CapsuleShape>(looks[1]).length, 2.0);
  EXPECT_EQ(looks[1].rgba, Eigen::Vector4d(0.1, 0.2, 0.3, 1.0));
  EXPECT_EQ(shape<EllipsoidShape>(looks[2]).radii, Eigen::Vector3d(1.0, 2.0, 3.0));
  EXPECT_EQ(looks[2].rgba, Eigen::Vector4d(0.0, 0.0, 1.0, 1.0));
  expect_at(looks[3], "b", {1.0, 1.0, 0.0});
  EXPECT_EQ(shape<CylinderShape>(looks[3]).length, 2.0);
}

TEST(LooksOfSdf, VisualsOfLinks) {
  const auto [looks, lines] = look_at(
      "<sdf version='1.8'><model name='m'><link name='a'><visual name='v'><pose>0 0 1 0 0 0</pose>"
      "<geometry><box><size>1 2 3</size></box></geometry>"
      "<material><diffuse>1 0.5 0</diffuse></material><transparency>0.25</transparency></visual>"
      "<visual name='w'><geometry><plane/></geometry></visual></link></model></sdf>");
  ASSERT_EQ(looks.size(), 1U);
  expect_at(looks[0], "a", {0.0, 0.0, 1.0});
  EXPECT_EQ(shape<BoxShape>(looks[0]).size, Eigen::Vector3d(1.0, 2.0, 3.0));
  EXPECT_EQ(looks[0].rgba, Eigen::Vector4d(1.0, 0.5, 0.0, 0.75));
  EXPECT_NE(lines.back().find("\"plane\" is not drawn"), std::string::npos);
}

const std::string kNative =
    "format = 1\nspace = \"spatial\"\ngravity = [0, 0, -9.81]\n"
    "[[body]]\nname = \"rod\"\nmass = 1\ncom = [0.5, 0, 0]\ninertia = [0.01, 0.1, 0.1]\n"
    "[[joint]]\nname = \"A\"\ntype = \"revolute\"\nparent = \"ground\"\nchild = \"rod\"\n";

std::string visual(const std::string& rest) {
  return kNative + "[[visual]]\nbody = \"rod\"\n" + rest;
}

TEST(NativeLooks, AreReadAndWritten) {
  const auto text =
      visual("type = \"box\"\nsize = [1, 0.1, 0.2]\nat = { position = [0.5, 0, 0] }\n") +
      "[[visual]]\nbody = \"ground\"\ntype = \"cylinder\"\nradius = 0.1\nlength = 1\n"
      "rgba = [1, 0, 0]\n[[visual]]\nbody = \"rod\"\ntype = \"capsule\"\nradius = 0.1\nlength = 1\n"
      "[[visual]]\nbody = \"rod\"\ntype = \"sphere\"\nradius = 0.1\n"
      "[[visual]]\nbody = \"rod\"\ntype = \"ellipsoid\"\nradii = [1, 2, 3]\n"
      "[[visual]]\nbody = \"rod\"\ntype = \"mesh\"\nfile = \"a.stl\"\nscale = 0.001\n";
  const auto looks = parse_looks(text, "m.toml");
  ASSERT_EQ(looks.size(), 6U);
  expect_at(looks[0], "rod", {0.5, 0.0, 0.0});
  EXPECT_EQ(looks[1].rgba, Eigen::Vector4d(1.0, 0.0, 0.0, 1.0));
  EXPECT_EQ(shape<MeshShape>(looks[5]).scale, Eigen::Vector3d::Constant(0.001));
  const auto written = to_native(parse_native(text, "m.toml"), looks);
  EXPECT_EQ(to_native(parse_native(written, "m.toml"), parse_looks(written, "m.toml")), written);
  EXPECT_EQ(parse_looks(written, "m.toml").size(), 6U);
}

std::string error_of_native(const std::string& text) {
  try {
    parse_native(text, "m.toml");
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(NativeLooks, MistakesAreNamed) {
  EXPECT_EQ(
      error_of_native(kNative + "[[visual]]\nbody = \"arm\"\ntype = \"sphere\"\nradius = 1\n"),
      "m.toml:15: visual of \"arm\": no body has this name");
  EXPECT_EQ(error_of_native(visual("type = \"sphere\"\nradius = 0\n")),
            "m.toml:17: visual of \"rod\": radius must be more than 0");
  EXPECT_NE(error_of_native(visual("type = \"cone\"\n")).find("\"cone\""), std::string::npos);
  EXPECT_NE(error_of_native(visual("type = \"sphere\"\nradius = 1\ncolour = 1\n")).find("colour"),
            std::string::npos);
  EXPECT_NE(error_of_native(visual("type = \"sphere\"\nradius = 1\nrgba = [2, 0, 0]\n"))
                .find("from 0 to 1"),
            std::string::npos);
}

// --- what the report holds ---

nlohmann::json report_of(const std::string& text, const std::string& file) {
  const Model model(parse_native(text, file));
  Simulation simulation(model);
  const ModelLooks looks{parse_looks(text, file), file, false};
  return nlohmann::json::parse(to_report_data(simulation.run_until(0.01), &model, looks));
}

TEST(LooksInReports, ShapesWithTheirBodies) {
  const auto data = report_of(
      visual("type = \"sphere\"\nradius = 2\nat = { position = [1, 0, 0] }\nrgba = [1, 0, 0]\n"),
      "m.toml");
  ASSERT_EQ(data["visuals"].size(), 1U);
  EXPECT_EQ(data["visuals"][0].dump(),
            R"({"body":0,"position":[1,0,0],"quat_wxyz":[1,0,0,0],"rgba":[1,0,0,1],)"
            R"("shape":"ellipsoid","size":[2,2,2]})");
  EXPECT_EQ(data["meshes"].size(), 0U);
  EXPECT_FALSE(report_of(kNative, "m.toml").contains("visuals"));
}

TEST(LooksInReports, MeshesOnceOrWhyNot) {
  const auto file = (model_file("../../export/looks") / "model.toml").string();
  const auto mesh = [](const std::string& name) {
    return "[[visual]]\nbody = \"rod\"\ntype = \"mesh\"\nfile = \"" + name + "\"\n";
  };
  const auto data = report_of(kNative + mesh("tetrahedron.obj") + mesh("tetrahedron.obj") +
                                  mesh("nowhere.stl") + mesh("../exercise.js"),
                              file);
  ASSERT_EQ(data["meshes"].size(), 3U);
  EXPECT_EQ(data["visuals"][1]["mesh"], 0);
  ASSERT_TRUE(data["meshes"][0].contains("data")) << data["meshes"][0];
  EXPECT_EQ(data["meshes"][0]["data"].get<std::string>().size(), 4U * ((32 + 24 + 48 + 2) / 3));
  EXPECT_EQ(data["meshes"][1]["missing"], "cannot be read");
  EXPECT_EQ(data["meshes"][2]["missing"],
            "lies outside of the model's folder (--files-elsewhere reads it)");
}

// --- meshes as the viewer takes them ---

// A sphere of n x 2n cells.
TriangleMesh sphere(int n) {
  TriangleMesh mesh;
  const double step = std::numbers::pi / n;
  for (int i = 0; i <= n; ++i) {
    for (int k = 0; k < 2 * n; ++k) {
      mesh.vertices.emplace_back(std::sin(i * step) * std::cos(k * step),
                                 std::sin(i * step) * std::sin(k * step), std::cos(i * step));
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 2 * n; ++k) {
      const int next = (k + 1) % (2 * n);
      mesh.triangles.push_back({2 * n * i + k, 2 * n * (i + 1) + k, 2 * n * i + next});
      mesh.triangles.push_back({2 * n * i + next, 2 * n * (i + 1) + k, 2 * n * (i + 1) + next});
    }
  }
  return mesh;
}

// Few triangles still enclose what the many did: 4/3 pi, to 2 %.
TEST(MeshData, ThinnedMeshesKeepTheirShape) {
  const auto fine = sphere(100);
  const auto coarse = thinned(fine, 5000);
  EXPECT_LE(coarse.triangles.size(), 5000U);
  EXPECT_GT(coarse.triangles.size(), 2000U);
  double volume = 0.0;
  for (const auto& [a, b, c] : coarse.triangles) {
    const auto x = [&](int i) { return coarse.vertices[static_cast<std::size_t>(i)]; };
    volume += x(a).dot(x(b).cross(x(c))) / 6.0;
  }
  EXPECT_NEAR(volume / (4.0 / 3.0 * std::numbers::pi), 1.0, 0.02);
  EXPECT_EQ(thinned(fine, fine.triangles.size()).triangles, fine.triangles);
}

TEST(MeshData, IsPackedByteByByte) {
  TriangleMesh mesh;
  mesh.vertices = {{0.0, 0.0, 0.0}, {2.0, 0.0, 0.0}, {1.0, 4.0, 0.0}};
  mesh.triangles = {{0, 1, 2}};
  const auto bytes = packed(mesh);
  ASSERT_EQ(bytes.size(), 8U + 24U + 18U + 2U + 12U);
  const auto half = [&](std::size_t i) {  // of the third vertex
    const auto* byte = reinterpret_cast<const unsigned char*>(bytes.data()) + 32 + 12 + 2 * i;
    return byte[0] + 256 * byte[1];
  };
  EXPECT_EQ(half(0), 32768);
  EXPECT_EQ(half(1), 65535);
  EXPECT_EQ(half(2), 0);
}

// RFC 4648, section 10.
TEST(MeshData, Base64) {
  EXPECT_EQ(to_base64(""), "");
  EXPECT_EQ(to_base64("f"), "Zg==");
  EXPECT_EQ(to_base64("fo"), "Zm8=");
  EXPECT_EQ(to_base64("foobar"), "Zm9vYmFy");
}

}  // namespace
}  // namespace hamiltree::test
