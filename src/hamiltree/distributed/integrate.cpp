#include "hamiltree/distributed/integrate.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/distributed/messages.hpp"
#include "hamiltree/integrators/integrator.hpp"
#include "hamiltree/simulation/schedule.hpp"

namespace hamiltree::distributed {
namespace {

// y: coordinates of this rank's links, then their momenta.
class Motion final : public OdeProblem {
 public:
  explicit Motion(Part& part) : part_(part), coordinates_(part.initial_q().size()) {}

  int size() const override { return static_cast<int>(2 * coordinates_); }
  int coordinates() const override { return static_cast<int>(coordinates_); }
  bool rate(double, const double* y, double* y_dot) override {
    ++rates;
    // Whether something is not finite must be found by all ranks at once: by their energies.
    const bool measures = std::exchange(begins_step, false);
    part_.rate(y, y + coordinates_, y_dot, y_dot + coordinates_, measures);
    if (measures) energies = part_.energies(y + coordinates_);
    return true;
  }
  void weights(const Tolerances&, const double*, double*) const override {}
  bool accept(double t, double* y) override {
    const auto was_open = part_.finish_step(y, y + coordinates_);
    if (!was_open) {
      throw SimulationError(t,
                            "the step that led here opened joints between segments by more than "
                            "can be closed; take a shorter one");
    }
    opened = *was_open;
    return true;
  }

  long rates = 0;
  double opened = 0.0;       // m, by the last step
  bool begins_step = false;  // the next rate is that of the state itself, whose energies count
  Part::Energies energies;

 private:
  Part& part_;
  std::size_t coordinates_;
};

// Links of a part whose number is a multiple of the stride.
std::vector<std::size_t> chosen(std::size_t first, std::size_t last, std::size_t stride) {
  std::vector<std::size_t> links;
  if (stride == 0) return links;
  for (std::size_t i = (first + stride - 1) / stride * stride; i < last; i += stride)
    links.push_back(i);
  return links;
}

}  // namespace

IntegrationSummary integrate(Part& part, const Ranks& ranks, const IntegrationOptions& options,
                             const std::function<void(const ChainSample&)>& record,
                             const std::function<bool(double)>& interrupted) {
  require_explicit_steps(options.method, "distributed chains");
  Motion motion(part);
  std::vector<double> y(part.initial_q()), y_dot(2 * y.size());
  y.insert(y.end(), part.initial_p().begin(), part.initial_p().end());
  const auto integrator = make_integrator(options.method, motion, 0.0, y.data());
  y.clear();
  y.shrink_to_fit();

  IntegrationSummary summary;
  const auto own = chosen(part.first(), part.last(), options.stride);
  const auto note_energies = [&](double t) {
    const auto& energies = motion.energies;
    const double energy = energies.kinetic + energies.potential;
    if (!std::isfinite(energy)) throw SimulationError(t, "the rates are not finite");
    if (summary.steps == 0) summary.initial_energy = energy;
    summary.energy_error =
        std::max(summary.energy_error, std::abs(energy - summary.initial_energy));
    summary.peak_kinetic = std::max(summary.peak_kinetic, energies.kinetic);
  };
  const auto sample = [&] {
    motion.begins_step = true;
    motion.rate(integrator->time(), integrator->y(), y_dot.data());
    note_energies(integrator->time());
    std::vector<double> numbers(2 * own.size());
    part.show(integrator->y(), own, numbers.data(), numbers.data() + own.size());
    double size = static_cast<double>(own.size());
    if (ranks.rank > 0) {
      ranks.send(0, {&size, 1});
      ranks.send(0, numbers);
      return;
    }
    ChainSample all{integrator->time(), motion.energies, {}, {}};
    const auto take = [&] {
      const auto half = static_cast<std::ptrdiff_t>(numbers.size() / 2);
      all.q.insert(all.q.end(), numbers.begin(), numbers.begin() + half);
      all.q_dot.insert(all.q_dot.end(), numbers.begin() + half, numbers.end());
    };
    take();
    for (int rank = 1; rank < ranks.count; ++rank) {
      ranks.receive(rank, {&size, 1});
      numbers.resize(2 * static_cast<std::size_t>(size));
      ranks.receive(rank, numbers);
      take();
    }
    record(all);
  };

  const auto since = std::chrono::steady_clock::now();
  const auto step = [&](double stop) {
    const double before = integrator->time();
    motion.begins_step = true;
    integrator->step(stop);
    ++summary.steps;
    summary.opened = std::max(summary.opened, motion.opened);
    note_energies(before);
    double ends = ranks.rank == 0 && interrupted(integrator->time()) ? 1.0 : 0.0;
    broadcast(ranks, {&ends, 1});
    return ends == 0.0;
  };
  auto schedule =
      outputs_until(0.0, options.until, options.every > 0.0 ? options.every : options.until, {});
  schedule.run([&] { return integrator->time(); }, step, sample);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - since;
  summary.seconds = taken.count();
  summary.reached = integrator->time();
  summary.rates = motion.rates;
  return summary;
}

}  // namespace hamiltree::distributed
