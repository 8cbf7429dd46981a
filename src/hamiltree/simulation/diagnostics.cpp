#include "hamiltree/simulation/diagnostics.hpp"

#include "hamiltree/base/text.hpp"

namespace hamiltree {
namespace {

constexpr std::size_t kMaxNotedPassages = 50;

std::string text_of(const Passage& passage, double end) {
  return "near-singular at joint " + passage.joint + ", t = " + to_text(passage.start) + " s to " +
         to_text(end) + " s";
}

}  // namespace

void Diagnostics::near_singular(double t, const std::vector<std::string>& joints) {
  const auto goes_on = [&](const Passage& passage) {
    return std::find(joints.begin(), joints.end(), passage.joint) != joints.end();
  };
  for (const auto& passage : passages) {
    if (!goes_on(passage)) end(passage, t);
  }
  std::erase_if(passages, [&](const Passage& passage) { return !goes_on(passage); });
  for (const auto& joint : joints) {
    const bool known = std::any_of(passages.begin(), passages.end(),
                                   [&](const Passage& passage) { return passage.joint == joint; });
    if (!known) passages.push_back({joint, t});
  }
}

std::vector<std::string> Diagnostics::all_notes(double t) const {
  auto all = notes;
  for (const auto& passage : passages) all.push_back(text_of(passage, t));
  if (passage_count > kMaxNotedPassages) {
    all.push_back(std::to_string(passage_count - kMaxNotedPassages) +
                  " further near-singular passages");
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

void Diagnostics::end(const Passage& passage, double t) {
  if (++passage_count <= kMaxNotedPassages) notes.push_back(text_of(passage, t));
}

}  // namespace hamiltree
