// ThinRecording: what a report shows of a run of any length. Where there are more samples or steps
// than a screen has columns, every second one is left out, as often as it takes; what was worst
// among those left out is kept.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

// At most `most` items, the first among them, at equal distances; and the last. `absorb(item,
// earlier)` keeps of an item that is left out what the next one is to tell of it.
template <class Item>
class ThinList {
 public:
  explicit ThinList(std::size_t most) : most_(most) {}

  void add(Item item) {
    if (last_) absorb(item, *last_);
    last_.reset();
    if (seen_++ % distance_ != 0) {
      last_ = std::move(item);
      return;
    }
    kept_.push_back(std::move(item));
    if (kept_.size() > most_) halve();
  }

  std::vector<Item> all() const {
    auto items = kept_;
    if (last_) items.push_back(*last_);
    return items;
  }
  std::size_t seen() const { return seen_; }

 private:
  void halve() {
    // With an even number the last item is dropped, which may be the last of all.
    if (kept_.size() % 2 == 0) last_ = kept_.back();
    for (std::size_t i = 1; 2 * i < kept_.size(); ++i) {
      absorb(kept_[2 * i], kept_[2 * i - 1]);
      kept_[i] = std::move(kept_[2 * i]);
    }
    kept_.resize((kept_.size() + 1) / 2);
    distance_ *= 2;
  }

  std::size_t most_, seen_ = 0, distance_ = 1;
  std::vector<Item> kept_;
  std::optional<Item> last_;
};

// What a thinned recording lacks: how many samples there were, and for each that is kept the worst
// since the one before. Of these there are energies, work and residuals only.
struct LeftOut {
  std::size_t recorded = 0;
  std::vector<Sample> peaks;
};

class ThinRecording final : public Recorder {
 public:
  static constexpr std::size_t kMost = 4000;  // on a screen; 0.63 KB each of a four-bar

  explicit ThinRecording(std::size_t most = kMost) : samples_(most), steps_(most) {}

  void begin(const RecordingHeader& header) override { header_ = header; }
  void sample(const Sample& sample) override {
    const double energy = sample.kinetic_energy + sample.potential_energy - total(sample.work);
    if (samples_.seen() == 0) initial_ = energy;
    samples_.add(
        {sample,
         {std::abs(energy - initial_), sample.kinetic_energy, sample.potential_energy, sample.work,
          std::abs(sample.position_residual), std::abs(sample.velocity_residual)}});
  }
  void step(const StepRecord& step) override { steps_.add({step}); }
  void finish(const Summary& summary) override { summary_ = summary; }

  Recording recording() const {
    Recording shown;
    shown.header = header_;
    for (auto& kept : samples_.all()) shown.samples.push_back(std::move(kept.sample));
    for (const auto& kept : steps_.all()) shown.steps.push_back(kept.step);
    shown.summary = summary_;
    return shown;
  }
  LeftOut left_out() const {
    LeftOut left{samples_.seen(), {}};
    for (const auto& [sample, worst] : samples_.all()) {
      auto& peak = left.peaks.emplace_back();
      peak.kinetic_energy = worst.kinetic_energy;
      peak.potential_energy = worst.potential_energy;
      peak.work = worst.work;
      peak.position_residual = worst.position_residual;
      peak.velocity_residual = worst.velocity_residual;
    }
    return left;
  }

 private:
  // The energies where their error was largest, and the largest residuals.
  struct Worst {
    double energy_error, kinetic_energy, potential_energy;
    Power work;
    double position_residual, velocity_residual;
  };
  struct KeptSample {
    Sample sample;
    Worst worst;
    // A NaN stays: nothing is worse.
    friend void absorb(KeptSample& kept, const KeptSample& earlier) {
      auto& worst = kept.worst;
      const auto& other = earlier.worst;
      const auto is_worse = [](double a, double b) { return std::isnan(a) || a > b; };
      const double position = worst.position_residual, velocity = worst.velocity_residual;
      if (is_worse(other.energy_error, worst.energy_error)) worst = other;
      worst.position_residual =
          is_worse(other.position_residual, position) ? other.position_residual : position;
      worst.velocity_residual =
          is_worse(other.velocity_residual, velocity) ? other.velocity_residual : velocity;
    }
  };
  struct KeptStep {
    StepRecord step;
    friend void absorb(KeptStep& kept, const KeptStep& earlier) {
      kept.step.size = std::min(kept.step.size, earlier.step.size);
    }
  };

  RecordingHeader header_;
  double initial_ = 0.0;  // J, the energy less the work done
  ThinList<KeptSample> samples_;
  ThinList<KeptStep> steps_;
  Summary summary_;
};

}  // namespace hamiltree
