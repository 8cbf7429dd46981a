#include "hamiltree/formulations/added_forces.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/forces/elements.hpp"
#include "hamiltree/forces/loads.hpp"
#include "hamiltree/forces/sight.hpp"
#include "hamiltree/forces/solved_instant.hpp"

namespace hamiltree {
namespace {

constexpr double kNoTime = 0.0;  // potentials know none

template <class Space>
struct EffortSink {
  const System<Space>& system;
  double* p_dot;

  void effort(ForceKind, int j, double effort) { p_dot[system.joint(j).v] += effort; }
};

template <class Space, class Element>
concept ActsAlongJoints = requires(const Element& element, const JointInstant<Space>& now,
                                   EffortSink<Space>& sink) {
  exert(element, now, sink);
};

// A law may look at any joint, also at those that close loops, of which there are no coordinates.
template <class Space, class Element>
bool acts_along_tree(const System<Space>& system, const Element& element) {
  if constexpr (!ActsAlongJoints<Space, Element>) {
    return false;
  } else if constexpr (requires { element.joint; }) {
    return element.joint < system.body_count();
  } else {
    return system.joint_count() == system.body_count();
  }
}

template <class Space>
class JointForces final : public AddedForces {
 public:
  JointForces(Model model, const System<Space>& system)
      : model_(std::move(model)), system_(system) {}

  std::unique_ptr<AddedForces> copy() const override {
    return std::make_unique<JointForces>(model_, system_);
  }
  bool none() const override {
    bool none = true;
    system_.for_each_force([&](const auto&) { none = false; });
    return none;
  }
  void add_efforts(double t, const double* q, const double* v, double* p_dot) override {
    EffortSink<Space> sink{system_, p_dot};
    exert_all({system_, t, q, v}, sink);
  }
  ForcePower<double> power(double t, const double* q, const double* v) override {
    const JointInstant<Space> now{system_, t, q, v};
    PowerSink<Space, JointInstant<Space>> sink{now};
    exert_all(now, sink);
    return sink.power;
  }
  double stored_energy(const double* q) override {
    double energy = 0.0;
    add_stored_energies(JointInstant<Space>{system_, kNoTime, q, nullptr}, energy);
    return energy;
  }

 private:
  template <class Sink>
  void exert_all(const JointInstant<Space>& now, Sink& sink) const {
    system_.for_each_force([&]<class Element>(const Element& element) {
      if constexpr (ActsAlongJoints<Space, Element>) exert(element, now, sink);
    });
  }

  Model model_;  // keeps system_ alive
  const System<Space>& system_;
};

// With all bodies between those that forces act on and the ground.
template <class Space>
Sight reach_of_forces(const System<Space>& system) {
  auto reach = sight_of_forces(system);
  std::vector<bool> bodies(at(system.body_count()), false);
  for (const int end : reach.bodies)
    for (int b = end; b != kNone && !bodies[at(b)]; b = system.inboard(b)) bodies[at(b)] = true;
  reach.bodies.clear();
  for (int b = 0; b < system.body_count(); ++b)
    if (bodies[at(b)]) reach.bodies.push_back(b);
  return reach;
}

template <class Space>
class AnyForces final : public AddedForces {
 public:
  AnyForces(Model model, const System<Space>& system)
      : model_(std::move(model)),
        system_(system),
        reach_(reach_of_forces(system)),
        kin_(system),
        loads_(system) {
    placed_at_.reserve(at(system.coordinates));  // evaluations allocate nothing
    moved_with_.reserve(at(system.velocities));
  }

  std::unique_ptr<AddedForces> copy() const override {
    return std::make_unique<AnyForces>(model_, system_);
  }
  bool none() const override { return false; }
  void add_efforts(double t, const double* q, const double* v, double* p_dot) override {
    see_motion(q, v);
    for (const int j : reach_.joints) loads_.effort[at(j)] = 0.0;
    for (const int b : reach_.bodies) loads_.body[at(b)].setZero();
    const SolvedInstant<Space> now{{system_, kin_, t, q}, v};
    LoadSink<Space> sink{now, loads_};
    exert_all(now, sink);
    for (auto body = reach_.bodies.rbegin(); body != reach_.bodies.rend(); ++body) {
      const int b = *body;
      const auto& F = loads_.body[at(b)];
      add_free(system_.joint(b), kin_.joint(b).to_joint_force(at_joint(system_, kin_, b, F)),
               p_dot);
      const int inboard = system_.inboard(b);
      if (inboard != kNone) loads_.body[at(inboard)] += shift_force<Space>(kin_.arm[at(b)], F);
    }
    for (const int j : reach_.joints) p_dot[system_.joint(j).v] += loads_.effort[at(j)];
  }
  ForcePower<double> power(double t, const double* q, const double* v) override {
    see_motion(q, v);
    const SolvedInstant<Space> now{{system_, kin_, t, q}, v};
    PowerSink<Space, SolvedInstant<Space>> sink{now};
    exert_all(now, sink);
    return sink.power;
  }
  double stored_energy(const double* q) override {
    see_poses(q);
    double energy = 0.0;
    add_stored_energies(Instant<Space>{system_, kin_, kNoTime, q}, energy);
    return energy;
  }

 private:
  // Rates, power and energy are asked for at the same state.
  static bool is_same(const double* numbers, const std::vector<double>& seen) {
    return !seen.empty() && std::equal(seen.begin(), seen.end(), numbers);
  }
  void see_poses(const double* q) {
    if (is_same(q, placed_at_)) return;
    const auto see_frame = [&](int j) { kin_.joints[at(j)].X_WJ = joint_frame(system_, kin_, j); };
    for (const int b : reach_.bodies) {
      place_body(system_, b, pose_in_inboard(system_.joint(b), kin_, q), kin_);
      see_frame(b);
    }
    std::ranges::for_each(reach_.frames, see_frame);
    placed_at_.assign(q, q + system_.coordinates);
    moved_with_.clear();
  }
  void see_motion(const double* q, const double* v) {
    see_poses(q);
    if (is_same(v, moved_with_)) return;
    for (const int b : reach_.bodies) move_body(system_, b, v, kin_);
    moved_with_.assign(v, v + system_.velocities);
  }
  template <class Now, class Sink>
  void exert_all(const Now& now, Sink& sink) const {
    system_.for_each_force([&](const auto& element) { exert(element, now, sink); });
  }

  Model model_;  // keeps system_ alive
  const System<Space>& system_;
  Sight reach_;
  Kinematics<Space> kin_;
  Loads<Space> loads_;
  std::vector<double> placed_at_, moved_with_;
};

}  // namespace

std::unique_ptr<AddedForces> joint_forces_of(const Model& model) {
  return model.visit([&]<class Space>(const System<Space>& system) -> std::unique_ptr<AddedForces> {
    bool along_tree = true;
    system.for_each_force(
        [&](const auto& element) { along_tree = along_tree && acts_along_tree(system, element); });
    if (!along_tree) return nullptr;
    return std::make_unique<JointForces<Space>>(model, system);
  });
}

std::unique_ptr<AddedForces> forces_of(const Model& model) {
  if (auto forces = joint_forces_of(model)) return forces;
  return model.visit([&]<class Space>(const System<Space>& system) -> std::unique_ptr<AddedForces> {
    return std::make_unique<AnyForces<Space>>(model, system);
  });
}

}  // namespace hamiltree
