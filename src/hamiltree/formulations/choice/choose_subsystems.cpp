#include "hamiltree/formulations/choice/choose_subsystems.hpp"

#include <algorithm>
#include <utility>

namespace hamiltree {
namespace {

// Each is compiled to be looked at.
constexpr int kMostSubsystems = 64;

// Subsystems, by their numbers, that are computed together: in one plane, or without a normal in
// space.
struct Together {
  std::optional<Eigen::Vector3d> normal;
  std::vector<int> numbers;
  std::optional<ChosenSubsystem> alone;  // the first of them, until there are two
};

bool are_parallel(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return a.cross(b).norm() <= kInPlane;
}

void add(int number, ChosenSubsystem part, std::vector<Together>& groups) {
  const auto& plane = part.choice.plane;
  const auto group = std::ranges::find_if(groups, [&](const Together& g) {
    return plane ? g.normal && are_parallel(*g.normal, plane->normal) : !g.normal;
  });
  if (group == groups.end()) {
    groups.push_back(
        {plane ? std::optional(plane->normal) : std::nullopt, {number}, std::move(part)});
  } else {
    group->numbers.push_back(number);
    group->alone.reset();
  }
}

}  // namespace

std::vector<ChosenSubsystem> choose_subsystems(std::string_view formulation, const Model& model,
                                               const FormulationOptions& options) {
  const auto numbers = subsystem_numbers(model);
  const int count = numbers.empty() ? 0 : std::ranges::max(numbers) + 1;
  if (count < 2 || count > kMostSubsystems) return {};
  const auto choose_part = [&](const std::vector<int>& chosen) -> std::optional<ChosenSubsystem> {
    std::vector<bool> bodies;
    for (const int number : numbers)
      bodies.push_back(std::ranges::find(chosen, number) != chosen.end());
    auto subsystem = make_subsystem(model, bodies);
    if (!subsystem) return std::nullopt;
    auto choice = choice_of_whole(formulation, subsystem->model, options);
    return ChosenSubsystem{std::move(*subsystem), std::move(choice)};
  };

  std::vector<Together> groups;
  for (int k = 0; k < count; ++k) {
    auto part = choose_part({k});
    if (!part) return {};
    add(k, std::move(*part), groups);
  }
  // Groups that move in no plane come last.
  std::stable_partition(groups.begin(), groups.end(),
                        [](const Together& g) { return g.normal.has_value(); });
  if (!groups.front().normal) return {};
  std::vector<ChosenSubsystem> parts;
  for (auto& group : groups) {
    auto part = group.alone ? std::move(group.alone) : choose_part(group.numbers);
    parts.push_back(std::move(*part));
    // Planes that are parallel to the first may be too far from it together.
    if (group.normal && !parts.back().choice.plane) return {};
  }
  return parts;
}

}  // namespace hamiltree
