// Plots over time, as SVG: linear or logarithmic axis, a legend that hides and shows curves, and
// one cursor that all plots share with the replay.

const kMaxShown = 12;  // curves drawn at first; the others are one click away
const kColours = 7;
const kPerNumber = 100;  // ms
const kDashes = ["", "7 4", "2 4"];
const kSecond = "4 3";  // of a second run

const escapeText = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
const isNumber = (x) => typeof x === "number" && Number.isFinite(x);

// --- numbers as text ---

const kMinus = "\u2212";
const withMinus = (text) => text.replace(/-/g, kMinus);

// At most `digits` significant digits; powers of ten as <sup>, for use as HTML.
function formatNumber(x, digits = 4) {
  if (!isNumber(x)) return "not a number";
  if (x === 0) return "0";
  if (Math.abs(x) >= 1e-3 && Math.abs(x) < 1e6) return withMinus(String(+x.toPrecision(digits)));
  const [mantissa, exponent] = x.toExponential(digits - 1).split("e");
  const power = `10<sup>${withMinus(String(+exponent))}</sup>`;
  if (Number(mantissa) === 1) return power;
  return `${withMinus(String(+mantissa))}&#8201;&#215;&#8201;${power}`;
}

// "kg m^2/s" with a raised 2.
const formatUnit = (unit) => escapeText(unit).replace(/\^2/g, "&#178;").replace(/\^3/g, "&#179;");

// --- axes: {low, high, ticks: [{at, label}], exponent, place} ---
// `place` turns a value into axis coordinates; labels stand for multiples of 10^exponent.

// 1, 2 or 5 times a power of ten, such that `span` holds about `count` of them.
function niceStep(span, count) {
  const power = 10 ** Math.floor(Math.log10(span / count));
  const ratio = span / count / power;
  return power * (ratio < 1.5 ? 1 : ratio < 3.5 ? 2 : ratio < 7.5 ? 5 : 10);
}

const powerOfTen = (exponent) =>
  `10<tspan dy="-5" font-size="9">${withMinus(String(exponent))}</tspan>`;

function linearTicks(low, high, count, factor) {
  const step = niceStep(high - low, count);
  const decimals = Math.max(0, -Math.floor(Math.log10(step / factor) + 1e-9));
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k += 1) {
    ticks.push({ at: k * step, label: withMinus(((k * step) / factor).toFixed(decimals)) });
  }
  return ticks;
}

function linearAxis(values, count) {
  let low = Infinity, high = -Infinity;
  for (const x of values) {
    if (x < low) low = x;
    if (x > high) high = x;
  }
  if (low > high) [low, high] = [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  const pad = high - low > 1e-7 * size ? 0.05 * (high - low) : 0.1 * size || 1;
  [low, high] = [low - pad, high + pad];
  return { ...scaledTicks(low, high, count), low, high, place: (x) => x };
}

// Ticks of large and of small numbers stand for multiples of a power of ten.
function scaledTicks(low, high, count) {
  const size = Math.floor(Math.log10(Math.max(Math.abs(low), Math.abs(high))));
  const exponent = size >= 5 || size <= -3 ? size : 0;
  return { ticks: linearTicks(low, high, count, 10 ** exponent), exponent };
}

// Whole decades around the non-zero values; what lies below, exact zeros too, sits on the floor.
function logAxis(values, count) {
  let low = Infinity, high = 0;
  for (const x of values) {
    if (x > 0 && x < low) low = x;
    if (x > high) high = x;
  }
  let top = high > 0 ? Math.ceil(Math.log10(high)) : -12;
  let floor = high > 0 ? Math.floor(Math.log10(low)) : -18;
  floor = Math.max(floor, top - 24);
  if (top - floor < 3) [floor, top] = [Math.min(floor, top - 2) - (top - floor < 2 ? 1 : 0), top];
  const step = Math.max(1, Math.ceil((top - floor) / count));
  const ticks = [];
  for (let decade = floor; decade <= top; decade += step) {
    ticks.push({ at: decade, label: powerOfTen(decade) });
  }
  return { low: floor, high: top, ticks, exponent: 0,
           place: (x) => (x > 0 ? Math.max(Math.log10(x), floor) : floor) };
}

// --- one figure ---

// spec: {title, label, unit, log, note, curves: [{name, values}]}. A curve of a second run also
// has a colour and times of its own, t. clock: see clock.js.
class Figure {
  constructor(parent, spec, t, clock) {
    Object.assign(this, { spec, t, clock });
    this.shown = spec.curves.map((_, i) => i < kMaxShown);
    this.element = document.createElement("figure");
    this.element.className = "figure card";
    this.element.style.margin = 0;
    this.element.innerHTML = `<h2></h2><div class="plot"></div>
      <p class="note" hidden></p><div class="legend"></div>`;
    this.element.querySelector("h2").textContent = spec.title;
    this.plot = this.element.querySelector(".plot");
    parent.append(this.element);
    this.addLegend(this.element.querySelector(".legend"));
    this.addNote(this.element.querySelector(".note"));
    this.addPointer();
    this.draw();
    const observer = new ResizeObserver(() => {
      if (!this.plot.isConnected) observer.disconnect();  // another run has taken its place
      else if (this.plot.clientWidth !== this.width) this.draw();
    });
    observer.observe(this.plot);
    this.followClock();
  }

  // The cursor moves where it is seen, and numbers not faster than they can be read.
  followClock() {
    this.seen = true;
    new IntersectionObserver(([entry]) => {
      this.seen = entry.isIntersecting;
      if (this.seen && this.plot.isConnected) this.moveCursor(this.clock.frame);
    }).observe(this.element);
    let told = 0;
    this.clock.listen((frame) => {
      if (!this.seen) return;
      const now = performance.now();
      const tells = !this.clock.playing || now - told > kPerNumber;
      if (tells) told = now;
      this.moveCursor(frame, tells);
    });
  }

  colour(i) {
    return (this.spec.curves[i].colour ?? i) % kColours;
  }

  style(i) {
    const { t, colour = i } = this.spec.curves[i];
    const dash = t ? kSecond : kDashes[Math.floor(colour / kColours) % kDashes.length];
    return `stroke="var(--curve-${this.colour(i)})"` + (dash && ` stroke-dasharray="${dash}"`);
  }

  addLegend(legend) {
    this.values = this.spec.curves.map((curve, i) => {
      const button = document.createElement("button");
      button.type = "button";
      button.title = "Hide or show";
      button.setAttribute("aria-pressed", String(this.shown[i]));
      button.innerHTML = `<svg viewBox="0 0 24 10" aria-hidden="true">
        <path d="M1 5H23" stroke-width="2.5" fill="none" ${this.style(i)}></path></svg>
        <span class="name">${escapeText(curve.name)}</span><span class="value"></span>`;
      button.addEventListener("click", () => {
        this.shown[i] = !this.shown[i];
        button.setAttribute("aria-pressed", String(this.shown[i]));
        this.values[i].textContent = "";
        this.draw();
      });
      legend.append(button);
      return button.querySelector(".value");
    });
  }

  addNote(note) {
    const notes = this.spec.note ? [this.spec.note] : [];
    if (this.spec.log) {
      const values = this.spec.curves.flatMap((curve) => curve.values);
      const zeros = values.filter((x) => x === 0).length;
      const all = zeros === values.length;
      if (zeros > 0) notes.push(all ? "Exactly zero throughout: ticks on the axis floor."
                                    : `Exact zeros (${zeros}) are the ticks on the axis floor.`);
    }
    if (this.spec.curves.length > kMaxShown) {
      notes.push(`${kMaxShown} of ${this.spec.curves.length} curves shown at first; ` +
        "click a name to add or remove one.");
    }
    note.hidden = notes.length === 0;
    note.textContent = notes.join(" ");
  }

  // Pressing and dragging moves the common time.
  addPointer() {
    const seek = (event) => {
      const x = event.clientX - this.plot.getBoundingClientRect().left;
      const [first, last] = this.span;
      this.clock.seekTime(first + ((x - this.left) / (this.right - this.left)) * (last - first));
    };
    this.plot.addEventListener("pointerdown", (event) => {
      this.plot.setPointerCapture(event.pointerId);
      seek(event);
    });
    this.plot.addEventListener("pointermove", (event) => event.buttons && seek(event));
  }

  *shownValues() {
    for (const [i, curve] of this.spec.curves.entries()) {
      if (this.shown[i]) yield* curve.values.filter(isNumber);
    }
  }

  draw() {
    const width = (this.width = Math.max(this.plot.clientWidth, 200));
    const height = 244;
    Object.assign(this, { left: 58, right: width - 14, top: 32, bottom: height - 38 });
    this.axis = (this.spec.log ? logAxis : linearAxis)(this.shownValues(), this.spec.log ? 8 : 5);
    const [first, last] = (this.span = timeSpan(this.t));
    this.x = (t) => this.left + ((t - first) / (last - first)) * (this.right - this.left);
    this.y = (value) => this.bottom - ((this.axis.place(value) - this.axis.low) /
      (this.axis.high - this.axis.low)) * (this.bottom - this.top);
    this.plot.innerHTML = `<svg height="${height}" viewBox="0 0 ${width} ${height}" role="img"
        aria-label="${escapeText(this.spec.title)} over time">
      ${this.axesMarkup(first, last)}
      ${this.spec.curves.map((c, i) =>
        (this.shown[i] ? this.curveMarkup(c, i) : "")).join("")}
      </svg>
      <svg class="marks" height="${height}" viewBox="0 0 ${width} ${height}" aria-hidden="true">
      <line class="cursor" y1="${this.top}" y2="${this.bottom}"></line>
      ${this.spec.curves.map((c, i) => (this.shown[i]
        ? `<circle class="dot" r="4" fill="var(--curve-${this.colour(i)})"></circle>` : "")).join("")}
      </svg>`;
    this.cursor = this.plot.querySelector(".cursor");
    const dots = [...this.plot.querySelectorAll(".dot")];
    this.dots = this.shown.map((shown) => (shown ? dots.shift() : null));
    this.moveCursor(this.clock.frame);
  }

  axesMarkup(first, last) {
    const { left, right, top, bottom, axis } = this;
    const place = (tick) =>
      bottom - ((tick.at - axis.low) / (axis.high - axis.low)) * (bottom - top);
    const label = (x, y, anchor, text) =>
      `<text x="${x}" y="${y}" text-anchor="${anchor}">${text}</text>`;
    const time = scaledTicks(first, last, right - left < 380 ? 4 : 8);
    const unit = this.spec.unit ? ` (${formatUnit(this.spec.unit)})` : "";
    const scaled = (exponent, after) => (exponent === 0 ? after  // the unit is back on the line
      : ` / ${powerOfTen(exponent)}<tspan dy="5">${after}</tspan>`);
    return `
      ${axis.ticks.map((tick) => `<path class="grid" d="M${left} ${place(tick)}H${right}"></path>
        ${label(left - 7, place(tick) + 4, "end", tick.label)}`).join("")}
      ${time.ticks.map((tick) => `<path class="grid" d="M${this.x(tick.at)} ${top}V${bottom}"></path>
        ${label(this.x(tick.at), bottom + 16, "middle", tick.label)}`).join("")}
      <path class="frame" d="M${left} ${top}V${bottom}H${right}"></path>
      ${label(left - 50, 13, "start", escapeText(this.spec.label) + scaled(axis.exponent, unit))}
      ${label((left + right) / 2, bottom + 33, "middle", `time${scaled(time.exponent, " (s)")}`)}`;
  }

  // Runs of numbers as lines, gaps where there is none, a lone number as a dot. On a logarithmic
  // axis an exact zero is a tick on the floor, so that it does not hide its neighbours.
  curveMarkup({ values, t = this.t }, i) {
    let path = "", zeros = "";
    let pen = false;
    values.forEach((value, k) => {
      const drawn = isNumber(value) && !(this.spec.log && value === 0);
      const x = this.x(t[k]).toFixed(1);
      if (drawn) path += `${pen ? "L" : "M"}${x} ${this.y(value).toFixed(1)}${pen ? "" : "h0"}`;
      else if (value === 0) zeros += `M${x} ${this.bottom}v-6`;
      pen = drawn;
    });
    return `<path class="curve" d="${path}" ${this.style(i)}></path>
      <path class="zeros" d="${zeros}" stroke="var(--curve-${this.colour(i)})"></path>`;
  }

  moveCursor(frame, tells = true) {
    const x = this.x(this.t[frame]);
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
    this.spec.curves.forEach((curve, i) => {
      if (!this.shown[i]) return;
      const ended = curve.t && this.t[frame] > curve.t[curve.t.length - 1];
      const at = curve.t ? nearest(curve.t, this.t[frame]) : frame;
      const value = ended ? undefined : curve.values[at];
      if (tells) this.values[i].innerHTML = ended ? "" : formatNumber(value);
      this.dots[i].setAttribute("cx", x);
      this.dots[i].setAttribute("cy", isNumber(value) ? this.y(value) : -100);
    });
  }
}

// First and last time, apart even where only one sample was recorded.
function timeSpan(t) {
  const [first, last] = [t[0], t[t.length - 1]];
  return last > first ? [first, last] : [first, first + 1];
}
