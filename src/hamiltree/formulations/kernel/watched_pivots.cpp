#include "hamiltree/formulations/kernel/watched_pivots.hpp"

#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/kernel/joint_size.hpp"
#include "hamiltree/model/ballast.hpp"

namespace hamiltree::kernel {
namespace {

using Space = Spatial<double>;

// The least pivot, as a share of what the joint would move if all behind it were one body, about
// its worst axis: it keeps ten digits. A thin shaft alone that turns about itself may be below it.
constexpr double kLeastPivot = 1e-6;

// Bodies at a pose as one, about the world's origin.
struct Together {
  double mass = 0.0, spread = 0.0;  // kg; kg m^2, at least the inertia about any axis
  Eigen::Vector3d mc = Eigen::Vector3d::Zero();

  void add(const Together& other) {
    mass += other.mass;
    mc += other.mc;
    spread += other.spread;
  }

  double spread_about(const Eigen::Vector3d& point) const {
    return spread - 2.0 * mc.dot(point) + mass * point.squaredNorm();
  }
};

// By body: it and all that hangs on it. The last: all bodies.
std::vector<Together> find_behind(const System<Space>& system, const Kinematics<Space>& kin) {
  std::vector<Together> behind(at(system.body_count()) + 1);
  for (int b = system.body_count(); b-- > 0;) {
    const auto& body = system.body(b);
    const Eigen::Vector3d com = kin.pose(b) * body.com;
    behind[at(b)].add(
        {body.mass, body.J_com.trace() + body.mass * com.squaredNorm(), body.mass * com});
    const int inboard = system.inboard(b);
    (inboard == kNone ? behind.back() : behind[at(inboard)]).add(behind[at(b)]);
  }
  return behind;
}

// f(which of BodyWork::inverse, whether it is that of a turn) for the axes of a joint.
template <class F>
void for_each_axis(Kind kind, const F& f) {
  const auto three = [&](int first, bool turns) {
    for (const int diagonal : {0, 3, 5}) f(first + diagonal, turns);
  };
  switch (kind) {
    case Kind::kFixed:
      return;
    case Kind::kSpherical:
      return three(0, true);
    case Kind::kFree:
      three(0, true);
      return three(6, false);
    default:
      for (int k = 0; k < velocity_count(kind); ++k) f(k, turns(kind, k));
  }
}

}  // namespace

void find_watched_pivots(const System<Space>& system, const Kinematics<Space>& kin,
                         Tables& tables) {
  if (system.ballasted.empty()) return;
  const auto behind = find_behind(system, kin);
  for (int b = 0; b < system.body_count(); ++b) {
    if (!has_ballast(system, b)) continue;
    const auto& body = tables.bodies[at(b)];
    // A tip may have behind it what loops hand over to it.
    const bool is_tip =
        !(behind[at(b)].mass > 0.0 || behind[at(b)].spread > 0.0 || body.armature > 0.0);
    const auto& all = is_tip ? behind.back() : behind[at(b)];
    const double mass = all.mass, inertia = all.spread_about(kin.pose(b).r);
    for_each_axis(body.kind, [&](int inverse, bool turns) {
      double moved = (turns ? inertia : mass) + body.armature;
      if (body.kind == Kind::kHelical) moved += mass * body.pitch * body.pitch;
      tables.watched.push_back({b, inverse, kLeastPivot * moved});
    });
  }
}

}  // namespace hamiltree::kernel
