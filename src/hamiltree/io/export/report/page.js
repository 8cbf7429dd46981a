// The page: reads the embedded data, fills the summary, and ties replay and plots to one clock.

const report = JSON.parse(document.getElementById("data").textContent);
const element = (id) => document.getElementById(id);

// --- the clock: which sample is shown; everything else listens ---

class Clock {
  constructor(t) {
    Object.assign(this, { t, frame: 0, speed: 1, playing: false, listeners: [] });
  }

  listen(listener) {
    this.listeners.push(listener);
  }

  seek(frame) {
    this.frame = clamp(frame, 0, this.t.length - 1);
    this.time = this.t[this.frame];
    this.listeners.forEach((listener) => listener(this.frame));
  }

  // The sample nearest to a time.
  seekTime(time) {
    let frame = this.t.findIndex((t) => t >= time);
    if (frame < 0) frame = this.t.length - 1;
    if (frame > 0 && time - this.t[frame - 1] < this.t[frame] - time) frame -= 1;
    this.seek(frame);
  }

  // Runs in real time, times the speed; over again at the end.
  toggle() {
    this.playing = !this.playing;
    this.time = this.t[this.frame];
    this.last = undefined;
    if (this.playing) requestAnimationFrame((now) => this.advance(now));
    this.listeners.forEach((listener) => listener(this.frame));
  }

  advance(now) {
    if (!this.playing) return;
    const time = this.time + (this.speed * (now - (this.last ?? now))) / 1000;
    this.last = now;
    const end = this.t[this.t.length - 1];
    if (time > end) {
      this.seek(0);
    } else {
      let frame = this.frame;
      while (frame + 1 < this.t.length && this.t[frame + 1] <= time) frame += 1;
      if (frame !== this.frame) this.seek(frame);
      this.time = time;  // keeps what lies between two samples
    }
    requestAnimationFrame((next) => this.advance(next));
  }
}

// --- summary ---

const withUnit = (x, unit) =>
  `<span class="value">${formatNumber(x, 3)}${unit ? ` ${unit}` : ""}</span>`;
const count = (n) => n.toLocaleString("en").replace(/,/g, "&#8239;");

function integratorText({ name, rtol, atol, step, weights, reset, projection, leak,
                          energy_scaling: scaling }) {
  const parts = [step === undefined ? `rtol ${withUnit(rtol)}, atol ${withUnit(atol)}`
                                    : `step ${withUnit(step, "s")}`];
  if (weights) parts.push(`${escapeText(weights)} weights`);
  if (leak) parts.push(`leak ${withUnit(leak, "1/s")}`);
  if (scaling) parts.push("energy scaling on");
  parts.push(`momentum reset ${reset ? "on" : "off"}`, `projection ${projection ? "on" : "off"}`);
  return `${escapeText(name)}: ${parts.join(", ")}`;
}

const maximum = (after, before, unit) =>
  `${withUnit(after, unit)} (before correction ${withUnit(before, unit)})`;

// Rows of [label, HTML], in blocks.
function summaryBlocks(s) {
  const { work } = s.energy;
  const constraint = s.constraint;
  return [
    [["Space", escapeText(s.model.space)],
     ["Bodies, joints", `${s.model.bodies}, ${s.model.joints}`],
     ["Degrees of freedom", s.model.degrees_of_freedom],
     ["Closed loops", s.model.loops],
     ["Redundant constraints", s.model.redundant_constraints]],
    [["Formulation", escapeText(s.formulation)],
     ["Plan", escapeText(s.plan)],
     ["Integrator", integratorText(s.integrator)]],
    [["Simulated", `${withUnit(s.reached, "s")} of ${withUnit(s.until, "s")}`],
     ["Steps", `${count(s.steps)} (${count(s.rejected_steps)} rejected)`],
     ["Rate evaluations",
      `${count(s.rate_evaluations)}, velocity solves ${count(s.velocity_solves)}`],
     ["Wall time", withUnit(s.wall_seconds, "s")]],
    [["Initial energy", withUnit(s.energy.initial, "J")],
     ...(s.energy.conservative ? [] : [
       ["Work of drives, of forces",
        `${withUnit(work.driven, "J")}, ${withUnit(work.applied, "J")}`],
       ["Dissipated", withUnit(-work.dissipated, "J")],
     ]),
     ["Largest relative energy error", withUnit(s.energy.max_relative_error)],
     ...(s.model.loops > 0 ? [
       ["Largest |&#934;|",
        maximum(constraint.position_max, constraint.position_max_before, "m")],
       ["Largest |d&#934;/dt|",
        maximum(constraint.velocity_max, constraint.velocity_max_before, "m/s")],
     ] : [])],
  ];
}

function fillSummary(s) {
  element("status").textContent = s.status;
  element("status").classList.toggle("failed", s.status !== "completed");
  element("subtitle").textContent = s.model.file;
  if (s.error) {
    element("failure").hidden = false;
    element("failure").textContent = `The run failed: ${s.error}`;
  }
  const row = ([label, value]) =>
    (value === "" ? "" : `<tr><th scope="row">${label}</th><td>${value}</td></tr>`);
  const list = (title, lines) => (lines.length === 0 ? "" :
    `<h2>${title}</h2><ul>${lines.map((line) => `<li>${escapeText(line)}</li>`).join("")}</ul>`);
  const events = s.events.map(({ name, t }) =>
    `${name} at t = ${t} s${name === s.stopped_by ? ": the run stopped" : ""}`);
  const notes = list("Failed gates", s.failed_gates) + list("Events", events) +
    list("Notes", s.notes);
  element("summary").innerHTML = `<table>${summaryBlocks(s).map((rows) =>
    `<tbody>${rows.map(row).join("")}</tbody>`).join("")}</table>${notes}`;
  const v = s.versions;
  element("footer").textContent = `hamiltree ${v.hamiltree}, ${v.compiler} ${v.build_type}, ` +
    `Eigen ${v.eigen}, SUNDIALS ${v.sundials}. ${samplesText()}`;
}

function samplesText() {
  const [shown, recorded] = [report.t.length, report.recorded];
  if (shown === recorded) return `All ${recorded} samples are shown.`;
  return `This page shows ${shown} of ${recorded} samples, evenly spread; error and residual ` +
    "curves keep the largest value of each interval. The trajectory file holds every sample.";
}

// --- plots ---

// Curves of one kind, one figure per unit.
function byUnit(title, symbol, channels) {
  const units = [...new Set(channels.map((channel) => channel.unit))];
  return units.map((unit) => ({ title, label: symbol, unit,
                                curves: channels.filter((channel) => channel.unit === unit) }));
}

function figures() {
  const { summary, kinetic_energy: kinetic, potential_energy: potential } = report;
  const total = kinetic.map((energy, k) =>
    (energy === null || potential[k] === null ? null : energy + potential[k]));
  const list = [
    { title: "Energy", label: "energy", unit: "J", curves: [
      { name: "kinetic", values: kinetic }, { name: "potential", values: potential },
      { name: "total", values: total }] },
    { title: "Relative energy error",
      label: `|E \u2212 E\u2080${summary.energy.conservative ? "" : " \u2212 W"}| / ` +
        "max(kinetic peak, potential range)",
      unit: "", log: true,
      curves: [{ name: "relative energy error", values: report.energy_error }] }];
  if (summary.model.loops > 0) {
    list.push({ title: "Loop closure, positions", label: "|\u03a6|", unit: "m", log: true,
                curves: [{ name: "largest |\u03a6|", values: report.position_residual }] });
    list.push({ title: "Loop closure, velocities", label: "|d\u03a6/dt|", unit: "m/s", log: true,
                curves: [{ name: "largest |d\u03a6/dt|", values: report.velocity_residual }] });
  }
  list.push(...byUnit("Work", "W", report.work ?? []),
            ...byUnit("Power", "power", report.power ?? []));
  if (report.step_size) {
    list.push({ title: "Step size", label: "smallest step", unit: "s", log: true,
                curves: [{ name: "step size", values: report.step_size }] });
    if (new Set(report.step_order).size > 1) {
      list.push({ title: "Order", label: "order", unit: "",
                  curves: [{ name: "order of the method", values: report.step_order }] });
    }
  }
  list.push(...byUnit("Joint coordinates", "q", report.q),
            ...byUnit("Joint rates", "v", report.v),
            ...byUnit("Momenta", "p", report.p),
            ...byUnit("Sensors", "value", report.sensors));
  return list;
}

// --- controls ---

const kSpeeds = [[0.01, "1/100"], [0.1, "1/10"], [0.25, "1/4"], [0.5, "1/2"], [1, "1"], [2, "2"],
                 [5, "5"], [10, "10"]];

function addOptions(select, labels, chosen, onChoice) {
  labels.forEach((label, i) => select.add(new Option(label, i, i === chosen, i === chosen)));
  select.addEventListener("change", () => onChoice(Number(select.value)));
}

function addControls(clock, replay) {
  element("time").max = clock.t.length - 1;
  element("time").addEventListener("input", (event) => clock.seek(Number(event.target.value)));
  element("play").addEventListener("click", () => clock.toggle());
  addOptions(element("speed"), kSpeeds.map(([, label]) => `${label}\u00d7`),
             kSpeeds.findIndex(([speed]) => speed === 1), (i) => (clock.speed = kSpeeds[i][0]));
  addOptions(element("trace"), [...replay.traces.map((trace) => trace.name), "none"], 0, (i) => {
    replay.trace = replay.traces[i];
    replay.draw();
  });
  element("hint").textContent =
    "Space plays and pauses, the arrow keys step; drag in a plot to move in time." +
    (report.planar ? "" : " Drag the mechanism to turn it.");
  clock.listen((frame) => {
    element("time").value = frame;
    element("play").textContent = clock.playing ? "Pause" : "Play";
    element("clock").textContent = `t = ${timeText(clock.t, frame)} s`;
  });
}

// As many decimals as tell two samples apart.
function timeText(t, frame) {
  const gap = t.length > 1 ? (t[t.length - 1] - t[0]) / (t.length - 1) : 1;
  return withMinus(t[frame].toFixed(clamp(Math.ceil(-Math.log10(gap)), 0, 9)));
}

function addKeys(clock) {
  document.addEventListener("keydown", (event) => {
    if (/^(BUTTON|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const steps = { ArrowLeft: -1, ArrowRight: 1 };
    if (event.key === " ") clock.toggle();
    else if (event.key in steps) {
      clock.seek(clock.frame + steps[event.key] * (event.shiftKey ? 10 : 1));
    } else return;
    event.preventDefault();
  });
}

// --- everything together ---

fillSummary(report.summary);
if (report.t.length > 0) {
  const clock = new Clock(report.t);
  const replay = new Replay(element("stage"), report, clock);
  addControls(clock, replay);
  addKeys(clock);
  figures().forEach((figure) => new Figure(element("plots"), figure, report.t, clock));
  clock.seek(0);
} else {
  element("replay").textContent = "No samples were recorded.";
}
document.body.dataset.ready = "true";
