#include "hamiltree/simulation/diagnostics.hpp"

#include <algorithm>
#include <iterator>

#include "hamiltree/base/text.hpp"

namespace hamiltree {
namespace {

constexpr std::size_t kMostNotedJoints = 8;

std::string text_of(const NearSingular& near) {
  const std::string at_joint = "near-singular at joint " + near.joint;
  const std::string times = "t = " + to_short(near.first) + " s to " + to_short(near.last) + " s";
  if (near.passages == 1) return at_joint + ", " + times;
  return at_joint + " " + std::to_string(near.passages) + " times, " + times + ", for " +
         to_short(near.longest) + " s at the longest";
}

}  // namespace

std::vector<double> relative_energy_errors(const std::vector<Sample>& samples, double scale) {
  EnergyWatch watch;
  if (!samples.empty()) {
    // A run that goes on has done work before its first sample.
    const auto& first = samples.front();
    watch.start(first.kinetic_energy, first.potential_energy);
    watch.initial -= total(first.work);
  }
  for (const auto& s : samples) watch.add(s.kinetic_energy, s.potential_energy, s.work);
  const double by = std::max(scale, watch.scale());
  std::vector<double> errors;
  errors.reserve(samples.size());
  for (const auto& s : samples) {
    errors.push_back(watch.relative(
        std::abs(s.kinetic_energy + s.potential_energy - watch.initial - total(s.work)), by));
  }
  return errors;
}

void Diagnostics::near_singular(double t, const std::vector<std::string>& joints) {
  for (auto& near : near_singular_joints)
    near.now = near.now && std::ranges::count(joints, near.joint);
  for (const auto& joint : joints) {
    auto near = std::ranges::find(near_singular_joints, joint, &NearSingular::joint);
    if (near == near_singular_joints.end()) {
      near_singular_joints.push_back({.joint = joint, .first = t});
      near = std::prev(near_singular_joints.end());
    }
    if (!near->now) {
      ++near->passages;
      near->since = t;
    }
    near->now = true;
    near->last = t;
    near->longest = std::max(near->longest, t - near->since);
  }
}

void Diagnostics::note_once(const std::string& note) {
  if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
}

std::vector<std::string> Diagnostics::all_notes(const std::string& contradiction) const {
  auto all = notes;
  const auto joints = near_singular_joints.size();
  for (std::size_t i = 0; i < std::min(joints, kMostNotedJoints); ++i) {
    all.push_back(text_of(near_singular_joints[i]));
  }
  if (joints > kMostNotedJoints) {
    all.push_back("near-singular at " + std::to_string(joints - kMostNotedJoints) +
                  " further joints");
  }
  if (!left_open.empty()) {
    all.push_back(left_open + " stays open by up to " + to_short(constraint.position_max) +
                  " m: " + contradiction);
  }
  if (refused_steps > 0) {
    all.push_back(std::to_string(refused_steps) + (refused_steps == 1 ? " step" : " steps") +
                  " left loops open or changed the energy without work, and " +
                  (refused_steps == 1 ? "was" : "were") + " taken again, shorter");
  }
  if (unscaled_steps > 0) {
    all.push_back("energy scaling was left out at " + std::to_string(unscaled_steps) +
                  " steps, near rest or too far off");
  }
  if (branch_passages > 0) {
    all.push_back(std::to_string(branch_passages) +
                  (branch_passages == 1 ? " singular pose was" : " singular poses were") +
                  " passed, or left, along a branch of motion, in " + std::to_string(branch_steps) +
                  " steps of dormand_prince");
  }
  return all;
}

}  // namespace hamiltree
