// ThinRecording: what a report shows of a run of any length. Where there are more samples or steps
// than a screen has columns, every second one is left out, as often as it takes.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

// At most `most` items, the first among them, at equal distances; and the last.
template <class Item>
class ThinList {
 public:
  explicit ThinList(std::size_t most) : most_(most) {}

  void add(const Item& item) {
    if (seen_++ % distance_ != 0) {
      last_ = item;
      return;
    }
    last_.reset();
    kept_.push_back(item);
    if (kept_.size() <= most_) return;
    for (std::size_t i = 1; 2 * i < kept_.size(); ++i) kept_[i] = std::move(kept_[2 * i]);
    // With an even number the last item is dropped, which may be the last of all.
    if (kept_.size() % 2 == 0) last_ = item;
    kept_.resize((kept_.size() + 1) / 2);
    distance_ *= 2;
  }

  std::vector<Item> all() const {
    auto items = kept_;
    if (last_) items.push_back(*last_);
    return items;
  }

 private:
  std::size_t most_, seen_ = 0, distance_ = 1;
  std::vector<Item> kept_;
  std::optional<Item> last_;
};

class ThinRecording final : public Recorder {
 public:
  static constexpr std::size_t kMost = 4000;  // on a screen; 0.57 KB each of a four-bar

  explicit ThinRecording(std::size_t most = kMost) : samples_(most), steps_(most) {}

  void begin(const RecordingHeader& header) override { header_ = header; }
  void sample(const Sample& sample) override { samples_.add(sample); }
  void step(const StepRecord& step) override { steps_.add(step); }
  void finish(const Summary& summary) override { summary_ = summary; }

  Recording recording() const {
    Recording shown;
    shown.header = header_;
    shown.samples = samples_.all();
    shown.steps = steps_.all();
    shown.summary = summary_;
    return shown;
  }

 private:
  RecordingHeader header_;
  ThinList<Sample> samples_;
  ThinList<StepRecord> steps_;
  Summary summary_;
};

}  // namespace hamiltree
