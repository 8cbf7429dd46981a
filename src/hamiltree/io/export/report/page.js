// The page: reads the data that it holds or is served, fills the summary, and ties replay and plots
// to one clock.

const readData = (id) => JSON.parse(element(id).textContent);
const served = readData("served");  // null in a report; else {runs: [names]}
const clock = new Clock();
const runs = [readData("data")];    // the second one, if any, is laid over the first
const stage = globalThis.hamiltreeViewer?.({
  canvas: element("stage"), view: element("view"), panel: element("layers"), clock,
  bodies: runs[0].bodies.length, meshes: runs[0].meshes?.length ?? 0,
  colour: (name) => getComputedStyle(document.body).getPropertyValue(`--${name}`).trim(),
  beside: (text, name) => showBeside(parseReport(text), name),
  mesh: served ? fetchMesh : undefined,
}) ?? new Replay(element("stage"), clock);

// --- controls ---

const kSpeeds = [[0.01, "1/100"], [0.1, "1/10"], [0.25, "1/4"], [0.5, "1/2"], [1, "1"], [2, "2"],
                 [5, "5"], [10, "10"]];

const kMostDecimals = 6;  // of a time in s
const kWatched = [1, 100];  // s, between which some speed shows the whole run

// With slower ones for short runs, and faster ones for long runs.
function speedsFor(t) {
  const lasts = t[t.length - 1] - t[0];
  const [slow, fast] = kWatched;
  const slower = [], faster = [];
  for (let n = 1000; lasts > 0 && lasts * (n / 10) < slow; n *= 10) slower.unshift([1 / n, `1/${n}`]);
  for (let n = 100; lasts / (n / 10) > fast; n *= 10) faster.push([n, `${n}`]);
  return [...slower, ...kSpeeds, ...faster];
}

function fillOptions(select, labels, chosen) {
  select.replaceChildren();
  labels.forEach((label, i) => select.add(new Option(label, i, i === chosen, i === chosen)));
}

function addControls() {
  element("time").addEventListener("input", (event) => clock.seek(Number(event.target.value)));
  element("play").addEventListener("click", () => clock.toggle());
  const speeds = speedsFor(runs[0].t);
  fillOptions(element("speed"), speeds.map(([, label]) => `${label}\u00d7`),
              speeds.findIndex(([speed]) => speed === 1));
  element("speed").addEventListener("change", (event) => {
    [clock.speed] = speeds[Number(event.target.value)];
  });
  element("trace").addEventListener("change", (event) => {
    stage.trace = stage.motion.traces[Number(event.target.value)];
    stage.draw();
  });
  addKeys();
}

function showTime(frame) {
  element("time").value = frame;
  element("play").textContent = clock.playing ? "Pause" : "Play";
  element("clock").textContent = runs[0].modes ? phaseText(runs[0].modes, frame)
                                               : `t = ${timeText(clock.t, frame)} s`;
}

// As many decimals as tell two samples apart, or a power of ten.
function timeText(t, frame) {
  const last = t[t.length - 1];
  const gap = t.length > 1 ? (last - t[0]) / (t.length - 1) : 1;
  const decimals = Math.max(Math.ceil(-Math.log10(gap)), 0);
  return withMinus(decimals <= kMostDecimals ? t[frame].toFixed(decimals)
    : t[frame].toExponential(clamp(Math.ceil(Math.log10(last / gap)), 0, 9)));
}

const changeSpeed = (by) => {
  const select = element("speed");
  select.selectedIndex = clamp(select.selectedIndex + by, 0, select.options.length - 1);
  select.dispatchEvent(new Event("change"));
};

const kKeys = {
  " ": () => clock.toggle(),
  ArrowLeft: (event) => clock.seek(clock.frame - (event.shiftKey ? 10 : 1)),
  ArrowRight: (event) => clock.seek(clock.frame + (event.shiftKey ? 10 : 1)),
  Home: () => clock.seek(clock.first),
  End: () => clock.seek(clock.last),
  ",": () => changeSpeed(-1),
  ".": () => changeSpeed(1),
};

function addKeys() {
  document.addEventListener("keydown", (event) => {
    if (runs[0].t.length === 0) return;
    if (/^(SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (event.target.closest("button, summary, input[type=radio]") && event.key === " ") return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const action = kKeys[event.key] ?? stage.keys?.[event.key.toLowerCase()];
    if (!action) return;
    action(event);
    event.preventDefault();
  });
}

function hintText(report) {
  const keys = "Space plays and pauses, the arrow keys step, Home and End jump, comma and point " +
    "change the speed; drag in a plot to move in time.";
  if (stage.hint) return `${keys} ${stage.hint(report)}`;
  return `${keys} ${report.planar ? "" : "Drag the mechanism to turn it."}`;
}

// Why there is no more than the simple replay.
function noticeText() {
  if (stage.hint) return "";
  return globalThis.hamiltreeViewer
    ? "The simple replay, for this browser has no WebGL."
    : "The simple replay: the program was built without the viewer (./dev viewer builds it).";
}

// --- runs ---

// The data of a run: itself, or out of a report.
function parseReport(text) {
  const inside = /<script id="data" type="application\/json">([^]*?)<\/script>/.exec(text);
  return JSON.parse(inside ? inside[1] : text);
}

// The present run is replaced, the time that is shown stays.
function show() {
  const [report] = runs;
  fillSummary(runs);
  element("plots").replaceChildren();
  if (report.t.length === 0) {
    element("replay").textContent = "No samples were recorded.";
    return;
  }
  const time = clock.time;
  const atEnd = clock.frame === clock.last;
  Object.assign(clock, { t: report.t, listeners: [showTime] });
  Object.assign(element("time"), { min: clock.first, max: clock.last });
  element("hint").textContent = hintText(report);
  element("notice").textContent = noticeText();
  const motions = runs.map((run) => new Motion(run));
  stage.load(motions);
  clock.listen(() => stage.draw());
  fillTraces(motions[0].traces);
  addSecond(figures(report), runs[1], report.t[report.t.length - 1])
    .forEach((figure) => new Figure(element("plots"), figure, report.t, clock));
  if (report.modes) chooseModes(report.modes, clock);
  else if (time === undefined) clock.seek(0);
  else if (atEnd && report.summary.status === "unfinished") clock.seek(clock.last);
  else clock.seekTime(time);
}

// The first one is drawn, but for modes, of which it would be that of all together.
function fillTraces(traces) {
  const names = [...traces.map((trace) => trace.name), "none"];
  if (runs[0].modes) stage.trace = undefined;
  fillOptions(element("trace"), names, runs[0].modes ? traces.length : 0);
}

function showBeside(report, name) {
  runs[1] = Object.assign(report, { name });
  show();
}

// --- what `hamiltree view` serves ---

async function fetchMesh(i) {
  const answer = await fetch(`mesh/0/${i}`);
  if (!answer.ok) throw new Error("may not be read, or is no longer there");
  return answer.arrayBuffer();
}

const kPause = 500;  // ms, between two looks at a run that goes on

async function follow() {
  let tag = "";
  while (runs[0].summary.status === "unfinished") {
    await new Promise((done) => setTimeout(done, kPause));
    try {
      const answer = await fetch("recording/0", { headers: { "If-None-Match": tag } });
      if (answer.status === 200) {
        tag = answer.headers.get("ETag");
        runs[0] = await answer.json();
        show();
      }
    } catch {
      element("status").textContent = "unfinished; hamiltree view has ended";
      return;
    }
  }
}

addControls();
show();
if (served?.runs.length > 1) {
  fetch("recording/1").then((answer) => answer.text())
    .then((text) => showBeside(parseReport(text), served.runs[1]));
}
if (served) follow();
document.body.dataset.ready = "true";
