#include "hamiltree/formulations/derivatives/effort_slopes.hpp"

#include <algorithm>
#include <cstddef>

#include "hamiltree/base/index.hpp"

namespace hamiltree::derivatives {
namespace {

constexpr int kLaneOfTime = kLanes - 1;  // the others are those of what an element asks for

Pack unit(int lane) {
  Pack pack(0.0);
  pack.set(lane, 1.0);
  return pack;
}

}  // namespace

template <class Space>
struct EffortSlopes<Space>::Now {
  using Scalar = Duals;
  struct Seed {
    EffortSlope::By by;
    int column;
  };

  const System<On>& system;
  Scalar t;
  const double *q, *v;
  int first = 0;  // of all that the element asks for, the one that has the first lane
  mutable std::array<Seed, kLaneOfTime> seeds{};
  mutable int asked = 0;

  int lanes() const { return std::min(asked - first, kLaneOfTime); }

  Scalar seed(EffortSlope::By by, int column, double value) const {
    const int lane = asked++ - first;
    if (lane < 0 || lane >= kLaneOfTime) return {value, 0.0};
    seeds[at(lane)] = {by, column};
    return {value, unit(lane)};
  }
  Scalar position(int j) const {
    const int i = system.joint(j).q;
    return seed(EffortSlope::By::kCoordinate, i, q[i]);
  }
  Scalar rate(int j) const {
    const int i = system.joint(j).v;
    return seed(EffortSlope::By::kVelocity, i, v[i]);
  }
};

template <class Space>
struct EffortSlopes<Space>::Sink {
  const Now& now;
  std::vector<EffortSlope>& slopes;

  void effort(ForceKind, int j, const Duals& effort) {
    const int row = now.system.joint(j).v;
    for (int lane = 0; lane < now.lanes(); ++lane) {
      const double slope = effort.derivative[lane];
      if (slope != 0.0)
        slopes.push_back({row, now.seeds[at(lane)].by, now.seeds[at(lane)].column, slope});
    }
    const double by_time = effort.derivative[kLaneOfTime];
    if (by_time != 0.0 && now.first == 0)
      slopes.push_back({row, EffortSlope::By::kTime, 0, by_time});
  }
};

template <class Space>
bool EffortSlopes<Space>::takes(const System<Space>& system) {
  bool takes = true;
  system.for_each_force([&](const auto& element) {
    if constexpr (requires { element.name; }) {
      takes = false;  // a callback
    } else if constexpr (requires { element.shares; }) {
      takes = takes && std::ranges::all_of(element.shares, [&](const JointShare& share) {
                return system.joint(share.joint).has_velocity();
              });
    } else if constexpr (requires { element.path; }) {
      takes = takes && element.path.size() == 2;  // longer ropes are left to tangents
    }
  });
  return takes;
}

template <class Space>
const std::vector<EffortSlope>& EffortSlopes<Space>::at_state(double t, const double* q,
                                                              const double* v) {
  slopes_.clear();
  Now now{system_, {t, unit(kLaneOfTime)}, q, v};
  Sink sink{now, slopes_};
  const auto differentiate = [&](const auto& element) {
    for (now.first = 0; now.first == 0 || now.first < now.asked; now.first += kLaneOfTime) {
      now.asked = 0;
      exert(element, now, sink);
    }
  };
  system_.for_each_force([&](const auto& element) {
    if constexpr (requires { element.name; }) {  // a callback
    } else if constexpr (requires { element.shares; }) {
      differentiate(element);
    } else if constexpr (requires { element.joint; }) {
      // Along a driven joint it moves nothing, along a cut it is a load (load_slopes.hpp).
      if (system_.joint(element.joint).has_velocity()) differentiate(element);
    }
  });
  return slopes_;
}

template class EffortSlopes<Planar<double>>;
template class EffortSlopes<Spatial<double>>;

}  // namespace hamiltree::derivatives
