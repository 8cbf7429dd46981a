#include "hamiltree/formulations/select.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/digits.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/formulations/registry.hpp"
#include "hamiltree/model/loops.hpp"

namespace hamiltree {
namespace {

// On 130 models (mechanisms/, machines and robots of others) recursive was the fastest, by 3 to 20
// times, and no other kept more digits unless one of these holds. Then all are tried.
constexpr double kFewDigits = 11.0;  // as estimated, of about 16
constexpr double kLight = 1e-6;      // of the heaviest body, or of the largest inertia

// One that loses no more than this is taken, and else the first within so many times of the best.
constexpr double kEnough = 1e-10, kNearTheBest = 10.0;
constexpr double kAtRest = 1e-3;  // of velocities before loops take from them
// dense takes 0.4 us times the square of the velocities: 2 ms for this many.
constexpr int kMostVelocitiesOfDense = 64;

// Velocities of about 1 rad/s, or a length in a second, whose ratios are no simple fractions.
Eigen::VectorXd some_velocities(const Eigen::VectorXd& scale) {
  constexpr double kGoldenRatio = 0.6180339887498949;
  Eigen::VectorXd v(scale.size());
  for (Eigen::Index k = 0; k < v.size(); ++k) {
    const double x = kGoldenRatio * static_cast<double>(k + 1);
    v(k) = (0.5 + x - std::floor(x)) / scale(k);
  }
  return v;
}

// Lengths that make slides comparable with turns, by velocity.
template <class Space>
Eigen::VectorXd scale_of_velocities(const System<Space>& system) {
  Eigen::VectorXd scale = Eigen::VectorXd::Ones(system.velocities);
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    for (int i = 0; i < joint.velocities && joint.has_velocity(); ++i) {
      if (joint.free[at(i)] < Space::kLinear) scale(joint.v + i) = 1.0 / system.length;
    }
  }
  return scale;
}

// How fast the loops open at most, in lengths.
template <class Space>
double opening(const System<Space>& system, const Kinematics<Space>& kin) {
  Eigen::VectorXd rows = Eigen::VectorXd::Zero(system.constraints);
  velocity_residual(system, kin, rows.data());
  double largest = 0.0;
  for (int r = 0; r < system.constraints; ++r)
    largest = std::max(largest, std::abs(rows(r)) * system.row_scales[at(r)] / system.length);
  return largest;
}

template <class Space>
double round_trip_in(const System<Space>& system, const Formulation& formulation,
                     const Eigen::VectorXd& q) {
  const auto workspace = formulation.make_workspace();
  const auto scale = scale_of_velocities(system);
  Kinematics<Space> kin(system);
  place(system, 0.0, q.data(), kin);
  Eigen::VectorXd v = some_velocities(scale), p(v.size()), before = v;
  // The first way brings them onto the loops.
  for (int way = 0; way < 2; ++way) {
    before = v;
    move(system, v.data(), kin);
    momenta(system, kin, p.data());
    const StateView state{0.0, q.data(), p.data()};
    if (way == 0) {
      formulation.analyse(state, *workspace);
      formulation.prepare(state, *workspace);
    }
    if (formulation.velocities(state, nullptr, *workspace) != Status::kOk)
      return std::numeric_limits<double>::infinity();
    v = Eigen::Map<const Eigen::VectorXd>(workspace->v.data(), v.size());
  }
  move(system, v.data(), kin);
  const double speed = v.size() > 0 ? scale.cwiseProduct(v).cwiseAbs().maxCoeff() : 0.0;
  const double error = v.size() > 0 ? scale.cwiseProduct(v - before).cwiseAbs().maxCoeff() : 0.0;
  return std::max(error, opening(system, kin)) / std::max(speed, kAtRest);
}

// Whether a body is far lighter than others in the model.
template <class Space>
bool has_light_bodies(const System<Space>& system) {
  double mass = 0.0, inertia = 0.0;
  for (const auto& body : system.bodies) {
    mass = std::max(mass, body.mass);
    inertia = std::max(inertia, body.J_com.trace());
  }
  return std::ranges::any_of(system.bodies, [&](const auto& body) {
    return body.mass < kLight * mass && body.J_com.trace() < kLight * inertia;
  });
}

// None: nothing here loses digits.
std::optional<std::string> why_digits_may_be_lost(const Model& model, const Eigen::VectorXd& q) {
  const auto [ballasted, light] = model.visit([](const auto& system) {
    return std::pair{!system.ballasted.empty(), has_light_bodies(system)};
  });
  if (ballasted) return "bodies without inertia";
  if (light) return "light bodies beside heavy ones";
  if (model.velocity_count() > kMostVelocitiesOfDense) return std::nullopt;
  const auto digits = estimated_digits(model, q);
  if (digits && *digits < kFewDigits) return "inertias that differ much";
  return std::nullopt;
}

}  // namespace

const std::vector<std::string>& formulation_choices() {
  static const std::vector<std::string> choices = [] {
    std::vector<std::string> list{std::string(kAutoFormulation)};
    list.insert(list.end(), formulation_names().begin(), formulation_names().end());
    return list;
  }();
  return choices;
}

void check_formulation_choice(std::string_view name) {
  const auto& choices = formulation_choices();
  if (std::ranges::find(choices, name) == choices.end()) throw unknown_formulation(name, choices);
}

double round_trip_error(std::string_view formulation, const Model& model,
                        const Eigen::VectorXd& q) {
  const auto made = make_formulation(formulation, model);
  return model.visit([&](const auto& system) { return round_trip_in(system, *made, q); });
}

SelectedFormulation select_formulation(const Model& model, const Eigen::VectorXd& q) {
  const auto why = why_digits_may_be_lost(model, q);
  if (!why) return {"recursive", "nothing is faster, and no other keeps more digits here"};
  struct Tried {
    std::string_view name;
    double error;
  };
  std::array<Tried, 3> tried{{{"recursive", 0.0}, {"hdca", 0.0}, {"dense", 0.0}}};
  double best = std::numeric_limits<double>::infinity();
  for (auto& [name, error] : tried) {
    const bool too_dear = name == "dense" && model.velocity_count() > kMostVelocitiesOfDense;
    error = too_dear ? std::numeric_limits<double>::infinity() : round_trip_error(name, model, q);
    best = std::min(best, error);
    if (error <= kEnough) break;
  }
  const auto taken = std::ranges::find_if(
      tried, [&](const Tried& one) { return one.error <= std::max(kEnough, kNearTheBest * best); });
  if (taken == tried.begin())
    return {"recursive", "nothing is faster, and with " + *why + " no other keeps more digits"};
  if (taken == tried.end()) return {"recursive", "with " + *why + " none keeps any digits"};
  return {std::string(taken->name),
          "the cheapest that keeps the digits, which " + *why + " cost others"};
}

}  // namespace hamiltree
