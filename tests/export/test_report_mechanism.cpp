// The report's description of the mechanism itself, against what the simulation recorded on its own
// way: reaction sensors, residuals, the plan.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hamiltree/formulations/choice/lane_places.hpp"
#include "hamiltree/hamiltree.hpp"
#include "hamiltree/io/export/report_data.hpp"

namespace hamiltree {
namespace {

using Json = nlohmann::json;

struct Ran {
  Recording recording;
  Json data;
};

Mechanism shipped(const std::string& name) {
  return load(std::string(HAMILTREE_MECHANISMS) + "/" + name + "/model.toml").mechanism();
}

Ran simulate(const Mechanism& mechanism, const SimulationOptions& options = {}) {
  Simulation simulation(Model(mechanism), options);
  Ran ran{simulation.run_until(0.5, 0.05), {}};
  ran.data = Json::parse(to_report_data(ran.recording, &simulation.model()));
  return ran;
}

std::size_t joint_named(const Json& data, const std::string& name) {
  for (std::size_t j = 0; j < data["joints"].size(); ++j) {
    if (data["joints"][j]["name"] == name) return j;
  }
  ADD_FAILURE() << "no joint " << name;
  return 0;
}

const Json& channel(const Json& data, const std::string& name) {
  for (const auto& sensor : data["sensors"]) {
    if (sensor["name"] == name) return sensor["values"];
  }
  throw std::runtime_error("no sensor " + name);
}

// Each component of each joint's reaction as a sensor says it, to the report's five digits.
void expect_reactions(Mechanism mechanism, const SimulationOptions& options) {
  for (const auto& joint : mechanism.joints) {
    mechanism.sensors.push_back(ReactionSensor{"on_" + joint.name, joint.name, {}});
  }
  const auto [recording, data] = simulate(mechanism, options);
  const bool planar = mechanism.space == SpaceKind::kPlanar;
  const std::vector<std::string> parts =
      planar ? std::vector<std::string>{".force.x", ".force.y", ".moment"}
             : std::vector<std::string>{".force.x",  ".force.y",  ".force.z",
                                        ".moment.x", ".moment.y", ".moment.z"};
  double largest = 0.0;
  for (const auto& joint : mechanism.joints) {
    const auto& numbers = data["reactions"][joint_named(data, joint.name)];
    ASSERT_EQ(numbers.size(), parts.size() * recording.samples.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto& sensor = channel(data, "on_" + joint.name + parts[i]);
      for (std::size_t k = 0; k < sensor.size(); ++k) {
        const auto expected = sensor[k].get<double>();
        EXPECT_NEAR(numbers[k * parts.size() + i].get<double>(), expected,
                    1e-4 * std::abs(expected) + 1e-9)
            << joint.name << parts[i] << " at sample " << k;
        largest = std::max(largest, std::abs(expected));
      }
    }
  }
  EXPECT_GT(largest, 0.1);
}

TEST(ReportMechanism, ReactionsAreThoseOfSensors) {
  expect_reactions(shipped("four_bar"), {});
  expect_reactions(shipped("spatial_slider_crank"), {});
}

TEST(ReportMechanism, ReactionsOfFormulationsInVelocities) {
  expect_reactions(shipped("four_bar"), {.formulation = "dca"});
}

// The run leaves rows that come to imply one another, and so does the report.
TEST(ReportMechanism, ReactionsAreThoseOfSensorsWhereRowsChange) {
  expect_reactions(shipped("bricard"), {});
}

TEST(ReportMechanism, GapsAreTheResiduals) {
  for (const char* name : {"four_bar", "bricard", "rssr"}) {
    auto options = SimulationOptions{.integrator = with_step(RungeKutta4{}, 0.01)};
    options.projection = false;  // loops drift apart
    const auto [recording, data] = simulate(shipped(name), options);
    const std::size_t stride = recording.header.planar ? 3 : 4;
    const auto& gaps = data["gaps"];
    ASSERT_EQ(gaps.size(), static_cast<std::size_t>(recording.summary.model.loops));
    for (std::size_t k = 0; k < recording.samples.size(); ++k) {
      double most = 0.0;
      for (const auto& gap : gaps) {
        const auto size = gap[k * stride + stride - 1].get<double>();
        double square = 0.0;
        for (std::size_t i = 0; i + 1 < stride; ++i) {
          square += std::pow(gap[k * stride + i].get<double>(), 2);
        }
        EXPECT_LE(std::sqrt(square), size * 1.7321) << "three entries of at most the size";
        most = std::max(most, size);
      }
      const double expected = recording.samples[k].position_residual;
      EXPECT_NEAR(most, expected, 1e-4 * expected) << name << " at sample " << k;
    }
    EXPECT_GT(recording.samples.back().position_residual, 1e-13) << name;
  }
}

TEST(ReportMechanism, JointsNameWhatIsNotUnique) {
  const auto spatial = simulate(shipped("four_bar_spatial")).data;
  std::size_t open = 0, cuts = 0;
  for (const auto& joint : spatial["joints"]) {
    open += joint["not_unique"].size();
    cuts += joint["closes_loop"].get<bool>() ? 1 : 0;
  }
  EXPECT_GT(open, 0u);
  EXPECT_EQ(cuts, 1u);
  const auto planar = simulate(shipped("four_bar")).data;
  for (const auto& joint : planar["joints"]) {
    EXPECT_TRUE(joint["not_unique"].empty());
  }
}

TEST(ReportMechanism, PlanHoldsEveryBodyOnce) {
  const auto data = simulate(shipped("andrews"), {.formulation = "hdca"}).data;
  const auto& compounds = data["plan"]["compounds"];
  const auto bodies = data["bodies"].size();
  ASSERT_EQ(compounds.size(), 2 * bodies - 1);
  std::vector<int> seen(bodies, 0), taken(compounds.size(), 0);
  for (const auto& compound : compounds) {
    if (compound.contains("body")) {
      ++seen[compound["body"].get<std::size_t>()];
    } else {
      ++taken[compound["left"].get<std::size_t>()];
      ++taken[compound["right"].get<std::size_t>()];
    }
  }
  EXPECT_EQ(seen, std::vector<int>(bodies, 1));
  taken.back() = 1;  // the whole is in nothing else
  EXPECT_EQ(taken, std::vector<int>(compounds.size(), 1));
}

TEST(ReportMechanism, DenseHasNoPlanToShow) {
  const auto data = simulate(shipped("four_bar"), {.formulation = "dense"}).data;
  EXPECT_TRUE(data["plan"]["compounds"].empty());
  EXPECT_TRUE(data["plan"]["lanes"].empty());
}

// A chain of revolute joints in space that is long enough for eight segments.
Mechanism long_chain(int links) {
  Mechanism mechanism;
  mechanism.name = "chain";
  mechanism.space = SpaceKind::kSpatial;
  mechanism.gravity = {0.0, 0.0, -9.81};
  for (int i = 0; i < links; ++i) {
    BodyDescription body;
    body.name = "link_" + std::to_string(i);
    body.mass = 1.0;
    body.com = {0.1, 0.0, 0.0};
    body.inertia = 0.01 * Eigen::Matrix3d::Identity();
    mechanism.bodies.push_back(body);
    JointDescription joint;
    joint.name = "pin_" + std::to_string(i);
    joint.parent = i == 0 ? "ground" : mechanism.bodies[static_cast<std::size_t>(i - 1)].name;
    joint.child = body.name;
    if (i > 0) joint.at_parent.position = {0.2, 0.0, 0.0};
    mechanism.joints.push_back(joint);
  }
  return mechanism;
}

TEST(ReportMechanism, LanesOfALongChainAreItsSegments) {
  const auto data = simulate(long_chain(80), {.formulation = "recursive"}).data;
  const auto& lanes = data["plan"]["lanes"];
  ASSERT_EQ(lanes.size(), 80u);
  std::vector<int> bodies(8, 0);
  int before = 0;
  for (const auto& place : lanes) {
    EXPECT_EQ(place[0], 0);
    const int lane = place[1];
    EXPECT_GE(lane, before);  // one segment after the other, outwards
    before = lane;
    ++bodies.at(static_cast<std::size_t>(lane));
  }
  EXPECT_EQ(bodies, std::vector<int>(8, 10));
}

TEST(ReportMechanism, ShortChainIsInNoLane) {
  EXPECT_TRUE(lane_places(choice_of("recursive", Model(long_chain(3)))).empty());
}

}  // namespace
}  // namespace hamiltree
