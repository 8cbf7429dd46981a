// Where the mechanism's points are over time, in world coordinates, and the small vectors for it.

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scale = (s, a) => [s * a[0], s * a[1], s * a[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                         a[0] * b[1] - a[1] * b[0]];
const norm = (a) => Math.hypot(...a);
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);
const isFinitePoint = (a) => a.every(Number.isFinite);

const kMostLooks = 100000;

// R point, R from quat_wxyz.
function turn([w, x, y, z], point) {
  const axis = [x, y, z];
  const twice = scale(2, cross(axis, point));
  return add(point, add(scale(w, twice), cross(axis, twice)));
}

// The mechanism's points over time, in world coordinates.
class Motion {
  constructor(report) {
    this.report = report;
    this.stride = report.planar ? 3 : 7;
    this.attached = report.bodies.map(() => []);
    this.traces = this.findTraces();
    this.traces.filter((trace) => trace.sensor).forEach((trace) => this.attach(trace));
    this.spanned = report.bodies.map((_, body) => this.pointsOf(body));
  }

  // Without those that lie where another one does.
  distinct(points) {
    const tolerance = 1e-6 * this.report.length;
    return points.filter((point, i) =>
      points.slice(0, i).every((other) => norm(sub(point, other)) > tolerance));
  }

  // What a body is drawn between, in its frame: handles and the sensors fixed to it; where that is
  // one point only, the centre of mass too.
  pointsOf(body) {
    const { handles, com } = this.report.bodies[body];
    const points = this.distinct([...handles, ...this.attached[body]]);
    return points.length > 1 ? points : this.distinct([...points, com]);
  }

  // Origin and quat_wxyz of a body's frame.
  pose(body, frame) {
    const numbers = this.report.poses[body];
    const number = (i) => numbers[frame * this.stride + i] ?? NaN;
    if (!this.report.planar) {
      return [[number(0), number(1), number(2)], [number(3), number(4), number(5), number(6)]];
    }
    const half = number(2) / 2;
    return [[number(0), number(1), 0], [Math.cos(half), 0, 0, Math.sin(half)]];
  }

  toWorld(body, frame, point) {
    const [r, quat] = this.pose(body, frame);
    return add(r, turn(quat, point));
  }

  toBody(body, frame, point) {
    const [r, [w, x, y, z]] = this.pose(body, frame);
    return turn([w, -x, -y, -z], sub(point, r));
  }

  // {handles, com, outline} of one body in world coordinates.
  body(index, frame) {
    const { handles, com } = this.report.bodies[index];
    const place = (point) => this.toWorld(index, frame, point);
    return { handles: handles.map(place), com: place(com),
             outline: this.spanned[index].map(place) };
  }

  // Points that can be traced: name -> list of points, one per frame. Sensors that hold a position come
  // first; the last body's centre of mass is always there.
  findTraces() {
    const found = [];
    const { sensors, bodies, t, planar } = this.report;
    for (const sensor of sensors) {
      const match = /^(.*)\.position\.x$/.exec(sensor.name);
      if (!match) continue;
      const part = (axis) => sensors.find((s) => s.name === `${match[1]}.position.${axis}`);
      const axes = [sensor, part("y"), part("z")];
      if (!axes[1] || (!axes[2] && !planar)) continue;
      const points = t.map((_, k) => axes.map((a) => (a ? a.values[k] ?? NaN : 0)));
      found.push({ name: match[1], points, sensor: true });
    }
    if (bodies.length > 0) {
      const last = bodies.length - 1;
      found.push({ name: `${bodies[last].name} (centre of mass)`,
                   points: t.map((_, k) => this.toWorld(last, k, bodies[last].com)) });
    }
    return found;
  }

  // A sensor that rests in just one body's frame is part of that body's picture: the tip of a
  // pendulum, a foot. The recording does not say so; the motion does.
  attach(trace) {
    const near = (a, b) => norm(sub(a, b)) < 1e-4 * this.report.length;
    const step = Math.ceil(trace.points.length / 50);
    const frames = [...trace.points.keys()].filter((k) => k % step === 0);
    const rests = this.report.bodies.map((_, body) => {
      const first = this.toBody(body, 0, trace.points[0]);
      return frames.every((k) => near(this.toBody(body, k, trace.points[k]), first)) && first;
    });
    if (rests.filter(Boolean).length !== 1) return;
    const body = rests.findIndex(Boolean);
    if (!near(rests[body], this.report.bodies[body].com)) this.attached[body].push(rests[body]);
  }

  // Size of the typical body, from one of its points.
  linkLength() {
    const lengths = this.spanned.map((points) =>
      Math.max(0, ...points.map((point) => norm(sub(point, points[0])))));
    const sorted = lengths.filter((x) => x > 0).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? this.report.length;
  }

  // Smallest box around all that is drawn; of very many bodies not every sample is looked at.
  bounds() {
    const step = Math.ceil((this.report.t.length * this.report.bodies.length) / kMostLooks);
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const include = (point) => {
      if (!isFinitePoint(point)) return;
      for (let i = 0; i < 3; i += 1) {
        low[i] = Math.min(low[i], point[i]);
        high[i] = Math.max(high[i], point[i]);
      }
    };
    this.report.ground.forEach(include);
    for (let body = 0; body < this.report.bodies.length; body += 1) {
      for (let k = 0; k < this.report.t.length; k += step) {
        this.body(body, k).outline.forEach(include);
      }
    }
    this.traces.forEach((trace) => trace.points.forEach(include));
    return isFinitePoint(low) ? { low, high } : { low: [-1, -1, -1], high: [1, 1, 1] };
  }
}
