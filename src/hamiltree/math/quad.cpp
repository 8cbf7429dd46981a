#include "hamiltree/math/quad.hpp"

#include <cmath>

#if LDBL_MANT_DIG != 113
// Functions of libquadmath, which comes with GCC. Its header is one of GCC's own, that other
// compilers do not find.
extern "C" {
hamiltree::Binary128 sqrtq(hamiltree::Binary128);
hamiltree::Binary128 sinq(hamiltree::Binary128);
hamiltree::Binary128 cosq(hamiltree::Binary128);
hamiltree::Binary128 tanhq(hamiltree::Binary128);
hamiltree::Binary128 atan2q(hamiltree::Binary128, hamiltree::Binary128);
}
#endif

namespace hamiltree {

#if LDBL_MANT_DIG == 113
Quad sqrt(const Quad& a) { return Quad::of(std::sqrt(a.value_)); }
Quad sin(const Quad& a) { return Quad::of(std::sin(a.value_)); }
Quad cos(const Quad& a) { return Quad::of(std::cos(a.value_)); }
Quad tanh(const Quad& a) { return Quad::of(std::tanh(a.value_)); }
Quad atan2(const Quad& y, const Quad& x) { return Quad::of(std::atan2(y.value_, x.value_)); }
#else
Quad sqrt(const Quad& a) { return Quad::of(sqrtq(a.value_)); }
Quad sin(const Quad& a) { return Quad::of(sinq(a.value_)); }
Quad cos(const Quad& a) { return Quad::of(cosq(a.value_)); }
Quad tanh(const Quad& a) { return Quad::of(tanhq(a.value_)); }
Quad atan2(const Quad& y, const Quad& x) { return Quad::of(atan2q(y.value_, x.value_)); }
#endif

}  // namespace hamiltree
