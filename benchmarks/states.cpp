#include "benchmarks/states.hpp"

#include <random>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/added_forces.hpp"
#include "hamiltree/model/kinematics.hpp"
#include "hamiltree/model/loops.hpp"
#include "hamiltree/simulation/simulation.hpp"

namespace hamiltree::benchmarks {
namespace {

// Not initial_state(): its search for closed loops is cubic in their number, and here every joint
// of a closed mechanism says where it is.
EngineState prescribed(const Model& model) {
  EngineState state;
  for (int b = 0; b < model.body_count(); ++b) {
    const auto& joint = model.mechanism().joints[at(model.described_joint(b))];
    state.q.insert(state.q.end(), joint.initial_q->begin(), joint.initial_q->end());
    state.v.insert(state.v.end(), joint.initial_v->begin(), joint.initial_v->end());
  }
  return state;
}

bool is_prescribed(const Model& model) {
  for (int b = 0; b < model.body_count(); ++b) {
    const auto& joint = model.mechanism().joints[at(model.described_joint(b))];
    if (model.visit([&](const auto& system) { return system.joint(b).has_velocity(); }) &&
        !(joint.initial_q && joint.initial_v))
      return false;
  }
  return true;
}

// Efforts of all forces at t = 0; empty where there are none, and where joints are driven, which
// other engines are not told of.
std::vector<double> efforts_of(const Model& model, const EngineState& state) {
  if (model.visit([](const auto& system) { return !system.drives.empty(); })) return {};
  const auto forces = forces_of(model);
  if (forces->none()) return {};
  std::vector<double> efforts(state.v.size());
  forces->add_efforts(0.0, state.q.data(), state.v.data(), efforts.data());
  return efforts;
}

std::vector<EngineState> states_of_motion(const Model& model, std::size_t count) {
  constexpr double kUntil = 0.5, kTolerance = 1e-10;
  Simulation simulation(model, {.integrator = Auto{kTolerance, kTolerance}});
  std::vector<EngineState> states;
  for (const auto& sample :
       simulation.run_until(kUntil, kUntil / static_cast<double>(count)).samples) {
    if (states.size() == count) break;
    states.push_back({{sample.q.begin(), sample.q.end()}, {sample.v.begin(), sample.v.end()}, {}});
  }
  return states;
}

std::vector<EngineState> states_about_the_prescribed(const Model& model, std::size_t count) {
  std::vector<EngineState> states{prescribed(model)};
  if (model.constraint_count() > 0) return states;  // others would break loops or couplings
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> turn(-1.5, 1.5), rate(-1.0, 1.0);
  while (states.size() < count) {
    EngineState state = states.front();
    for (double& q : state.q) q += turn(random);
    for (double& v : state.v) v = rate(random);
    model.visit([&](const auto& system) { normalise_coordinates(system, state.q.data()); });
    states.push_back(std::move(state));
  }
  return states;
}

}  // namespace

std::vector<EngineState> draw_states(const Model& model, std::size_t count) {
  auto states = is_prescribed(model) ? states_about_the_prescribed(model, count)
                                     : states_of_motion(model, count);
  for (auto& state : states) state.efforts = efforts_of(model, state);
  return states;
}

std::vector<double> momenta_of(const Model& model, const EngineState& state) {
  std::vector<double> p(state.v.size());
  model.visit([&]<class Space>(const System<Space>& system) {
    Kinematics<Space> kin(system);
    place(system, 0.0, state.q.data(), kin);
    move(system, state.v.data(), kin);
    momenta(system, kin, p.data());
  });
  return p;
}

}  // namespace hamiltree::benchmarks
