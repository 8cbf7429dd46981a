// Every limit of base/limits.hpp: what is at the limit is read, what is beyond it is refused by the
// limit's name. And that what is allowed takes neither stack nor quadratic time.
#include "hamiltree/base/limits.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>

#include "hamiltree/io/export/gltf_file.hpp"
#include "hamiltree/io/import/json_file.hpp"
#include "hamiltree/io/import/read_text.hpp"
#include "hamiltree/sweep/study.hpp"
#include "import_text.hpp"
#include "native_text.hpp"
#include "support/own_path.hpp"

namespace hamiltree {
namespace {

namespace fs = std::filesystem;

using test::import_error;
using test::import_text;
using test::kPlanar;
using test::kSpatial;
using test::model_error;
using test::parse;

const std::string kMany = "[[body]]\nname = \"b{i}\"\nmass = 1\ninertia = 1\nrepeat = ";

// A folder of this test's own, gone at its end.
class Limits : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = test::own_path("limits");
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  // A file of so many zeros, which take no place on the disk.
  fs::path zeros(const std::string& name, std::size_t bytes) const {
    fs::resize_file(write(name, ""), bytes);
    return folder_ / name;
  }

  fs::path folder_;
};

std::string repeated(const std::string& text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

template <class Error, class F>
std::string error_of(const F& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST_F(Limits, FileSize) {
  const auto large = zeros("large.toml", kFileSize.value + 1);
  const std::string refused =
      large.string() + ": is larger than the limit file_size (67108864), in bytes";
  ImportLog log;
  EXPECT_EQ(error_of<ModelError>([&] { read_model(large, {}, log); }), refused);
  EXPECT_EQ(error_of<ModelError>([&] { read_study(large, {}, log); }), refused);
  EXPECT_EQ(read_text(zeros("fits.toml", kFileSize.value)).size(), kFileSize.value);
  // A device does not say how much is in it.
  EXPECT_EQ(error_of<ModelError>([&] { read_text("/dev/zero"); }),
            "/dev/zero: is larger than the limit file_size (67108864), in bytes");
  EXPECT_EQ(import_error("<robot>" + std::string(kFileSize.value, ' ') + "</robot>"),
            "m.xml:1: is larger than the limit file_size (67108864), in bytes");
}

TEST_F(Limits, RunFileSize) {
  const auto large = zeros("sweep.json", kRunFileSize.value + 1);
  EXPECT_EQ(error_of<std::runtime_error>([&] { read_json(large); }),
            large.string() + ": is larger than the limit run_file_size (536870912), in bytes");
}

TEST_F(Limits, DepthOfXml) {
  const auto nested = [](std::size_t depth) {
    return "<robot>" + repeated("<a>\n", depth - 1) + repeated("</a>", depth - 1) + "</robot>";
  };
  EXPECT_EQ(import_error(nested(kDepth.value + 1)),
            "m.xml:256: elements nest deeper than the limit depth (256)");
  EXPECT_EQ(import_error(nested(1'000'000)),
            "m.xml:256: elements nest deeper than the limit depth (256)");
  EXPECT_EQ(import_error(nested(kDepth.value)), "no ModelError");
}

TEST_F(Limits, DepthOfToml) {
  const auto nested = [](std::size_t depth) {
    return kPlanar + "x = " + repeated("[\n", depth) + repeated("]", depth) + "\n";
  };
  EXPECT_EQ(model_error(nested(kDepth.value + 1)),
            "m.toml:260: values nest deeper than the limit depth (256)");
  EXPECT_EQ(model_error(kPlanar + "x = " + repeated("{a=[", 1'000'000)),
            "m.toml:4: values nest deeper than the limit depth (256)");
  EXPECT_TRUE(model_error(nested(200)).starts_with("m.toml:4: unknown key \"x\""));
}

TEST_F(Limits, DepthOfJson) {
  const auto file = [&](std::size_t depth) {
    return write("x.json", repeated("[", depth) + repeated("]", depth));
  };
  EXPECT_EQ(error_of<std::runtime_error>([&] { read_json(file(1'000'000)); }),
            "values nest deeper than the limit depth (256)");
  EXPECT_EQ(error_of<std::runtime_error>([&] { read_json(file(kDepth.value)); }), "no error");
}

TEST_F(Limits, DepthOfYaml) {
  const auto robot =
      "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/>"
      "</inertial></link></robot>";
  const auto urdf = write("r.urdf", robot);
  write("r.yaml", "closed_loop: " + repeated("[", 100'000));
  ImportLog log;
  const auto error = error_of<ModelError>([&] { read_model(urdf, {}, log); });
  EXPECT_NE(error.find("r.yaml:1: "), error.npos) << error;
}

TEST_F(Limits, KeyParts) {
  const auto key = [](std::size_t parts) { return "a" + repeated(".a", parts - 1); };
  const std::string refused = "m.toml:4: a key has more parts than the limit key_parts (16)";
  EXPECT_EQ(model_error(kPlanar + key(kKeyParts.value + 1) + " = 1\n"), refused);
  EXPECT_EQ(model_error(kPlanar + "[" + key(100'000) + "]\n"), refused);
  EXPECT_TRUE(model_error(kPlanar + key(kKeyParts.value) + " = 1\n")
                  .starts_with("m.toml:4: unknown key \"a\""));
  // Points that are none of a key.
  EXPECT_EQ(parse(kPlanar + "# " + std::string(80, '.') + "\n").bodies.size(), 0U);
  EXPECT_EQ(parse("name = \"" + std::string(80, '.') + "\"\n" + kPlanar).name.size(), 80U);
  EXPECT_TRUE(model_error(kPlanar + "x = [" + repeated("0.5, ", 100) + "]\n")
                  .starts_with("m.toml:4: unknown key \"x\""));
}

TEST_F(Limits, StringLength) {
  const auto named = [](std::size_t length) {
    return "name = \"" + std::string(length, 'n') + "\"\n" + kPlanar;
  };
  EXPECT_EQ(model_error(named(kStringLength.value + 1)),
            "m.toml:1: name is longer than the limit string_length (1024), in bytes");
  EXPECT_EQ(model_error(named(kStringLength.value)), "no ModelError");
  const auto error = import_error("<robot>\n<link name='" + std::string(1025, 'n') + "'/></robot>");
  EXPECT_NE(error.find(": name is longer than the limit string_length (1024), in bytes"),
            error.npos);
  // A list of numbers is no word.
  EXPECT_EQ(import_error("<robot>\n<link name='a'><inertial><origin xyz='" + repeated("0 ", 2000) +
                         "'/></inertial></link></robot>"),
            "m.xml:2: <origin>: xyz needs 3 numbers, has 2000");
}

// Names of SDF grow with each model around them.
TEST_F(Limits, StringLengthOfScopedNames) {
  const std::string name(100, 'n');
  const auto error =
      import_error("<sdf version='1.9'>" + repeated("<model name='" + name + "'>\n", 12) +
                   "<link name='l'/>" + repeated("</model>", 12) + "</sdf>");
  EXPECT_NE(error.find("its name with those of its models is longer than the limit string_length"),
            error.npos)
      << error;
}

TEST_F(Limits, IncludeDepth) {
  const auto chain = [&](std::size_t depth) {
    for (std::size_t i = 1; i < depth; ++i) {
      write("part" + std::to_string(i) + ".xml",
            "<mujoco>\n<include file='part" + std::to_string(i + 1) + ".xml'/></mujoco>");
    }
    write("part" + std::to_string(depth) + ".xml", "<mujoco/>");
    ImportLog log;
    const auto model = write("model.xml", "<mujoco><include file='part1.xml'/></mujoco>");
    return error_of<ModelError>([&] { read_model(model, {}, log); });
  };
  EXPECT_EQ(chain(kIncludeDepth.value + 1),
            (folder_ / "part16.xml").string() +
                ":2: <include>: files include each other deeper than the limit include_depth (16)");
  EXPECT_EQ(chain(kIncludeDepth.value), "no error");
}

// The included file lies in the one that includes it.
TEST_F(Limits, DepthOfIncludedXml) {
  write("part.xml", "<mujoco>" + repeated("<a>", 200) + repeated("</a>", 200) + "</mujoco>");
  const auto model =
      write("model.xml", "<mujoco>" + repeated("<b>", 100) + "<include file='part.xml'/>" +
                             repeated("</b>", 100) + "</mujoco>");
  ImportLog log;
  const auto error = error_of<ModelError>([&] { read_model(model, {}, log); });
  EXPECT_NE(error.find("part.xml:1: <a>: where it is included, elements nest deeper than the limit "
                       "depth (256)"),
            error.npos)
      << error;
}

TEST_F(Limits, Elements) {
  EXPECT_EQ(import_error("<robot>\n" + repeated("<a/>", kElements.value) + "</robot>"),
            "m.xml:2: has more elements than the limit elements (2000000)");
  write("part.xml", "<mujoco>" + repeated("<a/>", kElements.value - 10) + "</mujoco>");
  const auto model =
      write("model.xml", "<mujoco>" + repeated("<b/>", 20) + "<include file='part.xml'/></mujoco>");
  ImportLog log;
  const auto error = error_of<ModelError>([&] { read_model(model, {}, log); });
  EXPECT_NE(error.find("what is included makes more elements than the limit elements (2000000)"),
            error.npos)
      << error;
  EXPECT_EQ(model_error(kPlanar + "[[sensor]]\nname = \"s{i}\"\nrepeat = 2_000_001\n"),
            "m.toml:6: sensor number 1: asks for more than the limit elements (2000000)");
}

TEST_F(Limits, Bodies) {
  EXPECT_EQ(model_error(kPlanar + kMany + "2_000_001\n"),
            "m.toml:8: body number 1: asks for more than the limit bodies (2000000)");
  // Before any is made.
  EXPECT_EQ(model_error(kPlanar + kMany + "1_999_999\n" + kMany + "2\n"),
            "m.toml:13: body number 2: asks for more than the limit bodies (2000000)");
  EXPECT_EQ(model_error(kPlanar + kMany + "9_223_372_036_854_775_807\n"),
            "m.toml:8: body number 1: asks for more than the limit bodies (2000000)");
}

TEST_F(Limits, Samples) {
  write("model.toml", kPlanar);
  const auto refused = [&](const std::string& text) {
    ImportLog log;
    const auto study = write("study.toml", "format = 1\nmodel = \"model.toml\"\n" + text);
    return error_of<ModelError>([&] { read_study(study, {}, log); });
  };
  const std::string place = (folder_ / "study.toml").string();
  EXPECT_EQ(refused("[sample]\nmethod = \"random\"\nseed = 1\ncount = 100_000_001\n"),
            place + ":6: count is more than the limit samples (100000000)");
  const std::string parameter = "[[parameter]]\npath = \"gravity.1\"\nfrom = 1\nto = 2\n";
  EXPECT_EQ(
      refused("[sample]\nmethod = \"grid\"\n" + parameter + "count = 100_000_001\n"),
      place + ":9: parameter \"gravity.1\": count is more than the limit samples (100000000)");
  EXPECT_EQ(refused("[sample]\nmethod = \"grid\"\n" + parameter + "count = 10_001\n" +
                    "[[parameter]]\npath = \"gravity.0\"\nfrom = 1\nto = 2\ncount = 10_000\n"),
            place + ":3: the grid has more samples than the limit samples (100000000)");
}

// --- files that a model names ---

class NamedFiles : public Limits {
 protected:
  void SetUp() override {
    Limits::SetUp();
    fs::create_directories(folder_ / "robot" / "parts");
    write("robot/parts/arm.xml", kPart);
    write("secret.xml", kPart);
  }

  // A model in the folder robot, with the text by which it includes a file.
  std::string included(const std::string& name, const ImportOptions& options = {}) const {
    const auto model =
        write("robot/model.xml", "<mujoco>\n<include file='" + name + "'/></mujoco>");
    ImportLog log;
    const auto error = error_of<ModelError>([&] { read_model(model, options, log); });
    const std::string place = model.string() + ":2: <include>: \"" + name + "\" ";
    return error.starts_with(place) ? error.substr(place.size()) : error;
  }

  const std::string kPart = "<mujocoinclude/>";
  const std::string kOutside = "lies outside of the model's folder (--files-elsewhere reads it)";
};

TEST_F(NamedFiles, OfTheModelsFolderAreRead) {
  EXPECT_EQ(included("parts/arm.xml"), "no error");
  EXPECT_EQ(included("parts/../parts/arm.xml"), "no error");
  EXPECT_EQ(included((folder_ / "robot/parts/arm.xml").string()), "no error");
}

TEST_F(NamedFiles, ElsewhereAreRefused) {
  const auto absolute = (folder_ / "secret.xml").string();
  fs::create_symlink(absolute, folder_ / "robot" / "link.xml");
  fs::create_directory_symlink(folder_, folder_ / "robot" / "up");
  for (const std::string& name : {std::string("../secret.xml"), std::string("link.xml"),
                                  std::string("up/secret.xml"), absolute}) {
    EXPECT_EQ(included(name), kOutside) << name;
    EXPECT_EQ(included(name, {.files_elsewhere = true}), "no error") << name;
  }
}

TEST_F(NamedFiles, OfAFolderWithAnAlikeNameAreElsewhere) {
  fs::create_directories(folder_ / "robot2");
  write("robot2/arm.xml", kPart);
  EXPECT_EQ(included("../robot2/arm.xml"), kOutside);
}

TEST_F(NamedFiles, BesideWhatALinkToTheModelLeadsToAreRead) {
  write("robot/model.xml", "<mujoco><include file='parts/arm.xml'/></mujoco>");
  fs::create_directories(folder_ / "install" / "parts");
  fs::create_symlink(folder_ / "robot/model.xml", folder_ / "install" / "model.xml");
  fs::create_symlink(folder_ / "robot/parts/arm.xml", folder_ / "install" / "parts" / "arm.xml");
  ImportLog log;
  EXPECT_NO_THROW(read_model(folder_ / "install" / "model.xml", {}, log));
}

TEST_F(NamedFiles, ThatAreNoFilesAreRefused) {
  EXPECT_EQ(included("package://robot/arm.xml"), "is an address, only files are read");
  EXPECT_EQ(included("file:///etc/passwd", {.files_elsewhere = true}),
            "is an address, only files are read");
  EXPECT_EQ(included("nothing.xml"), "cannot be read");
  EXPECT_EQ(included("parts"), "is no ordinary file");
  EXPECT_EQ(included("/dev/zero", {.files_elsewhere = true}), "is no ordinary file");
}

TEST_F(NamedFiles, BesideAUrdfAreOfItsFolder) {
  const auto urdf = write("robot/r.urdf", "<robot name='r'><link name='a'/></robot>");
  write("loops.yaml", "closed_loop: []\n");
  fs::create_symlink(folder_ / "loops.yaml", folder_ / "robot" / "r.yaml");
  ImportLog log;
  EXPECT_EQ(error_of<ModelError>([&] { read_model(urdf, {}, log); }),
            (folder_ / "robot/r.yaml").string() + ": " + kOutside);
  EXPECT_NO_THROW(read_model(urdf, {.files_elsewhere = true}, log));
}

// A mesh that may not be read is not drawn, and no reason to refuse the model.
TEST_F(NamedFiles, MeshesToLookAtLieInTheFolder) {
  write("robot/in.stl", "solid");
  write("out.stl", "solid");
  const auto urdf_with = [](const std::string& mesh) {
    return "<robot name='r'><link name='a'><visual><geometry><mesh filename='" + mesh +
           "'/></geometry></visual><inertial><mass value='1'/>"
           "<inertia ixx='1' iyy='1' izz='1'/></inertial></link></robot>";
  };
  const auto drawn = [&](const std::string& mesh, const ImportOptions& options = {}) {
    ImportLog log(true);
    const auto source = read_model(write("robot/r.urdf", urdf_with(mesh)), options, log);
    const auto lines = log.lines();
    return source.looks().size() == 1 ? "yes" : lines.back();
  };
  const auto not_drawn = [](const std::string& mesh, const std::string& why) {
    return "\"" + mesh + "\" is not drawn: it " + why;
  };
  const std::string outside = "lies outside of the model's folder (--files-elsewhere reads it)";
  for (const char* inside :
       {"in.stl", "package://robot/in.stl", "package:///in.stl", "model://robot/in.stl"}) {
    EXPECT_EQ(drawn(inside), "yes") << inside;
  }
  for (const char* elsewhere : {"../out.stl", "package://robot/../out.stl"}) {
    EXPECT_EQ(drawn(elsewhere), not_drawn(elsewhere, outside));
    EXPECT_EQ(drawn(elsewhere, {.files_elsewhere = true}), "yes") << elsewhere;
  }
  EXPECT_EQ(drawn("package://../../etc/x"),
            not_drawn("package://../../etc/x", "is in no folder around the model"));
  EXPECT_EQ(drawn("http://a/in.stl"),
            not_drawn("http://a/in.stl", "is an address, only files are read"));
  EXPECT_EQ(drawn("r.urdf"), not_drawn("r.urdf", "is none of STL, OBJ, MSH, glTF and Collada"));
}

// A mesh whose numbers lie in another file is given as one.
TEST_F(NamedFiles, NumbersOfGltfAreOfItsFolder) {
  write("robot/a b.bin", "1234");
  write("out.bin", "5678");
  const auto whole = [&](const std::string& uri, const ImportOptions& options = {}) {
    const auto path =
        write("robot/m.gltf", R"({"buffers": [{"byteLength": 4, "uri": ")" + uri + "\"}]}");
    return read_whole_gltf(path, options);
  };
  const std::string data = "data:application/octet-stream;base64,";
  EXPECT_NE(whole("a%20b.bin").find("\"uri\":\"" + data + "MTIzNA==\""), std::string::npos);
  EXPECT_EQ(whole(data + "MTIzNA=="),
            R"({"buffers": [{"byteLength": 4, "uri": ")" + data + "MTIzNA==\"}]}");
  const auto error = [&](const std::string& uri) {
    return error_of<std::runtime_error>([&] { whole(uri); });
  };
  EXPECT_EQ(error("../out.bin"),
            "names \"../out.bin\", which lies outside of the model's folder (--files-elsewhere "
            "reads it)");
  EXPECT_NE(whole("../out.bin", {.files_elsewhere = true}).find("NTY3OA=="), std::string::npos);
  EXPECT_EQ(error("http://a/b.bin"),
            "names \"http://a/b.bin\", which is an address, only files are read");
  EXPECT_EQ(error("nothing"), "names \"nothing\", which cannot be read");
}

// --- long chains ---

constexpr int kChain = 20'000;

std::string urdf_link(int i, bool massless) {
  const std::string inertial =
      "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>";
  return "<link name='b" + std::to_string(i) + "'>" + (massless ? "" : inertial) + "</link>\n";
}

std::string urdf_joint(int i, const std::string& type, const std::string& more) {
  const std::string parent = i == 0 ? "world" : "b" + std::to_string(i - 1);
  return "<joint name='j" + std::to_string(i) + "' type='" + type + "'><parent link='" + parent +
         "'/><child link='b" + std::to_string(i) + "'/><origin xyz='1 0 0'/>" + more + "</joint>\n";
}

struct Chain {
  std::string type = "revolute", more = "";
  bool reversed = false, massless = false;
};

std::string urdf_chain(const Chain& chain) {
  std::string text = "<robot name='r'><link name='world'/>\n";
  for (int k = 0; k < kChain; ++k) {
    const int i = chain.reversed ? kChain - 1 - k : k;
    text += urdf_link(i, chain.massless && i > 0) +
            urdf_joint(i, i == 0 ? "revolute" : chain.type, chain.more);
  }
  return text + "</robot>";
}

// A chain takes some 0.3 s; quadratic time would be minutes.
template <class F>
void expect_quick(const F& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_LT(taken.count(), 20.0);
}

TEST(LongChains, OfUrdfTakeLinearTime) {
  for (const Chain& chain :
       {Chain{}, Chain{.reversed = true}, Chain{.more = "<limit lower='-1' upper='1'/>"},
        Chain{.massless = true}, Chain{.type = "fixed", .reversed = true},
        Chain{.more = "<dynamics damping='1'/><limit lower='1' upper='2'/>", .reversed = true}}) {
    expect_quick([&] {
      const auto imported = import_text(urdf_chain(chain));
      EXPECT_EQ(imported.mechanism.bodies.size(),
                chain.massless || chain.type == "fixed" ? 1U : static_cast<std::size_t>(kChain));
    });
  }
}

TEST(LongChains, WithCouplingsTakeLinearTime) {
  const auto last = std::to_string(kChain - 1);
  const std::string coupling = "<coupling name='c'><predecessor link='b0'/><successor link='b" +
                               last + "'/><ratio value='2'/></coupling></robot>";
  auto text = urdf_chain({});
  text.replace(text.rfind("</robot>"), std::string::npos, coupling);
  expect_quick([&] { EXPECT_NE(import_error(text), "no ModelError"); });
}

// Frames that are each relative to one said later.
TEST(LongChains, OfSdfTakeNoStack) {
  std::string links, joints;
  for (int i = 100'000; i > 0; --i) {
    const std::string name = "b" + std::to_string(i), before = "b" + std::to_string(i - 1);
    links +=
        "<link name='" + name + "'><pose relative_to='" + before + "'>1 0 0 0 0 0</pose></link>";
  }
  links += "<link name='b0'/>";
  const auto text = "<sdf version='1.9'><model name='m'>" + links + joints + "</model></sdf>";
  expect_quick([&] {
    const auto imported = import_text(text);
    ASSERT_EQ(imported.mechanism.joints.size(), 100'001U);
    EXPECT_EQ(test::joint_of(imported.mechanism, "b100000").guess_q->x(), 100'000.0);
  });
}

TEST(LongChains, OfMjcfEqualitiesTakeLinearTime) {
  std::string bodies, equalities;
  for (int i = 0; i < kChain; ++i) {
    const auto name = "b" + std::to_string(i);
    bodies += "<body name='" + name + "'><freejoint/><geom size='.1'/></body>";
    equalities += "<connect body1='" + name + "' anchor='0 0 1'/>";
  }
  const auto text = "<mujoco><worldbody>" + bodies + "</worldbody><equality>" + equalities +
                    "</equality></mujoco>";
  expect_quick([&] { EXPECT_EQ(import_text(text).mechanism.joints.size(), 2U * kChain); });
}

TEST(LongChains, WithManyWarningsTakeLinearTime) {
  std::string text = "<robot name='r'>" + urdf_link(0, false);
  for (int i = 0; i < 100'000; ++i) text += "<unknown" + std::to_string(i) + "/>";
  expect_quick([&] { EXPECT_EQ(import_text(text + "</robot>").log.warning_count(), 100'000U); });
}

}  // namespace
}  // namespace hamiltree
