// Inertias of files: rounding is set right, what breaks the triangle inequality is refused or taken
// on request, and a root with inertia but no mass is a base.
#include <gtest/gtest.h>

#include "hamiltree/base/text.hpp"
#include "hamiltree/hamiltree.hpp"
#include "hamiltree/io/export/model/native_writer.hpp"
#include "hamiltree/io/import/native.hpp"
#include "import_text.hpp"

namespace hamiltree {
namespace {

using test::body_of;
using test::import_error;
using test::import_text;

std::string link_of(const std::string& name, double mass, const std::string& inertia) {
  return "<link name='" + name + "'><inertial><mass value='" + to_text(mass) + "'/><inertia " +
         inertia + "/></inertial></link>";
}
const std::string kSphere = "ixx='1' iyy='1' izz='1'";
std::string pair(const std::string& inertia) {
  return "<robot name='r'>" + link_of("a", 1.0, kSphere) + link_of("b", 1.0, inertia) +
         "<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint></robot>";
}

TEST(Inertias, RoundingIsSetRight) {
  for (const char* inertia :
       {"ixx='0' iyy='0' izz='0' ixy='2.4e-35'", "ixx='-1e-11' iyy='1e-3' izz='1e-3'",
        "ixx='0' iyy='1e-3' izz='1.0000001e-3'"}) {
    const auto imported = import_text(pair(inertia));
    const auto lines = imported.log.lines();
    EXPECT_NE(lines.back().find("set right by rounding"), std::string::npos) << lines.back();
    EXPECT_EQ(imported.log.warning_count(), 0U);
    EXPECT_NO_THROW(Model{imported.mechanism}) << inertia;
    EXPECT_LT((body_of(imported.mechanism, "b").inertia.diagonal() -
               Eigen::Vector3d(0, inertia[5] == '0' && inertia[13] == '0' ? 0 : 1e-3,
                               inertia[5] == '0' && inertia[13] == '0' ? 0 : 1e-3))
                  .norm(),
              1e-9);
  }
}

TEST(Inertias, ThatNoBodyHasAreTakenOnRequest) {
  const std::string text = pair("ixx='0.1' iyy='0.1' izz='1'");
  EXPECT_EQ(
      import_error(text),
      "m.xml:1: link \"b\": inertia breaks the triangle inequality: of its principal moments, "
      "0.1 and 0.1 together are less than 1 (fixed links merged; --balance-inertia makes the "
      "moments equal, --accept-inertia takes them as they are)");
  const auto imported = import_text(text, {.accept_inertia = true});
  EXPECT_EQ(imported.log.warning_count(), 1U);
  // Also where it goes through a native file.
  const auto again = parse_native(to_native(imported.mechanism), "m.toml");
  EXPECT_EQ(body_of(again, "b").inertia.diagonal(), Eigen::Vector3d(0.1, 0.1, 1.0));
  EXPECT_NO_THROW(Model{again});
}

TEST(Inertias, NegativeMomentsAreNotTaken) {
  const std::string text = pair("ixx='-0.1' iyy='1' izz='1'");
  const std::string refusal = import_error(text, {.accept_inertia = true});
  EXPECT_NE(refusal.find("must not have negative principal moments"), std::string::npos);
  EXPECT_EQ(refusal.find("--accept-inertia"), std::string::npos);
}

TEST(Inertias, ARootWithoutMassIsABase) {
  const auto imported = import_text(
      "<robot name='r'>" + link_of("a", 0.0, "ixx='0' iyy='0' izz='3e-6'") +
      link_of("b", 1.0, kSphere) +
      "<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint></robot>");
  EXPECT_EQ(imported.mechanism.bodies.size(), 1U);
  EXPECT_EQ(imported.log.lines().back(),
            "link \"a\" has inertia but no mass, so it is held as by --fixed-base");
}

}  // namespace
}  // namespace hamiltree
