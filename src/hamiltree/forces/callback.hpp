// Callbacks: the user's own efforts, loads on bodies and controllers. See model/callbacks.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "hamiltree/base/index.hpp"
#include "hamiltree/forces/instant.hpp"
#include "hamiltree/model/joints/joints.hpp"
#include "hamiltree/space/shift.hpp"

namespace hamiltree {

// A System over another scalar has no callbacks: its cast has refused them.
template <class Space>
inline constexpr bool kCallsBack = std::same_as<typename Space::Scalar, double>;

template <class Space, class Sink>
void exert(const JointCallback<Space>& callback, const Instant<Space>& now, Sink& sink) {
  if constexpr (kCallsBack<Space>) {
    const int j = callback.joint;
    sink.effort(ForceKind::kApplied, j, callback.effort(now.t, now.position(j), now.rate(j)));
  }
}

template <class Space, class Sink>
void exert(const BodyCallback<Space>& callback, const Instant<Space>& now, Sink& sink) {
  if constexpr (kCallsBack<Space>) {
    constexpr int n = Space::kLinear;
    const auto X = now.kin.pose(callback.body) * callback.X;
    const auto V = now.kin.velocity_at(callback.body, X.r);
    BodyState state;
    state.position.head<n>() = X.r;
    state.rotation.topLeftCorner<n, n>() = X.R;
    state.velocity.head<n>() = linear<Space>(V);
    state.angular_velocity.tail<Space::kAngular>() = angular<Space>(V);
    const BodyLoad load = callback.load(now.t, state);
    const auto F = stack<Space>(load.force.head<n>(), load.moment.tail<Space::kAngular>());
    sink.pair(kNone, callback.body, X.r,
              std::array{ForcePart<typename Space::Force>{ForceKind::kApplied, F}},
              std::identity());
  }
}

// The instant as a controller sees it; its actions go to the sink.
template <class Space, class Sink>
class ControlsOf final : public Controls {
 public:
  ControlsOf(const ControlLaw<Space>& law, const Instant<Space>& now, Sink& sink)
      : law_(law), now_(now), sink_(sink) {}

  double time() const override { return now_.t; }
  int index(std::string_view joint) const override {
    const auto found = law_.directory->index.find(joint);
    if (found == law_.directory->index.end()) {
      refuse("joint \"" + std::string(joint) + "\" is not a joint of this mechanism");
    }
    return found->second;
  }

  double position(int joint) const override { return now_.position(one_dof(joint)); }
  double rate(int joint) const override { return now_.rate(one_dof(joint)); }

  int coordinate_count(int joint) const override {
    return now_.system.joint(free_joint(joint)).coordinates;
  }
  int velocity_count(int joint) const override {
    return now_.system.joint(free_joint(joint)).velocities;
  }
  void coordinates(int joint, std::span<double> q) const override {
    check_size(q.size(), coordinate_count(joint));
    now_.coordinates(free_joint(joint), q.data());
  }
  void velocities(int joint, std::span<double> v) const override {
    check_size(v.size(), velocity_count(joint));
    now_.velocities(free_joint(joint), v.data());
  }

  void add_effort(int i, double effort) override {
    if (i < 0 || i >= static_cast<int>(law_.joints.size())) {
      refuse("acts on " + std::to_string(law_.joints.size()) + " joints, there is no number " +
             std::to_string(i));
    }
    sink_.effort(ForceKind::kApplied, law_.joints[at(i)], effort);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw std::invalid_argument("force \"" + law_.name + "\": " + why);
  }
  int table(int joint) const {
    if (joint < 0 || joint >= static_cast<int>(law_.directory->table.size())) {
      refuse("there is no joint " + std::to_string(joint));
    }
    return law_.directory->table[at(joint)];
  }
  std::string named(int joint) const {
    const auto is_it = [&](const auto& entry) { return entry.second == joint; };
    return "joint \"" + std::string(std::ranges::find_if(law_.directory->index, is_it)->first) +
           "\"";
  }
  int one_dof(int joint) const {
    const int j = table(joint);
    if (now_.system.joint(j).along == kNone) {
      refuse(named(joint) + " has not one degree of freedom, but coordinates() and velocities()");
    }
    return j;
  }
  int free_joint(int joint) const {
    const int j = table(joint);
    if (now_.system.joint(j).along != kNone && now_.system.joint(j).velocities == 0) {
      refuse(named(joint) + " is driven, it has a position and a rate only");
    }
    return j;
  }
  void check_size(std::size_t given, int needed) const {
    if (given == at(needed)) return;
    refuse("a place for " + std::to_string(needed) + " numbers is needed, not for " +
           std::to_string(given));
  }

  const ControlLaw<Space>& law_;
  const Instant<Space>& now_;
  Sink& sink_;
};

template <class Space, class Sink>
void exert(const ControlLaw<Space>& law, const Instant<Space>& now, Sink& sink) {
  if constexpr (kCallsBack<Space>) {
    ControlsOf<Space, Sink> controls(law, now, sink);
    law.law(controls);
  }
}

template <class Space>
bool is_conservative(const JointCallback<Space>&) {
  return false;
}
template <class Space>
bool is_conservative(const BodyCallback<Space>&) {
  return false;
}
template <class Space>
bool is_conservative(const ControlLaw<Space>&) {
  return false;
}

}  // namespace hamiltree
