// WatchedEvent: an event of a model with the reading that it looks at, and what a crossing is.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "hamiltree/model/frame.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree {

struct WatchedEvent {
  int event = 0;    // of the mechanism
  int channel = 0;  // among those of all sensors
  double value = 0.0;
  Crossing crossing = Crossing::kAny;
  bool wraps = false;      // the channel is an angle within half a turn
  int quaternion = kNone;  // first channel of the quaternion that it is of, if its sign may jump

  // By how much a reading is above the value; of an angle within half a turn the shorter way round.
  double above(double reading) const;
  // Between two looks. A channel that starts on its value does not cross it, nor does an angle
  // that jumps by a turn.
  bool crosses(double before, double after) const;
  // Whether the channel jumps between two looks at all channels, since its quaternion does.
  bool jumps(const Eigen::VectorXd& before, const Eigen::VectorXd& after) const;
};

// In the order of the model; counts_turns: angles of joints that close loops are followed beyond
// half a turn. Throws ModelError for an event whose channel no sensor records.
std::vector<WatchedEvent> watched_events(const Model& model, bool counts_turns);

}  // namespace hamiltree
