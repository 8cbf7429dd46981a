#include "model_facts.hpp"

#include <utility>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/choice/choice.hpp"
#include "hamiltree/formulations/digits.hpp"
#include "hamiltree/formulations/select.hpp"
#include "hamiltree/formulations/uniqueness.hpp"
#include "hamiltree/model/in_segments.hpp"
#include "hamiltree/model/why_cut.hpp"
#include "hamiltree/simulation/branches/rows_at_start.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hamiltree/simulation/notes.hpp"

namespace hamiltree::app {
namespace {

constexpr double kFewDigits = 7.0;  // below, segments pay (ADR 0012)

void add_description(const Model& model, ModelFacts& facts) {
  const auto& mechanism = model.mechanism();
  const bool planar = model.space() == SpaceKind::kPlanar;
  facts.name = model.name();
  facts.file = mechanism.where.file;
  facts.space = planar ? "planar" : "spatial";
  facts.gravity = mechanism.gravity.head(planar ? 2 : 3);
  facts.bodies = model.body_count();
  for (const auto& body : mechanism.bodies) facts.total_mass += body.mass;
  for (const auto& joint : mechanism.joints) {
    facts.joints.push_back({joint.name,
                            to_name(joint.type),
                            joint.parent,
                            joint.child,
                            false,
                            joint.drive.has_value(),
                            {},
                            {}});
  }
  for (int j = model.body_count(); j < model.joint_count(); ++j) {
    auto& joint = facts.joints[at(model.described_joint(j))];
    joint.closes_loop = true;
    joint.why_cut = why_cut(model, j);
  }
  facts.loops = model.loop_count();
  facts.couplings = static_cast<int>(mechanism.couplings.size());
  facts.velocities = model.velocity_count();
  facts.length = model.visit([](const auto& system) { return system.length; });
}

// Returns the velocities that a run starts with.
Eigen::VectorXd add_plan(const Model& model, const InitialState& start, ModelFacts& facts) {
  const auto choice = choice_of("hdca", model);
  facts.plan = choice.computed().visit([](const auto& system) { return make_plan(system); });
  facts.plan_text = to_text(choice);
  const auto selected = select_formulation(model, start.q);
  branches::RowsAtStart at_start(model, start, make_formulation(selected.name, model));
  const auto& [formulation, workspace, branches, notes, pose, v, rows, freedom] = at_start;
  const StateView state{pose.t, pose.q.data(), start.p.data()};
  const auto unique = unique_reactions(model, *formulation, rows, state, *workspace);
  facts.singular_start = notes;
  for (int j = 0; j < model.joint_count(); ++j) {
    facts.joints[at(model.described_joint(j))].not_unique = unique[at(j)].not_unique();
  }
  facts.constraints = rows.constraints;
  facts.redundant_constraints = rows.redundant;
  facts.degrees_of_freedom = freedom;
  facts.notes = at_start.branches.contradictions(0.0, start.q, rows);
  if (const auto note = no_motion_note(model, rows); !note.empty()) facts.notes.push_back(note);
  facts.formulation = selected.name;
  facts.formulation_reason = selected.reason;
  facts.recursive_plan = to_text(choice_of("recursive", model));
  return v;
}

void add_start(const Model& model, const InitialState& start, ModelFacts& facts) {
  const auto probe = make_probe(model);
  probe->set(0.0, start.q.data(), start.v.data());
  facts.kinetic_energy = probe->kinetic_energy();
  facts.potential_energy = probe->potential_energy();
  facts.residuals = probe->residuals();
  facts.digits = estimated_digits(model, start.q);
  facts.segments_help = (!facts.digits || *facts.digits < kFewDigits) &&
                        !in_segments(model, kGoodSegment).bases.empty();
}

}  // namespace

ModelFacts facts_of(const Model& model) {
  ModelFacts facts;
  add_description(model, facts);
  auto start = initial_state(model);
  start.v = add_plan(model, start, facts);
  add_start(model, start, facts);
  return facts;
}

}  // namespace hamiltree::app
