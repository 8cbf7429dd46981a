// The run and its accuracy, as a table.

const element = (id) => document.getElementById(id);

const withUnit = (x, unit) =>
  `<span class="value">${formatNumber(x, 3)}${unit ? ` ${unit}` : ""}</span>`;
const count = (n) => n.toLocaleString("en").replace(/,/g, "&#8239;");

const kMostShown = 4;  // changes of method
// The choices of auto: " (dormand_prince, bdf from 0.01 s on)".
function methodText({ name, changes = [] }) {
  if (name !== "auto") return escapeText(name);
  const taken = ["dormand_prince", ...changes.slice(0, kMostShown).map(({ t, to }) =>
    `${escapeText(to)} from ${withUnit(t, "s")} on`)];
  if (changes.length > kMostShown) taken.push(`..., ${changes.length} changes`);
  return `auto (${taken.join(", ")})`;
}

function integratorText(integrator) {
  const { rtol, atol, step, weights, reset, projection, leak,
          energy_scaling: scaling } = integrator;
  const parts = [step === undefined ? `rtol ${withUnit(rtol)}, atol ${withUnit(atol)}`
                                    : `step ${withUnit(step, "s")}`];
  if (weights) parts.push(`${escapeText(weights)} weights`);
  if (leak) parts.push(`leak ${withUnit(leak, "1/s")}`);
  if (scaling) parts.push("energy scaling on");
  parts.push(`momentum reset ${reset ? "on" : "off"}`, `projection ${projection ? "on" : "off"}`);
  return `${methodText(integrator)}: ${parts.join(", ")}`;
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

const kMostListed = 12;  // lines; the others are one click away

function notesText(s) {
  const items = (lines) =>
    `<ul>${lines.map((line) => `<li>${escapeText(line)}</li>`).join("")}</ul>`;
  const more = (lines) => (lines.length === 0 ? "" :
    `<details><summary>${count(lines.length)} more</summary>${items(lines)}</details>`);
  const list = (title, lines) => (lines.length === 0 ? "" :
    `<h2>${title}</h2>${items(lines.slice(0, kMostListed))}${more(lines.slice(kMostListed))}`);
  const events = s.events.map(({ name, t }) =>
    `${name} at t = ${t} s${name === s.stopped_by ? ": the run stopped" : ""}`);
  return list("Failed gates", s.failed_gates) + list("Events", events) + list("Notes", s.notes);
}

function summaryMarkup(s) {
  const row = ([label, value]) =>
    (value === "" ? "" : `<tr><th scope="row">${label}</th><td>${value}</td></tr>`);
  return `<table>${summaryBlocks(s).map((rows) =>
    `<tbody>${rows.map(row).join("")}</tbody>`).join("")}</table>${notesText(s)}`;
}

// The first run heads the page; a second one stands below it.
function fillSummary([first, second]) {
  const s = first.summary;
  document.title = `${first.model} - hamiltree report`;
  element("title").textContent = first.model;
  element("status").textContent = s.status;
  element("status").classList.toggle("failed", s.status === "failed");
  element("subtitle").textContent = s.model.file;
  element("failure").hidden = !s.error;
  element("failure").textContent = `The run failed: ${s.error}`;
  element("summary").innerHTML = first.modes ? modesMarkup(first.modes) : summaryMarkup(s) + (second
    ? `<h2>Beside it: ${escapeText(second.name)}</h2>${summaryMarkup(second.summary)}` : "");
  const v = s.versions;
  element("footer").textContent = `hamiltree ${v.hamiltree}, ${v.compiler} ${v.build_type}, ` +
    `Eigen ${v.eigen}, SUNDIALS ${v.sundials}. ${first.modes ? modesText : samplesText(first)}`;
}

function samplesText(report) {
  const [shown, recorded] = [report.t.length, report.recorded];
  if (shown === recorded) return `All ${recorded} samples are shown.`;
  return `This page shows ${shown} of ${recorded} samples, evenly spread; error and residual ` +
    "curves keep the largest value of each interval. The trajectory file holds every sample.";
}
