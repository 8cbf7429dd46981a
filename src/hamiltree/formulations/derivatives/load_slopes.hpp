// How the load of a force between two bodies, on one, or along a joint that closes a loop changes
// as the bodies are displaced, as they move and in time: each element is exerted on dual numbers at
// its own bodies alone.
#pragma once

#include <vector>

#include "hamiltree/forces/elements.hpp"
#include "hamiltree/formulations/derivatives/joint_space.hpp"
#include "hamiltree/formulations/derivatives/on_duals.hpp"
#include "hamiltree/math/dual.hpp"
#include "hamiltree/model/kinematics.hpp"
#include "hamiltree/space/planar.hpp"
#include "hamiltree/space/spatial.hpp"

namespace hamiltree::derivatives {

// The bodies of an element: its load acts on the child, its reaction on the parent.
struct LoadedBodies {
  int child = kNothing, parent = kNothing;
};

template <class Space>
class LoadSlopes {
  using On = typename Space::template Rebind<Duals>;

 public:
  explicit LoadSlopes(const System<Space>& system)
      : system_(system.template cast<Duals>()), kin_(system_) {}

  // The bodies of every element that exerts a load, in the order of the slopes that find() gives.
  static std::vector<LoadedBodies> bodies_of(const System<Space>& system);

  // At these poses of the bodies and motions about the reference, both by body.
  void find(double t, const double* reference, const std::vector<Pose<Space>>& poses,
            const std::vector<Lanes>& motions, std::vector<LoadSlope>& slopes);

 private:
  struct Sink;
  // A lane's direction: a displacement or a motion of a body about the reference, or time.
  struct Seed {
    int body = kNothing;
    bool moves = false;
    int component = 0;
  };

  void place(int body, const Pose<Space>& pose, const Lanes& motion);
  void seed(const Seed& seed, int lane);
  template <class Element>
  void differentiate(const Element& element, const LoadedBodies& bodies,
                     const std::vector<Pose<Space>>& poses, const std::vector<Lanes>& motions,
                     LoadSlope& slope);

  System<On> system_;
  Kinematics<On> kin_;
  typename Space::Position reference_ = Space::Position::Zero();
  Duals t_;
};

extern template class LoadSlopes<Planar<double>>;
extern template class LoadSlopes<Spatial<double>>;

}  // namespace hamiltree::derivatives
