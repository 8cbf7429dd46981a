// The simple replay: a stick figure on a canvas, of the sample that the clock points at. It is all
// there is where the viewer was not built or the browser has no WebGL.

class Replay {
  constructor(canvas, clock) {
    Object.assign(this, { canvas, clock, context: canvas.getContext("2d") });
    new ResizeObserver(() => this.draw()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    this.addOrbit();
  }

  // The first of several runs is shown.
  load([motion]) {
    Object.assign(this, { motion, report: motion.report, trace: motion.traces[0] });
    const box = motion.bounds();
    this.camera = new Camera(this.report, box);
    this.floor = Math.min(...corners(box).map((corner) => dot(corner, this.camera.up)));
    this.linkLength = motion.linkLength();
    this.canvas.classList.toggle("orbit", !this.report.planar);
  }

  addOrbit() {
    this.canvas.addEventListener("pointerdown", (e) => this.canvas.setPointerCapture(e.pointerId));
    this.canvas.addEventListener("pointermove", (event) => {
      if (!event.buttons || !this.camera || this.report.planar) return;
      this.camera.turn(-0.01 * event.movementX, 0.01 * event.movementY);
      this.draw();
    });
  }

  colour(name) {
    return getComputedStyle(this.canvas).getPropertyValue(`--${name}`).trim();
  }

  draw() {
    if (!this.motion) return;
    const { canvas, context: c, camera } = this;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    const ratio = window.devicePixelRatio || 1;
    [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    [this.width, this.height] = [width, height];
    camera.fit(width, height, 46);
    this.bar = clamp(0.16 * this.linkLength * camera.scale, 2.5, 17);
    this.theme = Object.fromEntries(["ink", "soft", "line", "grid", "card", "steel"].map((name) =>
      [name, this.colour(name)]));
    this.palette = Array.from({ length: kColours - 1 }, (_, i) => this.colour(`curve-${i}`));
    c.clearRect(0, 0, width, height);

    const bodies = this.report.bodies
      .map((_, i) => ({ index: i, ...this.motion.body(i, this.clock.frame) }))
      .filter((body) => body.outline.every(isFinitePoint));
    if (camera.planar) this.drawGrid(); else this.drawFloor(bodies);
    this.drawTrace();
    this.report.ground.forEach((r) => this.drawPin(camera.project(r)));
    const depth = (body) => camera.project(body.com)[2];
    if (!camera.planar) bodies.sort((a, b) => depth(a) - depth(b));
    bodies.forEach((body) => this.drawBody(body));
    if (this.linkLength * camera.scale > 9) {  // shorter links would vanish under their joints
      bodies.forEach((body) => body.handles.forEach((r) => this.drawJoint(camera.project(r))));
    }
    this.drawTraceHead();
    this.drawScaleBar();
    this.drawAxes();
  }

  line(points, style, width, dash = []) {
    const c = this.context;
    c.beginPath();
    points.forEach(([x, y], i) => (i === 0 ? c.moveTo(x, y) : c.lineTo(x, y)));
    Object.assign(c, { strokeStyle: style, lineWidth: width, lineCap: "round", lineJoin: "round" });
    c.setLineDash(dash);
    c.stroke();
    c.setLineDash([]);
  }

  text(label, x, y, align = "center") {
    const c = this.context;
    Object.assign(c, { fillStyle: this.theme.soft, font: "12px system-ui, DejaVu Sans, sans-serif",
                       textAlign: align, textBaseline: "middle" });
    c.fillText(label, x, y);
  }

  disc([x, y], radius, fill, stroke, width = 1.5) {
    const c = this.context;
    c.beginPath();
    c.arc(x, y, radius, 0, 2 * Math.PI);
    Object.assign(c, { fillStyle: fill, strokeStyle: stroke, lineWidth: width });
    c.fill();
    if (stroke) c.stroke();
  }

  // --- surroundings ---

  gridStep() {
    return niceStep(Math.max(this.width, 300) / this.camera.scale, 9);
  }

  drawGrid() {
    const { camera } = this;
    const step = this.gridStep();
    const reach = [this.width, this.height].map((pixels) => pixels / 2 / camera.scale);
    for (const axis of [0, 1]) {
      const middle = camera.centre[axis];
      const last = Math.floor((middle + reach[axis]) / step);
      for (let k = Math.ceil((middle - reach[axis]) / step); k <= last; k += 1) {
        const at = camera.project(axis === 0 ? [k * step, 0, 0] : [0, k * step, 0])[axis];
        this.line(axis === 0 ? [[at, 0], [at, this.height]] : [[0, at], [this.width, at]],
                  this.theme[k === 0 ? "line" : "grid"], 1);
      }
    }
  }

  // A level grid under the mechanism, with its shadow: they show the depth.
  drawFloor(bodies) {
    const { camera } = this;
    const drop = (r) => sub(r, scale(dot(r, camera.up) - this.floor, camera.up));
    const centre = drop(camera.centre);
    const step = this.gridStep();
    const half = Math.max(2, Math.ceil((0.6 * norm(camera.size)) / step));
    const corner = (i, j) => camera.project(
      add(centre, add(scale(i * step, camera.e1), scale(j * step, camera.e2))));
    for (let k = -half; k <= half; k += 1) {
      this.line([corner(k, -half), corner(k, half)], this.theme.grid, 1);
      this.line([corner(-half, k), corner(half, k)], this.theme.grid, 1);
    }
    this.context.globalAlpha = 0.35;
    bodies.forEach((body) => this.line(
      body.outline.map((r) => camera.project(drop(r))), this.theme.steel, 0.6 * this.bar));
    this.context.globalAlpha = 1;
  }

  drawAxes() {
    const origin = [30, this.height - 30];
    const names = this.camera.planar ? ["x", "y"] : ["x", "y", "z"];
    names.forEach((name, i) => {
      const unit = [0, 0, 0];
      unit[i] = 1;
      const [dx, dy] = this.camera.direction(unit);
      this.arrow(origin, [origin[0] + 22 * dx, origin[1] + 22 * dy], this.theme.soft);
      this.text(name, origin[0] + 31 * dx, origin[1] + 31 * dy);
    });
    const g = this.report.gravity;
    if (norm(g) === 0) return;
    const [dx, dy] = this.camera.direction(scale(1 / norm(g), g));
    const start = [this.width - 26, 24];
    this.arrow(start, [start[0] + 24 * dx, start[1] + 24 * dy], this.theme.soft);
    this.text("g", start[0] + 24 * dx + 10, start[1] + 24 * dy);
  }

  arrow([x0, y0], [x1, y1], style) {
    const length = Math.hypot(x1 - x0, y1 - y0);
    if (length < 2) return;
    const [dx, dy] = [(x1 - x0) / length, (y1 - y0) / length];
    const barb = (side) => [x1 - 6 * dx + side * 3.5 * dy, y1 - 6 * dy - side * 3.5 * dx];
    this.line([[x0, y0], [x1, y1]], style, 1.5);
    this.line([barb(1), [x1, y1], barb(-1)], style, 1.5);
  }

  drawScaleBar() {
    const size = niceStep(0.22 * Math.min(this.width, 700) / this.camera.scale, 1);
    const pixels = size * this.camera.scale;
    const [right, y] = [this.width - 16, this.height - 16];
    this.line([[right - pixels, y - 4], [right - pixels, y], [right, y], [right, y - 4]],
              this.theme.ink, 1.5);
    const plain = size < 1e5 && size >= 1e-4;
    this.text(`${plain ? +size.toPrecision(3) : size.toExponential(0)} m`,
              right - pixels / 2, y - 12);
  }

  drawTrace() {
    if (!this.trace) return;
    const points = this.trace.points.map((r) => this.camera.project(r));
    const runs = (list) => list.reduce((all, p) => {  // a gap ends a run
      if (!isFinitePoint(p)) all.push([]);
      else all[all.length - 1].push(p);
      return all;
    }, [[]]);
    this.context.globalAlpha = 0.25;
    runs(points).forEach((run) => this.line(run, this.palette[1], 1.5));
    this.context.globalAlpha = 0.95;
    runs(points.slice(0, this.clock.frame + 1))
      .forEach((run) => this.line(run, this.palette[1], 1.8));
    this.context.globalAlpha = 1;
  }

  drawTraceHead() {
    const head = this.trace && this.camera.project(this.trace.points[this.clock.frame]);
    if (head && isFinitePoint(head)) this.disc(head, 4, this.palette[1], this.theme.card);
  }

  // The textbook's ground pin: a triangle on hatching, standing along gravity.
  drawPin([x, y]) {
    const c = this.context;
    const [gx, gy] = this.camera.planar ? this.camera.direction(this.report.gravity) : [0, 1];
    const s = clamp(1.15 * this.bar, 5, 15);
    c.save();
    c.translate(x, y);
    c.rotate(Math.hypot(gx, gy) > 0 ? Math.atan2(gy, gx) - Math.PI / 2 : 0);
    c.beginPath();
    c.moveTo(0, 0);
    c.lineTo(-0.85 * s, 1.5 * s);
    c.lineTo(0.85 * s, 1.5 * s);
    c.closePath();
    c.fillStyle = this.theme.card;
    c.fill();
    c.strokeStyle = this.theme.ink;
    c.lineWidth = 1.5;
    c.stroke();
    this.line([[-1.3 * s, 1.5 * s], [1.3 * s, 1.5 * s]], this.theme.ink, 1.5);
    for (let k = -2; k <= 2; k += 1) {
      this.line([[k * 0.55 * s + 0.15 * s, 1.5 * s], [(k * 0.55 - 0.3) * s, 2 * s]],
                this.theme.ink, 1);
    }
    c.restore();
  }

  // --- bodies ---

  drawBody(body) {
    const colour = this.palette[body.index % this.palette.length];
    const points = hull(body.outline.map((r) => this.camera.project(r)));
    const closed = [...points, points[0]];
    this.solid(closed, colour, this.bar);
    if (this.bar > 5) {
      this.solid(closed, mix(colour, this.theme.card, 0.45), this.bar - 3);
      this.drawCentreOfMass(this.camera.project(body.com));
    }
  }

  // A polygon (or bar, or disc) with rounded corners, `width` across.
  solid(points, colour, width) {
    this.line(points, colour, width);
    this.context.fillStyle = colour;
    this.context.fill();
  }

  drawCentreOfMass([x, y]) {
    const c = this.context;
    const radius = clamp(0.3 * this.bar, 3, 5);
    this.disc([x, y], radius, this.theme.card, this.theme.ink, 1);
    c.fillStyle = this.theme.ink;
    for (const start of [0, Math.PI]) {
      c.beginPath();
      c.moveTo(x, y);
      c.arc(x, y, radius, start, start + Math.PI / 2);
      c.fill();
    }
  }

  drawJoint(point) {
    this.disc(point, clamp(0.3 * this.bar, 1.2, 5), this.theme.card, this.theme.ink,
              this.bar > 6 ? 1.6 : 1);
  }
}

// Convex hull of screen points, counter-clockwise (Andrew's monotone chain).
function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list) => {
    const chain = [];
    for (const p of list) {
      while (chain.length > 1) {
        const [a, b] = chain.slice(-2);
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        chain.pop();
      }
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  const border = [...half(sorted), ...half(sorted.reverse())];
  return border.length > 0 ? border : sorted.slice(0, 1);
}

// Two #rrggbb colours, `part` of the first.
function mix(first, second, part) {
  const channel = (hex, i) => parseInt(hex.slice(1 + 2 * i, 3 + 2 * i), 16);
  return `rgb(${[0, 1, 2].map((i) =>
    Math.round(part * channel(first, i) + (1 - part) * channel(second, i))).join(" ")})`;
}
