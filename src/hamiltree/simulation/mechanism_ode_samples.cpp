// Samples: the state, sensors and notes at y, of the model as it was given.
#include <cmath>
#include <utility>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/simulation/mechanism_ode.hpp"
#include "hamiltree/simulation/notes.hpp"

namespace hamiltree {
namespace {

constexpr const char* kLostReactions =
    "reactions that grow beyond all bounds at a singular pose, or are undetermined there, are "
    "recorded as nan";

bool is_number(const Reaction& r) {
  return r.force.allFinite() && r.moment.allFinite() && std::isfinite(r.drive);
}

}  // namespace

State MechanismOde::state(double t, const double* y) {
  solve(t, y);
  if (whole_) return whole_->join(t, y, v_.data());
  const auto now = view(t, y);
  State state{t, Eigen::Map<const Eigen::VectorXd>(y, nq_),
              Eigen::Map<const Eigen::VectorXd>(now.u, nv_)};
  if (canonical_) probe_->normalise(state.q.data());
  if (formulation_->form() == StateForm::kVelocities) probe_->momenta(state.p.data());
  return state;
}

double MechanismOde::time_to(const CurveBends& curves, double t, const double* y) {
  solve(t, y);
  if (whole_) whole_->see(t, y, v_.data());
  return curves.time_ahead(shown());
}

std::vector<Reaction> MechanismOde::reactions(double t, const double* y) {
  if (known_velocities(t, y) != nullptr) return known_->reactions(t, y);
  const auto status = formulation_->accelerations(view(t, y), *workspace_);
  if (status == Status::kNotFinite) throw SimulationError(t, "the reactions are not finite");
  std::vector<Reaction> reactions(at(model_.joint_count()), unknown_reaction());
  if (status == Status::kSingular) return reactions;
  for (int j = 0; j < model_.joint_count(); ++j)
    reactions[at(j)] = formulation_->reaction(j, *workspace_);
  return reactions;
}

// For the state that state() last put the probe at.
void MechanismOde::sensors(double t, const double* y, Eigen::VectorXd& values) {
  std::vector<Reaction> reactions;  // asked for at most once, and only by sensors
  const auto reaction = [&](int joint) {
    if (reactions.empty()) reactions = this->reactions(t, y);
    if (whole_) joint = *model_.find_joint(model().joint_name(joint));
    const auto& of_joint = reactions[at(joint)];
    if (!is_number(of_joint)) diagnostics_.note_once(kLostReactions);
    return of_joint;
  };
  shown().sensors(reaction, values);
}

Sample MechanismOde::sample(double t, const double* y) {
  Sample sample;
  sample.t = t;
  sample.power = power(t, y);
  const auto now = state(t, y);
  // By the model's own kinematics, to the last bit those of whoever reads the record.
  if (!whole_) probe_->set(t, y, v_.data());
  sensors(t, y, sample.sensors);
  sample.q = now.q;
  sample.v = v();
  sample.p = now.p;
  // Multistep methods leave impulses of the loops in them.
  if (constrained_ && multistep_ && options_.reset) shown().momenta(sample.p.data());
  sample.work = work(t, y);
  probe_->numbers(sample);
  shown().poses(sample.poses);
  shown().outside(sample.outside_q, sample.outside_v);
  return sample;
}

std::vector<std::string> MechanismOde::notes(double t, const double* y) {
  auto analysed = view(t, y);
  if (next_to_) analysed = {next_to_->first, next_to_->second.data(), analysed.u};
  auto notes = not_unique_notes(model_, *formulation_, redundancy_, analysed, *workspace_);
  if (auto note = no_motion_note(model_, redundancy_); !note.empty())
    notes.push_back(std::move(note));
  if (options_.segments == 0) return notes;
  const int longest = whole_ ? whole_->segments().description().longest
                             : in_segments(model_, options_.segments).longest;
  if (longest > options_.segments) {
    notes.push_back(long_segments_note(longest));
  } else if (!whole_) {
    notes.push_back("no path of joints is longer than a segment: none floats");
  }
  return notes;
}

const Eigen::VectorXd& MechanismOde::outside_q() const { return shown().followed(); }

void MechanismOde::follow_from(const Eigen::VectorXd& outside_q) { shown().follow_from(outside_q); }

}  // namespace hamiltree
