#include "studies/precision/reference_kernels.hpp"

namespace hamiltree::studies::precision {

template std::unique_ptr<Reference> make_reference(const Model&, const System<Spatial<double>>&,
                                                   const ChainOptions&);

}  // namespace hamiltree::studies::precision
