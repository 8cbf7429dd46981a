// Features that all XML formats share: files that are refused as such, recognition, warnings.
#include <gtest/gtest.h>

#include "import_text.hpp"

namespace hamiltree {
namespace {

using test::import_error;
using test::import_text;

const std::string kLink =
    "<link name=\"a\">\n<inertial><mass value=\"1\"/>"
    "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>\n";

TEST(Xml, SyntaxErrorsNameTheirLine) {
  EXPECT_EQ(import_error("<robot>\n<link>\n</robot>\n"),
            "m.xml:3: XML syntax error: start-end tags mismatch");
  EXPECT_EQ(import_error("<robot>\n<link name='a/>\n"),
            "m.xml:2: XML syntax error: error parsing element attribute");
}

TEST(Xml, DocumentTypesAreRefused) {
  EXPECT_EQ(import_error("<?xml version='1.0'?>\n<!DOCTYPE robot [<!ENTITY a 'b'>]>\n<robot/>\n"),
            "m.xml:2: a document type (DOCTYPE) is not read");
}

TEST(Xml, Utf16IsRefusedAsThat) {
  const std::string text = "<robot/>";
  for (const bool big : {false, true}) {
    for (const bool marked : {false, true}) {
      std::string wide = !marked ? "" : big ? "\xFE\xFF" : "\xFF\xFE";
      for (const char c : text) wide += big ? std::string{'\0', c} : std::string{c, '\0'};
      EXPECT_EQ(import_error(wide), "m.xml:1: is UTF-16; only UTF-8 is read");
      EXPECT_NE(format_of(wide), ModelFormat::kNative);
    }
  }
}

TEST(Xml, ThereIsOneRoot) {
  EXPECT_EQ(import_error("<robot/>\n<robot/>\n"), "m.xml:2: a second root element, <robot>");
  EXPECT_EQ(import_error("<!-- nothing -->"), "m.xml:1: has no root element");
  EXPECT_EQ(import_error("\n<html/>"),
            "m.xml:2: <html>: is the root of no format that is read: <robot>, <sdf>, <mujoco>");
}

TEST(Xml, TextAfterTheRootIsWarnedOf) {
  const auto lines = import_text("<robot>" + kLink + "</robot>\n;\n").log.lines();
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], "warning: m.xml:4: text outside the root element is ignored");
}

TEST(Xml, FormatsAreRecognisedByTheirRoot) {
  EXPECT_EQ(format_of("<?xml version='1.0'?><!-- a --><robot/>"), ModelFormat::kUrdf);
  EXPECT_EQ(format_of("\xEF\xBB\xBF <sdf version='1.6'>"), ModelFormat::kSdf);
  EXPECT_EQ(format_of("<mujoco/>"), ModelFormat::kMjcf);
  EXPECT_EQ(format_of("format = 1\n"), ModelFormat::kNative);
}

TEST(Xml, UnknownElementsAndAttributesAreWarnedOf) {
  const std::string text =
      "<robot>\n" + kLink + "<lnk/>\n<lnk/>\n<transmission colour='red'/></robot>";
  const auto lines = import_text(text).log.lines();
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0],
            "warning: m.xml:4: element <lnk> in <robot> is unknown and ignored (and 1 more)");
  EXPECT_EQ(lines[1], "not needed for the motion and ignored: 1 transmission");
  EXPECT_EQ(lines[2], "link \"a\" floats; --fixed-base holds it");
}

TEST(Xml, TemplatesAreForXacro) {
  const std::string text = "<robot xmlns:xacro='http://ros.org/wiki/xacro'>\n" + kLink +
                           "<xacro:arm side='left'/>\n</robot>";
  EXPECT_EQ(import_text(text).log.lines()[0],
            "warning: m.xml:4: element <xacro:arm> in <robot> is ignored: xacro makes the model of "
            "this file");
}

TEST(Xml, StrictMakesWarningsErrors) {
  EXPECT_EQ(import_error("<robot>\n" + kLink + "<lnk/>\n</robot>", {.strict = true}),
            "m.xml:4: element <lnk> in <robot> is unknown and ignored (--strict)");
}

TEST(Xml, NumbersAreNumbers) {
  const auto with_mass = [](const std::string& mass) {
    return import_error("<robot>\n<link name='a'><inertial>\n<mass value='" + mass +
                        "'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link></robot>");
  };
  EXPECT_EQ(with_mass("1,5"), "m.xml:3: <mass>: value must be a number, not \"1,5\"");
  EXPECT_EQ(with_mass(""), "m.xml:3: <mass>: value must be a number, not \"\"");
  EXPECT_EQ(
      with_mass("${2 * m}"),
      "m.xml:3: <mass>: value must be a number, not \"${2 * m}\": xacro computes it, and makes the "
      "model of this file");
  EXPECT_EQ(with_mass("inf"), "m.xml:3: <mass>: value is not finite");
  EXPECT_EQ(with_mass(" +1e0 "), "no ModelError");
  EXPECT_EQ(import_error("<robot><link name='a'>\n<inertial><mass value='1'/>\n<origin xyz='1 2'/>"
                         "<inertia ixx='1' iyy='1' izz='1'/></inertial></link></robot>"),
            "m.xml:3: <origin>: xyz needs 3 numbers, has 2");
}

TEST(Xml, NamesAreUtf8) {
  const auto named = [](const std::string& name) {
    return import_error("<robot>\n<link name='" + name + "'><inertial><mass value='1'/>" +
                        "<inertia ixx='1' iyy='1' izz='1'/></inertial></link></robot>");
  };
  EXPECT_EQ(named("gr\xC3\xB6\xC3\x9F"
                  "e \xE2\x82\xAC \xF0\x9F\xA4\x96"),
            "no ModelError");
  for (const char* bad :
       {"gr\xF6\xDF", "\xC0\xAF", "\xE2\x82", "\xED\xA0\x80", "\xF5\x80\x80\x80"}) {
    EXPECT_NE(named(bad).find(": name is not UTF-8"), std::string::npos) << named(bad);
  }
}

}  // namespace
}  // namespace hamiltree
