#include "hamiltree/formulations/derivatives/effort_slopes.hpp"

#include <algorithm>
#include <cstddef>

#include "hamiltree/base/index.hpp"

namespace hamiltree::derivatives {
namespace {

// A servo asks for the coordinate and the rate of every joint that it pulls; one lane is time's.
constexpr std::size_t kMostShares = (kLanes - 1) / 2;
constexpr int kLaneOfTime = kLanes - 1;

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
  mutable std::array<Seed, kLanes> seeds{};
  mutable int count = 0;

  Scalar seed(EffortSlope::By by, int column, double value) const {
    seeds[at(count)] = {by, column};
    return {value, unit(count++)};
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
    for (int lane = 0; lane < now.count; ++lane) {
      const double slope = effort.derivative[lane];
      if (slope != 0.0)
        slopes.push_back({row, now.seeds[at(lane)].by, now.seeds[at(lane)].column, slope});
    }
    const double by_time = effort.derivative[kLaneOfTime];
    if (by_time != 0.0) slopes.push_back({row, EffortSlope::By::kTime, 0, by_time});
  }
};

template <class Space>
bool EffortSlopes<Space>::takes(const System<Space>& system) {
  const auto has_one = [&](int j) { return system.joint(j).has_velocity(); };
  bool takes = true;
  system.for_each_force([&](const auto& element) {
    if constexpr (requires { element.name; }) {
      takes = false;  // a callback
    } else if constexpr (requires { element.shares; }) {
      takes = takes && element.shares.size() <= kMostShares &&
              std::ranges::all_of(element.shares,
                                  [&](const JointShare& share) { return has_one(share.joint); });
    } else if constexpr (requires { element.joint; }) {
      takes = takes && has_one(element.joint);
    } else if constexpr (requires { element.path; }) {
      // Springs between two points; longer ropes and their motors are left to tangents.
      takes = takes && element.path.size() == 2 && requires { element.rest_length; };
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
  system_.for_each_force([&](const auto& element) {
    now.count = 0;
    if constexpr (
        requires { element.joint; } || requires { element.shares; }) {
      if constexpr (!requires { element.name; }) exert(element, now, sink);
    }
  });
  return slopes_;
}

template class EffortSlopes<Planar<double>>;
template class EffortSlopes<Spatial<double>>;

}  // namespace hamiltree::derivatives
