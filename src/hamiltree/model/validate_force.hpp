// The checks of one force: what it acts on and its numbers.
#pragma once

#include <string>

#include "hamiltree/model/mechanism.hpp"
#include "hamiltree/model/validate.hpp"

namespace hamiltree {

void check_force(const ForceDescription& force, const Mechanism& mechanism, const Names& names);

// The numbers alone; `element` is how messages name the force.
void check_numbers_of(const ForceDescription& force, const std::string& element);

// As messages call a force: `friction of joint "A"`.
std::string title_of(const ForceDescription& force);

}  // namespace hamiltree
