// The kernels on the counting scalar and in quadruple precision: long to compile, so compiled once,
// for studies, benchmarks and tests alike.
#pragma once

#include "hamiltree/formulations/codegen/traced_kernels.hpp"
#include "hamiltree/formulations/hdca/hdca.hpp"
#include "hamiltree/formulations/recursive/recursive.hpp"
#include "hamiltree/math/counting.hpp"
#include "hamiltree/math/quad.hpp"

namespace hamiltree {

extern template System<Planar<Counted>> System<Planar<double>>::cast<Counted>() const;
extern template class Recursive<Planar<Counted>>;
extern template class Hdca<Planar<Counted>>;
extern template System<Spatial<Counted>> System<Spatial<double>>::cast<Counted>() const;
extern template class Recursive<Spatial<Counted>>;
extern template class Hdca<Spatial<Counted>>;
extern template System<Planar<Quad>> System<Planar<double>>::cast<Quad>() const;
extern template class Recursive<Planar<Quad>>;
extern template class Hdca<Planar<Quad>>;
extern template System<Spatial<Quad>> System<Spatial<double>>::cast<Quad>() const;
extern template class Recursive<Spatial<Quad>>;
extern template class Hdca<Spatial<Quad>>;

}  // namespace hamiltree
