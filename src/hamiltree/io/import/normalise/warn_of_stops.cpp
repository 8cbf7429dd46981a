#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <variant>

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/import/normalise/normalise.hpp"
#include "hamiltree/model/checks.hpp"

namespace hamiltree {
namespace {

// Less than this part of the narrower range is no way, but what rounding leaves of one.
constexpr double kNoWay = 1e-6;

struct Way {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();

  double width() const { return upper - lower; }
  std::string text() const { return "from " + to_text(lower) + " to " + to_text(upper); }
};

std::map<std::string, Way> ways(const Mechanism& mechanism) {
  std::map<std::string, Way> result;
  for (const auto& force : mechanism.forces) {
    const auto* stop = std::get_if<JointLimits>(&force);
    if (stop == nullptr) continue;
    auto& range = result[stop->joint];
    if (stop->lower) range.lower = std::max(range.lower, *stop->lower);
    if (stop->upper) range.upper = std::min(range.upper, *stop->upper);
  }
  return result;
}

// Where the leader keeps the follower within this range.
Way of_leader(const Way& follower, const Coupling& coupling) {
  const double a = (follower.lower - coupling.offset) / coupling.ratio;
  const double b = (follower.upper - coupling.offset) / coupling.ratio;
  return {std::min(a, b), std::max(a, b)};
}

}  // namespace

void warn_of_stops(const Mechanism& mechanism, ImportLog& log) {
  const auto all = ways(mechanism);
  for (const auto& coupling : mechanism.couplings) {
    const auto follower = all.find(coupling.joint), leader = all.find(coupling.to);
    if (follower == all.end() || leader == all.end() || !coupling.higher.empty()) continue;
    const auto led = of_leader(follower->second, coupling);
    const double way =
        std::min(led.upper, leader->second.upper) - std::max(led.lower, leader->second.lower);
    if (way > kNoWay * std::min(led.width(), leader->second.width())) continue;
    log.warn(coupling.where, titled("joint", coupling.joint) + ": its stops, " +
                                 follower->second.text() + ", and those of joint \"" + coupling.to +
                                 "\", which it follows, " + leader->second.text() +
                                 ", leave them no way: they move against their stops");
  }
}

}  // namespace hamiltree
