#include "hamiltree/formulations/added_forces.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/forces/elements.hpp"
#include "hamiltree/forces/loads.hpp"
#include "hamiltree/forces/sight.hpp"

namespace hamiltree {
namespace {

constexpr double kNoTime = 0.0;  // potentials know none

bool needs_bodies(const Sight& reach) { return !reach.bodies.empty() || !reach.frames.empty(); }

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
class ForcesOf final : public AddedForces {
 public:
  ForcesOf(Model model, const System<Space>& system)
      : model_(std::move(model)),
        system_(system),
        reach_(reach_of_forces(system)),
        kin_(needs_bodies(reach_) ? Kinematics<Space>(system) : Kinematics<Space>()),
        loads_(system) {
    placed_at_.reserve(at(system.coordinates));  // evaluations allocate nothing
    moved_with_.reserve(at(system.velocities));
    system_.for_each_force([&](const auto&) { none_ = false; });
  }

  std::unique_ptr<AddedForces> copy() const override {
    return std::make_unique<ForcesOf>(model_, system_);
  }
  bool none() const override { return none_; }
  void add_efforts(double t, const double* q, const double* v, double* p_dot) override {
    see_motion(q, v);
    for (const int j : reach_.joints) loads_.effort[at(j)] = 0.0;
    for (const int b : reach_.bodies) loads_.body[at(b)].setZero();
    exert_forces<Space>({system_, kin_, t, q, v}, &loads_, nullptr);
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
    ForcePower<double> power;
    exert_forces<Space>({system_, kin_, t, q, v}, nullptr, &power);
    return power;
  }
  double stored_energy(const double* q) override {
    see_poses(q);
    return stored_energies<Space>({system_, kin_, kNoTime, q});
  }

 private:
  // Rates, power and energy are asked for at the same state.
  static bool is_same(const double* numbers, const std::vector<double>& seen) {
    return !seen.empty() && std::equal(seen.begin(), seen.end(), numbers);
  }
  void see_poses(const double* q) {
    if (!needs_bodies(reach_) || is_same(q, placed_at_)) return;
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
    if (!needs_bodies(reach_) || is_same(v, moved_with_)) return;
    for (const int b : reach_.bodies) move_body(system_, b, v, kin_);
    moved_with_.assign(v, v + system_.velocities);
  }

  Model model_;  // keeps system_ alive
  const System<Space>& system_;
  bool none_ = true;
  Sight reach_;
  Kinematics<Space> kin_;  // empty where no force looks at a body
  Loads<Space> loads_;
  std::vector<double> placed_at_, moved_with_;
};

}  // namespace

std::unique_ptr<AddedForces> joint_forces_of(const Model& model) {
  const bool along_tree =
      model.visit([](const auto& system) { return !needs_bodies(sight_of_forces(system)); });
  return along_tree ? forces_of(model) : nullptr;
}

std::unique_ptr<AddedForces> forces_of(const Model& model) {
  return model.visit([&]<class Space>(const System<Space>& system) -> std::unique_ptr<AddedForces> {
    return std::make_unique<ForcesOf<Space>>(model, system);
  });
}

}  // namespace hamiltree
