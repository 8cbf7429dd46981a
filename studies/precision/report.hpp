// The parts of the document: each computes, writes its section and returns its verdicts.
#pragma once

#include <string>
#include <vector>

#include "studies/study.hpp"

namespace hamiltree::studies::round_off {

inline constexpr int kSeed = 1;

using Statements = std::vector<Statement>;

Statements report_evaluations(const StudyOptions& options, Document& document);
Statements report_segments(const StudyOptions& options, Document& document);
Statements report_trajectories(const StudyOptions& options, Document& document);

// Holds if it does; of this project.
inline Statement ours(std::string text, bool holds, std::string evidence) {
  return {"ours", std::move(text), holds ? Judgement::kHolds : Judgement::kFails,
          std::move(evidence)};
}
// A statement about sizes or tolerances that the quick run leaves out.
inline Statement not_run(std::string text) {
  return {"ours", std::move(text), Judgement::kUndecided, "not part of the quick run"};
}

}  // namespace hamiltree::studies::round_off
