// hamiltree-lab study naudet2003: what the recursive algorithm of [Naudet2003] costs, and whether
// momenta are better to integrate than accelerations.
#include <utility>

#include "hamiltree/base/text.hpp"
#include "studies/naudet2003/published.hpp"
#include "studies/naudet2003/sections.hpp"
#include "studies/study.hpp"

namespace hamiltree::studies {
namespace {

using namespace naudet2003;

void introduce_recursion(Document& document) {
  document.title = "The recursive algorithm in canonical momenta";
  document.subtitle =
      "[Naudet2003] by Naudet, Lefeber and Terze, General formulation of an efficient recursive "
      "algorithm based on canonical momenta for forward dynamics of open-loop multibody systems";
  document.paragraph(
      "The paper claims 363n - 475 additions and multiplications for one evaluation of Hamilton's "
      "equations of a chain of n pins, n >= 3, and finds fewer than four algorithms that compute "
      "accelerations need. Here the kernels of this program are counted, and momenta and "
      "accelerations are integrated side by side.");
}

Statement published_statement(const CountFindings& f) {
  const Linear& ours = f.dh_frames;
  const double n = f.largest_n;
  return {
      "Naudet2003, sect. 6",
      "One evaluation for n pins takes at most 363n - 475 additions and multiplications",
      ours(n) <= kNaudet.total(n) ? Judgement::kHolds : Judgement::kFails,
      "`recursive` takes trees of revolute joints in DH frames and needs " + to_text(ours) + ", " +
          to_text(f.dh_frames_gravity) + " with gravity and " + to_text(f.dh_frames_wrench) +
          " with a wrench on every body, with frames on common normals; where such a normal is far "
          "from the bodies it keeps the given frames, for the sake of digits, at about twice the "
          "operations of that link. Its kernel for any joint needs " +
          to_text(f.recursive_general) + ", " + to_text(f.recursive_normal) +
          " with frames on the common normals and " + to_text(f.recursive_aligned) +
          " with axes at right angles."};
}

Statement fewest_statement(const CountFindings& f) {
  const double n = f.largest_n;
  return {"Naudet2003, sect. 7", "Momenta take fewer operations than accelerations",
          f.dh_frames(n) < f.aba_general(n) && f.recursive_gravity(n) < f.aba_gravity(n)
              ? Judgement::kHolds
              : Judgement::kFails,
          "Counted alike, `aba` needs " + to_text(f.aba_general) + " and `recursive` " +
              to_text(f.recursive_general) + " for any joint, a factor of " +
              to_short(f.aba_general.slope / f.recursive_general.slope) +
              " (in DH frames, which `aba` does not use here, " + to_text(f.dh_frames) +
              "); with gravity " + to_text(f.aba_gravity) + " and " + to_text(f.recursive_gravity) +
              ", a factor of " + to_short(f.aba_gravity.slope / f.recursive_gravity.slope) + "."};
}

Statement linear_statement(const CountFindings& f) {
  return {"Naudet2003, sect. 6", "The algorithm is of order n",
          f.recursive_general.is_exact() && f.recursive_run.is_exact() ? Judgement::kHolds
                                                                       : Judgement::kFails,
          "For n = 3..." + std::to_string(f.largest_n) +
              " the counts lie on straight lines exactly: "
              "needed " +
              to_text(f.recursive_general) + ", executed " + to_text(f.recursive_run) + "."};
}

Statement recursion_statement(const CountFindings& f) {
  const double n = f.largest_n;
  const double ratio = f.recursive_depth(n) / f.aba_depth(n);
  return {"Naudet2003, sects. 6 and 7",
          "Two recursions in place of three are an advantage in parallel",
          ratio < 0.9   ? Judgement::kHolds
          : ratio < 1.0 ? Judgement::kUndecided
                        : Judgement::kFails,
          "The longest path of operations that wait for each other is " +
              to_text(f.recursive_depth) + " for `recursive` and " + to_text(f.aba_depth) +
              " for `aba`: " + to_short(ratio) + " of it at n = " + to_short(n) +
              ". What `aba` does in its first recursion does not wait for the others."};
}

// One for each method.
std::vector<Statement> integration_statements(const IntegrationFindings& f) {
  constexpr double kDistinct = 0.05;
  std::vector<Statement> statements;
  for (const auto& work : f.work) {
    statements.push_back(
        {"Naudet2003, sects. 3 and 7",
         "Momenta are potentially better to integrate numerically: with `" + work.method + "`",
         work.mean < 1.0 - kDistinct   ? Judgement::kHolds
         : work.mean > 1.0 + kDistinct ? Judgement::kFails
                                       : Judgement::kUndecided,
         "Evaluations at equal error of the last pose, momenta to accelerations: " +
             to_short(work.mean) + ", by chain from " + to_short(work.lowest) + " to " +
             to_short(work.highest) +
             ". Open chains only: the paper's reason, an index of 2 in place of 3, is one of "
             "closed "
             "loops."});
  }
  statements.push_back(
      {"ours", "At equal tolerance momenta are less work and less accurate",
       f.evaluations_ratio < 1.0 && f.position_ratio > 1.0 ? Judgement::kHolds : Judgement::kFails,
       "Momenta to accelerations over " + std::to_string(f.pairs) +
           " pairs of runs with both methods: evaluations " + to_short(f.evaluations_ratio) +
           ", energy error " + to_short(f.energy_ratio) + ", error of the last pose " +
           to_short(f.position_ratio) + ". Tolerances alone do not compare the two."});
  return statements;
}

Statement time_statement(const IntegrationFindings& f) {
  return {"ours", "At equal tolerance a run in momenta is quicker",
          f.time_ratio < 1.0 ? Judgement::kHolds : Judgement::kFails,
          "Wall time, momenta to accelerations: " + to_short(f.time_ratio) +
              " in the geometric mean, energies and all that is watched included."};
}

// Totals of Table 1 against the sums of their columns.
Statement table_statement() {
  std::string wrong;
  for (const auto& p : kPublished) {
    const Linear sum{p.additions.slope + p.multiplications.slope,
                     p.additions.offset + p.multiplications.offset, 0.0};
    if (sum.slope == p.total.slope && sum.offset == p.total.offset) continue;
    wrong += std::string(p.name) + ": the columns add up to " + to_text(sum) + ", the total says " +
             to_text(p.total) + ". ";
  }
  return {"Naudet2003, Table 1", "The totals are the sums of their columns",
          wrong.empty() ? Judgement::kHolds : Judgement::kFails,
          wrong.empty() ? "All of them." : wrong + "All others are right."};
}

std::vector<Regenerated> regenerated_recursion() {
  return {{"Table 1", "operations of five algorithms", true,
           "tables `table_1`, `operations`; of the five the figures are the paper's, of ours "
           "counted"},
          {"Figs. 1, 2", "drawings", false, "notation on a body and between two bodies"}};
}

}  // namespace

Document naudet2003(const StudyOptions& options) {
  Document document;
  introduce_recursion(document);
  const auto counts = operations_section(options, document);
  const auto integration = integration_section(options, document);
  document.heading("Statements");
  std::vector<Statement> statements = {published_statement(counts), fewest_statement(counts),
                                       linear_statement(counts), recursion_statement(counts),
                                       table_statement()};
  for (auto& statement : integration_statements(integration)) {
    statements.push_back(std::move(statement));
  }
  statements.push_back(time_statement(integration));
  document.statements(std::move(statements));
  document.heading("What was made again");
  document.regenerated(regenerated_recursion());
  return document;
}

}  // namespace hamiltree::studies
