// How a body looks, in its own frame: bars between its points, and a plate where they span one.

import type { Motion, Vec } from "./page";
import { cross, dot, norm, sub, times } from "./vectors";

export interface Bar {
  from: Vec;
  to: Vec;
}

export interface Shape {
  points: Vec[];
  bars: Bar[];
  plate: Vec[];  // corners of a convex polygon, or none
}

export const kNothing: Shape = { points: [], bars: [], plate: [] };

// Bars of the shortest tree that joins all points.
function tree(points: Vec[]): Bar[] {
  const bars: Bar[] = [];
  const inside = [points[0]];
  const outside = points.slice(1);
  while (outside.length > 0) {
    let best = { length: Infinity, from: inside[0], i: 0 };
    for (const from of inside) {
      outside.forEach((to, i) => {
        const length = norm(sub(to, from));
        if (length < best.length) best = { length, from, i };
      });
    }
    const [to] = outside.splice(best.i, 1);
    bars.push({ from: best.from, to });
    inside.push(to);
  }
  return bars;
}

// Corners of the convex hull, in order, if all points lie in a plane and not on a line.
function polygon(points: Vec[]): Vec[] {
  const size = Math.max(...points.map((p) => norm(sub(p, points[0]))));
  const far = points.reduce((a, b) => (norm(sub(b, points[0])) > norm(sub(a, points[0])) ? b : a));
  const e1 = times(1 / size, sub(far, points[0]));
  const normals = points.map((p) => cross(e1, sub(p, points[0])));
  const longest = normals.reduce((a, b) => (norm(b) > norm(a) ? b : a));
  if (norm(longest) < 0.02 * size) return [];
  const n = times(1 / norm(longest), longest);
  if (points.some((p) => Math.abs(dot(n, sub(p, points[0]))) > 0.02 * size)) return [];
  const e2 = cross(n, e1);
  const flat = points.map((p) => {
    const d = sub(p, points[0]);
    return { x: dot(d, e1), y: dot(d, e2), p };
  }).sort((a, b) => a.x - b.x || a.y - b.y);
  const half = (list: typeof flat) => {
    const chain: typeof flat = [];
    for (const c of list) {
      while (chain.length > 1) {
        const [a, b] = chain.slice(-2);
        if ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0) break;
        chain.pop();
      }
      chain.push(c);
    }
    return chain.slice(0, -1);
  };
  return [...half(flat), ...half(flat.reverse())].map(({ p }) => p);
}

export function shapeOf(motion: Motion, body: number): Shape {
  const points = motion.spanned[body];
  if (points.length < 2) return { points, bars: [], plate: [] };
  if (points.length === 2) return { points, bars: tree(points), plate: [] };
  const plate = polygon(points);
  if (plate.length < 3) return { points, bars: tree(points), plate: [] };
  const bars = plate.map((from, i) => ({ from, to: plate[(i + 1) % plate.length] }));
  return { points, bars, plate };
}

// A layer for each body of a planar mechanism, so that bodies on one joint lie over one another as
// in a real linkage: 0, 1, 2, ...
export function layers(motion: Motion): number[] {
  const { bodies, joints = [] } = motion.report;
  const neighbours = bodies.map(() => new Set<number>());
  for (const { parent, child } of joints) {
    if (parent < 0 || child < 0) continue;
    neighbours[parent].add(child);
    neighbours[child].add(parent);
  }
  const layer: number[] = [];
  bodies.forEach((_, body) => {
    const taken = new Set([...neighbours[body]].map((other) => layer[other]));
    let free = joints.length > 0 ? 0 : body % 2;
    while (taken.has(free)) free += 1;
    layer[body] = free;
  });
  return layer;
}
