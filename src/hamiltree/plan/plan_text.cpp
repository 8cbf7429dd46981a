#include "hamiltree/plan/plan_text.hpp"

#include <cstddef>
#include <vector>

#include "hamiltree/base/listed.hpp"

namespace hamiltree {
namespace {

std::string link_names(const std::vector<int>& links, const Model& model) {
  std::vector<std::string> names;
  names.reserve(links.size());
  for (const int link : links) names.push_back(link_name(link, model));
  return listed(names);
}

}  // namespace

std::string compound_text(const Compound& compound, const Model& model) {
  const auto eliminated = link_names(compound.eliminated, model);
  const bool leaf = compound.body != kNone;
  std::string line = leaf ? model.body_name(compound.body) : "join";
  if (!eliminated.empty()) line += (leaf ? ", to the ground over " : " over ") + eliminated;
  if (!compound.kept.empty()) line += ", handles " + link_names(compound.kept, model);
  if (compound.closes_loop) line += ", closing loops";
  return line;
}

const std::string& link_name(int link, const Model& model) {
  if (link < model.joint_count()) return model.joint_name(link);
  return model.mechanism().couplings[static_cast<std::size_t>(link - model.joint_count())].name;
}

std::string plan_tree_text(const Plan& plan, const Model& model) {
  struct Visit {
    int compound;
    std::size_t depth;
  };
  const auto at = [&](int c) -> const Compound& {
    return plan.compounds[static_cast<std::size_t>(c)];
  };
  // Roots are the compounds that no join takes; the last to be made is printed first.
  std::vector<bool> taken(plan.compounds.size(), false);
  for (const auto& compound : plan.compounds) {
    if (compound.body != kNone) continue;
    taken[static_cast<std::size_t>(compound.left)] = true;
    taken[static_cast<std::size_t>(compound.right)] = true;
  }
  std::vector<Visit> stack;
  for (std::size_t c = 0; c < plan.compounds.size(); ++c) {
    if (!taken[c]) stack.push_back({static_cast<int>(c), 0});
  }
  std::string text;
  while (!stack.empty()) {
    const auto [c, depth] = stack.back();
    stack.pop_back();
    text += std::string(2 * depth, ' ') + compound_text(at(c), model) + '\n';
    if (at(c).body != kNone) continue;
    stack.push_back({at(c).right, depth + 1});
    stack.push_back({at(c).left, depth + 1});
  }
  return text;
}

}  // namespace hamiltree
