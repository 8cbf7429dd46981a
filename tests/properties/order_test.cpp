// The order of a file: bodies and joints in another order, joints the other way round, another root
// and other cuts. The motion is the same, and a run that one order can make all can make.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/kinematics.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "support/n_four_bars.hpp"
#include "support/random_mechanism.hpp"

namespace hamiltree {
namespace {

constexpr double kTight = 1e-12;

// Where all bodies are at the end, by name: centres of mass, m.
struct End {
  std::map<std::string, Eigen::Vector3d> bodies;
  double energy_error = 0.0;  // J
};

End run(const Mechanism& mechanism, const std::string& formulation, double until,
        double tolerance) {
  SimulationOptions options;
  options.formulation = formulation;
  options.integrator = DormandPrince{tolerance, tolerance};
  const Model model(mechanism);
  Simulation simulation(model, options);
  Recording recording;
  simulation.run_until(until, until, recording);
  End end;
  end.energy_error = recording.summary.energy.max_error;
  const auto& sample = recording.samples.back();
  for (std::size_t b = 0; b < sample.poses.size(); ++b) {
    const auto& pose = sample.poses[b];
    const Eigen::Quaterniond turn(pose.quat_wxyz(0), pose.quat_wxyz(1), pose.quat_wxyz(2),
                                  pose.quat_wxyz(3));
    end.bodies[recording.header.bodies[b].name] =
        pose.position + turn * recording.header.bodies[b].com;
  }
  return end;
}

double distance(const End& a, const End& b) {
  double largest = 0.0;
  for (const auto& [name, position] : a.bodies) {
    largest = std::max(largest, (b.bodies.at(name) - position).norm());
  }
  return largest;
}

// phi'' = G sin(phi) / I from the vertical, of all uprights: the mechanism has one freedom.
double upright_angle(int n, double until) {
  const double I = (n + 1) / 3.0 + n;
  const double G = 9.81 * ((n + 1) / 2.0 + n);
  long double phi = 0.0, rate = -1.0;
  const auto change = [&](long double x) { return G / I * std::sin(x); };
  constexpr int kSteps = 20000;
  const long double h = until / static_cast<long double>(kSteps);
  for (int i = 0; i < kSteps; ++i) {  // Runge and Kutta's
    const long double k1 = rate, l1 = change(phi);
    const long double k2 = rate + h / 2 * l1, l2 = change(phi + h / 2 * k1);
    const long double k3 = rate + h / 2 * l2, l3 = change(phi + h / 2 * k2);
    const long double k4 = rate + h * l3, l4 = change(phi + h * k3);
    phi += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    rate += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  return static_cast<double>(phi);
}

// Two flat poses are passed. As written the 40 loops would be one chain of 81 bodies, which fails
// at the first.
TEST(Order, OfFourBarsSideBySideChangesNothing) {
  constexpr double kUntil = 1.5;
  for (const int n : {2, 10, 40}) {
    const double phi = upright_angle(n, kUntil);
    const Eigen::Vector3d end(-0.5 * std::sin(phi), 0.5 * std::cos(phi), 0.0);
    for (const std::string formulation : {"recursive", "hdca"}) {
      double worst_energy = 0.0, worst = 0.0;
      for (const auto& [name, mechanism] : test::orders_of(test::n_four_bars(n), 3)) {
        const auto found = run(mechanism, formulation, kUntil, kTight);
        const double error = std::max(
            (found.bodies.at("upright_0") - end).norm(),
            (found.bodies.at("upright_" + std::to_string(n)) - end - Eigen::Vector3d(n, 0.0, 0.0))
                .norm());
        const std::string what = std::to_string(n) + ", " + name + ", " + formulation;
        EXPECT_LE(error, 1e-8) << what;
        EXPECT_LE(found.energy_error, 1e-9) << what;
        worst = std::max(worst, error);
        worst_energy = std::max(worst_energy, found.energy_error);
      }
      std::printf("%d four-bars, %s: worst position %.1e m, energy %.1e J\n", n,
                  formulation.c_str(), worst, worst_energy);
    }
  }
}

// The pendulum that all uprights are, at each second: its angles from the vertical.
std::vector<double> upright_angles(int n, int seconds) {
  std::vector<double> angles;
  for (int i = 1; i <= seconds; ++i) angles.push_back(upright_angle(n, i));
  return angles;
}

// All bodies at all seconds against the pendulum, m; the energy in all steps, J.
struct Found {
  double position = 0.0, energy = 0.0;
};

Found ten_seconds_by_auto(const Mechanism& mechanism, const std::vector<double>& angles,
                          double tolerance) {
  SimulationOptions options;
  options.integrator = Auto{tolerance, tolerance};
  const auto seconds = static_cast<double>(angles.size());
  const auto recording = Simulation(Model(mechanism), options).run_until(seconds, 1.0);
  Found found;
  found.energy = recording.summary.energy.max_error;
  for (const auto& sample : recording.samples) {
    if (sample.t == 0.0) continue;
    const double phi = angles[static_cast<std::size_t>(std::lround(sample.t)) - 1];
    const Eigen::Vector3d top(-std::sin(phi), std::cos(phi), 0.0);
    for (std::size_t b = 0; b < sample.poses.size(); ++b) {
      const auto& body = recording.header.bodies[b];
      const bool is_beam = body.name.starts_with("beam_");
      const double number = std::stod(body.name.substr(body.name.find('_') + 1));
      const Eigen::Vector3d expected =
          (is_beam ? 1.0 : 0.5) * top + Eigen::Vector3d(is_beam ? number - 0.5 : number, 0.0, 0.0);
      const auto& quat = sample.poses[b].quat_wxyz;
      const Eigen::Quaterniond turn(quat(0), quat(1), quat(2), quat(3));
      found.position =
          std::max(found.position, (sample.poses[b].position + turn * body.com - expected).norm());
    }
  }
  return found;
}

void expect_same_in_every_order(int n, int shuffles, double tolerance) {
  const auto angles = upright_angles(n, 10);
  Found worst;
  for (const auto& [name, mechanism] : test::orders_of(test::n_four_bars(n), shuffles)) {
    const auto found = ten_seconds_by_auto(mechanism, angles, tolerance);
    const std::string what = std::to_string(n) + ", " + name;
    EXPECT_LE(found.position, 1e-8) << what;
    EXPECT_LE(found.energy, 1e-9) << what;
    worst = {std::max(worst.position, found.position), std::max(worst.energy, found.energy)};
  }
  std::printf("%d four-bars, 10 s: worst position %.1e m, energy %.1e J\n", n, worst.position,
              worst.energy);
}

// Measured: 5e-11 m and 5e-10 J.
TEST(Order, OfTwoAndTenFourBarsForTenSecondsChangesNothing) {
  expect_same_in_every_order(2, 8, kTight);
  expect_same_in_every_order(10, 4, kTight);
}

// In the extended tests. Motions of 1240 and 1500 J; at 1e-12 a hundred lose up to 1.04e-9 J by the
// errors of steps. Measured: 5e-11 m and 4e-10 J.
TEST(Order, DISABLED_OfFortyAndHundredFourBarsForTenSecondsChangesNothing) {
  expect_same_in_every_order(40, 6, kTight);
  expect_same_in_every_order(100, 3, 3e-13);
}

// A kilometre away places have three digits less, and gaps as the differences of places turned the
// bars of a flat loop: 9e-8 and 3e-8 J were lost. Measured: 2e-10 J and 8e-11 J.
TEST(Order, OfFourBarsFarFromTheOriginChangesNothing) {
  for (const std::string formulation : {"recursive", "hdca"}) {
    const auto found =
        run(test::shuffled(test::n_four_bars(10, 1000.0), 20261123), formulation, 2.0, kTight);
    EXPECT_LE(found.energy_error, 1e-9) << formulation;
    std::printf("ten four-bars, 1 km away, %s: %.1e J\n", formulation.c_str(), found.energy_error);
  }
}

// Random loops that are closed where they start, all of whose joints have guesses. They start at
// rest, or turn as one body where they float.
class RandomLoops {
 public:
  RandomLoops(SpaceKind space, test::Topology topology, std::uint64_t seed) : random_(seed) {
    mechanism_ = random_.make(space, topology);
    mechanism_.forces.clear();
    const Model model(mechanism_);
    model.visit([&]<class Space>(const System<Space>& system) { start_closed(model, system); });
  }

  const Mechanism& mechanism() const { return mechanism_; }
  bool floats() const {
    return std::ranges::count(mechanism_.joints, kGround, &JointDescription::parent) == 1 &&
           mechanism_.joints.front().type == JointType::kFree;
  }

  // Bodies and joints in another order, half of the joints that allow it the other way round;
  // with `any_root`, where it floats another body hangs on the ground, and a random spanning tree
  // is cut.
  Mechanism reordered(unsigned seed, bool any_root) const {
    std::mt19937 random(seed);
    Mechanism m = mechanism_;
    if (any_root && !hangings_.empty()) hang_elsewhere(m, random);
    std::shuffle(m.bodies.begin(), m.bodies.end(), random);
    std::shuffle(m.joints.begin(), m.joints.end(), random);
    for (auto& joint : m.joints) {
      const bool has_opposite = joint.type == JointType::kRevolute ||
                                joint.type == JointType::kPrismatic ||
                                joint.type == JointType::kCylindrical;
      if (has_opposite && random() % 2 == 0) test::swap_ends(joint);
    }
    if (any_root) cut_around_first_tree(m);
    return m;
  }

 private:
  // A free joint from the ground to a body.
  struct Hanging {
    std::string body;
    Eigen::VectorXd guess, velocity;
  };

  template <class Space>
  void start_closed(const Model& model, const System<Space>& system) {
    const Eigen::VectorXd q = random_.closed_pose(model, system);
    Kinematics<Space> kin(system);
    place(system, 0.0, q.data(), kin);
    for (int j = 0; j < system.joint_count(); ++j) {
      const auto& joint = system.joint(j);
      auto& said = mechanism_.joints[at(model.described_joint(j))];
      if (joint.coordinates == 0) continue;
      Eigen::VectorXd guess(joint.coordinates);
      visit_joint<Space>(joint, [&](const auto& type) {
        type.coordinates(relative_pose(system, kin, j), guess.data());
      });
      said.guess_q = guess;
    }
    if (floats()) turn_as_one(model, system, kin);
  }

  template <class Space>
  void turn_as_one(const Model& model, const System<Space>& system, const Kinematics<Space>& kin) {
    constexpr int n = Space::kLinear;
    const Eigen::Vector3d omega(n == 2 ? 0.0 : 1.1, n == 2 ? 0.0 : -0.7, 1.9);
    for (int b = 0; b < system.body_count(); ++b) {
      const auto& user = model.user_frame(b);
      Frame there;
      there.rotation.topLeftCorner<n, n>() = kin.X_WB[at(b)].R;
      there.position.head<n>() = kin.X_WB[at(b)].r;
      there = {there.position + there.rotation * user.position, there.rotation * user.rotation};
      Hanging hanging{mechanism_.bodies[at(model.described_body(b))].name, {}, {}};
      Pose<Space> X;
      X.R = there.rotation.topLeftCorner<n, n>();
      X.r = there.position.head<n>();
      hanging.guess.resize(n == 2 ? 3 : 7);
      Free<Space>::coordinates(X, hanging.guess.data());
      const Eigen::Vector3d v = there.rotation.transpose() * omega.cross(there.position);
      const Eigen::Vector3d w = there.rotation.transpose() * omega;
      hanging.velocity.resize(n == 2 ? 3 : 6);
      if constexpr (n == 2) {
        hanging.velocity << v.head<2>(), w.z();
      } else {
        hanging.velocity << v, w;
      }
      hangings_.push_back(hanging);
    }
    for (auto& joint : mechanism_.joints) {
      const auto size = joint_size(joint.type, mechanism_.space);
      joint.initial_v = Eigen::VectorXd::Zero(size.velocities);
    }
    hang(mechanism_,
         *std::ranges::find(hangings_, mechanism_.joints.front().child, &Hanging::body));
  }

  static void hang(Mechanism& m, const Hanging& hanging) {
    auto& joint = *std::ranges::find(m.joints, kGround, &JointDescription::parent);
    joint.child = hanging.body;
    joint.at_parent = joint.at_child = Frame{};
    joint.guess_q = hanging.guess;
    joint.initial_v = hanging.velocity;
  }

  void hang_elsewhere(Mechanism& m, std::mt19937& random) const {
    hang(m, hangings_[random() % hangings_.size()]);
  }

  // Free joints and those that come first span it.
  static void cut_around_first_tree(Mechanism& m) {
    std::map<std::string, std::string> up;
    const auto root = [&](std::string node) {
      while (up.contains(node)) node = up.at(node);
      return node;
    };
    for (const bool free : {true, false}) {
      for (auto& joint : m.joints) {
        if ((joint.type == JointType::kFree) != free) continue;
        const auto a = root(joint.parent), b = root(joint.child);
        if (a == b) {
          joint.cut = true;
        } else {
          up[a] = b;
        }
      }
    }
  }

  test::RandomMechanism random_;
  Mechanism mechanism_;
  std::vector<Hanging> hangings_;  // where it floats
};

TEST(Order, OfRandomLoopsAndTheirRootsChangesNothing) {
  constexpr double kUntil = 0.3;
  constexpr std::uint64_t kSeed = 20261123;
  constexpr unsigned kOrders = 6;  // as written, two in another order, three with any root
  const std::vector<test::Topology> topologies{
      test::Topology::kSingleLoop, test::Topology::kCoupledLoops, test::Topology::kFloatingLoop};
  int compared = 0, failed = 0, floating = 0;
  double worst = 0.0;
  for (std::uint64_t i = 0; i < 30; ++i) {
    const auto seed = kSeed + i;
    const auto space = i % 2 == 0 ? SpaceKind::kPlanar : SpaceKind::kSpatial;
    const RandomLoops loops(space, topologies[i % topologies.size()], seed);
    floating += loops.floats();
    for (const std::string formulation : {"recursive", "hdca"}) {
      std::vector<End> ends;
      int failures = 0;
      std::string why;
      for (unsigned order = 0; order < kOrders; ++order) {
        try {
          ends.push_back(run(order == 0 ? loops.mechanism() : loops.reordered(order, order > 2),
                             formulation, kUntil, kTight));
        } catch (const SimulationError& error) {
          ++failures;
          why += std::string("; ") + error.what();
        }
      }
      const std::string what = "seed " + std::to_string(seed) + ", " + formulation;
      EXPECT_TRUE(failures == 0 || ends.empty())
          << what << ": " << failures << " of " << kOrders << " fail" << why;
      failed += failures;
      if (ends.empty()) continue;
      // The motion to ten times the digits.
      const auto reference = run(loops.mechanism(), "dense", kUntil, 0.1 * kTight);
      std::vector<double> errors;
      for (const auto& end : ends) errors.push_back(distance(end, reference));
      const auto [best, last] = std::ranges::minmax(errors);
      EXPECT_LE(last, 10.0 * std::max(best, kTight)) << what;
      worst = std::max(worst, last / std::max(best, kTight));
      ++compared;
    }
  }
  std::printf("seed %llu: %d compared, %d runs failed, worst order %.1f times the best\n",
              static_cast<unsigned long long>(kSeed), compared, failed, worst);
  EXPECT_GT(compared, 40);
  EXPECT_EQ(floating, 10);
}

}  // namespace
}  // namespace hamiltree
