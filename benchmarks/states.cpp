#include "benchmarks/states.hpp"

#include <random>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/kinematics.hpp"
#include "hamiltree/model/loops.hpp"

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

}  // namespace

std::vector<EngineState> draw_states(const Model& model, std::size_t count) {
  std::vector<EngineState> states{prescribed(model)};
  if (model.loop_count() > 0) return states;
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
