/* instance.h: an instance of the FMU, whatever the version of FMI. variables.h, which is written for
 * each model and must be included before, says where in x everything is: an index into x is a value
 * reference. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All that an instance will ever be: what get and set FMU state, and serialise it. */
struct fmu_state {
  char token[sizeof FMU_TOKEN];
  double x[FMU_SIZE];
  int is_other_start;   /* something that the momenta of the start follow from was set */
  int is_started;       /* x has the state of the start, or a later one */
  int is_initialised;   /* initialization mode is over */
  int is_rate_known;    /* of this state: v, q_dot, p_dot, sigma */
  int is_all_known;     /* and what else can be seen of it */
  int are_loops_open;   /* model exchange: wider than the tolerance; an event closes them */
};

struct fmu {
  struct fmu_state now;
  /* Tells the importer; null if it does not want to know. */
  void (*log)(const struct fmu *f, const char *message);
  void (*call)(void);   /* the importer's own function for that ... */
  const void *logger;   /* ... or what it lies in */
  void *environment;
  char *name;
};

enum { FMU_NEWTON_STEPS = 50 };
static const double fmu_closed = 1e-9; /* a start is closed to this part of the mechanism's length */

static int fmu_fails(const struct fmu *f, const char *message)
{
  if (f->log) f->log(f, message);
  return 0;
}

static void fmu_forget(struct fmu *f) { f->now.is_rate_known = f->now.is_all_known = 0; }

static void fmu_restart(struct fmu *f)
{
  memset(&f->now, 0, sizeof f->now);
  memcpy(f->now.token, FMU_TOKEN, sizeof f->now.token);
  memcpy(f->now.x, fmu_start, sizeof fmu_start);
}

static struct fmu *fmu_new(const char *name, const char *token)
{
  struct fmu *f;
  if (!token || strcmp(token, FMU_TOKEN) != 0) return NULL;
  f = (struct fmu *)calloc(1, sizeof *f);
  if (!f) return NULL;
  f->name = (char *)calloc(strlen(name ? name : "") + 1, 1);
  if (!f->name) {
    free(f);
    return NULL;
  }
  strcpy(f->name, name ? name : "");
  fmu_restart(f);
  return f;
}

static void fmu_free(struct fmu *f)
{
  if (!f) return;
  free(f->name);
  free(f);
}

/* --- the loops --- */

/* By how much they are open, in m; sets phi, and q_new closer to closed ones. Not a number stays so. */
static double fmu_gap(double *x)
{
  double widest = 0.0;
  fmu_project(x);
  for (int i = 0; i < FMU_ROWS; ++i) {
    const double gap = fabs(x[FMU_PHI + i]) * fmu_row_scale[i];
    if (!(gap <= widest)) widest = gap;
  }
  return widest;
}

/* Newton steps while they gain something. */
static int fmu_close_loops(struct fmu *f)
{
  double *x = f->now.x, gap = fmu_gap(x), before[FMU_COORDINATES];
  for (int i = 0; i < FMU_NEWTON_STEPS; ++i) {
    double narrower;
    memcpy(before, x + FMU_Q, sizeof before);
    memcpy(x + FMU_Q, x + FMU_Q_NEW, sizeof before);
    if (FMU_ROWS == 0) return 1; /* only quaternions, which now have the length 1 */
    narrower = fmu_gap(x);
    if (gap < fmu_closed * fmu_length && !(narrower < gap)) {
      memcpy(x + FMU_Q, before, sizeof before);
      return 1;
    }
    gap = narrower;
  }
  return gap < fmu_closed * fmu_length || fmu_fails(f, "the loops cannot be closed");
}

/* --- start, and what follows from a state --- */

/* Momenta of the start: the model's own, or of the coordinates and velocities that were set, with
 * loops that are closed and stay so. */
static int fmu_begin(struct fmu *f)
{
  double *x = f->now.x;
  if (f->now.is_started) return 1;
  if (f->now.is_other_start) {
    if (!fmu_close_loops(f)) return 0;
    fmu_momenta(x);
    fmu_reset(x);
  }
  f->now.is_started = 1;
  fmu_forget(f);
  return 1;
}

static int fmu_know_rates(struct fmu *f)
{
  double *x = f->now.x, sum = 0.0;
  if (!fmu_begin(f)) return 0;
  if (f->now.is_rate_known) return 1;
  fmu_rates(x);
  for (int i = 0; i < FMU_COORDINATES; ++i) sum += x[FMU_Q_DOT + i] * 0.0;
  for (int i = 0; i < FMU_VELOCITIES; ++i) sum += x[FMU_P_DOT + i] * 0.0;
  if (!(sum == 0.0)) return fmu_fails(f, "a rate of the state is not finite");
  f->now.is_rate_known = 1;
  return 1;
}

static int fmu_know_all(struct fmu *f)
{
  double *x = f->now.x;
  if (!fmu_know_rates(f)) return 0;
  if (f->now.is_all_known) return 1;
  fmu_energy(x);
  fmu_power(x);
  fmu_sensors(x);
  fmu_pivots(x);
  fmu_gap(x);
  f->now.is_all_known = 1;
  return 1;
}

/* --- variables --- */

static int fmu_lies_in(unsigned r, int first, int count)
{
  return r >= (unsigned)first && r < (unsigned)(first + count);
}

static int fmu_get(struct fmu *f, const unsigned *references, size_t count, double *values)
{
  for (size_t i = 0; i < count; ++i) {
    const unsigned r = references[i];
    if (r >= FMU_SIZE) return fmu_fails(f, "there is no variable with this value reference");
    if (r >= FMU_FIRST_RATE && !fmu_know_rates(f)) return 0;
    if (r >= FMU_FIRST_OTHER && !fmu_know_all(f)) return 0;
    if (r >= FMU_Q && !fmu_begin(f)) return 0;
    values[i] = f->now.x[r];
  }
  return 1;
}

static int fmu_is_input(unsigned r)
{
  /* the time of the motions of driven joints is not theirs to set */
  return fmu_lies_in(r, FMU_FIRST_INPUT, FMU_INPUT_COUNT) && !(FMU_DRIVE_COUNT > 0 && r == FMU_DRIVE);
}

static int fmu_set(struct fmu *f, const unsigned *references, size_t count, const double *values)
{
  for (size_t i = 0; i < count; ++i) {
    const unsigned r = references[i];
    const int is_start = fmu_lies_in(r, FMU_Q, FMU_COORDINATES) || fmu_lies_in(r, FMU_V, FMU_VELOCITIES);
    const int is_parameter = fmu_lies_in(r, FMU_PARAMETERS, FMU_PARAMETER_COUNT);
    const int is_drive = fmu_lies_in(r, FMU_DRIVE, FMU_DRIVE_COUNT);
    if (!(values[i] * 0.0 == 0.0)) return fmu_fails(f, "a variable cannot be set to what is not finite");
    if ((r == FMU_STEP || r == FMU_LOOP_TOLERANCE) && !(values[i] > 0.0))
      return fmu_fails(f, "step and loop_tolerance must be more than 0");
    if (is_start || r == FMU_STEP) {
      if (f->now.is_initialised)
        return fmu_fails(f, "coordinates, velocities and step can be set before the start only");
    } else if (!is_parameter && r != FMU_LOOP_TOLERANCE && !fmu_is_input(r)) {
      return fmu_fails(f, "this variable cannot be set");
    }
    f->now.x[r] = values[i];
    if (is_drive) f->now.x[FMU_DRIVE] = f->now.x[FMU_T];
    if ((is_start || is_parameter || is_drive) && !f->now.is_initialised) {
      f->now.is_other_start = 1;
      f->now.is_started = 0;
    }
  }
  fmu_forget(f);
  return 1;
}

/* --- directional derivatives --- */

/* By how much the unknowns change, to first order, where the knowns change by the seed. */
static int fmu_directional(struct fmu *f, const unsigned *unknowns, size_t unknown_count,
                           const unsigned *knowns, size_t known_count, const double *seed, double *change)
{
#ifdef FMU_HAS_TANGENTS
  double dx[FMU_SIZE] = {0.0};
  if (!f->now.is_initialised) return fmu_fails(f, "directional derivatives are known after the start only");
  for (size_t i = 0; i < known_count; ++i) {
    const unsigned r = knowns[i];
    if (!fmu_lies_in(r, FMU_Q, FMU_COORDINATES + FMU_VELOCITIES) && !fmu_is_input(r) &&
        !fmu_lies_in(r, FMU_PARAMETERS, FMU_PARAMETER_COUNT))
      return fmu_fails(f, "derivatives are by states, inputs and parameters");
    dx[r] += seed[i];
  }
  if (!fmu_begin(f)) return 0;
  fmu_tangents(f->now.x, dx);
  for (size_t i = 0; i < unknown_count; ++i) {
    if (unknowns[i] >= FMU_SIZE) return fmu_fails(f, "there is no variable with this value reference");
    change[i] = dx[unknowns[i]];
  }
  return 1;
#else
  (void)unknowns, (void)unknown_count, (void)knowns, (void)known_count, (void)seed, (void)change;
  return fmu_fails(f, "there are no directional derivatives");
#endif
}

/* --- time --- */

/* Time, and that from which the motions of driven joints go on, where they are inputs. */
static void fmu_begin_at(struct fmu *f, double t)
{
  f->now.x[FMU_T] = t;
  if (FMU_DRIVE_COUNT > 0) f->now.x[FMU_DRIVE] = t;
  fmu_forget(f);
}

/* Driven joints have other places at another time. */
static int fmu_set_start_time(struct fmu *f, double t)
{
  if (!(t * 0.0 == 0.0)) return fmu_fails(f, "the start must be at a finite time");
  if (t != f->now.x[FMU_T]) {
    f->now.is_other_start = 1;
    f->now.is_started = 0;
  }
  fmu_begin_at(f, t);
  return 1;
}

/* Co-simulation: from t by h, in equal steps not longer than `step`, each of which ends with
 * projection and reset. */
static int fmu_advance(struct fmu *f, double t, double h)
{
  double *x = f->now.x, sum = 0.0;
  if (!fmu_begin(f)) return 0;
  if (!(t * 0.0 == 0.0) || !(h >= 0.0) || !(h * 0.0 == 0.0))
    return fmu_fails(f, "a step must begin at a finite time and be of a finite length, 0 or more");
  fmu_begin_at(f, t);
  if (h > 0.0) {
    const double steps = fmax(1.0, ceil(h / x[FMU_STEP] - 1e-6));
    for (double i = 0.0; i < steps; i += 1.0) fmu_step(x, t + h * (i / steps), h / steps);
  }
  x[FMU_T] = t + h;
  fmu_forget(f);
  for (int i = 0; i < FMU_COORDINATES; ++i) sum += x[FMU_Q + i] * 0.0;
  for (int i = 0; i < FMU_VELOCITIES; ++i) sum += x[FMU_P + i] * 0.0;
  return sum == 0.0 || fmu_fails(f, "the state is not finite: a shorter step is needed");
}

/* --- model exchange: the states are q, then p --- */

enum { FMU_STATES = FMU_COORDINATES + FMU_VELOCITIES };

static int fmu_set_states(struct fmu *f, const double *states, size_t count)
{
  if (count != FMU_STATES) return fmu_fails(f, "the number of continuous states is another");
  memcpy(f->now.x + FMU_Q, states, FMU_COORDINATES * sizeof *states);
  memcpy(f->now.x + FMU_P, states + FMU_COORDINATES, FMU_VELOCITIES * sizeof *states);
  fmu_forget(f);
  return 1;
}

/* Those that begin in x at q_entry and p_entry: states, or their rates. */
static int fmu_get_states(struct fmu *f, int q_entry, int p_entry, double *states, size_t count)
{
  if (count != FMU_STATES) return fmu_fails(f, "the number of continuous states is another");
  memcpy(states, f->now.x + q_entry, FMU_COORDINATES * sizeof *states);
  memcpy(states + FMU_COORDINATES, f->now.x + p_entry, FMU_VELOCITIES * sizeof *states);
  return 1;
}

static int fmu_get_nominals(struct fmu *f, double *nominals, size_t count)
{
  if (count != FMU_STATES) return fmu_fails(f, "the number of continuous states is another");
  memcpy(nominals, fmu_nominal, sizeof fmu_nominal);
  return 1;
}

/* Whether an event is needed to close the loops. */
static int fmu_end_integrator_step(struct fmu *f)
{
  f->now.are_loops_open = FMU_ROWS > 0 && !(fmu_gap(f->now.x) <= f->now.x[FMU_LOOP_TOLERANCE]);
  return f->now.are_loops_open;
}

/* The event: projection, and reset of the momenta. Says whether the states have changed. */
static int fmu_event(struct fmu *f, int *is_changed)
{
  *is_changed = f->now.are_loops_open;
  if (!f->now.are_loops_open) return 1;
  f->now.are_loops_open = 0;
  if (!fmu_close_loops(f)) return 0;
  fmu_reset(f->now.x);
  fmu_forget(f);
  return 1;
}

/* --- states of the FMU --- */

static int fmu_save(const struct fmu *f, void **saved)
{
  if (!*saved) *saved = malloc(sizeof f->now);
  if (!*saved) return fmu_fails(f, "there is no memory for a state");
  memcpy(*saved, &f->now, sizeof f->now);
  return 1;
}

static int fmu_restore(struct fmu *f, const void *saved, size_t size)
{
  struct fmu_state state;
  if (!saved || size != sizeof state) return fmu_fails(f, "this is no state of the FMU");
  memcpy(&state, saved, sizeof state);
  if (memcmp(state.token, FMU_TOKEN, sizeof state.token) != 0)
    return fmu_fails(f, "this is the state of another FMU");
  f->now = state;
  return 1;
}

static int fmu_serialise(struct fmu *f, const void *saved, void *bytes, size_t size)
{
  if (!saved || size < sizeof(struct fmu_state))
    return fmu_fails(f, "there is too little room for a state");
  memcpy(bytes, saved, sizeof(struct fmu_state));
  return 1;
}

static int fmu_deserialise(struct fmu *f, const void *bytes, size_t size, void **saved)
{
  const struct fmu_state before = f->now;
  const int is_done = fmu_restore(f, bytes, size) && fmu_save(f, saved);
  f->now = before;
  return is_done;
}
