#include "hamiltree/plan/plan.hpp"

#include <algorithm>
#include <cstddef>

namespace hamiltree {

std::string Plan::to_text() const {
  const auto counted = [](std::ptrdiff_t count, const std::string& one, const std::string& many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
  };
  const auto joins = static_cast<std::ptrdiff_t>(compounds.size()) - body_count;
  const auto closing = std::count_if(compounds.begin(), compounds.end(),
                                     [](const Compound& c) { return c.closes_loop; });
  std::string text = strategy + ", " + counted(body_count, "leaf", "leaves") + ", " +
                     counted(joins, "join", "joins") + ", depth " + std::to_string(depth);
  if (closing > 0) text += ", loops close in " + std::to_string(closing);
  return text;
}

}  // namespace hamiltree
