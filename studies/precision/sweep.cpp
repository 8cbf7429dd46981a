#include "studies/precision/sweep.hpp"

#include <algorithm>
#include <stdexcept>

#include "studies/precision/report.hpp"

namespace hamiltree::studies::round_off {
namespace {

constexpr double kReferenceTolerance = 1e-13;

MotionCase released(int bodies, double duration, std::vector<int> segments) {
  auto pins = random_pins(Shape::kStraight, bodies, kSeed);
  pins.rates.setZero();
  return {"released, " + std::to_string(bodies) + " bodies", pins, duration, std::move(segments)};
}

MotionCase unfolding(int bodies, double duration, std::vector<int> segments) {
  return {"unfolding, " + std::to_string(bodies) + " bodies",
          random_pins(Shape::kFolded, bodies, kSeed), duration, std::move(segments)};
}

std::vector<MotionCase> motions(bool quick) {
  if (quick) return {released(64, 0.25, {8, 16}), unfolding(64, 0.25, {8, 16})};
  return {released(64, 1.0, {8, 16, 32}), released(256, 0.5, {8, 16, 32, 64}),
          released(1024, 0.25, {8, 16, 32, 64}), unfolding(256, 0.25, {8, 16, 32, 64})};
}

// The trajectories of recursive are those of hdca but for the last digits: two tolerances do.
bool has_recursive_segments(double tolerance) { return tolerance == 1e-9 || tolerance == 1e-12; }

TrajectoryCase run_of(const MotionCase& motion, const std::string& formulation, int segment,
                      double tolerance) {
  const auto bodies = static_cast<int>(motion.pins.angles.size());
  return {
      {SpaceKind::kPlanar, bodies, segment}, motion.pins, formulation, tolerance, motion.duration};
}

Sweep sweep(const MotionCase& motion, bool quick) {
  Sweep result{motion, 0.0, {}};
  const auto exact = integrate(run_of(motion, "aba", 0, kReferenceTolerance));
  result.own_error =
      end_error(integrate(run_of(motion, "aba", 0, 10.0 * kReferenceTolerance)), exact).rates;
  const auto add = [&](const std::string& formulation, int segment, double tolerance) {
    SweptRun run{formulation,
                 segment,
                 tolerance,
                 integrate(run_of(motion, formulation, segment, tolerance)),
                 {}};
    if (!run.found.failed()) run.error = end_error(run.found, exact);
    result.runs.push_back(std::move(run));
  };
  for (const double tolerance : swept_tolerances(quick)) {
    for (const std::string formulation : {"aba", "hdca", "recursive"}) {
      add(formulation, 0, tolerance);
    }
    for (const int segment : motion.segments) add("hdca", segment, tolerance);
    if (!has_recursive_segments(tolerance)) continue;
    for (const int segment : motion.segments) add("recursive", segment, tolerance);
  }
  return result;
}

}  // namespace

const SweptRun& Sweep::at(const std::string& formulation, int segment, double tolerance) const {
  const auto found = std::find_if(runs.begin(), runs.end(), [&](const auto& run) {
    return run.formulation == formulation && run.segment == segment && run.tolerance == tolerance;
  });
  if (found == runs.end()) throw std::logic_error("no such run in the sweep");
  return *found;
}

std::string Sweep::file() const {
  std::string name;
  for (const char c : motion.name) {
    if (c != ',') name += c == ' ' ? '_' : c;
  }
  return name;
}

std::vector<double> swept_tolerances(bool quick) {
  if (quick) return {1e-7, 1e-9};
  return {1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12};
}

std::vector<Sweep> compute_sweeps(const StudyOptions& options) {
  std::vector<Sweep> all;
  for (const auto& motion : motions(options.quick)) {
    options.progress("trajectories, " + motion.name);
    all.push_back(sweep(motion, options.quick));
  }
  return all;
}

}  // namespace hamiltree::studies::round_off
