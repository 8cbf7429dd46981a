// Samples: the state, sensors and notes at y, of the model as it was given.
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/simulation/mechanism_ode.hpp"
#include "hamiltree/simulation/notes.hpp"

namespace hamiltree {

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

// For the state that state() last put the probe at.
void MechanismOde::sensors(double t, const double* y, Eigen::VectorXd& values) {
  bool known = false;  // accelerations are asked for at most once, and only by sensors
  const auto reaction = [&](int joint) {
    if (whole_) joint = *model_.find_joint(model().joint_name(joint));
    if (!known && formulation_->accelerations(view(t, y), *workspace_) != Status::kOk) {
      throw SimulationError(t, "the reactions are not finite");
    }
    known = true;
    return formulation_->reaction(joint, *workspace_);
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
  auto notes = not_unique_notes(model_, *formulation_, redundancy_, view(t, y), *workspace_);
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
