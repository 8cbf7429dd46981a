#include "hamiltree/formulations/joint_forces.hpp"

#include <utility>

#include "hamiltree/forces/elements.hpp"

namespace hamiltree {
namespace {

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
class JointForcesOf final : public JointForces {
 public:
  JointForcesOf(Model model, const System<Space>& system)
      : model_(std::move(model)), system_(system) {}

  bool none() const override {
    bool none = true;
    system_.for_each_force([&](const auto&) { none = false; });
    return none;
  }
  void add_efforts(double t, const double* q, const double* v, double* p_dot) const override {
    EffortSink<Space> sink{system_, p_dot};
    exert_all({system_, t, q, v}, sink);
  }
  ForcePower<double> power(double t, const double* q, const double* v) const override {
    const JointInstant<Space> now{system_, t, q, v};
    PowerSink<Space, JointInstant<Space>> sink{now};
    exert_all(now, sink);
    return sink.power;
  }
  double stored_energy(const double* q) const override {
    const double no_time = 0.0;  // potentials know none
    const JointInstant<Space> now{system_, no_time, q, nullptr};
    double energy = 0.0;
    system_.for_each_force([&](const auto& element) {
      if constexpr (requires { hamiltree::stored_energy(element, now); })
        energy += hamiltree::stored_energy(element, now);
    });
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

}  // namespace

std::unique_ptr<JointForces> joint_forces_of(const Model& model) {
  return model.visit([&]<class Space>(const System<Space>& system) -> std::unique_ptr<JointForces> {
    bool along_tree = true;
    system.for_each_force(
        [&](const auto& element) { along_tree = along_tree && acts_along_tree(system, element); });
    if (!along_tree) return nullptr;
    return std::make_unique<JointForcesOf<Space>>(model, system);
  });
}

}  // namespace hamiltree
