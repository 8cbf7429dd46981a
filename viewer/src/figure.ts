// One mechanism in the scene: bars, plates and joints, in a handful of meshes.

import * as THREE from "three";
import type { Motion, Vec } from "./page";
import { Prisms } from "./prisms";
import { kNothing, layers, type Shape, shapeOf } from "./shapes";
import { across, add, cross, norm, placed, type Placement, sub, times, turned,
         writeMatrix } from "./vectors";

interface BarInstance {
  body: number;
  u: Vec;  // across, along (length included), across, middle; in the body's frame
  along: Vec;
  w: Vec;
  middle: Vec;
}

interface JointInstance {
  body: number;
  place: Vec;
  axis: Vec;
}

export const kMany = 300;  // bodies; more are drawn with fewer corners, and as prisms

export class Figure {
  readonly group = new THREE.Group();
  readonly shapes: Shape[];
  private bars: BarInstance[] = [];
  private balls: { body: number; point: Vec }[] = [];
  private joints = { pin: [] as JointInstance[], slide: [] as JointInstance[],
                     ball: [] as JointInstance[] };
  private layer: number[];
  private many: boolean;
  private corners: { body: number; point: Vec }[] = [];
  private meshes: Record<string, THREE.InstancedMesh> = {};
  private prisms?: Prisms;  // stand for bars and balls of many bodies
  private plates?: THREE.Mesh;
  private materials: THREE.Material[] = [];
  private shade = new THREE.Group();
  // Graphics cards count in seven digits: all is written about this point of the first body.
  private base: Vec = [0, 0, 0];

  // Without the bodies that are drawn by their looks; what is left is drawn between two joints.
  constructor(readonly motion: Motion, private ghost: boolean,
              private looks: ReadonlySet<number> = new Set()) {
    const { bodies, planar } = motion.report;
    this.shapes = bodies.map((_, body) => this.isDrawn(body) ? shapeOf(motion, body) : kNothing);
    this.layer = planar ? layers(motion) : bodies.map(() => 0);
    this.shapes.forEach((shape, body) => this.addShape(shape, body));
    this.addJoints();
    this.many = bodies.length > kMany;
    this.makeMeshes();
  }

  private isDrawn(body: number) {
    if (this.looks.size === 0 || body < 0) return true;
    const { handles } = this.motion.report.bodies[body];
    return !this.looks.has(body) && this.motion.distinct(handles).length > 1;
  }

  private addShape({ points, bars, plate }: Shape, body: number) {
    for (const { from, to } of bars) {
      const along = sub(to, from);
      const unit = times(1 / norm(along), along);
      const u = across(unit);
      this.bars.push({ body, u, along, w: cross(u, unit), middle: times(0.5, add(from, to)) });
    }
    points.forEach((point) => this.balls.push({ body, point }));
    for (let i = 2; i < plate.length; i += 1) {
      for (const point of [plate[0], plate[i - 1], plate[i]]) this.corners.push({ body, point });
    }
  }

  private addJoints() {
    const { joints, bodies, planar } = this.motion.report;
    if (!joints) {  // a recording without its model: joints of unknown kind at all handles
      const kind = planar ? this.joints.pin : this.joints.ball;
      bodies.forEach(({ handles }, body) => handles.forEach((place) =>
        kind.push({ body, place, axis: [0, 0, 1] })));
      return;
    }
    for (const { type, child, at_child, axis } of joints) {
      if (type === "free" || type === "fixed" || !this.isDrawn(child)) continue;
      const instance = { body: child, place: at_child, axis };
      if (type === "prismatic") this.joints.slide.push(instance);
      else if (/^(revolute|helical|cylindrical|pin_in_slot)$/.test(type)) {
        this.joints.pin.push(planar ? { ...instance, axis: [0, 0, 1] } : instance);
      } else this.joints.ball.push(instance);
    }
  }

  private material(plate: boolean) {
    const { ghost } = this;
    const material = new THREE.MeshLambertMaterial({
      color: 0xffffff, transparent: ghost || plate, opacity: ghost ? 0.38 : plate ? 0.55 : 1,
      depthWrite: !ghost && !plate, side: plate ? THREE.DoubleSide : THREE.FrontSide,
    });
    this.materials.push(material);
    return material;
  }

  private instanced(name: string, geometry: THREE.BufferGeometry, count: number, coloured: boolean) {
    if (count === 0) return;
    const material = this.material(false);
    const mesh = new THREE.InstancedMesh(geometry, material, count);
    mesh.frustumCulled = false;
    if (coloured) mesh.instanceColor =
      new THREE.InstancedBufferAttribute(new Float32Array(3 * count).fill(1), 3);
    this.meshes[name] = mesh;
    this.group.add(mesh);
  }

  private makeMeshes() {
    const [around, rings] = this.many ? [6, 4] : [18, 12];
    const cylinder = (open: boolean) => new THREE.CylinderGeometry(1, 1, 1, around, 1, open);
    const ball = () => new THREE.SphereGeometry(1, around, rings);
    if (this.many) {
      const material = this.material(false);
      material.vertexColors = material.flatShading = true;
      this.prisms = new Prisms(this.bars.length, material);
      this.group.add(this.prisms.mesh);
    } else {
      this.instanced("bars", cylinder(true), this.bars.length, true);
      this.instanced("balls", ball(), this.balls.length, true);
    }
    if (!this.ghost) {
      this.instanced("pin", cylinder(false), this.joints.pin.length, false);
      this.instanced("slide", new THREE.BoxGeometry(1, 1, 1), this.joints.slide.length, false);
      this.instanced("ball", ball(), this.joints.ball.length, false);
    }
    if (this.corners.length === 0) return;
    const geometry = new THREE.BufferGeometry();
    const numbers = () => new THREE.BufferAttribute(new Float32Array(3 * this.corners.length), 3);
    geometry.setAttribute("position", numbers());
    geometry.setAttribute("color", numbers());
    const material = this.material(true);
    material.vertexColors = material.flatShading = true;
    this.plates = new THREE.Mesh(geometry, material);
    this.plates.frustumCulled = false;
    this.group.add(this.plates);
  }

  // One colour for each body; joints have their own.
  paint(colours: THREE.Color[], pin: THREE.Color) {
    const set = (mesh: THREE.InstancedMesh | undefined, bodies: { body: number }[]) => {
      bodies.forEach(({ body }, i) => mesh?.setColorAt(i, colours[body]));
      if (mesh?.instanceColor) mesh.instanceColor.needsUpdate = true;
    };
    set(this.meshes.bars, this.bars);
    set(this.meshes.balls, this.balls);
    this.bars.forEach(({ body }, i) => this.prisms?.paint(i, colours[body]));
    for (const name of ["pin", "slide", "ball"]) {
      (this.meshes[name]?.material as THREE.MeshLambertMaterial | undefined)?.color.copy(pin);
    }
    const attribute = this.plates?.geometry.getAttribute("color") as THREE.BufferAttribute;
    if (!attribute) return;
    this.corners.forEach(({ body }, i) => {
      const { r, g, b } = colours[body];
      attribute.setXYZ(i, r, g, b);
    });
    attribute.needsUpdate = true;
  }

  // Height of a body's layer over the plane of a planar mechanism.
  height(body: number, radius: number) {
    return this.layer[body] * 2.1 * radius;
  }

  private lifted(X: Placement[], radius: number): Placement[] {
    if (!this.motion.report.planar) return X;
    return X.map(({ R, r }, body) => ({ R, r: [r[0], r[1], r[2] + this.height(body, radius)] }));
  }

  // Joints are drawn where `near`.
  update(inWorld: Placement[], radius: number, near: boolean) {
    this.base = inWorld.find(({ r }) => Number.isFinite(r[0]))?.r ?? [0, 0, 0];
    for (const group of [this.group, this.shade]) group.position.set(...this.base);
    const X = inWorld.map(({ R, r }) => ({ R, r: sub(r, this.base) }));
    const Y = this.lifted(X, radius);
    const write = (name: string, count: number, f: (to: Float32Array, i: number) => void) => {
      const mesh = this.meshes[name];
      if (!mesh?.visible) return;
      const matrices = mesh.instanceMatrix.array as Float32Array;
      for (let i = 0; i < count; i += 1) f(matrices, i);
      mesh.instanceMatrix.needsUpdate = true;
    };
    const bar = (i: number): [Vec, Vec, Vec, Vec] => {
      const { body, u, along, w, middle } = this.bars[i];
      const { R } = Y[body];
      return [times(radius, turned(R, u)), turned(R, along), times(radius, turned(R, w)),
              placed(Y[body], middle)];
    };
    write("bars", this.bars.length, (to, i) => writeMatrix(to, i, ...bar(i)));
    if (this.prisms) {
      this.bars.forEach((_, i) => {
        const [u, along, w, middle] = bar(i);
        this.prisms!.place(i, middle, along, u, w);
      });
      this.prisms.placed();
    }
    write("balls", this.balls.length, (to, i) => {
      const { body, point } = this.balls[i];
      writeMatrix(to, i, [radius, 0, 0], [0, radius, 0], [0, 0, radius], placed(Y[body], point));
    });
    this.updateJoints(X, Y, radius, near, write);
    const attribute = this.plates?.geometry.getAttribute("position") as THREE.BufferAttribute;
    if (!attribute) return;
    this.corners.forEach(({ body, point }, i) => attribute.setXYZ(i, ...placed(Y[body], point)));
    attribute.needsUpdate = true;
  }

  private updateJoints(X: Placement[], Y: Placement[], radius: number, shown: boolean,
                       write: (name: string, count: number,
                               f: (to: Float32Array, i: number) => void) => void) {
    for (const kind of ["pin", "slide", "ball"] as const) {
      const mesh = this.meshes[kind];
      if (!mesh) continue;
      mesh.visible = shown;
      if (!shown) continue;
      const { planar } = this.motion.report;
      const tall = planar ? 2.1 * radius * (Math.max(...this.layer) + 1.3) : 2.7 * radius;
      const size = { pin: [0.62 * radius, tall], slide: [2.4 * radius, 4 * radius],
                     ball: [1.35 * radius, 2.7 * radius] }[kind];
      const ground = { R: [1, 0, 0, 0, 1, 0, 0, 0, 1], r: times(-1, this.base) };
      write(kind, this.joints[kind].length, (to, i) => {
        const { body, place, axis } = this.joints[kind][i];
        const own = body < 0 ? ground : (kind === "pin" ? X : Y)[body];
        const along = turned(own.R, axis);
        const u = across(along);
        let middle = placed(own, place);
        if (planar && kind === "pin") middle = add(middle, [0, 0, tall / 2 - 1.2 * radius]);
        if (kind === "ball") {
          writeMatrix(to, i, [size[0], 0, 0], [0, size[0], 0], [0, 0, size[0]], middle);
        } else {
          writeMatrix(to, i, times(size[0], u), times(size[1], along),
                      times(size[0], cross(u, along)), middle);
        }
      });
    }
  }

  // The same bars flattened onto a floor, in one colour.
  shadow(material: THREE.Material): THREE.Group {
    this.shade.clear();
    for (const name of ["bars", "balls"]) {
      const mesh = this.meshes[name];
      if (!mesh) continue;
      const flat = new THREE.InstancedMesh(mesh.geometry, material, mesh.count);
      flat.instanceMatrix = mesh.instanceMatrix;
      flat.frustumCulled = false;
      this.shade.add(flat);
    }
    return new THREE.Group().add(this.shade);
  }

  dispose() {
    for (const mesh of Object.values(this.meshes)) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
    this.prisms?.dispose();
    this.plates?.geometry.dispose();
    this.materials.forEach((material) => material.dispose());
    this.group.removeFromParent();
  }
}
