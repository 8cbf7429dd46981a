#include "hamiltree/simulation/watched_events.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <string_view>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/checks.hpp"
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

bool WatchedEvent::jumps(const Eigen::VectorXd& before, const Eigen::VectorXd& after) const {
  return quaternion != kNone &&
         before.segment<4>(quaternion).dot(after.segment<4>(quaternion)) < 0.0;
}

std::vector<WatchedEvent> watched_events(const Model& model, bool counts_turns) {
  const auto& events = model.mechanism().events;
  if (events.empty()) return {};
  const auto channels = make_header(model).sensors;
  const auto jumps = jumps_of_sensors(model, counts_turns);
  std::vector<WatchedEvent> watched;
  for (std::size_t e = 0; e < events.size(); ++e) {
    const auto& event = events[e];
    const auto found = std::ranges::find(channels, event.channel, &Channel::name);
    if (found == channels.end()) {
      refuse(event.where, titled("event", event.name),
             "no sensor records a channel \"" + event.channel + "\"", "channel");
    }
    const auto channel = static_cast<int>(found - channels.begin());
    const auto jump = jumps[at(channel)];
    const auto part = static_cast<int>(std::string_view("wxyz").find(found->name.back()));
    watched.push_back({static_cast<int>(e), channel, event.value, event.crossing,
                       jump == Jump::kByATurn,
                       jump == Jump::kToOtherSign ? channel - part : kNone});
  }
  return watched;
}

}  // namespace hamiltree
