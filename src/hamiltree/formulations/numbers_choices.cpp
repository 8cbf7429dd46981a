#include "hamiltree/formulations/numbers_choices.hpp"

#include <atomic>

namespace hamiltree {

std::uint64_t next_choice() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace hamiltree
