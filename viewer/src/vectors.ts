// Small vectors, and a body's placement as a matrix.

import type { Motion, Quat, Vec } from "./page";

export const add = (a: Vec, b: Vec): Vec => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a: Vec, b: Vec): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const times = (s: number, a: Vec): Vec => [s * a[0], s * a[1], s * a[2]];
export const dot = (a: Vec, b: Vec) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vec, b: Vec): Vec =>
  [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const norm = (a: Vec) => Math.hypot(a[0], a[1], a[2]);
export const clamp = (x: number, low: number, high: number) => Math.min(Math.max(x, low), high);

// Some unit vector across a unit vector.
export function across(a: Vec): Vec {
  const side = cross(a, Math.abs(a[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]);
  return times(1 / norm(side), side);
}

// Row-major 3x3 and position.
export interface Placement {
  R: number[];
  r: Vec;
}

export function rotation([w, x, y, z]: Quat): number[] {
  return [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
          2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
          2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)];
}

export const turned = (R: number[], a: Vec): Vec =>
  [R[0] * a[0] + R[1] * a[1] + R[2] * a[2], R[3] * a[0] + R[4] * a[1] + R[5] * a[2],
   R[6] * a[0] + R[7] * a[1] + R[8] * a[2]];

export const placed = (X: Placement, a: Vec): Vec => add(X.r, turned(X.R, a));

// Where all bodies are. A pose that is not known is NaN, and its body is not drawn.
export function placements(motion: Motion, frame: number): Placement[] {
  return motion.report.bodies.map((_, body) => {
    const [r, quat] = motion.pose(body, frame);
    return { R: rotation(quat), r };
  });
}

// Writes a column-major 4x4 with the axes x, y, z (lengths included) and the origin.
export function writeMatrix(to: Float32Array | number[], i: number, x: Vec, y: Vec, z: Vec, r: Vec) {
  const at = 16 * i;
  to[at] = x[0]; to[at + 1] = x[1]; to[at + 2] = x[2]; to[at + 3] = 0;
  to[at + 4] = y[0]; to[at + 5] = y[1]; to[at + 6] = y[2]; to[at + 7] = 0;
  to[at + 8] = z[0]; to[at + 9] = z[1]; to[at + 10] = z[2]; to[at + 11] = 0;
  to[at + 12] = r[0]; to[at + 13] = r[1]; to[at + 14] = r[2]; to[at + 15] = 1;
}
