// The kernels on the tracing scalar: each is compiled once, where it is recorded.
#pragma once

#include "hamiltree/formulations/codegen/on_traced.hpp"
#include "hamiltree/formulations/hdca/hdca.hpp"
#include "hamiltree/formulations/recursive/recursive.hpp"
#include "hamiltree/math/tracing.hpp"

namespace hamiltree {

extern template class Recursive<Planar<Traced>>;
extern template class Recursive<Spatial<Traced>>;
extern template class Hdca<Planar<Traced>>;
extern template class Hdca<Spatial<Traced>>;

}  // namespace hamiltree
