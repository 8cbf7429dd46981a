// <inertial auto="true"> of SDF: what collisions weigh.
#include <gtest/gtest.h>

#include <numbers>

#include "import_text.hpp"

namespace hamiltree {
namespace {

using test::import_error;
using test::import_text;

constexpr double kRoundingOfSolids = 1e-14;  // of the largest moment

std::string auto_link(const std::string& collisions, const std::string& inside = "") {
  return "<sdf version='1.11'><model name='m'><link name='b'><inertial auto='true'>" + inside +
         "</inertial>" + collisions + "</link></model></sdf>";
}
std::string collision_of(const std::string& shape, const std::string& more = "") {
  static int count = 0;  // names must differ
  return "<collision name='" + std::to_string(++count) + "'><geometry>" + shape + "</geometry>" +
         more + "</collision>";
}
BodyDescription weighed_body(const std::string& text) {
  return import_text(text).mechanism.bodies.at(0);
}
BodyDescription automatic(const std::string& collisions, const std::string& inside = "") {
  return weighed_body(auto_link(collisions, inside));
}
void expect_same_mass(const BodyDescription& a, const BodyDescription& b) {
  EXPECT_NEAR(a.mass, b.mass, kRoundingOfSolids * b.mass);
  EXPECT_LT((a.com - b.com).norm(), kRoundingOfSolids);
  EXPECT_LT((a.inertia - b.inertia).norm(), kRoundingOfSolids * b.inertia.norm()) << a.inertia;
}

// Against MJCF, whose masses are compared with MuJoCo's.
TEST(SdfCollisions, WeighWhatTheSameGeomsOfMjcfWeigh) {
  const std::pair<const char*, const char*> shapes[] = {
      {"<box><size>0.4 0.6 1</size></box>", "type='box' size='0.2 0.3 0.5'"},
      {"<sphere><radius>0.3</radius></sphere>", "type='sphere' size='0.3'"},
      {"<ellipsoid><radii>0.1 0.2 0.3</radii></ellipsoid>", "type='ellipsoid' size='0.1 0.2 0.3'"},
      {"<cylinder><radius>0.1</radius><length>0.8</length></cylinder>",
       "type='cylinder' size='0.1 0.4'"},
      {"<capsule><radius>0.1</radius><length>0.8</length></capsule>",
       "type='capsule' size='0.1 0.4'"}};
  for (const auto& [sdf, mjcf] : shapes) {
    const auto geom = weighed_body("<mujoco><worldbody><body name='b'><freejoint/><geom " +
                                   std::string(mjcf) + "/></body></worldbody></mujoco>");
    expect_same_mass(automatic(collision_of(sdf)), geom);
  }
  const auto two = weighed_body(
      "<mujoco><compiler angle='radian'/><worldbody><body name='b'><freejoint/>"
      "<geom type='box' size='0.2 0.3 0.5' pos='1 2 3' euler='0.3 0 0' density='500'/>"
      "<geom size='0.3' pos='0 0 -1' density='2000'/></body></worldbody></mujoco>");
  expect_same_mass(
      automatic(collision_of(shapes[0].first, "<pose>1 2 3 0.3 0 0</pose><density>500</density>") +
                    collision_of(shapes[1].first, "<pose>0 0 -1 0 0 0</pose>"),
                "<density>2000</density>"),
      two);
}

// Of a cone with radius r and length L: m = rho pi r^2 L / 3, its centre L/4 above its base,
// I_zz = 3/10 m r^2, I_xx = 3/20 m r^2 + 3/80 m L^2.
TEST(SdfCollisions, KnowCones) {
  const double r = 0.2, L = 0.9, mass = 1000.0 * std::numbers::pi * r * r * L / 3.0;
  BodyDescription expected;
  expected.mass = mass;
  expected.com = {0.0, 0.0, L / 4.0 - L / 2.0};
  const double across = 0.15 * mass * r * r + 3.0 / 80.0 * mass * L * L;
  expected.inertia = Eigen::Vector3d(across, across, 0.3 * mass * r * r).asDiagonal();
  expect_same_mass(automatic(collision_of("<cone><radius>0.2</radius><length>0.9</length></cone>")),
                   expected);
}

TEST(SdfCollisions, WeighTogetherWhatMassSays) {
  const auto shapes =
      collision_of("<box><size>0.4 0.6 1</size></box>") +
      collision_of("<sphere><radius>0.3</radius></sphere>", "<pose>1 0 0 0 0 0</pose>");
  auto expected = automatic(shapes);
  expected.inertia *= 3.0 / expected.mass;
  expected.mass = 3.0;
  expect_same_mass(automatic(shapes, "<mass>3</mass>"), expected);
}

// Only those that nobody asked for are told of.
TEST(SdfCollisions, ThatWeighSomethingAreNotIgnored) {
  const auto ball = collision_of("<sphere><radius>1</radius></sphere>");
  const auto lines = [](const std::string& text) { return import_text(text).log.lines(); };
  for (const auto& line : lines(auto_link(ball))) EXPECT_TRUE(line.ends_with("holds it")) << line;
  const auto other =
      lines("<sdf version='1.11'><model name='m'><link name='b'><inertial auto='true'/>" + ball +
            "</link><link name='c'>" + ball + "</link></model></sdf>");
  EXPECT_EQ(other.at(0), "not needed for the motion and ignored: 1 collision");
}

TEST(SdfCollisions, RefuseWhatIsNoSolid) {
  const auto error = [](const std::string& collisions, const std::string& inside = "") {
    return import_error(auto_link(collisions, inside));
  };
  const auto has = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(error(""), "<inertial>: inertia from shapes (auto) needs a collision");
  has(error(collision_of("<mesh><uri>a.stl</uri></mesh>")),
      "<mesh>: inertia from this shape (auto) is not read; write it out");
  has(error(collision_of("<sphere><radius>0</radius></sphere>")),
      "<radius>: must be above 0, it is 0");
  has(error(collision_of("<box><size>1 -1 1</size></box>")), "<size>: needs 3 numbers above 0");
  const auto ball = std::string("<sphere><radius>1</radius></sphere>");
  has(error(collision_of(ball, "<density>0</density>")), "density must be above 0, it is 0");
  has(error(collision_of(ball), "<mass>-1</mass>"), "<inertial>: mass must be above 0, it is -1");
  has(error(collision_of(ball, "<pose relative_to='c'>0 0 0 0 0 0</pose>")),
      "relative to another frame than its link is not read");
}

}  // namespace
}  // namespace hamiltree
