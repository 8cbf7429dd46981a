#include "hamiltree/simulation/events.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "hamiltree/base/index.hpp"
#include "hamiltree/integrators/integrator.hpp"

namespace hamiltree {
namespace {

constexpr int kMaxTrials = 100;

}  // namespace

Events::Events(const Model& model, const SimulationOptions& options)
    : options_(options), method_(options.integrator), watched_(watched_events(model, true)) {
  if (!empty()) trial_.emplace(model, options_, scratch_);
}

void Events::start(MechanismOde& motion, double t, const double* y) {
  if (!empty()) start_ = point_of(motion, t, y);
}

Events::Point Events::point_of(MechanismOde& motion, double t, const double* y) {
  Point point;
  point.state = motion.state(t, y);
  point.v = motion.v();
  point.work = motion.work(t, y);
  point.y = Eigen::Map<const Eigen::VectorXd>(y, motion.size());
  motion.sensors(t, y, point.values);
  motion.follow();
  point.outside_q = motion.outside_q();
  return point;
}

std::vector<Events::Found> Events::crossings(MechanismOde& motion,
                                             const std::vector<Sample>& outputs, double t,
                                             const double* y) {
  std::vector<Found> found;
  const auto start = std::exchange(start_, point_of(motion, t, y));
  for (const auto& watched : watched_) {
    Look before{start.state.t, watched.above(start.values(watched.channel))};
    const Eigen::VectorXd* seen = &start.values;
    const auto look = [&](double at_t, const Eigen::VectorXd& values) {
      const Look now{at_t, watched.above(values(watched.channel))};
      if (watched.crosses(before.above, now.above) && !watched.jumps(*seen, values))
        found.push_back(locate(watched, motion, start, before, now));
      before = now;
      seen = &values;
    };
    for (const auto& output : outputs) look(output.t, output.sensors);
    look(t, start_.values);
  }
  // One that ends the run comes after all others of its time.
  const auto& described = motion.model().mechanism().events;
  const auto place = [&](const Found& f) { return std::pair(f.t, described[at(f.event)].stops); };
  std::ranges::stable_sort(found, {}, place);
  return found;
}

Events::Point Events::at_time(double t, MechanismOde& motion, const Point& start) {
  if (within_) {
    Eigen::VectorXd y(motion.size());
    within_(t, y.data());
    return point_of(motion, t, y.data());
  }
  trial_->follow_from(start.outside_q);
  trial_->start(start.state, start.v, start.work);
  trial_->change_method(method_, start.state.t, start.y.data());
  const auto trial = make_integrator(method_, *trial_, start.state.t, start.y.data());
  trial->advance(t);
  return point_of(*trial_, t, trial->y());
}

// The Illinois variant of false position, on the time at which a trial from the start ends. What is
// returned lies on the far side of the crossing.
Events::Found Events::locate(const WatchedEvent& watched, MechanismOde& motion, const Point& start,
                             const Look& from, const Look& to) {
  double before = from.t;
  double f_before = from.above;
  Found found{watched.event, to.t, {}};
  double f_after = to.above;
  Eigen::VectorXd y;
  const auto try_at = [&](double t) {
    auto point = at_time(t, motion, start);
    y = std::move(point.y);
    const double f = watched.above(point.values(watched.channel));
    if (f != 0.0 && (f > 0.0) == (f_before > 0.0)) {
      before = t;
      f_before = f;
      return -1;
    }
    found.t = t;
    found.y = y;
    f_after = f;
    return 1;
  };
  int last_side = 0;
  for (int i = 0; i < kMaxTrials && f_after != 0.0; ++i) {
    const double width = found.t - before;
    if (width <= 4.0 * std::numeric_limits<double>::epsilon() * std::abs(found.t)) break;
    double t = found.t - f_after * width / (f_after - f_before);
    if (!(t > before && t < found.t)) t = before + 0.5 * width;
    const double kept_before = f_before;
    const double kept_after = f_after;
    const int side = try_at(t);
    if (side == last_side) {
      if (side < 0) f_after = 0.5 * kept_after;
      if (side > 0) f_before = 0.5 * kept_before;
    }
    last_side = side;
  }
  if (found.y.size() == 0) {
    // At the very end, or a trial's error before it.
    try_at(to.t);
    found.y = y;
  }
  return found;
}

}  // namespace hamiltree
