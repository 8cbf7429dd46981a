// Inwards: every body's articulated inertia and open rows, joint by joint, then the loops over the
// ground.
#pragma once

#include "hamiltree/formulations/kernel/articulated.hpp"
#include "hamiltree/formulations/kernel/closing.hpp"
#include "hamiltree/formulations/kernel/rows.hpp"

namespace hamiltree::kernel {

template <int n>
inline void happen(const Tables& tables, const Event& event, Eight* M, Work& work) {
  switch (event.kind) {
    case Event::Kind::kOpen:
      return open<n>(tables, event, work);
    case Event::Kind::kMerge:
      return merge<n>(tables, event, work);
    case Event::Kind::kClose:
      return close<n>(event, M, work);
  }
}

// Adds to the inboard body what is behind the joint, seen from there.
template <int n>
inline void hand_over(const Tables& tables, const Body& body, const BodyWork& w, Rows<n>* rows,
                      const Eight* M, Work& work) {
  auto& inboard = work.bodies[at(body.inboard)];
  if (body.first) {
    Unset<Eight, 6> alone;
    rigid(tables.bodies[at(body.inboard)], inboard, alone);
    for (int m = 0; m < 6; ++m) store(alone[m] + M[m], inboard.M[m]);
  } else {
    for (int m = 0; m < 6; ++m) store(load(inboard.M[m]) + M[m], inboard.M[m]);
  }
  if (rows == nullptr) return;
  move_inwards(body, w, *rows);
  if (body.into == body.rows) return;
  auto& into = work.open<n>().rows[at(body.into)];
  add_forces(*rows, body.lane.data(), body.open, into);
  add_rates(*rows, body.lane.data(), body.open, into);
}

// Eliminates the joint: its axes, last to first. Returns how many there are that see the inboard
// body's motion.
template <bool kOnGround, int n>
inline int eliminate(const Body& body, const Number* p_joint, const Behind<n>& behind, BodyWork& w,
                     Eight* M) {
  const double s = body.outward;
  // Nothing asks for what the axis that is eliminated last leaves on the ground.
  const auto axis = [&]<Axis kAxis, int k>() {
    eliminate_axis<kAxis, kOnGround && k == 0>(body, k, s * p_joint[k], behind, w, M);
  };
  const auto turns = [&]<int k>() { axis.template operator()<Axis::kTurns, k>(); };
  const auto slides = [&]<int k>() { axis.template operator()<Axis::kSlides, k>(); };
  // The part of the momentum that goes with three entries of p.
  const auto momentum = [&](const Number* p) {
    return load(w.axis[0]) * (s * p[0]) + load(w.axis[1]) * (s * p[1]) +
           load(w.axis[2]) * (s * p[2]);
  };
  const auto turns_against = [&](int k, int j) { return dot(high(load(w.W[k])), load(w.axis[j])); };
  const auto slides_against = [&](int k, int j) { return dot(low(load(w.W[k])), load(w.axis[j])); };
  switch (body.kind) {
    case Kind::kFixed:
      return 0;
    case Kind::kRevolute:
      turns.template operator()<0>();
      return 1;
    case Kind::kPrismatic:
      slides.template operator()<0>();
      return 1;
    case Kind::kHelical:
      axis.template operator()<Axis::kScrews, 0>();
      return 1;
    case Kind::kUniversal:
      turns.template operator()<1>();
      w.between[0] = turns_against(1, 0);
      turns.template operator()<0>();
      return 2;
    case Kind::kCylindrical:
    case Kind::kPinInSlot:
      turns.template operator()<1>();
      w.between[0] = slides_against(1, 0);
      slides.template operator()<0>();
      return 2;
    case Kind::kPlanar:
    case Kind::kTranslational:
      if (body.kind == Kind::kPlanar) {
        turns.template operator()<2>();
      } else {
        slides.template operator()<2>();
      }
      w.between[1] = slides_against(2, 0);
      w.between[2] = slides_against(2, 1);
      slides.template operator()<1>();
      w.between[0] = slides_against(1, 0);
      slides.template operator()<0>();
      return 3;
    case Kind::kSpherical:
      eliminate_turning(body, momentum(p_joint), behind, w, M);
      return 3;
    case Kind::kFree:
      eliminate_turning(body, momentum(p_joint + 3), behind, w, M);
      eliminate_free(body, momentum(p_joint), behind, w, M);
      return 0;
  }
  return 0;
}

// n: lanes of open rows.
template <int n>
inline void go_inwards(const Tables& tables, const Arrays& state, Work& work) {
  work.held = {};
  for (const int b : tables.inward) {
    const auto& body = tables.bodies[at(b)];
    auto& w = work.bodies[at(b)];
    Unset<Eight, 6> M;
    if (body.leaf) {
      rigid(body, w, M);
    } else {
      for (int m = 0; m < 6; ++m) M[m] = load(w.M[m]);
    }
    for (int i = body.first_event; i < body.end_event; ++i)
      happen<n>(tables, tables.events[at(i)], M, work);
    Behind<n> behind;
    if (body.open > 0) {
      auto& open = work.open<n>();
      behind = {&open.rows[at(body.rows)], open.phi[at(b)].axis,
                body.port == kNothing ? nullptr : tables.ports[at(body.port)].lane};
    }
    const Number* p = state.p + body.v;
    if (body.inboard == kNothing && body.drive == kNothing) {
      eliminate<true>(body, p, behind, w, M);
      continue;
    }
    const int axes = eliminate<false>(body, p, behind, w, M);
    if (body.drive != kNothing) add_driven(body, axes, behind.rows, w, M);
    if (body.inboard == kNothing) continue;
    move_inwards(axes, w, M);
    hand_over(tables, body, w, behind.rows, M, work);
  }
  for (std::size_t i = at(tables.first_ground_event); i < tables.events.size(); ++i)
    happen<n>(tables, tables.events[i], nullptr, work);
  for (const auto& pivot : tables.watched) {
    const Number& inverse = work.bodies[at(pivot.body)].inverse[pivot.inverse];
    hold_unless(Number(0.0) < inverse, work.held);
    hold_unless(inverse < Number(1.0 / pivot.least), work.held);
  }
}

}  // namespace hamiltree::kernel
