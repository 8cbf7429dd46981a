// Models that SDF includes: found beside the file, placed, renamed, and left out where they may not
// be read.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "hamiltree/hamiltree.hpp"
#include "import_text.hpp"
#include "support/own_path.hpp"

namespace hamiltree {
namespace {

namespace fs = std::filesystem;
using test::body_of;
using test::joint_of;

class SdfInclude : public testing::Test {
 protected:
  SdfInclude() : folder_(test::own_path("models")) {
    fs::remove_all(folder_);
    write("wheel/model.config",
          "<model><sdf version='1.6'>old.sdf</sdf>"
          "<sdf version='1.9'>wheel.sdf</sdf></model>");
    write("wheel/wheel.sdf",
          "<sdf version='1.9'><model name='wheel'><link name='rim'/></model></sdf>");
    write("cart/camera/model.sdf",
          "<sdf version='1.9'><model name='camera'><pose>9 9 9 0 0 0</pose><link name='eye'/>"
          "</model></sdf>");
  }
  ~SdfInclude() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }

  // A cart of version 1.9 whose model holds `content`.
  Mechanism read(const std::string& content, const ImportOptions& options = {}) {
    write("cart/model.sdf", "<sdf version='1.9'><model name='cart'><link name='frame'/>" + content +
                                "</model></sdf>");
    log_ = ImportLog();
    return read_model(folder_ / "cart" / "model.sdf", options, log_).mechanism();
  }

  fs::path folder_;
  ImportLog log_;
};

const std::string kCamera =
    "<include><uri>model://camera</uri><name>left</name><pose>1 2 3 0 0 0</pose></include>";

// Worlds often lie in a folder beside that of the models.
TEST_F(SdfInclude, AFolderModelsIsLookedInto) {
  write("models/lamp/model.sdf",
        "<sdf version='1.9'><model name='lamp'><link name='bulb'/></model></sdf>");
  const ImportOptions anywhere{.files_elsewhere = true};
  for (const std::string uri : {"model://lamp", "lamp"}) {
    const auto m = read("<include><uri>" + uri + "</uri></include>", anywhere);
    EXPECT_EQ(m.bodies.size(), 2U) << uri;
    EXPECT_EQ(log_.warning_count(), 0U) << uri;
  }
}

// A model that is nothing but what it includes is empty where that is not there.
TEST_F(SdfInclude, AModelOfMissingModelsIsEmpty) {
  write("models/course/model.sdf",
        "<sdf version='1.9'><model name='course'><include><uri>https://fuel/buoy</uri></include>"
        "</model></sdf>");
  const ImportOptions anywhere{.files_elsewhere = true};
  EXPECT_EQ(read("<include><uri>course</uri></include>", anywhere).bodies.size(), 1U);
  EXPECT_EQ(log_.warning_count(), 1U);
  write("models/course/model.sdf", "<sdf version='1.9'><model name='course'/></sdf>");
  EXPECT_THROW(read("<include><uri>course</uri></include>", anywhere), ModelError);
}

TEST_F(SdfInclude, RefusalsNameTheModelThatIsNotThere) {
  const auto error = [&](const std::string& include, const std::string& child) -> std::string {
    try {
      read("<include>" + include +
           "</include><joint name='mount' type='fixed'><parent>frame"
           "</parent><child>" +
           child + "</child></joint>");
    } catch (const ModelError& refused) {
      return refused.what();
    }
    return "no ModelError";
  };
  const std::string gone = ", for the included model \"model://gps\" is not there";
  const auto ends_so = [&](const std::string& text, const std::string& end) {
    EXPECT_TRUE(text.ends_with("is no frame here" + end)) << text;
  };
  ends_so(error("<uri>model://gps</uri>", "gps::link"), gone);
  ends_so(error("<uri>model://gps</uri><name>left</name>", "left::link"), gone);
  ends_so(error("<uri>model://gps</uri><name>left</name>", "right::link"), "");
  ends_so(error("<uri>model://camera</uri>", "camera::link"), "");
  ends_so(error("<uri>model://wheel</uri>", "wheel::rim"),
          ", for the included model \"model://wheel\" lies outside of the model's folder "
          "(--files-elsewhere reads it)");
  // The model in a folder may have another name.
  ends_so(error("<uri>model://gps</uri>", "receiver::link"),
          ", and the included model \"model://gps\" is not there");
}

TEST_F(SdfInclude, InTheFolderOfTheModelIsReadPlacedAndRenamed) {
  const auto m = read(kCamera +
                      "<joint name='mount' type='revolute'><parent>frame</parent>"
                      "<child>left::eye</child><axis><xyz>0 0 1</xyz></axis></joint>");
  EXPECT_EQ(m.bodies.size(), 2U);
  const auto& mount = joint_of(m, "mount");
  EXPECT_EQ(mount.child, "left::eye");
  EXPECT_LT((mount.at_parent.position - Eigen::Vector3d(1, 2, 3)).norm(), 1e-15);
}

TEST_F(SdfInclude, ChangesToTheModelAreWarnedOf) {
  read(
      "<include><uri>model://camera</uri><experimental:params><link element_id='eye' "
      "action='modify'><inertial><mass>5</mass></inertial></link></experimental:params>"
      "</include>");
  ASSERT_EQ(log_.warning_count(), 1U);
  EXPECT_NE(log_.lines()[0].find("what <experimental:params> changes in a model is not read"),
            std::string::npos)
      << log_.lines()[0];
}

TEST_F(SdfInclude, BesideTheFolderNeedsLeave) {
  const std::string wheel = "<include><uri>model://wheel</uri></include>";
  EXPECT_EQ(read(wheel).bodies.size(), 1U);
  ASSERT_EQ(log_.warning_count(), 1U);
  EXPECT_NE(log_.lines()[0].find("the included model \"model://wheel\" lies outside of the model's "
                                 "folder (--files-elsewhere reads it), it is left out"),
            std::string::npos)
      << log_.lines()[0];
  const auto m = read(wheel, {.files_elsewhere = true});
  EXPECT_EQ(body_of(m, "wheel::rim").mass, 1.0);
}

TEST_F(SdfInclude, OldModelsKeepTheirAxesInTheModel) {
  write("cart/arm/model.sdf",
        "<sdf version='1.4'><model name='arm'><link name='a'/><link name='b'>"
        "<pose>0 0 0 0 0 1.5707963267948966</pose></link><joint name='j' type='revolute'>"
        "<parent>a</parent><child>b</child><axis><xyz>1 0 0</xyz></axis></joint></model></sdf>");
  const auto m = read("<include><uri>arm</uri></include>");
  const auto& j = joint_of(m, "arm::j");
  EXPECT_LT((j.at_parent.rotation.col(2) - Eigen::Vector3d::UnitX()).norm(), 1e-12);
}

// A merged model has the frames of one that is nested, but its names have no prefix.
TEST_F(SdfInclude, MergedModelsStandWhereNestedOnesDo) {
  write("cart/arm/model.sdf",
        "<sdf version='1.9'><model name='arm' canonical_link='b'><pose>5 5 5 0 0 0</pose>"
        "<static>true</static><frame name='hook' attached_to='__model__'>"
        "<pose relative_to='__model__'>0 1 0 0.2 0 0</pose></frame>"
        "<frame name='eye'><pose>0 0 2 0 0 0.1</pose></frame>"
        "<link name='a'><pose>0 0 0 0 0.3 0</pose></link><link name='b'/>"
        "<link name='c'><pose relative_to='__model__'>1 0 0 0 0 0</pose></link>"
        "<model name='hand'><link name='palm'><pose>0 0 3 0 0 0</pose></link></model>"
        "<joint name='j' type='revolute'><pose relative_to='__model__'>0 0 1 0 0 0</pose>"
        "<parent>a</parent><child>b</child><axis><xyz expressed_in='__model__'>1 0 0</xyz></axis>"
        "</joint><joint name='k' type='prismatic'><parent>hook</parent><child>c</child><axis>"
        "<xyz>0 1 0</xyz><use_parent_model_frame>true</use_parent_model_frame></axis></joint>"
        "<joint name='l' type='ball'><parent>eye</parent><child>hand::palm</child></joint>"
        "</model></sdf>");
  const std::string where =
      "<uri>arm</uri><name>left</name><pose relative_to='frame'>1 2 3 0.4 0.5 0.6</pose>"
      "</include>";
  const std::string dynamic = "<include><static>false</static>";
  const auto nested = read(dynamic + where);
  const auto merged = read("<include merge='true'>" + where);
  EXPECT_EQ(log_.warning_count(), 1U);
  EXPECT_NE(log_.lines()[0].find("a model that is merged with another is not static"),
            std::string::npos)
      << log_.lines()[0];
  ASSERT_EQ(merged.bodies.size(), 5U);
  EXPECT_EQ(body_of(merged, "hand::palm").name, "hand::palm");
  for (const char* name : {"j", "k", "l"}) {
    const auto& own = joint_of(merged, name);
    const auto& other = joint_of(nested, std::string("left::") + name);
    EXPECT_EQ("left::" + own.child, other.child);
    for (const auto frame : {&JointDescription::at_parent, &JointDescription::at_child}) {
      EXPECT_LT(((own.*frame).position - (other.*frame).position).norm(), 1e-14) << name;
      EXPECT_LT(((own.*frame).rotation - (other.*frame).rotation).norm(), 1e-14) << name;
    }
  }
  // The frame of the model is one of the other.
  const auto mounted = read("<include merge='true'>" + where +
                            "<joint name='m' type='ball'><parent>frame</parent>"
                            "<child>_merged__left__model__</child></joint>");
  EXPECT_EQ(joint_of(mounted, "m").child, "b");
}

TEST_F(SdfInclude, MergingNeedsAModelAndNoPlacementFrame) {
  const auto warning = [&](const std::string& include) {
    read(include);
    return log_.lines().at(0);
  };
  const auto ends_so = [](const std::string& text, const std::string& end) {
    EXPECT_TRUE(text.ends_with(end)) << text;
  };
  ends_so(warning("<include merge='true'><uri>camera</uri><pose/>"
                  "<placement_frame>eye</placement_frame></include>"),
          "is to be merged by its placement frame, which is not read, it is left out");
  write("cart/world.sdf",
        "<sdf version='1.9'><world name='w'><include merge='true'><uri>camera</uri></include>"
        "<model name='m'><link name='l'/></model></world></sdf>");
  log_ = ImportLog();
  EXPECT_EQ(read_model(folder_ / "cart" / "world.sdf", {}, log_).mechanism().bodies.size(), 1U);
  ends_so(log_.lines().at(0), "is to be merged with what is no model, it is left out");
}

// Axes are those of the file in which they stand: up to 1.4 in the model, from 1.5 in the joint.
TEST_F(SdfInclude, VersionsIncludeEachOther) {
  const auto arm = [](const std::string& version, const std::string& more = "") {
    return "<sdf version='" + version + "'><model name='arm" + version.substr(2) +
           "'><link name='a'/><link name='b'><pose>0 0 0 0 0 1.5707963267948966</pose></link>"
           "<joint name='j' type='revolute'><parent>a</parent><child>b</child><axis><xyz>1 0 0"
           "</xyz></axis></joint>" +
           more + "</model></sdf>";
  };
  const std::string inner = "<include><uri>inner</uri></include>";
  const std::string middle = "<include><uri>middle</uri></include>";
  for (const std::string outermost : {"1.4", "1.6"}) {
    for (const std::string between : {"1.4", "1.6"}) {
      for (const std::string innermost : {"1.4", "1.6"}) {
        write("cart/inner/model.sdf", arm(innermost));
        write("cart/middle/model.sdf", arm(between, inner));
        write("cart/outer.sdf", arm(outermost, middle));
        log_ = ImportLog();
        const auto m = read_model(folder_ / "cart" / "outer.sdf", {}, log_).mechanism();
        const std::string of = outermost + " " + between + " " + innermost;
        EXPECT_EQ(log_.warning_count(), 0U) << of;
        const std::string two = "arm" + between.substr(2) + "::";
        const std::string three = two + "arm" + innermost.substr(2) + "::";
        for (const auto& [name, version] :
             {std::pair(std::string(), outermost), {two, between}, {three, innermost}}) {
          const Eigen::Vector3d axis = joint_of(m, name + "j").at_parent.rotation.col(2);
          const Eigen::Vector3d wanted =
              version == "1.4" ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY();
          EXPECT_LT((axis - wanted).norm(), 1e-12) << of << ", " << name;
        }
      }
    }
  }
}

TEST_F(SdfInclude, ThatIncludesItselfIsRefused) {
  write("cart/loop/model.sdf",
        "<sdf version='1.9'><model name='loop'><link name='l'/><include><uri>model.sdf</uri>"
        "</include></model></sdf>");
  EXPECT_THROW(read("<include><uri>loop</uri></include>"), ModelError);
}

}  // namespace
}  // namespace hamiltree
