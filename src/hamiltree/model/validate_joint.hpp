// The checks of one joint: its ends and frames, its start, its pitch and what moves it.
#pragma once

#include "hamiltree/model/mechanism.hpp"
#include "hamiltree/model/validate.hpp"

namespace hamiltree {

void check_joint(const JointDescription& joint, const Mechanism& mechanism,
                 const NameTable& bodies);

}  // namespace hamiltree
