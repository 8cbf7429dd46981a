/* A bus that is an address: bare metal, or memory mapped by an operating system. On a processor
   that reorders stores the chip's addresses must be mapped as device memory. */
#ifndef HAMILTREE_CHIP_AT_ADDRESS_H
#define HAMILTREE_CHIP_AT_ADDRESS_H

#include "hamiltree_chip.h"

static inline int hamiltree_load_word(void *base, uint32_t offset, uint32_t *value) {
  *value = *(volatile uint32_t *)((uintptr_t)base + offset);
  return 0;
}

static inline int hamiltree_store_word(void *base, uint32_t offset, uint32_t value) {
  *(volatile uint32_t *)((uintptr_t)base + offset) = value;
  return 0;
}

static inline hamiltree_bus hamiltree_bus_at(uintptr_t address) {
  const hamiltree_bus bus = {hamiltree_load_word, hamiltree_store_word, (void *)address};
  return bus;
}

#endif
