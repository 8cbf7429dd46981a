// Sensors of joints show the same, whether the joint is in the tree or closes a loop.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "hamiltree/io/load.hpp"
#include "hamiltree/simulation/simulation.hpp"

namespace hamiltree {
namespace {

struct SensorCase {
  const char* mechanism;
  const char* joint;
};

std::ostream& operator<<(std::ostream& out, const SensorCase& c) { return out << c.mechanism; }

class JointSensors : public testing::TestWithParam<SensorCase> {
 protected:
  // The readings of a sensor on the joint over time, the first at the start.
  std::vector<Eigen::VectorXd> watch(const std::vector<std::string>& overrides, bool cut) const {
    const auto file = std::string(HAMILTREE_MECHANISMS) + "/" + GetParam().mechanism;
    auto mechanism = load(file + "/model.toml", overrides).mechanism();
    mechanism.sensors = {JointSensor{"joint", GetParam().joint, {}}};
    const Model model(mechanism);
    EXPECT_EQ(*model.find_joint(GetParam().joint) >= model.body_count(), cut);
    Simulation simulation(model, {.integrator = DormandPrince{1e-12, 1e-12}});
    std::vector<Eigen::VectorXd> values;
    for (const auto& sample : simulation.run_until(0.3, 0.1).samples) {
      values.push_back(sample.sensors);
    }
    return values;
  }
};

TEST_P(JointSensors, AreTheSameOnATreeJointAndOnACut) {
  const auto key = "joint." + std::string(GetParam().joint) + ".cut=";
  const auto as_cut = watch({key + "true"}, true);
  const auto as_tree = watch({key + "false"}, false);
  const auto coordinates = as_cut.front().size() - as_cut.front().size() / 2;
  ASSERT_EQ(as_tree.size(), as_cut.size());
  for (std::size_t i = 0; i < as_cut.size(); ++i) {
    // A quaternion and its negative are the same rotation; only a state keeps to one of them.
    Eigen::VectorXd seen = as_cut[i];
    if (coordinates == 4 && seen(0) * as_tree[i](0) < 0.0) seen.head<4>() *= -1.0;
    EXPECT_TRUE(as_tree[i].isApprox(seen, 1e-9)) << as_tree[i].transpose() << "\n"
                                                 << seen.transpose();
  }
}

INSTANTIATE_TEST_SUITE_P(Cuts, JointSensors,
                         testing::Values(SensorCase{"rssr", "C"}, SensorCase{"scotch_yoke", "pin"},
                                         SensorCase{"cardan_shaft", "output"},
                                         SensorCase{"screw_press", "guide"}),
                         [](const auto& info) { return std::string(info.param.mechanism); });

}  // namespace
}  // namespace hamiltree
