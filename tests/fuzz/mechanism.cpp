// Random mechanisms, some of their numbers spoilt, simulated by every formulation for a few steps:
// they move alike, or are refused by an error that is part of the product.
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "fuzz/checks.hpp"
#include "fuzz/targets.hpp"
#include "hamiltree/formulations/dense/dense.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "support/condition.hpp"
#include "support/random_mechanism.hpp"

namespace hamiltree::fuzz {
namespace {

using test::RandomMechanism;

test::Choices choices_of(std::string_view bytes) {
  std::vector<std::uint16_t> choices;
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
    choices.push_back(static_cast<std::uint16_t>(byte(i) << 8U | byte(i + 1)));
  }
  return test::Choices(std::move(choices));
}

// A number of a description becomes one that nothing has, or nearly.
void spoil(Mechanism& mechanism, RandomMechanism& random) {
  constexpr double kNumbers[] = {0.0,
                                 -1.0,
                                 1e-300,
                                 1e-12,
                                 1e12,
                                 1e300,
                                 std::numeric_limits<double>::infinity(),
                                 -1e-9,
                                 std::numeric_limits<double>::quiet_NaN()};
  const double number = kNumbers[random.integer(0, std::size(kNumbers) - 1)];
  const auto any = [&](auto& list) -> auto& {
    return list[static_cast<std::size_t>(random.integer(0, static_cast<int>(list.size()) - 1))];
  };
  auto& body = any(mechanism.bodies);
  auto& joint = any(mechanism.joints);
  switch (random.integer(0, 9)) {
    case 0:
      body.mass = number;
      break;
    case 1:
      body.inertia(2, 2) = number;
      break;
    case 2:
      body.mass = 0.0;
      body.inertia.setZero();
      break;
    case 3:
      body.com.x() = number;
      break;
    case 4:
      joint.at_parent.position.y() = number;
      break;
    case 5:
      joint.at_child.rotation(0, 1) = number;
      break;
    case 6:
      joint.armature = number;
      break;
    case 7:
      joint.child = any(mechanism.bodies).name;
      break;
    case 8:
      joint.initial_q = Eigen::VectorXd::Constant(1, number);
      break;
    default:
      mechanism.gravity.y() = number;
  }
}

constexpr double kOpen = 1e-9;  // m: where drives ask for the impossible loops do not stay closed

// Where three steps lead, or nothing where there is a typed error or no motion that they agree on.
std::optional<State> moved(const Model& model, const std::string& formulation,
                           const std::optional<State>& start) {
  constexpr double kStep = 1e-3;
  const SimulationOptions options{.formulation = formulation,
                                  .integrator = with_step(*method_from_name("rk4"), kStep)};
  try {
    auto simulation = start ? Simulation(model, options, *start) : Simulation(model, options);
    simulation.run_until(simulation.state().t + 3 * kStep, 3 * kStep);
    const State end = simulation.state();
    require(end.q.allFinite() && end.p.allFinite(), formulation + " ends in numbers");
    if (!(simulation.worst_residual() < kOpen)) return std::nullopt;
    return end;
  } catch (const ModelError&) {
  } catch (const SimulationError&) {
  } catch (const UsageError&) {
  }
  return std::nullopt;
}

template <class Space>
double condition(const System<Space>& system, const State& state) {
  const Dense<Space> dense(system);
  typename Dense<Space>::Work work(dense);
  dense.velocities(state.t, state.q.data(), state.p.data(), nullptr, work);
  return test::scaled_condition(work.augmented.M, work.augmented.A);
}

void simulate(const Model& model, const std::optional<State>& start) {
  const auto expected = moved(model, "dense", start);
  for (const std::string name : {"hdca", "recursive", "dca", "aba"}) {
    const bool momenta = name == "hdca" || name == "recursive";
    const auto found = moved(model, name, momenta ? start : std::nullopt);
    if (!momenta || !expected || !found || !start) continue;
    const double cond = model.visit([&](const auto& system) { return condition(system, *start); });
    if (!(cond < 1e6)) continue;
    const double size = 1.0 + expected->q.norm();
    require((found->q - expected->q).norm() <= 1e-6 * size, name + " agrees with dense");
  }
}

}  // namespace

void mechanism(std::string_view bytes) {
  if (bytes.empty() || bytes.size() > 1000) return;
  RandomMechanism random(choices_of(bytes));
  const auto space = random.chance(0.5) ? SpaceKind::kPlanar : SpaceKind::kSpatial;
  const auto topology = test::kTopologies[random.integer(0, std::size(test::kTopologies) - 1)];
  const int spoilt = random.chance(0.5) ? random.integer(1, 3) : 0;
  auto mechanism = random.make(space, topology, test::Extent::kFull);
  for (int i = 0; i < spoilt; ++i) spoil(mechanism, random);
  std::optional<Model> model;
  try {
    model.emplace(mechanism);
  } catch (const ModelError&) {
    return;
  }
  if (spoilt > 0) return simulate(*model, std::nullopt);
  State start{RandomMechanism::kTime, {}, {}};
  model->visit([&](const auto& system) {
    start.q = random.closed_pose(*model, system);
    start.p = random.vector(system.velocities);
  });
  simulate(*model, start);
}

}  // namespace hamiltree::fuzz
