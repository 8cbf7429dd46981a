// Elastic stops of a tendon: x is the sum of ratio q over joints, each of which feels its ratio
// times the push, or the length of a rope. The push is that of stop_push.hpp, back along x.
#pragma once

#include <array>

#include "hamiltree/forces/rope.hpp"
#include "hamiltree/forces/stop_push.hpp"

namespace hamiltree {

template <class Space, class Now>
typename Space::Scalar pulled_length(const TendonStop<Space>& stop, const Now& now) {
  typename Space::Scalar length(0);
  for (const auto& share : stop.shares)
    length += typename Space::Scalar(share.ratio) * now.position(share.joint);
  return length;
}

template <class Space, class Now, class Sink>
void exert(const TendonStop<Space>& stop, const Now& now, Sink& sink) {
  using Scalar = typename Space::Scalar;
  const auto& law = stop.law;
  const Scalar x = passed_by(law, pulled_length(stop, now));
  if (is_free_of_stop(x)) return;
  const Scalar side(law.side);
  Scalar xdot(0);
  for (const auto& share : stop.shares) xdot += side * Scalar(share.ratio) * now.rate(share.joint);
  const auto push = push_of(law, x, xdot);
  for (const auto& share : stop.shares) {
    const Scalar back = -(side * Scalar(share.ratio));
    sink.effort(ForceKind::kConservative, share.joint, back * push.spring);
    sink.effort(ForceKind::kDissipative, share.joint, back * push.damper);
  }
}

// Too long a rope pulls its points together.
template <class Space, class Sink>
void exert(const RopeStop<Space>& stop, const Instant<Space>& now, Sink& sink) {
  using Scalar = typename Space::Scalar;
  const auto& law = stop.law;
  const Scalar side(law.side);
  pull_rope(stop.path, now, sink, [&](const Scalar& length, const Scalar& rate) {
    const auto push = push_of(law, passed_by(law, length), Scalar(side * rate));
    return std::array{ForcePart<Scalar>{ForceKind::kConservative, side * push.spring},
                      ForcePart<Scalar>{ForceKind::kDissipative, side * push.damper}};
  });
}

template <class Space, class Now>
typename Space::Scalar stored_energy(const TendonStop<Space>& stop, const Now& now) {
  return stored_at(stop.law, pulled_length(stop, now));
}
template <class Space>
typename Space::Scalar stored_energy(const RopeStop<Space>& stop, const Instant<Space>& now) {
  return stored_at(stop.law, rope_length(stop.path, now.kin));
}

template <class Space>
bool is_conservative(const TendonStop<Space>& stop) {
  return stop.law.damping == 0.0;
}
template <class Space>
bool is_conservative(const RopeStop<Space>& stop) {
  return stop.law.damping == 0.0;
}

}  // namespace hamiltree
