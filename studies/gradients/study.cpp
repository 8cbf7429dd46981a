#include "studies/study.hpp"

#include "studies/gradients/report.hpp"

namespace hamiltree::studies {

Document gradients(const StudyOptions& options) {
  using namespace run_gradients;
  Document body;
  std::vector<Statement> statements;
  for (auto* report : {report_controls, report_directions, report_identification}) {
    for (auto& statement : report(options, body)) statements.push_back(std::move(statement));
  }

  Document document;
  document.title = "Gradients of runs in (q, p)";
  document.subtitle =
      "[Maciag2020] and [Maciag2022] by Maciąg, Malczyk and Frączek, adjoint and direct "
      "differentiation of Hamilton's equations: pendulums on a cart, and the identification of a "
      "linkage";
  document.paragraph(
      "The papers derive adjoint equations of Hamilton's canonical ones, which are integrated "
      "backwards, and control pendulums on a cart with the gradients. Here the steps taken by "
      "`rk4` are differentiated themselves, backwards for all unknowns at once (adjoint) or "
      "forwards for one (direct), so that gradients are those of the computed function to "
      "rounding.");
  document.paragraph(
      "Only the papers' abstracts and introductions are at hand. Their masses, lengths, weights, "
      "times, first guesses and curves are not, so no figure of theirs is regenerated: the "
      "problems "
      "are of their kind, the numbers are ours. The cart has 1 kg, each rod 0.5 kg and 1 m, "
      "without "
      "friction; the unknowns are forces on the cart, held in equal parts of the run, and the "
      "objective is half the square of what is missed at the end (m, rad, m/s, rad/s), with 1e-5 "
      "times half the integral of the squared force. Minima are sought by the method of Broyden, "
      "Fletcher, Goldfarb and Shanno.");
  document.heading("Statements, and what holds");
  document.statements(std::move(statements));
  document.heading("What the papers show, and whether it was made again");
  document.regenerated(
      {{"[Maciag2022], numerical studies", "optimal control of a double pendulum on a cart", false,
        "its numbers are not at hand; the same problem with ours is below"},
       {"[Maciag2020], examples", "gradients of multibody systems by adjoint and direct methods",
        false, "its numbers are not at hand; both methods are compared below"}});
  for (auto& block : body.blocks) document.blocks.push_back(std::move(block));
  return document;
}

}  // namespace hamiltree::studies
