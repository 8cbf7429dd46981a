// The kernels of eight states at once, from the same source as those of one.
#define HAMILTREE_STATES
#include "hamiltree/formulations/kernel/kernels.cpp"
