#include "hamiltree/base/limits.hpp"

namespace hamiltree {

std::string to_text(const Limit& limit) {
  return std::string("the limit ") + limit.name + " (" + std::to_string(limit.value) + ")";
}

}  // namespace hamiltree
