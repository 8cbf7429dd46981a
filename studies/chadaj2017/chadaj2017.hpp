// The parts of the study of [Chadaj2017], each adds to the document what it finds.
#pragma once

#include "studies/chadaj2017/cases.hpp"
#include "studies/study.hpp"

namespace hamiltree::studies {

struct Findings {
  Document document;
  std::vector<Statement> statements;
  std::vector<Regenerated> regenerated;

  void state(std::string source, std::string text, bool holds, std::string evidence) {
    statements.push_back({std::move(source), std::move(text),
                          holds ? Judgement::kHolds : Judgement::kFails, std::move(evidence)});
  }
};

// Sect. 3.2, Figs. 5-9.
void accuracy(const std::vector<Case>& cases, const StudyOptions& options, Findings& findings);
// Sect. 3.3, Figs. 10-11, Tables 1-2.
void efficiency(const std::vector<Case>& cases, const StudyOptions& options, Findings& findings);
// Sect. 3.4: growth of sigma, and the ways to stop it.
void gauges(const std::vector<Case>& cases, const StudyOptions& options, Findings& findings);
// Sect. 3.4: reactions as differences of sigma, beside the acceleration pass.
void reactions(const std::vector<Case>& cases, const StudyOptions& options, Findings& findings);
// Projection, structure-preserving steps and redundant loops over long times.
void long_runs(const std::vector<Case>& cases, const StudyOptions& options, Findings& findings);
void redundant_loops(const std::vector<Case>& cases, const StudyOptions& options,
                     Findings& findings);
// Sect. 3.4: work and critical path from 2 to 2^20 bodies.
void scaling(const StudyOptions& options, Findings& findings);

}  // namespace hamiltree::studies
