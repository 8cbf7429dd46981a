#include "hamiltree/formulations/derivatives/load_slopes.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "hamiltree/base/index.hpp"

namespace hamiltree::derivatives {
namespace {

template <class Element>
concept BetweenBodies = requires(const Element& element) {
  element.body_a;
};
template <class Element>
concept OnBody = requires(const Element& element) {
  element.body;
  element.X;
}
&&!requires(const Element& element) {
  element.name;  // a callback
};
template <class Element>
concept AlongRope = requires(const Element& element) {
  element.path;
};
template <class Element>
concept AlongJoint = requires(const Element& element) {
  element.joint;
}
&&!requires(const Element& element) { element.name; };

template <class Element>
concept DependsOnTime = OnBody<Element> || requires(const Element& element) {
  element.effort;
} || requires(const Element& element) {
  element.law.effort;
};
template <class Element>
concept ExertsLoad =
    BetweenBodies<Element> || AlongRope<Element> || OnBody<Element> || AlongJoint<Element>;

// As the elements say them to their sinks; none where they act along joints of the tree.
template <class Space, class Element>
std::optional<LoadedBodies> bodies_of_one(const System<Space>& system, const Element& element) {
  if constexpr (OnBody<Element>) {
    return LoadedBodies{element.body, kNothing};
  } else if constexpr (AlongRope<Element>) {  // two points, as EffortSlopes asks
    return LoadedBodies{element.path.back().body, element.path.front().body};
  } else if constexpr (BetweenBodies<Element>) {
    return LoadedBodies{element.body_b, element.body_a};
  } else if constexpr (AlongJoint<Element>) {
    const auto& joint = system.joint(element.joint);
    if (joint.is_cut()) return LoadedBodies{joint.child, joint.parent};
  }
  return std::nullopt;
}

void set_slope(Duals& number, int lane, double slope) {
  Pack pack = number.derivative.pack();
  pack.set(lane, slope);
  number.derivative = pack;
}
void add_slope(Duals& number, int lane, double slope) {
  set_slope(number, lane, number.derivative[lane] + slope);
}

}  // namespace

// Sums an element's loads on its child, about the reference.
template <class Space>
struct LoadSlopes<Space>::Sink {
  const Instant<On>& now;
  typename On::Position reference;
  typename On::Force load = On::Force::Zero();

  template <class Parts, class WrenchOf>
  void pair(int, int, const typename On::Position& x, const Parts& parts,
            const WrenchOf& wrench_of) {
    load += shift_force<On>(x - reference, wrench_of(sum_of(parts)));
  }
  void effort(ForceKind, int j, const Duals& effort) {
    typename On::Force F = On::Force::Zero();
    F(now.system.joint(j).along) = effort;
    load += shift_force<On>(now.kin.origin(j) - reference, now.kin.joint(j).to_world_force(F));
  }
};

template <class Space>
std::vector<LoadedBodies> LoadSlopes<Space>::bodies_of(const System<Space>& system) {
  std::vector<LoadedBodies> bodies;
  system.for_each_force([&](const auto& element) {
    if (const auto loaded = bodies_of_one(system, element)) bodies.push_back(*loaded);
  });
  return bodies;
}

template <class Space>
void LoadSlopes<Space>::place(int body, const Pose<Space>& pose, const Lanes& motion) {
  kin_.X_WB[at(body)] = pose.template cast<Duals>();
  typename Space::Motion V;
  for (int i = 0; i < Space::kDimension; ++i) V(i) = motion.lane[i];
  kin_.V_WB[at(body)] = shift_motion<Space>(pose.r - reference_, V).template cast<Duals>();
}

template <class Space>
void LoadSlopes<Space>::seed(const Seed& seed, int lane) {
  auto& X = kin_.X_WB[at(seed.body)];
  auto& V = kin_.V_WB[at(seed.body)];
  typename Space::Motion unit = Space::Motion::Zero();
  unit(seed.component) = 1.0;
  typename Space::Position r;
  for (int i = 0; i < Space::kLinear; ++i) r(i) = X.r(i).value;
  const typename Space::Position arm = r - reference_;
  const typename Space::Motion moved = shift_motion<Space>(arm, unit);
  if (seed.moves) {
    for (int i = 0; i < Space::kDimension; ++i) set_slope(V(i), lane, moved(i));
    return;
  }
  // Seen at the body's point, which moves along, the motion about the reference that stands still.
  typename Space::Angular omega;
  for (int i = 0; i < Space::kAngular; ++i) omega(i) = V(Space::kLinear + i).value;
  const typename Space::Position carried = Space::cross(omega, linear<Space>(moved));
  for (int i = 0; i < Space::kLinear; ++i) {
    set_slope(X.r(i), lane, moved(i));
    add_slope(V(i), lane, carried(i));
  }
  for (int column = 0; column < Space::kLinear; ++column) {
    typename Space::Position axis;
    for (int i = 0; i < Space::kLinear; ++i) axis(i) = X.R(i, column).value;
    const typename Space::Position turned = Space::cross(angular<Space>(unit), axis);
    for (int i = 0; i < Space::kLinear; ++i) set_slope(X.R(i, column), lane, turned(i));
  }
}

template <class Space>
template <class Element>
void LoadSlopes<Space>::differentiate(const Element& element, const LoadedBodies& bodies,
                                      const std::vector<Pose<Space>>& poses,
                                      const std::vector<Lanes>& motions, LoadSlope& slope) {
  slope = {};
  std::vector<Seed> seeds;
  for (const int body : {bodies.child, bodies.parent}) {
    for (const bool moves : {false, true})
      for (int i = 0; i < Space::kDimension && body != kNothing; ++i)
        seeds.push_back({body, moves, i});
  }
  if (DependsOnTime<Element>) seeds.push_back({});
  const Instant<On> now{system_, kin_, t_, nullptr};
  for (std::size_t first = 0; first < seeds.size(); first += kLanes) {
    const std::size_t count = std::min(seeds.size() - first, std::size_t{kLanes});
    for (const int body : {bodies.child, bodies.parent})
      if (body != kNothing) place(body, poses[at(body)], motions[at(body)]);
    t_.derivative = 0.0;
    for (std::size_t lane = 0; lane < count; ++lane) {
      const auto& one = seeds[first + lane];
      if (one.body == kNothing) {
        set_slope(t_, static_cast<int>(lane), 1.0);
      } else {
        seed(one, static_cast<int>(lane));
      }
    }
    if constexpr (AlongJoint<Element>)
      kin_.joints[at(element.joint)].X_WJ = joint_frame(system_, kin_, element.joint);
    Sink sink{now, reference_.template cast<Duals>()};
    exert(element, now, sink);
    for (int i = 0; i < Space::kDimension; ++i) {
      slope.load.lane[i] = sink.load(i).value;
      for (std::size_t lane = 0; lane < count; ++lane) {
        const auto& one = seeds[first + lane];
        const double value = sink.load(i).derivative[static_cast<int>(lane)];
        if (one.body == kNothing) {
          slope.by_time.lane[i] = value;
          continue;
        }
        auto& end = one.body == bodies.child ? slope.child : slope.parent;
        (one.moves ? end.moved : end.displaced)[i].lane[one.component] = value;
      }
    }
  }
}

template <class Space>
void LoadSlopes<Space>::find(double t, const double* reference,
                             const std::vector<Pose<Space>>& poses,
                             const std::vector<Lanes>& motions, std::vector<LoadSlope>& slopes) {
  t_ = {t, 0.0};
  for (int i = 0; i < Space::kLinear; ++i) reference_(i) = reference[i];
  std::size_t next = 0;
  system_.for_each_force([&]<class Element>(const Element& element) {
    if constexpr (ExertsLoad<Element>) {
      if (const auto bodies = bodies_of_one(system_, element))
        differentiate(element, *bodies, poses, motions, slopes[next++]);
    }
  });
}

template class LoadSlopes<Planar<double>>;
template class LoadSlopes<Spatial<double>>;

}  // namespace hamiltree::derivatives
