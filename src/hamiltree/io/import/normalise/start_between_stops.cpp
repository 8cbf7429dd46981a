#include <set>
#include <string>

#include "hamiltree/io/import/normalise/normalise.hpp"
#include "hamiltree/io/import/number_by_name.hpp"

namespace hamiltree {
namespace {

bool has_start(const JointDescription& joint) { return joint.initial_q || joint.guess_q; }

// Within its stops, or at the only one.
double start_at(const JointLimits& stop) {
  if (stop.lower && stop.upper) return 0.5 * (*stop.lower + *stop.upper);
  return stop.lower ? *stop.lower : *stop.upper;
}

double start_of(const JointDescription& joint) {
  if (joint.initial_q) return (*joint.initial_q)(0);
  return joint.guess_q ? (*joint.guess_q)(0) : 0.0;
}

}  // namespace

void start_between_stops(Mechanism& mechanism) {
  const auto joints = number_by_name(mechanism.joints);
  std::set<std::string> waiting;  // followers
  for (const auto& coupling : mechanism.couplings) waiting.insert(coupling.joint);
  for (const auto& force : mechanism.forces) {
    const auto* stop = std::get_if<JointLimits>(&force);
    if (stop == nullptr || waiting.contains(stop->joint)) continue;
    auto& joint = mechanism.joints[joints.at(stop->joint)];
    const bool is_beyond =
        (stop->lower && *stop->lower > 0.0) || (stop->upper && *stop->upper < 0.0);
    if (is_beyond && !has_start(joint))
      joint.guess_q = Eigen::VectorXd::Constant(1, start_at(*stop));
  }
  // Followers start where their leaders put them; these may be followers, too.
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (const auto& coupling : mechanism.couplings) {
      const auto follower = joints.find(coupling.joint), leader = joints.find(coupling.to);
      if (follower == joints.end() || leader == joints.end()) continue;  // refused later
      if (!waiting.contains(coupling.joint) || waiting.contains(coupling.to)) continue;
      waiting.erase(coupling.joint);
      goes_on = true;
      auto& joint = mechanism.joints[follower->second];
      const double q = value_at(coupling, start_of(mechanism.joints[leader->second]));
      if (q != 0.0 && !has_start(joint)) joint.guess_q = Eigen::VectorXd::Constant(1, q);
    }
  }
}

}  // namespace hamiltree
