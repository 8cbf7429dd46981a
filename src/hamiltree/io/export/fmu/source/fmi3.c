/* fmi3.c: the functions of FMI 3.0 for co-simulation and model exchange. Types of the standard are
 * written out: uint32_t is fmi3ValueReference, bool fmi3Boolean and fmi3Clock, void * an instance,
 * its environment and its state. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef fmi3FunctionTypes_h
typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum {
  fmi3Independent,
  fmi3Constant,
  fmi3Fixed,
  fmi3Tunable,
  fmi3Discrete,
  fmi3Dependent
} fmi3DependencyKind;
typedef enum {
  fmi3IntervalNotYetKnown,
  fmi3IntervalUnchanged,
  fmi3IntervalChanged
} fmi3IntervalQualifier;
#endif

#include <string.h>

#include "model.h"
#include "variables.h"

#include "instance.h"

/* Where FMUs are linked into one program, FMI3_FUNCTION_PREFIX keeps their functions apart. */
#if defined(FMI3_FUNCTION_PREFIX) && !defined(fmi3FullName)
#define FMU_PASTE(a, b) a##b
#define FMU_PASTED(a, b) FMU_PASTE(a, b)
#define FMU_NAME(name) FMU_PASTED(FMI3_FUNCTION_PREFIX, name)
#elif defined(fmi3FullName)
#define FMU_NAME(name) fmi3FullName(name)
#else
#define FMU_NAME(name) name
#endif

/* Exported from a library; the declaration before the definition is what compilers like to see. */
#if defined(_WIN32)
#define FMU_EXPORT __declspec(dllexport)
#else
#define FMU_EXPORT
#endif
#define FMU_FUNCTION(type, name, arguments)       \
  FMU_EXPORT type FMU_NAME(name) arguments;       \
  FMU_EXPORT type FMU_NAME(name) arguments

typedef void (*fmu_logger3)(void *environment, fmi3Status status, const char *category,
                            const char *message);
typedef void (*fmu_intermediate)(void *environment, double t, bool is_set_requested,
                                 bool is_get_allowed, bool is_step_finished, bool can_return_early,
                                 bool *is_early_return_requested, double *early_return_time);

static fmi3Status fmu_status(int is_done) { return is_done ? fmi3OK : fmi3Error; }

static void fmu_log3(const struct fmu *f, const char *message)
{
  if (f->call) ((fmu_logger3)f->call)(f->environment, fmi3Error, "logStatusError", message);
}

static struct fmu *fmu_instance(const char *name, const char *token, void *environment, fmu_logger3 log)
{
  struct fmu *f = fmu_new(name, token);
  if (!f) {
    if (log)
      log(environment, fmi3Error, "logStatusError",
          "the instantiation token is not that of this FMU, or there is no memory");
    return NULL;
  }
  f->log = fmu_log3;
  f->call = (void (*)(void))log;
  f->environment = environment;
  return f;
}

FMU_FUNCTION(const char *, fmi3GetVersion, (void)) { return "3.0"; }

FMU_FUNCTION(void *, fmi3InstantiateModelExchange,
             (const char *name, const char *token, const char *resources, bool is_visible,
              bool is_logging, void *environment, fmu_logger3 log))
{
  (void)resources, (void)is_visible, (void)is_logging;
  return fmu_instance(name, token, environment, log);
}
FMU_FUNCTION(void *, fmi3InstantiateCoSimulation,
             (const char *name, const char *token, const char *resources, bool is_visible,
              bool is_logging, bool has_events, bool may_return_early, const uint32_t required[],
              size_t required_count, void *environment, fmu_logger3 log,
              fmu_intermediate update))
{
  struct fmu *f = fmu_instance(name, token, environment, log);
  (void)resources, (void)is_visible, (void)is_logging;
  (void)required, (void)required_count, (void)update;
  if (f) f->may_return_early = has_events && may_return_early;
  return f;
}
FMU_FUNCTION(void *, fmi3InstantiateScheduledExecution,
             (const char *name, const char *token, const char *resources, bool is_visible,
              bool is_logging, void *environment, fmu_logger3 log, void (*update)(void *),
              void (*lock)(void), void (*unlock)(void)))
{
  (void)name, (void)token, (void)resources, (void)is_visible, (void)is_logging;
  (void)update, (void)lock, (void)unlock;
  if (log) log(environment, fmi3Error, "logStatusError", "there is no scheduled execution");
  return NULL;
}
FMU_FUNCTION(void, fmi3FreeInstance, (void *c)) { fmu_free((struct fmu *)c); }
FMU_FUNCTION(fmi3Status, fmi3SetDebugLogging,
             (void *c, bool is_logging, size_t count, const char *const categories[]))
{
  (void)c, (void)is_logging, (void)count, (void)categories;
  return fmi3OK;
}
FMU_FUNCTION(fmi3Status, fmi3EnterInitializationMode,
             (void *c, bool has_tolerance, double tolerance, double start, bool has_stop,
              double stop))
{
  (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
  return fmu_status(fmu_set_start_time((struct fmu *)c, start));
}
FMU_FUNCTION(fmi3Status, fmi3ExitInitializationMode, (void *c))
{
  return fmu_status(fmu_end_initialisation((struct fmu *)c));
}
FMU_FUNCTION(fmi3Status, fmi3Reset, (void *c))
{
  fmu_restart((struct fmu *)c);
  return fmi3OK;
}
#define FMU_NOTHING_TO_DO(name)            \
  FMU_FUNCTION(fmi3Status, name, (void *c)) \
  {                                        \
    (void)c;                               \
    return fmi3OK;                         \
  }
FMU_NOTHING_TO_DO(fmi3EnterEventMode)
FMU_NOTHING_TO_DO(fmi3Terminate)
FMU_NOTHING_TO_DO(fmi3EnterConfigurationMode)
FMU_NOTHING_TO_DO(fmi3ExitConfigurationMode)
FMU_NOTHING_TO_DO(fmi3EvaluateDiscreteStates)
FMU_NOTHING_TO_DO(fmi3EnterContinuousTimeMode)
FMU_NOTHING_TO_DO(fmi3EnterStepMode)

/* --- variables: all are Float64 --- */

FMU_FUNCTION(fmi3Status, fmi3GetFloat64,
             (void *c, const uint32_t references[], size_t count, double values[], size_t size))
{
  struct fmu *f = (struct fmu *)c;
  if (size != count) return fmu_status(fmu_fails(f, "every variable is one number"));
  return fmu_status(fmu_get(f, references, count, values));
}
FMU_FUNCTION(fmi3Status, fmi3SetFloat64,
             (void *c, const uint32_t references[], size_t count, const double values[],
              size_t size))
{
  struct fmu *f = (struct fmu *)c;
  if (size != count) return fmu_status(fmu_fails(f, "every variable is one number"));
  return fmu_status(fmu_set(f, references, count, values));
}

static fmi3Status fmu_none(void *c, size_t count)
{
  return fmu_status(count == 0 || fmu_fails((struct fmu *)c, "all variables are Float64"));
}
#define FMU_NONE_OF(get, set, type)                                                         \
  FMU_FUNCTION(fmi3Status, get,                                                             \
               (void *c, const uint32_t r[], size_t count, type values[], size_t size))     \
  {                                                                                         \
    (void)r, (void)values, (void)size;                                                      \
    return fmu_none(c, count);                                                              \
  }                                                                                         \
  FMU_FUNCTION(fmi3Status, set,                                                             \
               (void *c, const uint32_t r[], size_t count, type const values[], size_t size)) \
  {                                                                                         \
    (void)r, (void)values, (void)size;                                                      \
    return fmu_none(c, count);                                                              \
  }
typedef const char *fmu_text;
FMU_NONE_OF(fmi3GetFloat32, fmi3SetFloat32, float)
FMU_NONE_OF(fmi3GetInt8, fmi3SetInt8, int8_t)
FMU_NONE_OF(fmi3GetUInt8, fmi3SetUInt8, uint8_t)
FMU_NONE_OF(fmi3GetInt16, fmi3SetInt16, int16_t)
FMU_NONE_OF(fmi3GetUInt16, fmi3SetUInt16, uint16_t)
FMU_NONE_OF(fmi3GetInt32, fmi3SetInt32, int32_t)
FMU_NONE_OF(fmi3GetUInt32, fmi3SetUInt32, uint32_t)
FMU_NONE_OF(fmi3GetInt64, fmi3SetInt64, int64_t)
FMU_NONE_OF(fmi3GetUInt64, fmi3SetUInt64, uint64_t)
FMU_NONE_OF(fmi3GetBoolean, fmi3SetBoolean, bool)
FMU_NONE_OF(fmi3GetString, fmi3SetString, fmu_text)
FMU_FUNCTION(fmi3Status, fmi3GetBinary,
             (void *c, const uint32_t r[], size_t count, size_t sizes[], const uint8_t *values[],
              size_t size))
{
  (void)r, (void)sizes, (void)values, (void)size;
  return fmu_none(c, count);
}
FMU_FUNCTION(fmi3Status, fmi3SetBinary,
             (void *c, const uint32_t r[], size_t count, const size_t sizes[],
              const uint8_t *const values[], size_t size))
{
  (void)r, (void)sizes, (void)values, (void)size;
  return fmu_none(c, count);
}
FMU_FUNCTION(fmi3Status, fmi3GetClock,
             (void *c, const uint32_t r[], size_t count, bool values[]))
{
  (void)r, (void)values;
  return fmu_none(c, count);
}
FMU_FUNCTION(fmi3Status, fmi3SetClock,
             (void *c, const uint32_t r[], size_t count, const bool values[]))
{
  (void)r, (void)values;
  return fmu_none(c, count);
}
#define FMU_NO_CLOCK(name, type)                                                             \
  FMU_FUNCTION(fmi3Status, name, (void *c, const uint32_t r[], size_t count, type values[])) \
  {                                                                                          \
    (void)r, (void)values;                                                                   \
    return fmu_none(c, count);                                                               \
  }
#define FMU_NO_CLOCKS(name, type)                                                          \
  FMU_FUNCTION(fmi3Status, name,                                                           \
               (void *c, const uint32_t r[], size_t count, type counters[], type parts[])) \
  {                                                                                        \
    (void)r, (void)counters, (void)parts;                                                  \
    return fmu_none(c, count);                                                             \
  }
FMU_NO_CLOCK(fmi3GetShiftDecimal, double)
FMU_NO_CLOCK(fmi3SetIntervalDecimal, const double)
FMU_NO_CLOCK(fmi3SetShiftDecimal, const double)
FMU_NO_CLOCKS(fmi3GetShiftFraction, uint64_t)
FMU_NO_CLOCKS(fmi3SetIntervalFraction, const uint64_t)
FMU_NO_CLOCKS(fmi3SetShiftFraction, const uint64_t)
FMU_FUNCTION(fmi3Status, fmi3GetIntervalDecimal,
             (void *c, const uint32_t r[], size_t count, double intervals[],
              fmi3IntervalQualifier qualifiers[]))
{
  (void)r, (void)intervals, (void)qualifiers;
  return fmu_none(c, count);
}
FMU_FUNCTION(fmi3Status, fmi3GetIntervalFraction,
             (void *c, const uint32_t r[], size_t count, uint64_t counters[], uint64_t parts[],
              fmi3IntervalQualifier qualifiers[]))
{
  (void)r, (void)counters, (void)parts, (void)qualifiers;
  return fmu_none(c, count);
}
FMU_FUNCTION(fmi3Status, fmi3ActivateModelPartition, (void *c, uint32_t clock, double t))
{
  (void)clock, (void)t;
  return fmu_none(c, 1);
}

/* --- dependencies and derivatives: none are offered --- */

static fmi3Status fmu_not_offered(void *c)
{
  return fmu_status(fmu_fails((struct fmu *)c, "this FMU does not offer what was called"));
}
FMU_FUNCTION(fmi3Status, fmi3GetNumberOfVariableDependencies,
             (void *c, uint32_t reference, size_t *count))
{
  (void)reference, (void)count;
  return fmu_not_offered(c);
}
FMU_FUNCTION(fmi3Status, fmi3GetVariableDependencies,
             (void *c, uint32_t dependent, size_t entries[], uint32_t independents[],
              size_t their_entries[], fmi3DependencyKind kinds[], size_t count))
{
  (void)dependent, (void)entries, (void)independents, (void)their_entries, (void)kinds;
  (void)count;
  return fmu_not_offered(c);
}
FMU_FUNCTION(fmi3Status, fmi3GetDirectionalDerivative,
             (void *c, const uint32_t unknowns[], size_t unknown_count, const uint32_t knowns[],
              size_t known_count, const double seed[], size_t seed_count, double sensitivity[],
              size_t sensitivity_count))
{
  struct fmu *f = (struct fmu *)c;
  if (seed_count != known_count || sensitivity_count != unknown_count)
    return fmu_status(fmu_fails(f, "all variables are scalars: one value for each"));
  return fmu_status(
      fmu_directional(f, unknowns, unknown_count, knowns, known_count, seed, sensitivity));
}
FMU_FUNCTION(fmi3Status, fmi3GetAdjointDerivative,
             (void *c, const uint32_t unknowns[], size_t unknown_count, const uint32_t knowns[],
              size_t known_count, const double seed[], size_t seed_count, double sensitivity[],
              size_t sensitivity_count))
{
  (void)unknowns, (void)unknown_count, (void)knowns, (void)known_count, (void)seed;
  (void)seed_count, (void)sensitivity, (void)sensitivity_count;
  return fmu_not_offered(c);
}
FMU_FUNCTION(fmi3Status, fmi3GetOutputDerivatives,
             (void *c, const uint32_t references[], size_t count, const int32_t orders[],
              double values[], size_t size))
{
  (void)references, (void)orders, (void)values, (void)size;
  return count == 0 ? fmi3OK : fmu_not_offered(c);
}

/* --- states of the FMU --- */

FMU_FUNCTION(fmi3Status, fmi3GetFMUState, (void *c, void **state))
{
  return fmu_status(fmu_save((struct fmu *)c, state));
}
FMU_FUNCTION(fmi3Status, fmi3SetFMUState, (void *c, void *state))
{
  return fmu_status(fmu_restore((struct fmu *)c, state, sizeof(struct fmu_state)));
}
FMU_FUNCTION(fmi3Status, fmi3FreeFMUState, (void *c, void **state))
{
  (void)c;
  free(*state);
  *state = NULL;
  return fmi3OK;
}
FMU_FUNCTION(fmi3Status, fmi3SerializedFMUStateSize, (void *c, void *state, size_t *size))
{
  (void)c, (void)state;
  *size = sizeof(struct fmu_state);
  return fmi3OK;
}
FMU_FUNCTION(fmi3Status, fmi3SerializeFMUState,
             (void *c, void *state, uint8_t bytes[], size_t size))
{
  return fmu_status(fmu_serialise((struct fmu *)c, state, bytes, size));
}
FMU_FUNCTION(fmi3Status, fmi3DeserializeFMUState,
             (void *c, const uint8_t bytes[], size_t size, void **state))
{
  return fmu_status(fmu_deserialise((struct fmu *)c, bytes, size, state));
}

/* --- model exchange --- */

FMU_FUNCTION(fmi3Status, fmi3UpdateDiscreteStates,
             (void *c, bool *is_update_needed, bool *is_end, bool *are_nominals_changed,
              bool *are_states_changed, bool *is_next_event_known, double *next_event_time))
{
  struct fmu *f = (struct fmu *)c;
  int is_changed = 0;
  const int is_done = fmu_event(f, &is_changed);
  *is_update_needed = *are_nominals_changed = false;
  *is_end = f->now.is_ended != 0;
  *are_states_changed = is_changed != 0;
  *is_next_event_known = fmu_next_breakpoint(f, next_event_time) != 0;
  return fmu_status(is_done);
}
FMU_FUNCTION(fmi3Status, fmi3CompletedIntegratorStep,
             (void *c, bool is_final, bool *is_event, bool *is_end))
{
  int is_needed = 0;
  const int is_done = fmu_end_integrator_step((struct fmu *)c, &is_needed);
  (void)is_final;
  *is_event = is_needed != 0;
  *is_end = false;
  return fmu_status(is_done);
}
FMU_FUNCTION(fmi3Status, fmi3SetTime, (void *c, double t))
{
  fmu_begin_at((struct fmu *)c, t);
  return fmi3OK;
}
FMU_FUNCTION(fmi3Status, fmi3SetContinuousStates, (void *c, const double states[], size_t count))
{
  return fmu_status(fmu_set_states((struct fmu *)c, states, count));
}
FMU_FUNCTION(fmi3Status, fmi3GetContinuousStateDerivatives,
             (void *c, double rates[], size_t count))
{
  struct fmu *f = (struct fmu *)c;
  return fmu_status(fmu_know_rates(f) && fmu_get_states(f, FMU_Q_DOT, FMU_P_DOT, rates, count));
}
FMU_FUNCTION(fmi3Status, fmi3GetEventIndicators, (void *c, double indicators[], size_t count))
{
  return fmu_status(fmu_get_indicators((struct fmu *)c, indicators, count));
}
FMU_FUNCTION(fmi3Status, fmi3GetContinuousStates, (void *c, double states[], size_t count))
{
  struct fmu *f = (struct fmu *)c;
  return fmu_status(fmu_begin(f) && fmu_get_states(f, FMU_Q, FMU_P, states, count));
}
FMU_FUNCTION(fmi3Status, fmi3GetNominalsOfContinuousStates,
             (void *c, double nominals[], size_t count))
{
  return fmu_status(fmu_get_nominals((struct fmu *)c, nominals, count));
}
FMU_FUNCTION(fmi3Status, fmi3GetNumberOfEventIndicators, (void *c, size_t *count))
{
  (void)c;
  *count = FMU_EVENTS;
  return fmi3OK;
}
FMU_FUNCTION(fmi3Status, fmi3GetNumberOfContinuousStates, (void *c, size_t *count))
{
  (void)c;
  *count = FMU_STATES;
  return fmi3OK;
}

/* --- co-simulation --- */

FMU_FUNCTION(fmi3Status, fmi3DoStep,
             (void *c, double t, double h, bool is_final, bool *is_event, bool *is_end,
              bool *is_early, double *reached))
{
  struct fmu *f = (struct fmu *)c;
  int is_at_event = 0;
  const int is_done = fmu_advance(f, t, h, &is_at_event);
  (void)is_final;
  *is_end = f->now.is_ended != 0;
  *is_event = *is_early = is_at_event && f->may_return_early;
  *reached = is_done ? f->now.x[FMU_T] : t;
  return fmu_status(is_done);
}
