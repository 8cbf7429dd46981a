// Why a joint of a loop is cut rather than another: words for `hamiltree info`.
#pragma once

#include <string>

#include "hamiltree/model/model.hpp"

namespace hamiltree {

// For a joint that closes a loop, by its index in the tables:
//   "cut = true"                  the user says so
//   "the others must stay"        each of them is free, coupled, has armature or cut = false
//   "fewest rows"                 no joint of the loop would take fewer, and some would take more
//   "short paths to the ground"   all else
std::string why_cut(const Model& model, int joint);

}  // namespace hamiltree
