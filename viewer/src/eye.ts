// The camera and the hands on it. Planar mechanisms are seen along z, and moved and zoomed; spatial
// ones are turned about the vertical and tilted too.

import * as THREE from "three";
import type { Box } from "./course";
import type { Vec } from "./page";
import { add, clamp, cross, dot, norm, sub, times } from "./vectors";

const kFieldOfView = 28;  // degrees, vertical
const kMargin = 1.16;

export class Eye {
  readonly camera: THREE.PerspectiveCamera | THREE.OrthographicCamera;
  readonly up: Vec;
  readonly floor: number;  // along up
  readonly size: number;   // m, of the whole scene
  readonly centre: Vec;
  readonly e1: Vec;
  readonly e2: Vec;
  private azimuth = 0;
  private elevation = 0;
  private zoom = 1;
  shift: Vec = [0, 0, 0];  // m, of what is followed
  private target: Vec;
  private corners: Vec[];
  private width = 1;
  private height = 1;

  // Sees a box, with something to spare around it.
  constructor({ low, high }: Box, readonly planar: boolean, gravity: Vec, spare: number) {
    this.centre = times(0.5, add(low, high));
    this.target = this.centre;
    this.corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) =>
      sub([0, 1, 2].map((i) => ((k >> i) & 1 ? high[i] + spare : low[i] - spare)) as Vec,
          this.centre));
    this.size = Math.max(norm(sub(high, low)), spare, 1e-9);
    const g = norm(gravity);
    this.up = planar ? [0, 1, 0] : g > 0 ? times(-1 / g, gravity) : [0, 0, 1];
    const side: Vec = Math.abs(this.up[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
    const e1 = sub(side, times(dot(side, this.up), this.up));
    this.e1 = times(1 / norm(e1), e1);
    this.e2 = cross(this.up, this.e1);
    this.floor = Math.min(...this.corners.map((c) => dot(add(this.centre, c), this.up))) +
      0.6 * spare;
    this.camera = planar ? new THREE.OrthographicCamera()
                         : new THREE.PerspectiveCamera(kFieldOfView);
    this.reset();
  }

  reset() {
    this.azimuth = -Math.PI / 3;
    this.elevation = 0.32;
    this.zoom = 1;
    this.target = this.centre;
  }

  resize(width: number, height: number) {
    [this.width, this.height] = [Math.max(width, 1), Math.max(height, 1)];
  }

  // Right, up and towards the viewer.
  private axes(): [Vec, Vec, Vec] {
    if (this.planar) return [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    const [ca, sa] = [Math.cos(this.azimuth), Math.sin(this.azimuth)];
    const [ce, se] = [Math.cos(this.elevation), Math.sin(this.elevation)];
    const level = add(times(ca, this.e1), times(sa, this.e2));
    const towards = add(times(ce, level), times(se, this.up));
    const right = add(times(-sa, this.e1), times(ca, this.e2));
    return [right, cross(towards, right), towards];
  }

  // World metres for half the height of the picture, at the target. The whole box fits in from
  // every azimuth, so that turning does not zoom.
  private half(): number {
    const [, upwards] = this.axes();
    const aspect = this.width / this.height;
    const reach = (f: (c: Vec) => number) => Math.max(...this.corners.map((c) => Math.abs(f(c))));
    const wide = this.planar ? reach((c) => c[0])
                             : reach((c) => Math.hypot(dot(c, this.e1), dot(c, this.e2)));
    const fit = Math.max(reach((c) => dot(c, upwards)), wide / aspect);
    return (kMargin * Math.max(fit, 1e-9)) / this.zoom;
  }

  place() {
    const [, upwards, towards] = this.axes();
    const half = this.half();
    const { camera } = this;
    const reach = 20 * this.size + half;
    const target = add(this.target, this.shift);
    if (camera instanceof THREE.OrthographicCamera) {
      const wide = (half * this.width) / this.height;
      Object.assign(camera, { left: -wide, right: wide, top: half, bottom: -half,
                              near: 0.01 * reach, far: 2 * reach });
      camera.position.set(...add(target, times(reach, towards)));
    } else {
      const distance = half / Math.tan((kFieldOfView * Math.PI) / 360) + 0.3 * this.size;
      Object.assign(camera, { aspect: this.width / this.height, near: 0.02 * distance,
                              far: distance + reach });
      camera.position.set(...add(target, times(distance, towards)));
    }
    camera.up.set(...upwards);
    camera.lookAt(...target);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  perPixel(): number {
    return (2 * this.half()) / this.height;
  }

  // In pixels of the canvas; behind the viewer: not finite.
  project(point: Vec): [number, number] {
    const p = new THREE.Vector3(...point).project(this.camera);
    if (p.z > 1) return [NaN, NaN];
    return [(0.5 + 0.5 * p.x) * this.width, (0.5 - 0.5 * p.y) * this.height];
  }

  direction(vector: Vec): [number, number] {
    const [right, upwards] = this.axes();
    return [dot(right, vector), -dot(upwards, vector)];
  }

  turn(right: number, upwards: number) {
    if (this.planar) return this.move(160 * right, 160 * upwards);
    this.azimuth -= right;
    this.elevation = clamp(this.elevation + upwards, -1.5, 1.5);
  }

  // By pixels.
  move(right: number, down: number) {
    const [e1, e2] = this.axes();
    const scale = this.perPixel();
    this.target = add(this.target, add(times(-scale * right, e1), times(scale * down, e2)));
  }

  magnify(factor: number) {
    this.zoom = clamp(this.zoom * factor, 0.05, 500);
  }
}

// Pointers and wheel on the canvas; `eye` is asked for each time, `changed` called after each move.
// Tells of pointers that do not drag, too.
export function addHands(canvas: HTMLCanvasElement, eye: () => Eye | undefined,
                         changed: () => void, hover: (x: number, y: number) => void) {
  const pointers = new Map<number, [number, number]>();
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return { distance: Math.hypot(a[0] - b[0], a[1] - b[1]),
             middle: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] };
  };
  canvas.addEventListener("pointerdown", (event) => {
    try {
      canvas.setPointerCapture(event.pointerId);
    } catch { /* a pointer that is gone again */ }
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
  });
  const forget = (event: PointerEvent) => pointers.delete(event.pointerId);
  canvas.addEventListener("pointerup", forget);
  canvas.addEventListener("pointercancel", forget);
  canvas.addEventListener("pointermove", (event) => {
    const it = eye();
    const before = pointers.get(event.pointerId);
    if (!it || !before) {
      hover(event.offsetX, event.offsetY);
      return;
    }
    const [dx, dy] = [event.clientX - before[0], event.clientY - before[1]];
    if (pointers.size === 1) {
      pointers.set(event.pointerId, [event.clientX, event.clientY]);
      if (it.planar || event.shiftKey || event.buttons & 6) it.move(dx, dy);
      else it.turn(0.01 * dx, 0.01 * dy);
    } else {
      const old = spread();
      pointers.set(event.pointerId, [event.clientX, event.clientY]);
      const now = spread();
      it.magnify(now.distance / Math.max(old.distance, 1));
      it.move(now.middle[0] - old.middle[0], now.middle[1] - old.middle[1]);
    }
    changed();
  });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {  // the page scrolls unless the picture was chosen
    if (document.activeElement !== canvas && !event.ctrlKey) return;
    eye()?.magnify(Math.exp(-0.0015 * event.deltaY));
    event.preventDefault();
    changed();
  }, { passive: false });
}
