#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

Recording::Recording() = default;
Recording::Recording(const Recording&) = default;
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(const Recording&) = default;
Recording& Recording::operator=(Recording&&) noexcept = default;
Recording::~Recording() = default;

void Recording::begin(const RecordingHeader& h) { header = h; }
void Recording::sample(const Sample& s) { samples.push_back(s); }
void Recording::step(const StepRecord& s) { steps.push_back(s); }
void Recording::finish(const Summary& s) { summary = s; }

}  // namespace hamiltree
