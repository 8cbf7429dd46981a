// The camera of the replay: orthographic, one scale for all axes. Planar mechanisms are seen in their
// x-y plane; spatial ones from a direction that can be turned about the vertical and tilted.

class Camera {
  constructor(report, box) {
    this.planar = report.planar;
    this.centre = scale(0.5, add(box.low, box.high));
    this.size = sub(box.high, box.low);
    const g = norm(report.gravity);
    this.up = g > 0 ? scale(-1 / g, report.gravity) : [0, 0, 1];
    const side = Math.abs(this.up[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
    const e1 = sub(side, scale(dot(side, this.up), this.up));
    this.e1 = scale(1 / norm(e1), e1);
    this.e2 = cross(this.up, this.e1);
    const reach = corners(box).map((corner) => sub(corner, this.centre));
    this.tall = Math.max(...reach.map((d) => Math.abs(dot(d, this.up))));
    this.wide = Math.max(...reach.map((d) => Math.hypot(dot(d, this.e1), dot(d, this.e2))));
    this.azimuth = -Math.PI / 3;
    this.elevation = 0.35;
  }

  turn(azimuth, elevation) {
    this.azimuth += azimuth;
    this.elevation = clamp(this.elevation + elevation, -1.5, 1.5);
  }

  // Screen axes in world coordinates, and the scale that fits the box in: from every azimuth, so
  // that turning does not zoom.
  fit(width, height, margin) {
    const free = [Math.max(width - 2 * margin, 40), Math.max(height - 2 * margin, 40)];
    this.middle = [width / 2, height / 2];
    if (this.planar) {
      this.axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
      this.scale = Math.min(free[0] / this.size[0], free[1] / this.size[1]);
    } else {
      const [ca, sa] = [Math.cos(this.azimuth), Math.sin(this.azimuth)];
      const [ce, se] = [Math.cos(this.elevation), Math.sin(this.elevation)];
      const level = add(scale(ca, this.e1), scale(sa, this.e2));
      const towards = add(scale(ce, level), scale(se, this.up));
      const right = add(scale(-sa, this.e1), scale(ca, this.e2));
      this.axes = [right, cross(towards, right), towards];
      this.scale = 0.5 * Math.min(free[0] / this.wide,
                                  free[1] / (this.tall * ce + this.wide * Math.abs(se)));
    }
    if (!Number.isFinite(this.scale)) this.scale = Math.min(...free);  // all in one point
  }

  // [right, down, towards the viewer] in pixels.
  project(point) {
    const d = sub(point, this.centre);
    return [this.middle[0] + this.scale * dot(this.axes[0], d),
            this.middle[1] - this.scale * dot(this.axes[1], d),
            this.scale * dot(this.axes[2], d)];
  }

  direction(vector) {
    return [dot(this.axes[0], vector), -dot(this.axes[1], vector)];
  }
}

function corners({ low, high }) {
  return [0, 1, 2, 3, 4, 5, 6, 7].map((k) => low.map((x, i) => ((k >> i) & 1 ? high[i] : x)));
}
