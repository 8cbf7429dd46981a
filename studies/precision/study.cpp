#include "studies/study.hpp"

#include <string>

#include "studies/precision/report.hpp"

namespace hamiltree::studies {

Document precision(const StudyOptions& options) {
  using namespace round_off;
  Document body;
  Statements statements;
  for (auto* report : {report_evaluations, report_segments, report_trajectories}) {
    for (auto& statement : report(options, body)) statements.push_back(std::move(statement));
  }

  Document document;
  document.title = "Precision of (q, p) on long chains";
  document.subtitle =
      "Round-off of the formulations against quadruple precision, and a cure: floating segments.";
  document.paragraph(
      "p of a joint is the momentum of everything outboard of it. On a long chain it is a large "
      "sum, and the motion of one link is a small difference of such sums: qdot = M^-1 p, with a "
      "condition number of M that grows with a high power of the number of bodies. This is a "
      "property of the state, not of an algorithm. Chains of equal rods of 1 m and 1 kg on pins, "
      "the first on the ground, straight (small angles) or folded (angles near +pi and -pi in "
      "turn), in the plane and in space (axes of the pins alternating); gravity acts. Rates are "
      "drawn between -1 and 1 rad/s, and all numbers from the seed " +
      std::to_string(kSeed) + ".");
  document.heading("Statements, and what holds");
  document.statements(std::move(statements));
  for (auto& block : body.blocks) document.blocks.push_back(std::move(block));
  return document;
}

}  // namespace hamiltree::studies
