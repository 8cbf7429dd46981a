// Variants of a model are what the same overrides make of it, in whatever order they are asked for.
#include "hamiltree/io/model_variants.hpp"

#include <array>
#include <limits>

#include "io/native_text.hpp"

namespace hamiltree::test {
namespace {

constexpr std::array kFirst{3.0, 0.3}, kSecond{1.0 / 3.0, -0.2};
const std::vector<std::string> kPaths{"body.b.mass", "joint.A.initial.q"};

ModelSource source() { return {"m.toml", kPlanar + kBody + kJoint, {}, {}, {}, {}}; }

TEST(ModelVariants, AreReadAgainWithOtherNumbers) {
  ModelVariants variants(source(), {"body.b.com=[1, 2]"}, kPaths);
  variants.with(kFirst);
  const auto second = variants.with(kSecond);
  EXPECT_EQ(second.bodies[0].mass, 1.0 / 3.0);
  EXPECT_EQ(second.bodies[0].com, Eigen::Vector3d(1.0, 2.0, 0.0));
  EXPECT_EQ((*second.joints[0].initial_q)(0), -0.2);
  ModelVariants copy(variants);
  EXPECT_EQ(copy.with(kFirst).bodies[0].mass, 3.0);
  EXPECT_EQ(variants.with(kSecond).bodies[0].mass, 1.0 / 3.0);
}

TEST(ModelVariants, NameThePathOfWhatIsRefused) {
  ModelVariants variants(source(), {}, kPaths);
  const auto refusal = [](auto& of, const auto& values) -> std::string {
    try {
      of.with(values);
    } catch (const UsageError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(refusal(variants, std::array{1.0, std::numeric_limits<double>::quiet_NaN()}),
            "joint.A.initial.q: joint \"A\": initial.q is not a number (nan)");
  EXPECT_EQ(refusal(variants, kFirst), "");
  ModelVariants nowhere(source(), {}, {"body.c.mass"});
  EXPECT_EQ(refusal(nowhere, std::array{1.0}),
            "body.c.mass: no body is named \"c\"; known names are b");
  EXPECT_THROW(nowhere.check_paths(std::array{1.0}), UsageError);
  EXPECT_THROW(ModelVariants(source(), {}, {"body..mass"}), UsageError);
}

}  // namespace
}  // namespace hamiltree::test
