/* Driver of the hamiltree chip, for bare metal: no operating system, no C library, no memory of its
   own. Every function returns HAMILTREE_OK or says why not. */
#ifndef HAMILTREE_CHIP_H
#define HAMILTREE_CHIP_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  HAMILTREE_OK = 0,
  HAMILTREE_NO_CHIP,   /* what answers is not the chip */
  HAMILTREE_MISFIT,    /* the program was compiled for a chip of another shape */
  HAMILTREE_BUS_ERROR, /* the chip, or the bus, refused an access */
  HAMILTREE_BUSY,      /* it has not stopped within the polls allowed */
  HAMILTREE_NO_STATE   /* no step has been completed yet */
} hamiltree_result;

/* The way to the chip: 32-bit accesses at a byte offset. Both return 0, or something else where the
   bus answered with an error. On bare metal they are a load and a store, see chip_at_address.h. */
typedef struct {
  int (*read)(void *context, uint32_t offset, uint32_t *value);
  int (*write)(void *context, uint32_t offset, uint32_t value);
  void *context;
} hamiltree_bus;

/* The parameters that the chip was built with. */
typedef struct {
  uint32_t adders, multipliers;
  uint32_t address_bits, program_bits, snapshot_bits, window_bits;
} hamiltree_shape;

typedef struct {
  hamiltree_bus bus;
  hamiltree_shape shape;
} hamiltree_chip;

/* A constant and the register that it stands in. */
typedef struct {
  uint32_t bank, address, value;
} hamiltree_constant;

/* What the compiler makes of a mechanism and a step length. */
typedef struct {
  hamiltree_shape shape;  /* that it was compiled for; window_bits do not matter */
  uint32_t word_count;    /* cycles of a step */
  uint32_t slice_count;   /* 32-bit slices of a word, low to high */
  const uint32_t *words;  /* word after word */
  uint32_t constant_count;
  const hamiltree_constant *constants;
  uint32_t state_count;   /* words of the state: registers 0, 1, ... of bank 0 */
} hamiltree_program;

/* What has become of a run. */
typedef struct {
  uint32_t busy, nan, overflow; /* 0 or 1; nan and overflow since the last start */
  uint32_t steps;               /* done since the last start */
  uint64_t cycles;              /* since the last start */
} hamiltree_status;

/* Finds the chip and its shape. */
hamiltree_result hamiltree_open(hamiltree_chip *chip, hamiltree_bus bus);
/* Loads program and constants. */
hamiltree_result hamiltree_load(const hamiltree_chip *chip, const hamiltree_program *program);
/* Sets the state to start from: state_count binary32 numbers as bits. */
hamiltree_result hamiltree_set_state(const hamiltree_chip *chip, const hamiltree_program *program,
                                     const uint32_t *state);
/* Runs so many steps from the present state, or for ever with 0, without the processor. */
hamiltree_result hamiltree_start(const hamiltree_chip *chip, uint32_t steps);
/* Stops after the step under way. */
hamiltree_result hamiltree_stop(const hamiltree_chip *chip);
hamiltree_result hamiltree_get_status(const hamiltree_chip *chip, hamiltree_status *status);
/* Polls until the run has ended, at most so many times. */
hamiltree_result hamiltree_wait(const hamiltree_chip *chip, uint32_t polls);
/* The state after one and the same step, and its number; the run goes on meanwhile. */
hamiltree_result hamiltree_get_state(const hamiltree_chip *chip, const hamiltree_program *program,
                                     uint32_t *state, uint32_t *step);

#ifdef __cplusplus
}
#endif

#endif
