// How the branches that meet at a singular pose are numbered and described, whatever the order of
// the file and the last digits of a factorisation. The key `branch` of a joint means these numbers.
#pragma once

#include <string>

#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/branches/loop_block.hpp"
#include "hamiltree/simulation/branches/singular_pose.hpp"

namespace hamiltree::branches {

// Puts the branches into their order: those of fewer dimensions first, then by the velocities of
// the joints, in the order of their names. The block's home is at the pose.
void put_in_order(const Model& model, const LoopBlock& block, SingularPose& pose);

// Velocities of the joints along a branch, the largest 1; with drives, as these ask for.
std::string description(const Model& model, const LoopBlock& block, const Branch& branch);

// All of them with their numbers.
std::string descriptions(const Model& model, const LoopBlock& block, const SingularPose& pose);

}  // namespace hamiltree::branches
