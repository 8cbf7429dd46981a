#include <algorithm>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/io/import/normalise/normalise.hpp"
#include "hamiltree/simulation/initial_state.hpp"

namespace hamiltree {
namespace {

constexpr double kSmallGap = 1e-6;  // m; as of fixed joints

// None where there is no loop, or the model is refused for something else: that is said later.
std::vector<OpenLoop> loops_left_open(const Mechanism& mechanism) {
  if (mechanism.joints.size() <= mechanism.bodies.size()) return {};
  try {
    return open_loops(Model(mechanism));
  } catch (const ModelError&) {
    return {};
  }
}

}  // namespace

void close_small_gaps(Mechanism& mechanism, ImportLog& log) {
  const auto open = loops_left_open(mechanism);
  const auto is_small = [](const OpenLoop& loop) { return loop.width <= kSmallGap; };
  if (!std::ranges::all_of(open, is_small)) return;
  for (const auto& [number, width, at_child] : open) {
    auto& joint = mechanism.joints[at(number)];
    joint.at_child = at_child;
    log.note("the loop that joint \"" + joint.name + "\" closes was open by " + to_short(width) +
             " m; the joint's frame on \"" + joint.child + "\" is shifted by that");
  }
}

}  // namespace hamiltree
