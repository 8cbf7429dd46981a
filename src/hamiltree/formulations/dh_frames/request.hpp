// Request: what an evaluation is given and what it writes.
#pragma once

namespace hamiltree::dh_frames {

// Coordinates and momenta in, velocities and rates out, as in a state.
template <class T>
struct Request {
  const T* q = nullptr;
  const T* p = nullptr;
  T* v = nullptr;  // may be q_dot where nothing floats
  T* q_dot = nullptr;
  T* p_dot = nullptr;
};

}  // namespace hamiltree::dh_frames
