#include "hamiltree/formulations/derivatives/inverse_reactions.hpp"

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/transmitted.hpp"

namespace hamiltree::derivatives {

template <class Space>
std::vector<Reaction> reactions(Inverse<Space>& work) {
  const auto& system = work.system;
  find_cut_wrenches(work);
  for (int b = 0; b < system.body_count(); ++b)
    work.wrench[at(b)] = at_joint(system, work.kin, b, work.transmitted[at(b)]);
  add_outside_efforts(system, work);
  std::vector<Reaction> all;
  for (int j = 0; j < system.joint_count(); ++j) all.push_back(reaction_of(system, work, j));
  return all;
}

template std::vector<Reaction> reactions(Inverse<Planar<double>>&);
template std::vector<Reaction> reactions(Inverse<Spatial<double>>&);

}  // namespace hamiltree::derivatives
