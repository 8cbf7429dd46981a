#include "studies/study.hpp"

#include "studies/chadaj2017/chadaj2017.hpp"

namespace hamiltree::studies {

Document chadaj2017(const StudyOptions& options) {
  Findings findings;
  const auto cases = chadaj_cases();
  accuracy(cases, options, findings);
  efficiency(cases, options, findings);
  gauges(cases, options, findings);
  reactions(cases, options, findings);
  long_runs(cases, options, findings);
  redundant_loops(cases, options, findings);
  scaling(options, findings);
  findings.regenerated.insert(
      findings.regenerated.begin(),
      {"Fig. 4", "the three mechanisms", false,
       "the figure is not at hand: the geometry is ours, see mechanisms/chadaj_case_1 to 3; links, "
       "masses, inertias and gravity are the paper's"});

  Document document;
  document.title = "Closed loops by Hamiltonian divide and conquer";
  document.subtitle =
      "[Chadaj2017] by Chadaj, Malczyk and Frączek, A parallel Hamiltonian formulation for forward "
      "dynamics of closed-loop multibody systems, sect. 3 computed anew";
  document.heading("Statements of the paper, and what holds here");
  document.statements(std::move(findings.statements));
  document.heading("Tables and figures of the paper");
  document.regenerated(std::move(findings.regenerated));
  for (auto& block : findings.document.blocks) document.blocks.push_back(std::move(block));
  return document;
}

}  // namespace hamiltree::studies
