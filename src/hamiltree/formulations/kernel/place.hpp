// Poses outwards, then what turns with the bodies: inertias, ends and axes of cuts.
#pragma once

#include "hamiltree/formulations/kernel/lanes.hpp"
#include "hamiltree/formulations/kernel/work.hpp"
#include "hamiltree/math/sincos.hpp"
#include "hamiltree/model/joints/quaternion_entries.hpp"

namespace hamiltree::kernel {

// A frame: its axes as columns.
struct Frame {
  Four x, y, z;
};
inline Frame world() {
  return {Four{1.0, 0.0, 0.0, 0.0}, Four{0.0, 1.0, 0.0, 0.0}, Four{0.0, 0.0, 1.0, 0.0}};
}
inline Frame frame_of(const Half* R) { return {load(R[0]), load(R[1]), load(R[2])}; }
template <class T>
inline Four turned(const Frame& R, const T* v) {
  return R.x * v[0] + R.y * v[1] + R.z * v[2];
}
template <class T>
inline Frame turned_frame(const Frame& R, const T* columns) {
  return {turned(R, columns), turned(R, columns + 3), turned(R, columns + 6)};
}
template <class T>
inline Frame turned_back(const Frame& R, const T* columns) {
  const T rows[9] = {columns[0], columns[3], columns[6], columns[1], columns[4],
                     columns[7], columns[2], columns[5], columns[8]};
  return turned_frame(R, rows);
}

// One step of Newton's method towards the nearest rotation, from its first two axes: what products
// of rotations lose on the way through many joints, inertias in world axes would lose twice, and
// elimination magnify.
inline Frame made_orthogonal(Four x, Four y) {
  const Real xy = 0.5 * dot(x, y);
  const Four e = x * (1.5 - 0.5 * dot(x, x)) - y * xy, f = y * (1.5 - 0.5 * dot(y, y)) - x * xy;
  return {e, f, cross(e, f)};
}

// Turns two axes by an angle in their plane, the first towards the second.
inline void rotate(Four& a, Four& b, Number cosine, Number sine) {
  const Four from = a;
  a = from * cosine + b * sine;
  b = b * cosine - from * sine;
}

#ifdef HAMILTREE_STATES
inline void find_sines(const Tables& tables, const Arrays& state, Work& work) {
  for (std::size_t i = 0; i < tables.angles.size(); ++i) {
    if (tables.angle_signs[i] != 0.0) {
      sin_cos(state.q[tables.angles[i]] * tables.angle_signs[i], work.sine[i], work.cosine[i]);
    }
  }
}
#else
inline void find_sines(const Tables& tables, const Arrays& state, Work& work) {
  for (std::size_t i = 0; i < tables.angles.size(); i += kLaneCount) {
    const auto angle = [&](int lane) {
      const std::size_t k = i + at(lane);
      return tables.angle_signs[k] * state.q[tables.angles[k]];
    };
    Pack sine, cosine;
    sin_cos(Pack::of_lanes(angle), sine, cosine);
    sine.store(work.sine.data() + i);
    cosine.store(work.cosine.data() + i);
  }
}
#endif

// The drive of a joint moves its frame F, which stands in the inboard body; what it adds to the
// motion is for now that of F's origin.
inline void drive_frame(const DriveWork& drive, bool moving, Frame& F, Four& arm, BodyWork& w) {
  arm += turned(F, drive.r);
  F = turned_frame(F, drive.R);
  store(moving ? turned(F, drive.v) : Four{}, w.given_v);
  store(moving ? turned(F, drive.w) : Four{}, w.given_w);
}

// Turns and shifts the frame of a body as its joint does, from F, or backwards from M where the
// joint is reversed, and stores the joint's axes.
inline void move_frame(const Body& body, const Number* q, const Number* sine, const Number* cosine,
                       Frame& R, Four& arm, BodyWork& w) {
  switch (body.kind) {
    case Kind::kFixed:
      return;
    case Kind::kRevolute:
      store(R.z, w.axis[0]);
      return rotate(R.x, R.y, cosine[0], sine[0]);
    case Kind::kHelical:
      store(R.z, w.axis[0]);
      arm += R.z * (body.outward * body.pitch * q[0]);
      return rotate(R.x, R.y, cosine[0], sine[0]);
    case Kind::kPrismatic:
      store(R.z, w.axis[0]);
      arm += R.z * (body.outward * q[0]);
      return;
    case Kind::kCylindrical:
      store(R.z, w.axis[0]);
      store(R.z, w.axis[1]);
      arm += R.z * (body.outward * q[0]);
      return rotate(R.x, R.y, cosine[0], sine[0]);
    case Kind::kPinInSlot:
      store(R.x, w.axis[0]);
      store(R.z, w.axis[1]);
      arm += R.x * q[0];
      return rotate(R.x, R.y, cosine[0], sine[0]);
    case Kind::kUniversal:
      if (body.reversed) {
        store(R.y, w.axis[1]);
        rotate(R.z, R.x, cosine[1], sine[1]);
        store(R.x, w.axis[0]);
        return rotate(R.y, R.z, cosine[0], sine[0]);
      }
      store(R.x, w.axis[0]);
      rotate(R.y, R.z, cosine[0], sine[0]);
      store(R.y, w.axis[1]);
      return rotate(R.z, R.x, cosine[1], sine[1]);
    case Kind::kPlanar:
      arm += R.x * q[0] + R.y * q[1];
      rotate(R.x, R.y, cosine[0], sine[0]);
      break;
    case Kind::kTranslational:
      arm += (R.x * q[0] + R.y * q[1] + R.z * q[2]) * body.outward;
      break;
    case Kind::kSpherical:
    case Kind::kFree: {
      const Number* x = q;
      if (body.kind == Kind::kFree) {
        arm += turned(R, q);
        x += 3;
      }
      const Real quaternion[4] = {x[0], x[1], x[2], x[3]};
      const auto rows = quaternion::rotation_entries(quaternion);
      if (body.reversed) {  // the velocities are those of M, which stands inboard
        store(R.x, w.axis[0]);
        store(R.y, w.axis[1]);
        store(R.z, w.axis[2]);
        R = turned_frame(R, rows.data());
        return;
      }
      R = turned_back(R, rows.data());
      break;
    }
  }
  store(R.x, w.axis[0]);
  store(R.y, w.axis[1]);
  store(R.z, w.axis[2]);
}

inline void place(const Tables& tables, const Arrays& state, Work& work) {
  find_sines(tables, state, work);
  for (const int b : tables.outward) {
    const auto& body = tables.bodies[at(b)];
    auto& w = work.bodies[at(b)];
    Frame in = world();
    Four r{};
    if (body.inboard != kNothing) {
      const auto& inboard = work.bodies[at(body.inboard)];
      in = frame_of(inboard.R);
      r = load(inboard.r);
    }
    Four arm = turned(in, body.r);
    Frame R = made_orthogonal(turned(in, body.R), turned(in, body.R + 3));
    if (body.drive != kNothing) drive_frame(work.drives[at(body.drive)], work.moving, R, arm, w);
    const Four at_frame = arm;
    move_frame(body, state.q + body.q, work.sine.data() + body.angle,
               work.cosine.data() + body.angle, R, arm, w);
    if (body.drive != kNothing)
      store(load(w.given_v) + cross(load(w.given_w), arm - at_frame), w.given_v);
    store(R.x, w.R[0]);
    store(R.y, w.R[1]);
    store(R.z, w.R[2]);
    store(arm, w.arm);
    store(r + arm, w.r);
  }
}

inline void turn_inertias(const Tables& tables, Work& work) {
  for (std::size_t b = 0; b < tables.bodies.size(); ++b) {
    const auto& body = tables.bodies[b];
    auto& w = work.bodies[b];
    const Frame R = frame_of(w.R);
    store(turned(R, body.mc), w.mc);
    // R J R^T
    const Frame half = turned_frame(R, body.J);
    for (int i = 0; i < 3; ++i)
      store(half.x * w.R[0].lane[i] + half.y * w.R[1].lane[i] + half.z * w.R[2].lane[i], w.J[i]);
  }
}

// The axes of a cut's rows, from those of the child. x of a universal joint's parent and y of its
// child are at right angles where the loop is closed.
inline Frame axes_of_rows(const Cut& cut, const Frame& M, const Work& work) {
  if (cut.axes == CutAxes::kOfChild) return M;
  const Frame parent = cut.body[1] == kNothing ? world() : frame_of(work.bodies[at(cut.body[1])].R);
  if (cut.axes == CutAxes::kOfParent) return turned_frame(parent, cut.parent_R);
  const Four x = turned(parent, cut.parent_R);
  const Four across = M.y - x * dot(x, M.y);
  const Four y = across * (1.0 / root(dot(across, across)));
  return {x, y, cross(x, y)};
}

// Takes the gaps that rows are to close.
inline void take_gaps(const Tables& tables, const Arrays& state, Work& work) {
  for (std::size_t c = 0; c < tables.cuts.size(); ++c) {
    const auto& rows = tables.cuts[c].rows;
    for (std::size_t i = 0; i < rows.size(); ++i)
      work.cuts[c].gap[i] = state.phi == nullptr ? Number(0.0) : state.phi[rows[i].row];
  }
}

inline void place_cuts(const Tables& tables, Work& work) {
  for (std::size_t c = 0; c < tables.cuts.size(); ++c) {
    const auto& cut = tables.cuts[c];
    auto& w = work.cuts[c];
    if (cut.is_coupling) continue;
    Frame R = world();
    Four from{};
    if (cut.body[0] != kNothing) {
      R = frame_of(work.bodies[at(cut.body[0])].R);
      from = load(work.bodies[at(cut.body[0])].r);
    }
    const Four lever = turned(R, cut.r);
    const Frame E = axes_of_rows(cut, turned_frame(R, cut.R), work);
    store(E.x, w.E[0]);
    store(E.y, w.E[1]);
    store(E.z, w.E[2]);
    store(lever, w.lever[0]);
    if (cut.body[1] != kNothing)
      store(from + lever - load(work.bodies[at(cut.body[1])].r), w.lever[1]);
  }
}

}  // namespace hamiltree::kernel
