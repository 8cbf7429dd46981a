#include "hamiltree/io/export/report_mechanism.hpp"

#include <algorithm>
#include <cmath>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/choice/lane_places.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/formulations/uniqueness.hpp"
#include "hamiltree/io/export/json_text.hpp"
#include "hamiltree/model/kinematics.hpp"
#include "hamiltree/model/loop_gaps.hpp"
#include "hamiltree/plan/plan.hpp"

namespace hamiltree {
namespace {

constexpr int kArrowDigits = 5;

using JointNumbers = std::vector<std::vector<double>>;  // by joint: sample after sample

// --- what stays ---

using Uniqueness = std::vector<UniqueReaction>;

void append_joint(const Model& model, int j, const Uniqueness& unique, std::string& out) {
  const auto& joint = model.mechanism().joints[at(model.described_joint(j))];
  const bool slides_in_the_plane =
      model.space() == SpaceKind::kPlanar &&
      (joint.type == JointType::kPrismatic || joint.type == JointType::kPinInSlot);
  out += "{\"name\":";
  append_string(joint.name, out);
  out += std::string(",\"type\":\"") + to_name(joint.type) + "\",\"parent\":";
  out += std::to_string(*model.find_body(joint.parent));
  out += ",\"child\":" + std::to_string(*model.find_body(joint.child)) + ",\"at_parent\":";
  append_vector(joint.at_parent.position, out);
  out += ",\"at_child\":";
  append_vector(joint.at_child.position, out);
  out += ",\"axis\":";
  append_vector(joint.at_child.rotation.col(slides_in_the_plane ? 0 : 2), out);
  out += std::string(",\"closes_loop\":") + (j >= model.body_count() ? "true" : "false");
  out += ",\"not_unique\":";
  const auto parts = unique[at(j)].not_unique();
  append_list(parts.size(), out, [&](std::size_t i) { append_string(parts[i], out); });
  out += '}';
}

void append_indices(const std::vector<int>& indices, std::string& out) {
  append_list(indices.size(), out, [&](std::size_t i) { out += std::to_string(indices[i]); });
}

void append_compounds(const Plan& plan, std::string& out) {
  append_list(plan.compounds.size(), out, [&](std::size_t i) {
    const auto& compound = plan.compounds[i];
    out += compound.body != kNone ? "{\"body\":" + std::to_string(compound.body)
                                  : "{\"left\":" + std::to_string(compound.left) +
                                        ",\"right\":" + std::to_string(compound.right);
    out += ",\"depth\":" + std::to_string(compound.depth) + ",\"eliminated\":";
    append_indices(compound.eliminated, out);
    if (compound.closes_loop) out += ",\"closes_loop\":true";
    out += '}';
  });
}

// The joins of hdca and dca, the lanes of recursive; of the others nothing is to be seen.
void append_plan(const Model& model, const Summary& summary, std::string& out) {
  const auto& formulation = summary.formulation;
  Plan joins;
  std::vector<LanePlace> lanes;
  if (summary.integrator.segments == 0) {  // of segments nothing is drawn
    const auto choice = choice_of(
        formulation, model, {.lanes = summary.integrator.lanes, .plane = summary.integrator.plane});
    if (formulation.ends_with("dca"))
      joins = choice.computed().visit([](const auto& system) { return make_plan(system); });
    if (formulation == "recursive") lanes = lane_places(choice);
  }
  out += "{\"compounds\":";
  append_compounds(joins, out);
  out += ",\"lanes\":";
  append_list(lanes.size(), out, [&](std::size_t b) {
    append_indices({lanes[b].group, lanes[b].lane}, out);
  });
  out += '}';
}

// --- along the way ---

// Force and moment on the child at O: planar x, y, moment; spatial six.
void add(const Reaction& reaction, bool planar, std::vector<double>& to) {
  const auto& [f, m] = std::pair{reaction.force, reaction.moment};
  if (planar) {
    to.insert(to.end(), {f.x(), f.y(), m.z()});
  } else {
    to.insert(to.end(), {f.x(), f.y(), f.z(), m.x(), m.y(), m.z()});
  }
}

// For a cut: the linear part of its Phi in world axes (m), and its largest entry, angles times the
// length (m).
template <class Space>
void add_gap(const System<Space>& system, const Kinematics<Space>& kin, const Eigen::VectorXd& phi,
             int j, std::vector<double>& to) {
  const auto& joint = system.joint(j);
  typename Space::Motion local = Space::Motion::Zero();
  double size = 0.0;
  for (int i = 0; i < joint.constraints; ++i) {
    local(joint.constrained[at(i)]) = phi(joint.row + i);
    const double entry = std::abs(phi(joint.row + i)) * system.row_scales[at(joint.row + i)];
    if (!(entry <= size)) size = entry;  // keeps a NaN
  }
  const auto world = linear<Space>(kin.joint(j).to_world_motion(local));
  for (int i = 0; i < Space::kLinear; ++i) to.push_back(world(i));
  to.push_back(size);
}

class Course {
 public:
  Course(const Model& model, const Recording& recording)
      : model_(model),
        formulation_(make_formulation(recording.summary.formulation, model,
                                      {.baumgarte = recording.summary.integrator.baumgarte,
                                       .plane = recording.summary.integrator.plane})),
        workspace_(formulation_->make_workspace()),
        reactions(at(model.joint_count())),
        gaps(at(model.loop_count())) {}

  void add(const Sample& sample) {
    const bool first = !analysed_;
    const StateView state = view(sample);
    if (first) start(state);
    formulation_->velocities(state, nullptr, *workspace_);  // whose rows prepare() looks at
    formulation_->prepare(state, *workspace_);
    const bool known = formulation_->accelerations(state, *workspace_) == Status::kOk;
    const bool planar = model_.space() == SpaceKind::kPlanar;
    for (int j = 0; j < model_.joint_count(); ++j) {
      hamiltree::add(known ? formulation_->reaction(j, *workspace_) : unknown_reaction(), planar,
                     reactions[at(j)]);
    }
    model_.visit([&]<class Space>(const System<Space>& system) {
      Kinematics<Space> kin(system);
      place(system, sample.t, sample.q.data(), kin);
      Eigen::VectorXd phi = Eigen::VectorXd::Zero(system.constraints);
      LoopGaps<Space>(system).find(kin, sample.q.data(), phi.data());
      for (int j = system.body_count(); j < system.joint_count(); ++j) {
        add_gap(system, kin, phi, j, gaps[at(j - system.body_count())]);
      }
    });
  }

 private:
  StateView view(const Sample& sample) const {
    const bool momenta = formulation_->form() == StateForm::kMomenta;
    return {sample.t, sample.q.data(), (momenta ? sample.p : sample.v).data()};
  }
  void start(const StateView& state) {
    analysed_ = true;
    const auto rows = formulation_->analyse(state, *workspace_);
    unique = unique_reactions(model_, *formulation_, rows, state, *workspace_);
  }

  const Model& model_;
  std::unique_ptr<Formulation> formulation_;
  std::unique_ptr<Workspace> workspace_;
  bool analysed_ = false;

 public:
  Uniqueness unique;  // at the first sample
  JointNumbers reactions, gaps;
};

void append_numbers(const JointNumbers& numbers, std::string& out) {
  append_list(numbers.size(), out, [&](std::size_t j) {
    append_list(numbers[j].size(), out,
                [&](std::size_t i) { append_number(numbers[j][i], out, kArrowDigits); });
  });
}

}  // namespace

std::size_t mechanism_numbers(const Model& model) {
  const bool planar = model.space() == SpaceKind::kPlanar;
  return at(model.joint_count()) * (planar ? 3 : 6) + at(model.loop_count()) * (planar ? 3 : 4);
}

void append_mechanism(const Model& model, const Recording& recording,
                      const std::vector<std::size_t>& shown, std::string& out) {
  Course course(model, recording);
  course.unique.resize(at(model.joint_count()));
  for (const auto k : shown) course.add(recording.samples[k]);
  append_key("joints", out);
  append_list(at(model.joint_count()), out,
              [&](std::size_t j) { append_joint(model, static_cast<int>(j), course.unique, out); });
  append_key("plan", out);
  append_plan(model, recording.summary, out);
  if (recording.modes.empty()) {
    append_key("reactions", out);
    append_numbers(course.reactions, out);
  }
  append_key("gaps", out);
  append_numbers(course.gaps, out);
}

}  // namespace hamiltree
