/* fmi2.c: the functions of FMI 2.0 for co-simulation and model exchange. Types of the standard are
 * written out: unsigned int is fmi2ValueReference, int fmi2Boolean and fmi2Integer, void * a
 * component, its environment and its state. */
#include <stddef.h>

#ifndef fmi2FunctionTypes_h
typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum {
  fmi2DoStepStatus,
  fmi2PendingStatus,
  fmi2LastSuccessfulTime,
  fmi2Terminated
} fmi2StatusKind;
typedef struct {
  void (*logger)(void *environment, const char *name, fmi2Status status, const char *category,
                 const char *message, ...);
  void *(*allocateMemory)(size_t count, size_t size);
  void (*freeMemory)(void *memory);
  void (*stepFinished)(void *environment, fmi2Status status);
  void *componentEnvironment;
} fmi2CallbackFunctions;
typedef struct {
  int newDiscreteStatesNeeded, terminateSimulation;
  int nominalsOfContinuousStatesChanged, valuesOfContinuousStatesChanged;
  int nextEventTimeDefined;
  double nextEventTime;
} fmi2EventInfo;
#endif

#include <string.h>

#include "model.h"
#include "variables.h"

#include "instance.h"

/* Where FMUs are linked into one program, FMI2_FUNCTION_PREFIX keeps their functions apart. */
#if defined(FMI2_FUNCTION_PREFIX) && !defined(fmi2FullName)
#define FMU_PASTE(a, b) a##b
#define FMU_PASTED(a, b) FMU_PASTE(a, b)
#define FMU_NAME(name) FMU_PASTED(FMI2_FUNCTION_PREFIX, name)
#elif defined(fmi2FullName)
#define FMU_NAME(name) fmi2FullName(name)
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

static fmi2Status fmu_status(int is_done) { return is_done ? fmi2OK : fmi2Error; }

static void fmu_log2(const struct fmu *f, const char *message)
{
  const fmi2CallbackFunctions *functions = (const fmi2CallbackFunctions *)f->logger;
  if (functions && functions->logger)
    functions->logger(f->environment, f->name, fmi2Error, "logStatusError", "%s", message);
}

FMU_FUNCTION(const char *, fmi2GetTypesPlatform, (void)) { return "default"; }
FMU_FUNCTION(const char *, fmi2GetVersion, (void)) { return "2.0"; }

FMU_FUNCTION(void *, fmi2Instantiate,
             (const char *name, fmi2Type type, const char *guid, const char *resources,
              const fmi2CallbackFunctions *functions, int is_visible, int is_logging))
{
  struct fmu *f = fmu_new(name, guid);
  (void)type, (void)resources, (void)is_visible, (void)is_logging;
  if (!f) {
    if (functions && functions->logger)
      functions->logger(functions->componentEnvironment, name, fmi2Error, "logStatusError", "%s",
                        "the GUID is not that of this FMU, or there is no memory");
    return NULL;
  }
  f->log = fmu_log2;
  f->logger = functions;
  f->environment = functions ? functions->componentEnvironment : NULL;
  return f;
}
FMU_FUNCTION(void, fmi2FreeInstance, (void *c)) { fmu_free((struct fmu *)c); }
FMU_FUNCTION(fmi2Status, fmi2SetDebugLogging,
             (void *c, int is_logging, size_t count, const char *const categories[]))
{
  (void)c, (void)is_logging, (void)count, (void)categories;
  return fmi2OK;
}
FMU_FUNCTION(fmi2Status, fmi2SetupExperiment,
             (void *c, int has_tolerance, double tolerance, double start, int has_stop, double stop))
{
  (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
  return fmu_status(fmu_set_start_time((struct fmu *)c, start));
}
FMU_FUNCTION(fmi2Status, fmi2EnterInitializationMode, (void *c))
{
  (void)c;
  return fmi2OK;
}
FMU_FUNCTION(fmi2Status, fmi2ExitInitializationMode, (void *c))
{
  return fmu_status(fmu_end_initialisation((struct fmu *)c));
}
FMU_FUNCTION(fmi2Status, fmi2Terminate, (void *c))
{
  (void)c;
  return fmi2OK;
}
FMU_FUNCTION(fmi2Status, fmi2Reset, (void *c))
{
  fmu_restart((struct fmu *)c);
  return fmi2OK;
}

/* --- variables: all are real --- */

FMU_FUNCTION(fmi2Status, fmi2GetReal,
             (void *c, const unsigned references[], size_t count, double values[]))
{
  return fmu_status(fmu_get((struct fmu *)c, references, count, values));
}
FMU_FUNCTION(fmi2Status, fmi2SetReal,
             (void *c, const unsigned references[], size_t count, const double values[]))
{
  return fmu_status(fmu_set((struct fmu *)c, references, count, values));
}
#define FMU_NONE_OF(get, set, type)                                                             \
  FMU_FUNCTION(fmi2Status, get, (void *c, const unsigned r[], size_t count, type values[]))     \
  {                                                                                             \
    (void)r, (void)values;                                                                      \
    return fmu_status(count == 0 || fmu_fails((struct fmu *)c, "all variables are real"));      \
  }                                                                                             \
  FMU_FUNCTION(fmi2Status, set, (void *c, const unsigned r[], size_t count, type const values[])) \
  {                                                                                             \
    (void)r, (void)values;                                                                      \
    return fmu_status(count == 0 || fmu_fails((struct fmu *)c, "all variables are real"));      \
  }
FMU_NONE_OF(fmi2GetInteger, fmi2SetInteger, int)
FMU_NONE_OF(fmi2GetBoolean, fmi2SetBoolean, int)
typedef const char *fmu_text;
FMU_NONE_OF(fmi2GetString, fmi2SetString, fmu_text)

/* --- states of the FMU --- */

FMU_FUNCTION(fmi2Status, fmi2GetFMUstate, (void *c, void **state))
{
  return fmu_status(fmu_save((struct fmu *)c, state));
}
FMU_FUNCTION(fmi2Status, fmi2SetFMUstate, (void *c, void *state))
{
  return fmu_status(fmu_restore((struct fmu *)c, state, sizeof(struct fmu_state)));
}
FMU_FUNCTION(fmi2Status, fmi2FreeFMUstate, (void *c, void **state))
{
  (void)c;
  free(*state);
  *state = NULL;
  return fmi2OK;
}
FMU_FUNCTION(fmi2Status, fmi2SerializedFMUstateSize, (void *c, void *state, size_t *size))
{
  (void)c, (void)state;
  *size = sizeof(struct fmu_state);
  return fmi2OK;
}
FMU_FUNCTION(fmi2Status, fmi2SerializeFMUstate, (void *c, void *state, char bytes[], size_t size))
{
  return fmu_status(fmu_serialise((struct fmu *)c, state, bytes, size));
}
FMU_FUNCTION(fmi2Status, fmi2DeSerializeFMUstate,
             (void *c, const char bytes[], size_t size, void **state))
{
  return fmu_status(fmu_deserialise((struct fmu *)c, bytes, size, state));
}
FMU_FUNCTION(fmi2Status, fmi2GetDirectionalDerivative,
             (void *c, const unsigned unknowns[], size_t unknown_count, const unsigned knowns[],
              size_t known_count, const double known[], double unknown[]))
{
  return fmu_status(fmu_directional((struct fmu *)c, unknowns, unknown_count, knowns, known_count,
                                    known, unknown));
}

/* --- model exchange --- */

FMU_FUNCTION(fmi2Status, fmi2EnterEventMode, (void *c))
{
  (void)c;
  return fmi2OK;
}
FMU_FUNCTION(fmi2Status, fmi2NewDiscreteStates, (void *c, fmi2EventInfo *info))
{
  struct fmu *f = (struct fmu *)c;
  int is_done;
  memset(info, 0, sizeof *info);
  is_done = fmu_event(f, &info->valuesOfContinuousStatesChanged);
  info->terminateSimulation = f->now.is_ended;
  info->nextEventTimeDefined = fmu_next_breakpoint(f, &info->nextEventTime);
  return fmu_status(is_done);
}
FMU_FUNCTION(fmi2Status, fmi2EnterContinuousTimeMode, (void *c))
{
  (void)c;
  return fmi2OK;
}
FMU_FUNCTION(fmi2Status, fmi2CompletedIntegratorStep,
             (void *c, int is_final, int *is_event, int *is_end))
{
  (void)is_final;
  *is_end = 0;
  return fmu_status(fmu_end_integrator_step((struct fmu *)c, is_event));
}
FMU_FUNCTION(fmi2Status, fmi2SetTime, (void *c, double t))
{
  fmu_begin_at((struct fmu *)c, t);
  return fmi2OK;
}
FMU_FUNCTION(fmi2Status, fmi2SetContinuousStates, (void *c, const double states[], size_t count))
{
  return fmu_status(fmu_set_states((struct fmu *)c, states, count));
}
FMU_FUNCTION(fmi2Status, fmi2GetDerivatives, (void *c, double rates[], size_t count))
{
  struct fmu *f = (struct fmu *)c;
  return fmu_status(fmu_know_rates(f) && fmu_get_states(f, FMU_Q_DOT, FMU_P_DOT, rates, count));
}
FMU_FUNCTION(fmi2Status, fmi2GetEventIndicators, (void *c, double indicators[], size_t count))
{
  return fmu_status(fmu_get_indicators((struct fmu *)c, indicators, count));
}
FMU_FUNCTION(fmi2Status, fmi2GetContinuousStates, (void *c, double states[], size_t count))
{
  struct fmu *f = (struct fmu *)c;
  return fmu_status(fmu_begin(f) && fmu_get_states(f, FMU_Q, FMU_P, states, count));
}
FMU_FUNCTION(fmi2Status, fmi2GetNominalsOfContinuousStates,
             (void *c, double nominals[], size_t count))
{
  return fmu_status(fmu_get_nominals((struct fmu *)c, nominals, count));
}

/* --- co-simulation --- */

FMU_FUNCTION(fmi2Status, fmi2DoStep, (void *c, double t, double h, int is_final))
{
  struct fmu *f = (struct fmu *)c;
  int is_early;
  (void)is_final;
  if (!fmu_advance(f, t, h, &is_early)) return fmi2Error;
  return f->now.is_ended ? fmi2Discard : fmi2OK;
}
FMU_FUNCTION(fmi2Status, fmi2CancelStep, (void *c))
{
  return fmu_status(fmu_fails((struct fmu *)c, "no step is pending"));
}
FMU_FUNCTION(fmi2Status, fmi2SetRealInputDerivatives,
             (void *c, const unsigned references[], size_t count, const int orders[],
              const double values[]))
{
  (void)references, (void)orders, (void)values;
  return fmu_status(count == 0 || fmu_fails((struct fmu *)c, "inputs are held during a step"));
}
FMU_FUNCTION(fmi2Status, fmi2GetRealOutputDerivatives,
             (void *c, const unsigned references[], size_t count, const int orders[],
              double values[]))
{
  (void)references, (void)orders, (void)values;
  return fmu_status(count == 0 ||
                    fmu_fails((struct fmu *)c, "there are no derivatives of outputs"));
}
#define FMU_NO_STATUS(name, type)                                                      \
  FMU_FUNCTION(fmi2Status, name, (void *c, const fmi2StatusKind kind, type *value))    \
  {                                                                                    \
    (void)c, (void)kind, (void)value;                                                  \
    return fmi2Discard;                                                                \
  }
FMU_NO_STATUS(fmi2GetStatus, fmi2Status)
FMU_NO_STATUS(fmi2GetIntegerStatus, int)
FMU_NO_STATUS(fmi2GetStringStatus, fmu_text)
FMU_FUNCTION(fmi2Status, fmi2GetBooleanStatus, (void *c, const fmi2StatusKind kind, int *value))
{
  if (kind != fmi2Terminated) return fmi2Discard;
  *value = ((struct fmu *)c)->now.is_ended;
  return fmi2OK;
}
FMU_FUNCTION(fmi2Status, fmi2GetRealStatus, (void *c, const fmi2StatusKind kind, double *value))
{
  if (kind != fmi2LastSuccessfulTime) return fmi2Discard;
  *value = ((struct fmu *)c)->now.x[FMU_T];
  return fmi2OK;
}
