// What the adapters to SUNDIALS share: its context, its vectors and how they are freed.
#pragma once

#include <nvector/nvector_serial.h>

#include <memory>
#include <type_traits>

namespace hamiltree::sundials {

struct FreeContext {
  void operator()(SUNContext context) const { SUNContext_Free(&context); }
};
using Context = std::unique_ptr<std::remove_pointer_t<SUNContext>, FreeContext>;
Context make_context();

struct FreeVector {
  void operator()(N_Vector vector) const { N_VDestroy(vector); }
};
using Vector = std::unique_ptr<std::remove_pointer_t<N_Vector>, FreeVector>;
// SUNDIALS' error norms divide by the length of the vector: a problem without state, a mechanism
// with all joints driven, gets one entry that stays 0.
Vector make_vector(int size, const double* y, SUNContext context);

// For calls that fail only for want of memory: throws std::bad_alloc unless the flag is 0.
void check(int flag);

inline double* data(N_Vector vector) { return N_VGetArrayPointer(vector); }

}  // namespace hamiltree::sundials
