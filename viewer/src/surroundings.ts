// Things around a mechanism: grid or floor, the pins of the ground, the path of a point.

import * as THREE from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import type { Eye } from "./eye";
import type { Vec } from "./page";
import { add, dot, sub, times } from "./vectors";

// 1, 2 or 5 times a power of ten, such that `span` holds about `count` of them.
export function niceStep(span: number, count: number): number {
  const power = 10 ** Math.floor(Math.log10(span / count));
  const ratio = span / count / power;
  return power * (ratio < 1.5 ? 1 : ratio < 3.5 ? 2 : ratio < 7.5 ? 5 : 10);
}

const finite = (p: Vec) => p.every(Number.isFinite);

export const gridStep = (eye: Eye) => niceStep(eye.size, 10);

// Behind a planar mechanism, under a spatial one.
export function grid(eye: Eye, depth: number, material: THREE.LineBasicMaterial) {
  const step = gridStep(eye);
  const count = eye.planar ? 60 : 14;
  const [e1, e2]: Vec[] = eye.planar ? [[1, 0, 0], [0, 1, 0]] : [eye.e1, eye.e2];
  const normal: Vec = eye.planar ? [0, 0, 1] : eye.up;
  const height = eye.planar ? -depth : eye.floor;
  const onGrid = (axis: Vec) => Math.round(dot(eye.centre, axis) / step) * step;
  const origin = add(times(height, normal), add(times(onGrid(e1), e1), times(onGrid(e2), e2)));
  const at = (i: number, j: number) => add(times(i * step, e1), times(j * step, e2));
  const points: number[] = [];
  for (let k = -count; k <= count; k += 1) {
    const reach = eye.planar ? count : Math.sqrt(Math.max(count * count - k * k, 0));
    points.push(...at(k, -reach), ...at(k, reach), ...at(-reach, k), ...at(reach, k));
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  return { mesh: new THREE.LineSegments(geometry, material), origin };
}

// Flattens what is drawn onto the floor, along the vertical; the floor has been lifted by `height`.
export function ontoFloor(eye: Eye, height: number): THREE.Matrix4 {
  const n = eye.up;
  const lift = height + eye.floor + 1e-4 * eye.size;
  const row = (i: number) => [0, 1, 2].map((j) => (i === j ? 1 : 0) - n[i] * n[j]);
  return new THREE.Matrix4().set(
    ...([...row(0), lift * n[0], ...row(1), lift * n[1], ...row(2), lift * n[2], 0, 0, 0, 1] as
      Parameters<THREE.Matrix4["set"]>));
}

// The textbook's triangle in the plane, a foot on the floor's side in space.
export function groundPins(points: Vec[], eye: Eye, material: THREE.Material) {
  const geometry = eye.planar ? trianglePlate() : new THREE.ConeGeometry(1, 1.5, 20)
    .translate(0, -0.75, 0);
  const mesh = new THREE.InstancedMesh(geometry, material, Math.max(points.length, 1));
  mesh.frustumCulled = false;
  mesh.count = points.length;
  if (points.length > 0) mesh.position.set(...points[0]);
  const x: Vec = eye.planar ? [1, 0, 0] : eye.e1;
  const z = eye.planar ? ([0, 0, 1] as Vec) : eye.e2;
  return { mesh, place: (radius: number) => {
    const s = 2.6 * radius;
    const basis = new THREE.Matrix4();
    points.forEach((point, i) => {
      const r = sub(point, add(points[0], eye.planar ? [0, 0, 1.3 * radius] : [0, 0, 0]));
      basis.makeBasis(new THREE.Vector3(...times(s, x)), new THREE.Vector3(...times(s, eye.up)),
                      new THREE.Vector3(...times(eye.planar ? 0.1 * s : -s, z)));
      basis.setPosition(...r);
      mesh.setMatrixAt(i, basis);
    });
    mesh.instanceMatrix.needsUpdate = true;
  } };
}

// Apex up at the origin, standing on a line.
function trianglePlate() {
  const shape = new THREE.Shape();
  shape.moveTo(0, 0.35);
  shape.lineTo(-0.95, -1.35);
  shape.lineTo(-1.35, -1.35);
  shape.lineTo(-1.35, -1.6);
  shape.lineTo(1.35, -1.6);
  shape.lineTo(1.35, -1.35);
  shape.lineTo(0.95, -1.35);
  return new THREE.ShapeGeometry(shape);
}

// A path: faint as a whole, strong up to now; a gap ends a run and the rest is not drawn.
export class Path {
  readonly group = new THREE.Group();
  private strong?: Line2;
  readonly faint = new LineMaterial({ linewidth: 1.5, depthWrite: false });  // lies under the other
  readonly bright = new LineMaterial({ linewidth: 2.2 });

  show(points: Vec[], height: number) {
    this.clear();
    const last = points.findIndex((p) => !finite(p));
    const known = last < 0 ? points : points.slice(0, last);
    if (known.length < 2) return;
    const geometry = new LineGeometry();
    const [x, y, z] = known[0];
    this.group.position.set(x, y, z + height);
    geometry.setPositions(known.flatMap((point) => sub(point, known[0])));
    for (const [order, material] of [this.faint, this.bright].entries()) {
      const line = new Line2(geometry.clone() as LineGeometry, material);
      line.frustumCulled = false;
      line.renderOrder = 1 + order;  // after all bars
      this.group.add(line);
      this.strong = line;
    }
  }

  update(frame: number, width: number, height: number) {
    for (const { resolution } of [this.faint, this.bright]) resolution.set(width, height);
    if (!this.strong) return;
    this.strong.visible = frame > 0;
    this.strong.geometry.instanceCount = Math.max(frame, 1);
  }

  clear() {
    for (const line of [...this.group.children] as Line2[]) line.geometry.dispose();
    this.group.clear();
    this.strong = undefined;
  }
}
