#include "hamiltree/simulation/watched_events.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/simulation/recording_header.hpp"

namespace hamiltree {

double WatchedEvent::above(double reading) const {
  const double above = reading - value;
  return wraps ? std::remainder(above, 2.0 * std::numbers::pi) : above;
}

bool WatchedEvent::crosses(double before, double after) const {
  if (wraps && std::abs(after - before) > std::numbers::pi) return false;
  const bool rises = before < 0.0 && after >= 0.0;
  const bool falls = before > 0.0 && after <= 0.0;
  return (rises && crossing != Crossing::kFalling) || (falls && crossing != Crossing::kRising);
}

std::vector<WatchedEvent> watched_events(const Model& model, bool counts_turns) {
  const auto& events = model.mechanism().events;
  if (events.empty()) return {};
  const auto channels = make_header(model).sensors;
  const auto wraps = angles_within_half_a_turn(model, counts_turns);
  std::vector<WatchedEvent> watched;
  for (std::size_t e = 0; e < events.size(); ++e) {
    const auto& event = events[e];
    const auto found = std::ranges::find(channels, event.channel, &Channel::name);
    if (found == channels.end()) {
      const std::string element = "event \"" + event.name + "\"";
      throw ModelError(event.where, element,
                       element + ": no sensor records a channel \"" + event.channel + "\"");
    }
    const auto channel = found - channels.begin();
    watched.push_back({static_cast<int>(e), static_cast<int>(channel), event.value, event.crossing,
                       wraps[static_cast<std::size_t>(channel)]});
  }
  return watched;
}

}  // namespace hamiltree
