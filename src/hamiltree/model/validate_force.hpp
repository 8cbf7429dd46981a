// The checks of one force: what it acts on and its numbers.
#pragma once

#include <string>

#include "hamiltree/model/mechanism.hpp"
#include "hamiltree/model/validate.hpp"

namespace hamiltree {

void check_force(const ForceDescription& force, const Mechanism& mechanism, const Names& names);

// The numbers alone; `element` is how messages name the force, and in_space whether
// it acts in a joint with more than one degree of freedom.
void check_numbers_of(const ForceDescription& force, const std::string& element,
                      bool in_space = false);

// As messages call a force: `friction of joint "A"`.
std::string title_of(const ForceDescription& force);

}  // namespace hamiltree
