#include "studies/precision/reference_kernels.hpp"

namespace hamiltree::studies::round_off {

template std::unique_ptr<Reference> make_reference(const Model&, const System<Planar<double>>&,
                                                   const ChainOptions&);

}  // namespace hamiltree::studies::round_off
