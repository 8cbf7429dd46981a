#include "hamiltree/integrators/sundials.hpp"

#include <algorithm>
#include <new>

#include "hamiltree/integrators/vector_operations.hpp"

namespace hamiltree::sundials {

Context make_context() {
  SUNContext context = nullptr;
  if (SUNContext_Create(nullptr, &context) != 0) throw std::bad_alloc();
  return Context(context);
}

Vector make_vector(int size, const double* y, SUNContext context) {
  Vector vector(N_VNew_Serial(std::max(size, 1), context));
  if (!vector) throw std::bad_alloc();
  use_own_operations(vector.get());
  N_VConst(0.0, vector.get());
  std::copy(y, y + size, data(vector.get()));
  return vector;
}

void check(int flag) {
  if (flag != 0) throw std::bad_alloc();
}

}  // namespace hamiltree::sundials
