// A recording told to another recorder.
#pragma once

#include "hamiltree/simulation/recording.hpp"

namespace hamiltree::test {

inline void tell(const Recording& recording, Recorder& recorder) {
  recorder.begin(recording.header);
  for (const auto& sample : recording.samples) recorder.sample(sample);
  for (const auto& step : recording.steps) recorder.step(step);
  recorder.finish(recording.summary);
}

}  // namespace hamiltree::test
