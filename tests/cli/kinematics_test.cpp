// hamiltree kinematics --reach: within the limits of joints, and beyond them where that is asked
// for.
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace hamiltree::test {
namespace {

constexpr const char* kPendulum = R"(format = 1
space = "planar"
gravity = [0, 0]

[[body]]
name = "rod"
mass = 1.0
inertia = 0.1

[[joint]]
name = "pin"
type = "revolute"
parent = "ground"
child = "rod"
limits = { lower = -1.0, upper = 1.0, stiffness = 1e4 }
)";

class Kinematics : public Cli {};

TEST_F(Kinematics, ReachesWithinLimits) {
  const auto model = write("pendulum.toml", kPendulum);
  const auto reach = [&](const std::string& target) {
    return std::vector<std::string>{"kinematics", model, "--reach", "rod:1,0=" + target, "--json"};
  };
  const auto within = run(reach("0.6,0.8"));
  ASSERT_EQ(within.exit_code, 0) << within.err;
  EXPECT_NEAR(nlohmann::json::parse(within.out)["q"][0], std::atan2(0.8, 0.6), 1e-9);

  auto arguments = reach("0,1");
  const auto beyond = run(arguments);
  EXPECT_EQ(beyond.exit_code, 1);
  EXPECT_EQ(beyond.out, "");
  EXPECT_TRUE(is_one_sentence(beyond.err));
  EXPECT_TRUE(contains(beyond.err, "no pose was found that reaches the targets: one is missed by"));
  arguments.emplace_back("--ignore-limits");
  const auto ignored = run(arguments);
  ASSERT_EQ(ignored.exit_code, 0) << ignored.err;
  EXPECT_NEAR(nlohmann::json::parse(ignored.out)["q"][0], std::atan2(1.0, 0.0), 1e-9);
  EXPECT_EQ(run({"kinematics", model, "--ignore-limits"}).exit_code, 2);
}

}  // namespace
}  // namespace hamiltree::test
