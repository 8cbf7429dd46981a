// SDF files against libsdformat: the same links, masses, poses, and joints between the same links.
#include <gtest/gtest.h>

#include <map>

#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/imported_looks.hpp"
#include "hamiltree/io/import/read_text.hpp"
#include "hamiltree/io/import/sdf/sdf.hpp"
#include "oracle_models.hpp"

#ifdef HAMILTREE_SDFORMAT
#include <sdf/sdf.hh>
#endif

namespace hamiltree {
namespace {

#ifndef HAMILTREE_SDFORMAT

TEST(Sdformat, LinksAndJoints) { GTEST_SKIP() << "libsdformat is not there (libsdformat-dev)"; }

#else

using Pose = ignition::math::Pose3d;

// The links and joints of libsdformat by the names that ours have.
struct Theirs {
  std::map<std::string, Pose> poses;
  std::map<std::string, const sdf::Link*> links;
  std::map<std::string, std::pair<std::string, std::string>> joints;  // parent, child

  void add(const sdf::Model& model, const std::string& prefix, const Pose& outside) {
    Pose own;
    EXPECT_TRUE(model.SemanticPose().Resolve(own).empty());
    const Pose X = outside * own;
    for (std::uint64_t i = 0; i < model.LinkCount(); ++i) {
      const auto* link = model.LinkByIndex(i);
      Pose in_model;
      EXPECT_TRUE(link->SemanticPose().Resolve(in_model).empty());
      poses[prefix + link->Name()] = X * in_model;
      links[prefix + link->Name()] = link;
    }
    for (std::uint64_t i = 0; i < model.JointCount(); ++i) {
      const auto* joint = model.JointByIndex(i);
      std::string parent, child;
      joint->ResolveParentLink(parent);
      joint->ResolveChildLink(child);
      joints[prefix + joint->Name()] = {parent == "world" ? kGround : prefix + parent,
                                        prefix + child};
    }
    for (std::uint64_t i = 0; i < model.ModelCount(); ++i) {
      const auto* inner = model.ModelByIndex(i);
      add(*inner, prefix + inner->Name() + "::", X);
    }
  }
};

Frame to_frame(const Pose& X) {
  return {{X.Pos().X(), X.Pos().Y(), X.Pos().Z()},
          from_quat_wxyz({X.Rot().W(), X.Rot().X(), X.Rot().Y(), X.Rot().Z()})};
}

// Where our links are when all joints are at zero, and those that float where they start.
std::map<std::string, Frame> placed(const Mechanism& mechanism) {
  std::map<std::string, Frame> poses{{kGround, {}}};
  for (bool more = true; more;) {
    more = false;
    for (const auto& joint : mechanism.joints) {
      Frame at_q;
      if (joint.type == JointType::kFree) {
        at_q = {joint.guess_q->head<3>(), from_quat_wxyz(joint.guess_q->tail<4>())};
      }
      const Frame X = compose(compose(joint.at_parent, at_q), inverse(joint.at_child));
      if (poses.contains(joint.parent) == poses.contains(joint.child)) continue;
      more = true;
      if (poses.contains(joint.parent)) {
        poses[joint.child] = compose(poses.at(joint.parent), X);
      } else {
        poses[joint.parent] = compose(poses.at(joint.child), inverse(X));
      }
    }
  }
  return poses;
}

class Sdformat : public testing::TestWithParam<std::filesystem::path> {};

// Measured at most 2e-12, of files with turns of many radians.
TEST_P(Sdformat, LinksAndJoints) {
  const auto& file = GetParam();
  Mechanism ours;
  try {
    ImportLog log;
    XmlDocument document(read_text(file), file.string(), log);
    ImportedLooks looks(file, {});
    ours = read_sdf(document, file, {}, log, looks);
  } catch (const ModelError& error) {
    GTEST_SKIP() << error.what();
  }
  sdf::Root root;
  if (const auto errors = root.Load(file.string()); !errors.empty()) {
    GTEST_SKIP() << "libsdformat: " << errors.front().Message();
  }
  Theirs theirs;
  if (root.Model() != nullptr) theirs.add(*root.Model(), "", {});
  for (std::uint64_t w = 0; w < root.WorldCount(); ++w) {
    const auto* world = root.WorldByIndex(w);
    for (std::uint64_t i = 0; i < world->ModelCount(); ++i) {
      const auto* model = world->ModelByIndex(i);
      theirs.add(*model, model->Name() + "::", {});
    }
  }
  const auto poses = placed(ours);
  std::size_t links = 0;
  for (const auto& body : ours.bodies) {
    if (!theirs.links.contains(body.name)) continue;  // the cross of a universal joint
    ++links;
    EXPECT_LT(distance(poses.at(body.name), to_frame(theirs.poses.at(body.name))), 1e-9)
        << body.name;
    const auto& inertial = theirs.links.at(body.name)->Inertial();
    EXPECT_DOUBLE_EQ(body.mass, inertial.MassMatrix().Mass()) << body.name;
    const auto J = inertial.Moi();
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) {
        EXPECT_NEAR(body.inertia(r, c), J(static_cast<unsigned>(r), static_cast<unsigned>(c)),
                    1e-9 * (1.0 + body.inertia.norm()))
            << body.name;
      }
    }
  }
  EXPECT_EQ(links, theirs.links.size());
  for (const auto& joint : ours.joints) {
    const auto their = theirs.joints.find(joint.name);
    if (their == theirs.joints.end()) continue;
    if (theirs.links.contains(joint.parent)) {
      EXPECT_EQ(joint.parent, their->second.first);
    }
    if (theirs.links.contains(joint.child)) {
      EXPECT_EQ(joint.child, their->second.second);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, Sdformat, testing::ValuesIn(test::oracle_files({".sdf"})),
                         test::name_of_file);

#endif

}  // namespace
}  // namespace hamiltree
