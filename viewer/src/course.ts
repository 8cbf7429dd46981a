// Where a mechanism goes as a whole, and the room that it takes on the way.

import type { Motion, Vec } from "./page";
import { add, clamp, norm, sub, times } from "./vectors";

export interface Box {
  low: Vec;
  high: Vec;
}

const kFar = 3;         // a mechanism that goes this many times its own size is followed
const kMostLooks = 60;  // samples at which its size is taken

const finite = (p: Vec) => p.every(Number.isFinite);

export class Course {
  readonly follows: boolean;
  readonly box: Box;  // what the picture must hold; about the middle where the course is followed
  private middles: Vec[];

  // `points` are what else is to be seen of the bodies, in their frames; `fixed` of the ground, unless
  // that is a whole landscape.
  constructor(motion: Motion, points: Vec[][], fixed: Vec[]) {
    const { t, bodies, ground } = motion.report;
    const whole = motion.bounds();
    this.middles = t.map((_, frame) => this.middle(motion, frame));
    const own: Box = { low: [0, 0, 0], high: [0, 0, 0] };
    const include = (box: Box, p: Vec) => {
      if (!finite(p)) return;
      for (let i = 0; i < 3; i += 1) {
        box.low[i] = Math.min(box.low[i], p[i]);
        box.high[i] = Math.max(box.high[i], p[i]);
      }
    };
    const step = Math.ceil(t.length / kMostLooks);
    for (let frame = 0; frame < t.length; frame += step) {
      bodies.forEach(({ handles, com }, body) => {
        [...handles, com, ...points[body]].forEach((point) =>
          include(own, sub(motion.toWorld(body, frame, point), this.middles[frame])));
        points[body].forEach((point) => include(whole, motion.toWorld(body, frame, point)));
      });
    }
    const size = ({ low, high }: Box) => norm(sub(high, low));
    const land: Box = { low: [...whole.low], high: [...whole.high] };
    fixed.forEach((point) => include(land, point));
    if (size(land) < kFar * size(whole)) Object.assign(whole, land);
    this.follows = ground.length === 0 && size(whole) > kFar * size(own);
    this.box = this.follows ? own : whole;
  }

  private middle(motion: Motion, frame: number): Vec {
    const { bodies } = motion.report;
    const sum = bodies.reduce<Vec>((a, { com }, body) =>
      add(a, motion.toWorld(body, frame, com)), [0, 0, 0]);
    return times(1 / Math.max(bodies.length, 1), sum);
  }

  at(frame: number): Vec {
    const middle = this.middles[clamp(frame, 0, this.middles.length - 1)];
    return this.follows && middle && finite(middle) ? middle : [0, 0, 0];
  }
}
