/* instance.h: an instance of the FMU, whatever the version of FMI. variables.h, which is written for
 * each model and must be included before, says where in x everything is: an index into x is a value
 * reference. */
#include <float.h>
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
  int is_ended;         /* by an event of the model, in the last step or event */
  double above[FMU_EVENTS + 1]; /* the event indicators when they were last looked at */
  double turn[FMU_EVENTS + 1][4]; /* and the quaternions of which their channels are parts */
};

struct fmu {
  struct fmu_state now;
  /* Tells the importer; null if it does not want to know. */
  void (*log)(const struct fmu *f, const char *message);
  void (*call)(void);   /* the importer's own function for that ... */
  const void *logger;   /* ... or what it lies in */
  void *environment;
  char *name;
  int may_return_early; /* co-simulation: at an event, which the importer then handles */
};

enum { FMU_NEWTON_STEPS = 50, FMU_TRIALS = 100 };
static const double fmu_pi = 3.14159265358979323846;
static const double fmu_same_time = 1e-12; /* of a time */
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

/* By how much the channels of the events are above their values; of an angle that is known within half
 * a turn the shorter way round. */
static void fmu_look(double *x)
{
  for (int i = 0; i < FMU_EVENTS; ++i) {
    const double above = x[FMU_SENSOR + fmu_events[i].channel] - fmu_events[i].value;
    x[FMU_EVENT + i] = fmu_events[i].is_angle ? remainder(above, 2.0 * fmu_pi) : above;
  }
}

static int fmu_know_all(struct fmu *f)
{
  double *x = f->now.x;
  if (!fmu_know_rates(f)) return 0;
  if (f->now.is_all_known) return 1;
  fmu_energy(x);
  fmu_power(x);
  fmu_sensors(x);
  fmu_look(x);
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
    if (is_parameter && values[i] < fmu_least[r - FMU_PARAMETERS])
      return fmu_fails(f, "a parameter cannot be less than its min in modelDescription.xml");
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

/* --- events of the model: channels that cross their values --- */

/* A channel that was on its value does not cross it, nor does an angle that jumps by a turn. */
static int fmu_crosses(int i, double before, double after)
{
  const int direction = fmu_events[i].direction;
  if (fmu_events[i].is_angle && fabs(after - before) > fmu_pi) return 0;
  return (before < 0.0 && after >= 0.0 && direction >= 0) ||
         (before > 0.0 && after <= 0.0 && direction <= 0);
}

/* Nor does a part of a quaternion that jumps to its other sign, which is the same rotation. */
static int fmu_jumps(const struct fmu_state *from, const double *x, int i)
{
  const int first = fmu_events[i].quaternion;
  double cosine = 0.0;
  for (int k = 0; first >= 0 && k < 4; ++k) cosine += from->turn[i][k] * x[FMU_SENSOR + first + k];
  return cosine < 0.0;
}

/* Keeps what event i is looked for from. */
static void fmu_keep(struct fmu_state *state, int i)
{
  const int first = fmu_events[i].quaternion;
  state->above[i] = state->x[FMU_EVENT + i];
  if (first >= 0) memcpy(state->turn[i], state->x + FMU_SENSOR + first, sizeof state->turn[i]);
}

static int fmu_has_changed_side(const struct fmu *f, int i)
{
  const double before = f->now.above[i], after = f->now.x[FMU_EVENT + i];
  return (before < 0.0) != (after < 0.0) || (before > 0.0) != (after > 0.0);
}

/* From now on crossings are looked for from here. */
static int fmu_watch(struct fmu *f)
{
  if (FMU_EVENTS == 0) return 1;
  if (!fmu_know_all(f)) return 0;
  for (int i = 0; i < FMU_EVENTS; ++i) fmu_keep(&f->now, i);
  return 1;
}

/* Crossings since the last look have happened now. */
static int fmu_count(struct fmu *f)
{
  double *x = f->now.x;
  if (FMU_EVENTS == 0) return 1;
  if (!fmu_know_all(f)) return 0;
  for (int i = 0; i < FMU_EVENTS; ++i) {
    if (!fmu_crosses(i, f->now.above[i], x[FMU_EVENT + i]) || fmu_jumps(&f->now, x, i)) continue;
    x[FMU_EVENT_COUNT + i] += 1.0;
    x[FMU_EVENT_TIME + i] = x[FMU_T];
    f->now.is_ended |= fmu_events[i].is_stop;
  }
  return fmu_watch(f);
}

static int fmu_end_initialisation(struct fmu *f)
{
  if (!fmu_begin(f) || !fmu_watch(f)) return 0;
  f->now.is_initialised = 1;
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
  for (int i = 0; i < FMU_EVENTS; ++i) dx[FMU_EVENT + i] = dx[FMU_SENSOR + fmu_events[i].channel];
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

/* One step of the method from what was, by h; ends with projection and reset. */
static int fmu_go(struct fmu *f, const struct fmu_state *from, double t, double h)
{
  double *x = f->now.x, sum = 0.0;
  if (from != &f->now) f->now = *from;
  fmu_step(x, t, h);
  x[FMU_T] = t + h;
  fmu_forget(f);
  for (int i = 0; i < FMU_COORDINATES; ++i) sum += x[FMU_Q + i] * 0.0;
  for (int i = 0; i < FMU_VELOCITIES; ++i) sum += x[FMU_P + i] * 0.0;
  if (!(sum == 0.0)) return fmu_fails(f, "the state is not finite: a shorter step is needed");
  if (FMU_ROWS > 0 && !(fmu_gap(x) <= fmu_most_open))
    return fmu_fails(f, "a loop stays open: a shorter step is needed, or it cannot follow the drives");
  return FMU_EVENTS == 0 || fmu_know_all(f);
}

/* How long after t event i happens, which lies between there and now, h later: steps on trial, whose
 * lengths the Illinois variant of false position chooses. The end is beyond the crossing. */
static int fmu_locate(struct fmu *f, const struct fmu_state *from, double t, double h, int i, double *end)
{
  double begin = 0.0, below = from->above[i], above = f->now.x[FMU_EVENT + i];
  int last = 0;
  *end = h;
  for (int k = 0; k < FMU_TRIALS && above != 0.0; ++k) {
    const double width = *end - begin;
    double middle = *end - above * width / (above - below), z;
    if (width <= 4.0 * DBL_EPSILON * fabs(t + *end)) break;
    if (!(middle > begin && middle < *end)) middle = begin + 0.5 * width;
    if (!fmu_go(f, from, t, middle)) return 0;
    z = f->now.x[FMU_EVENT + i];
    if (z != 0.0 && (z > 0.0) == (below > 0.0)) {
      begin = middle, below = z;
      if (last < 0) above *= 0.5;
      last = -1;
    } else {
      *end = middle, above = z;
      if (last > 0) below *= 0.5;
      last = 1;
    }
  }
  return 1;
}

/* Events between what was and now, h after t: counts them, or goes back to the first that ends the
 * run, or that the importer wants to handle, and says so. */
static int fmu_find_events(struct fmu *f, const struct fmu_state *from, double t, double h, int *is_early)
{
  const struct fmu_state to = f->now;
  double at[FMU_EVENTS + 1], first = 2.0 * h;
  for (int i = 0; i < FMU_EVENTS; ++i) {
    at[i] = 2.0 * h; /* later than the step */
    if (!fmu_crosses(i, from->above[i], to.x[FMU_EVENT + i]) || fmu_jumps(from, to.x, i)) continue;
    f->now = to;
    if (!fmu_locate(f, from, t, h, i, at + i)) return 0;
    if ((f->may_return_early || fmu_events[i].is_stop) && at[i] < first) first = at[i];
  }
  f->now = to;
  *is_early = first <= h;
  if (*is_early && !fmu_go(f, from, t, first)) return 0;
  if (*is_early && f->may_return_early) return 1;
  for (int i = 0; i < FMU_EVENTS; ++i) {
    if (at[i] > (*is_early ? first : h)) continue;
    f->now.x[FMU_EVENT_COUNT + i] += 1.0;
    f->now.x[FMU_EVENT_TIME + i] = t + at[i];
    f->now.is_ended |= fmu_events[i].is_stop;
  }
  return fmu_watch(f);
}

/* Co-simulation: from t by h, in equal steps not longer than `step`, or to an event. */
static int fmu_advance(struct fmu *f, double t, double h, int *is_early)
{
  double steps;
  *is_early = 0;
  if (!fmu_begin(f)) return 0;
  if (!(t * 0.0 == 0.0) || !(h >= 0.0) || !(h * 0.0 == 0.0))
    return fmu_fails(f, "a step must begin at a finite time and be of a finite length, 0 or more");
  fmu_begin_at(f, t);
  f->now.is_ended = 0;
  if (!fmu_count(f)) return 0; /* inputs may have moved a channel across */
  if (h == 0.0 || f->now.is_ended) return 1;
  steps = fmax(1.0, ceil(h / f->now.x[FMU_STEP] - 1e-6));
  for (double i = 0.0; i < steps && !*is_early; i += 1.0) {
    const double begin = t + h * (i / steps);
    if (FMU_EVENTS == 0) {
      if (!fmu_go(f, &f->now, begin, h / steps)) return 0;
    } else {
      const struct fmu_state from = f->now;
      if (!fmu_go(f, &from, begin, h / steps)) return 0;
      if (!fmu_find_events(f, &from, begin, h / steps, is_early)) return 0;
    }
  }
  if (!*is_early) f->now.x[FMU_T] = t + h;
  return 1;
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

/* Whether an event is needed: to close the loops, or because a channel has crossed its value. */
static int fmu_end_integrator_step(struct fmu *f, int *is_event)
{
  f->now.are_loops_open = FMU_ROWS > 0 && !(fmu_gap(f->now.x) <= f->now.x[FMU_LOOP_TOLERANCE]);
  *is_event = f->now.are_loops_open;
  if (FMU_EVENTS == 0) return 1;
  if (!fmu_know_all(f)) return 0;
  for (int i = 0; i < FMU_EVENTS; ++i) {
    if (fmu_has_changed_side(f, i)) *is_event = 1;
    else fmu_keep(&f->now, i);
  }
  return 1;
}

/* The event: projection, reset of the momenta, and what the model's events say of it. Says whether the
 * states have changed. */
static int fmu_event(struct fmu *f, int *is_changed)
{
  *is_changed = f->now.are_loops_open;
  f->now.is_ended = 0;
  if (f->now.are_loops_open) {
    f->now.are_loops_open = 0;
    if (!fmu_close_loops(f)) return 0;
    fmu_reset(f->now.x);
    fmu_forget(f);
  }
  return fmu_count(f);
}

/* Whether a function of time sets in, ends or bends later than now, and when it next does. Steps that
 * end there miss nothing; one that is a rounding error from now is past. */
static int fmu_next_breakpoint(const struct fmu *f, double *t)
{
  const double now = f->now.x[FMU_T];
  for (int i = 0; i < FMU_BREAKPOINTS; ++i) {
    if (!(fmu_breakpoints[i] > now + fmu_same_time * fabs(now))) continue;
    *t = fmu_breakpoints[i];
    return 1;
  }
  return 0;
}

static int fmu_get_indicators(struct fmu *f, double *indicators, size_t count)
{
  if (count != FMU_EVENTS) return fmu_fails(f, "the number of event indicators is another");
  if (count == 0) return 1;
  if (!fmu_know_all(f)) return 0;
  memcpy(indicators, f->now.x + FMU_EVENT, FMU_EVENTS * sizeof *indicators);
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
