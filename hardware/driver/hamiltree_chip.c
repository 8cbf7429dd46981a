#include "hamiltree_chip.h"

enum {
  REGISTER_ID = 0x00,
  REGISTER_SHAPE = 0x04,
  REGISTER_CONTROL = 0x08, /* written: commands; read: status */
  REGISTER_LAST_WORD = 0x0c,
  REGISTER_STEPS = 0x10,
  REGISTER_STEP = 0x14,
  REGISTER_CYCLES_LOW = 0x18,
  REGISTER_CYCLES_HIGH = 0x1c,
  REGISTER_SNAPSHOT_STEP = 0x20
};
enum { COMMAND_START = 1, COMMAND_STOP = 2, COMMAND_HOLD = 4, COMMAND_RELEASE = 8 };
enum { STATUS_BUSY = 1, STATUS_NAN = 4, STATUS_OVERFLOW = 8 };
enum { WINDOW_STATE = 1, WINDOW_REGISTERS = 2, WINDOW_PROGRAM = 3 };

#define CHIP_ID 0x48545231u

#define TRY(call)                                     \
  do {                                                \
    const hamiltree_result result_ = (call);          \
    if (result_ != HAMILTREE_OK) return result_;      \
  } while (0)

static hamiltree_result read_word(const hamiltree_chip *chip, uint32_t offset, uint32_t *value) {
  return chip->bus.read(chip->bus.context, offset, value) == 0 ? HAMILTREE_OK : HAMILTREE_BUS_ERROR;
}

static hamiltree_result write_word(const hamiltree_chip *chip, uint32_t offset, uint32_t value) {
  return chip->bus.write(chip->bus.context, offset, value) == 0 ? HAMILTREE_OK
                                                                : HAMILTREE_BUS_ERROR;
}

static uint32_t window(const hamiltree_chip *chip, uint32_t number) {
  return number << chip->shape.window_bits;
}

/* The least number of bits that tells `count` things apart. */
static uint32_t bits_for(uint32_t count) {
  uint32_t bits = 0;
  while ((1u << bits) < count) ++bits;
  return bits;
}

hamiltree_result hamiltree_open(hamiltree_chip *chip, hamiltree_bus bus) {
  uint32_t id = 0;
  uint32_t shape = 0;
  chip->bus = bus;
  TRY(read_word(chip, REGISTER_ID, &id));
  if (id != CHIP_ID) return HAMILTREE_NO_CHIP;
  TRY(read_word(chip, REGISTER_SHAPE, &shape));
  chip->shape.adders = shape & 15u;
  chip->shape.multipliers = shape >> 4 & 15u;
  chip->shape.address_bits = shape >> 8 & 15u;
  chip->shape.program_bits = shape >> 12 & 15u;
  chip->shape.snapshot_bits = shape >> 16 & 15u;
  chip->shape.window_bits = shape >> 20 & 31u;
  return HAMILTREE_OK;
}

hamiltree_result hamiltree_load(const hamiltree_chip *chip, const hamiltree_program *program) {
  const hamiltree_shape *there = &chip->shape;
  const hamiltree_shape *needed = &program->shape;
  const uint32_t slice_bits = bits_for(program->slice_count);
  uint32_t i, j;
  if (needed->adders != there->adders || needed->multipliers != there->multipliers ||
      needed->address_bits != there->address_bits ||
      program->word_count > 1u << there->program_bits ||
      program->state_count > 1u << there->snapshot_bits) {
    return HAMILTREE_MISFIT;
  }
  for (i = 0; i < program->word_count; ++i) {
    for (j = 0; j < program->slice_count; ++j) {
      TRY(write_word(chip, window(chip, WINDOW_PROGRAM) + ((i << slice_bits | j) << 2),
                     program->words[i * program->slice_count + j]));
    }
  }
  for (i = 0; i < program->constant_count; ++i) {
    const hamiltree_constant *constant = &program->constants[i];
    const uint32_t address = constant->bank << there->address_bits | constant->address;
    TRY(write_word(chip, window(chip, WINDOW_REGISTERS) + (address << 2), constant->value));
  }
  return write_word(chip, REGISTER_LAST_WORD, program->word_count - 1u);
}

hamiltree_result hamiltree_set_state(const hamiltree_chip *chip, const hamiltree_program *program,
                                     const uint32_t *state) {
  uint32_t i;
  for (i = 0; i < program->state_count; ++i) {
    TRY(write_word(chip, window(chip, WINDOW_REGISTERS) + (i << 2), state[i]));
  }
  return HAMILTREE_OK;
}

hamiltree_result hamiltree_start(const hamiltree_chip *chip, uint32_t steps) {
  TRY(write_word(chip, REGISTER_STEPS, steps));
  return write_word(chip, REGISTER_CONTROL, COMMAND_START);
}

hamiltree_result hamiltree_stop(const hamiltree_chip *chip) {
  return write_word(chip, REGISTER_CONTROL, COMMAND_STOP);
}

hamiltree_result hamiltree_get_status(const hamiltree_chip *chip, hamiltree_status *status) {
  uint32_t word = 0;
  uint32_t low = 0;
  uint32_t high = 0;
  uint32_t again = 0;
  TRY(read_word(chip, REGISTER_CONTROL, &word));
  TRY(read_word(chip, REGISTER_STEP, &status->steps));
  do { /* until no carry came between the two halves */
    TRY(read_word(chip, REGISTER_CYCLES_HIGH, &high));
    TRY(read_word(chip, REGISTER_CYCLES_LOW, &low));
    TRY(read_word(chip, REGISTER_CYCLES_HIGH, &again));
  } while (high != again);
  status->busy = (word & STATUS_BUSY) != 0;
  status->nan = (word & STATUS_NAN) != 0;
  status->overflow = (word & STATUS_OVERFLOW) != 0;
  status->cycles = (uint64_t)high << 32 | low;
  return HAMILTREE_OK;
}

hamiltree_result hamiltree_wait(const hamiltree_chip *chip, uint32_t polls) {
  uint32_t word = STATUS_BUSY;
  while (polls-- > 0) {
    TRY(read_word(chip, REGISTER_CONTROL, &word));
    if ((word & STATUS_BUSY) == 0) return HAMILTREE_OK;
  }
  return HAMILTREE_BUSY;
}

hamiltree_result hamiltree_get_state(const hamiltree_chip *chip, const hamiltree_program *program,
                                     uint32_t *state, uint32_t *step) {
  hamiltree_result result;
  uint32_t i;
  TRY(write_word(chip, REGISTER_CONTROL, COMMAND_HOLD));
  result = read_word(chip, REGISTER_SNAPSHOT_STEP, step);
  if (result == HAMILTREE_OK && *step == 0) result = HAMILTREE_NO_STATE;
  for (i = 0; i < program->state_count && result == HAMILTREE_OK; ++i) {
    result = read_word(chip, window(chip, WINDOW_STATE) + (i << 2), &state[i]);
  }
  TRY(write_word(chip, REGISTER_CONTROL, COMMAND_RELEASE));
  return result;
}
