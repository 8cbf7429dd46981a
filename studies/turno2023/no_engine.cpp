// In the place of simbody/ where Simbody has not been found.
#include "studies/turno2023/motion.hpp"

namespace hamiltree::turno2023 {

std::optional<IndependentEngine> independent_engine() { return std::nullopt; }

}  // namespace hamiltree::turno2023
