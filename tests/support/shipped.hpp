// The models of mechanisms/, by the names of their folders.
#pragma once

#include <string>
#include <vector>

#include "hamiltree/model/model.hpp"

namespace hamiltree::test {

Model shipped(const std::string& name, const std::vector<std::string>& overrides = {});

}  // namespace hamiltree::test
