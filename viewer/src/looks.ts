// How bodies look: the visual geometry of the model, which moves with its bodies.

import * as THREE from "three";
import { type Drawable, fromBase64, readMesh } from "./meshes";
import type { Motion, Page, Report, Vec, Visual } from "./page";
import { thinned, trianglesOf } from "./thinning";
import { type Placement, writeMatrix } from "./vectors";

const kMostShadow = 100_000;      // triangles, of what has a shadow, which doubles them
const kMostQuickShadow = 20_000;  // the same, drawn by the processor
const kMostQuick = 30_000;        // triangles of glTF and Collada, drawn by the processor
const kAround = 28;  // corners of a circle
const kGrey = [0.62, 0.64, 0.67, 1];

// Cylinders and capsules lie along z, as in the formats of robots.
function geometryOf({ shape, size }: Visual): THREE.BufferGeometry | undefined {
  if (shape === "box") return new THREE.BoxGeometry(...size);
  if (shape === "ellipsoid") {
    const [x, y, z] = size;
    return new THREE.SphereGeometry(1, kAround, kAround / 2).scale(x, y, z);
  }
  const [radius, length] = size;
  if (shape === "cylinder") {
    return new THREE.CylinderGeometry(radius, radius, length, kAround).rotateX(Math.PI / 2);
  }
  if (shape === "capsule") {
    return new THREE.CapsuleGeometry(radius, length, kAround / 4, kAround).rotateX(Math.PI / 2);
  }
  return undefined;
}

interface Painted {
  body: number;
  material: THREE.MeshLambertMaterial;
  own: THREE.Color;
}

export class Looks {
  readonly group = new THREE.Group();
  readonly bodies: Set<number>;            // that have looks
  readonly corners = new Map<number, Vec[]>();  // of boxes around them, in their frames
  readonly missing: string[] = [];         // what is not drawn, and why
  private parts = new Map<number, THREE.Group>();
  private shadows = new Map<number, THREE.Group>();
  private painted: Painted[] = [];
  private geometries: THREE.BufferGeometry[] = [];
  private ofFiles: THREE.Mesh[] = [];  // glTF and Collada, part by part
  private awaited = 0;                 // meshes that are still to come
  private gone = false;

  // Calls `changed` when a mesh has come that takes its time. `quick`: the processor draws.
  constructor(private report: Report, page: Page, private quick: boolean,
              private changed: () => void) {
    const { visuals = [], meshes = [] } = report;
    this.bodies = new Set(visuals.map(({ body }) => body));
    this.bodies.forEach((body) => {
      const part = new THREE.Group();
      part.matrixAutoUpdate = false;
      this.parts.set(body, part);
      this.group.add(part);
    });
    visuals.filter(({ shape }) => shape !== "mesh")
      .forEach((visual) => this.addShape(visual, geometryOf(visual)!));
    meshes.forEach((_, i) => this.addMesh(i, page));
    if (this.awaited === 0) this.thin();
  }

  get empty() {
    return this.bodies.size === 0;
  }

  private addMesh(i: number, page: Page) {
    const { file, format, data, missing } = this.report.meshes![i];
    const copies = this.report.visuals!.filter(({ mesh }) => mesh === i);
    const show = (drawable: Drawable) => copies.forEach((visual) => {
      if (drawable instanceof THREE.BufferGeometry) this.addShape(visual, drawable, false);
      else this.addObject(visual, drawable.clone());
    });
    const fail = (error: unknown) => {
      this.missing.push(`${file}: it ${error instanceof Error ? error.message : error}`);
      copies.forEach(({ body }) => this.forget(body));
    };
    const later = async (mesh: Promise<Drawable>) => {
      this.awaited += 1;
      try {
        const drawable = await mesh;
        if (!this.gone) show(drawable);
      } catch (error) {
        fail(error);
      }
      this.awaited -= 1;
      if (this.gone) return;
      if (this.awaited === 0) this.thin();
      this.changed();
    };
    if (missing) return fail(missing);
    try {
      if (data) {
        const mesh = readMesh(format, fromBase64(data));
        if (mesh instanceof Promise) later(mesh);
        else show(mesh);
      } else if (page.mesh) {
        later(page.mesh(i).then((bytes) => readMesh(format, bytes)));
      } else {
        fail("is too large for a page, hamiltree view shows it");
      }
    } catch (error) {
      fail(error);
    }
  }

  // A body of which nothing is drawn is one without looks.
  private forget(body: number) {
    if (this.parts.get(body)?.children.length === 0) this.bodies.delete(body);
  }

  private material(visual: Visual): THREE.MeshLambertMaterial {
    const [r, g, b, a] = visual.rgba ?? kGrey;
    const material = new THREE.MeshLambertMaterial({
      opacity: a, transparent: a < 1, depthWrite: a === 1,
      side: visual.shape === "mesh" ? THREE.DoubleSide : THREE.FrontSide,
    });
    const own = new THREE.Color().setRGB(r, g, b, THREE.SRGBColorSpace);
    this.painted.push({ body: visual.body, material, own });
    return material;
  }

  private addShape(visual: Visual, geometry: THREE.BufferGeometry, own = true) {
    this.geometries.push(geometry);
    this.put(visual, new THREE.Mesh(geometry, this.material(visual)), !own);
  }

  // With its own colours, unless the model says another one.
  private addObject(visual: Visual, object: THREE.Object3D) {
    object.traverse((part) => {
      if (!(part instanceof THREE.Mesh)) return;
      this.geometries.push(part.geometry);
      this.ofFiles.push(part);
      if (visual.rgba) {
        part.material = this.material(visual);
        return;
      }
      const copy = (old: THREE.MeshLambertMaterial) => {
        if (old.name === THREE.Loader.DEFAULT_MATERIAL_NAME) return this.material(visual);
        const material = old.clone();
        this.painted.push({ body: visual.body, material, own: old.color.clone() });
        return material;
      };
      part.material = Array.isArray(part.material) ? part.material.map(copy) : copy(part.material);
    });
    const holder = new THREE.Group();
    holder.add(object);
    this.put(visual, holder, true);
  }

  private put({ body, position, quat_wxyz: [w, x, y, z], size }: Visual, object: THREE.Object3D,
              scaled: boolean) {
    object.position.set(...position);
    object.quaternion.set(x, y, z, w);
    if (scaled) object.scale.set(size[0], size[1], size[2]);
    object.updateMatrix();
    object.updateMatrixWorld(true);
    const box = new THREE.Box3().setFromObject(object);
    object.matrixAutoUpdate = false;
    this.parts.get(body)!.add(object);
    if (box.isEmpty()) return;
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k): Vec =>
      [(k & 1 ? box.max : box.min).x, (k & 2 ? box.max : box.min).y, (k & 4 ? box.max : box.min).z]);
    this.corners.set(body, [...(this.corners.get(body) ?? []), ...corners]);
  }

  update(X: Placement[]) {
    this.parts.forEach((part, body) => {
      if (body < 0) return;
      const { R, r } = X[body];
      part.visible = Number.isFinite(r[0]);
      writeMatrix(part.matrix.elements, 0, [R[0], R[3], R[6]], [R[1], R[4], R[7]],
                  [R[2], R[5], R[8]], r);
      part.matrixWorldNeedsUpdate = true;
      this.shadows.get(body)?.matrix.copy(part.matrix);
    });
  }

  // Bodies that move, to be flattened onto a floor, in one colour; nothing of too many triangles.
  shadow(material: THREE.Material): THREE.Group {
    this.shadows.clear();
    const shadow = new THREE.Group();
    if (this.triangles > (this.quick ? kMostQuickShadow : kMostShadow)) return shadow;
    this.parts.forEach((part, body) => {
      if (body < 0) return;
      const flat = part.clone();
      flat.traverse((thing) => {
        if (thing instanceof THREE.Mesh) thing.material = material;
      });
      this.shadows.set(body, flat);
      shadow.add(flat);
    });
    return shadow;
  }

  private get triangles() {
    return this.geometries.reduce((sum, geometry) => sum + trianglesOf(geometry), 0);
  }

  // Each mesh of a file gives up the same share of its triangles.
  private thin() {
    if (!this.quick) return;
    const all = this.ofFiles.reduce((sum, { geometry }) => sum + trianglesOf(geometry), 0);
    if (all <= kMostQuick) return;
    const coarse = new Map<THREE.BufferGeometry, THREE.BufferGeometry>();
    this.ofFiles.forEach((part) => {
      const whole = part.geometry;
      if (!coarse.has(whole)) {
        coarse.set(whole, thinned(whole, trianglesOf(whole) * kMostQuick / all));
      }
      part.geometry = coarse.get(whole)!;
      if (part.geometry !== whole) whole.dispose();
    });
    this.geometries = this.geometries.map((geometry) => coarse.get(geometry) ?? geometry);
  }

  // Colours of a plan come before a body's own; all but a chosen body are faint.
  paint(ofPlan: THREE.Color[] | undefined, chosen: number, soft: THREE.Color) {
    for (const { body, material, own } of this.painted) {
      material.color.copy(body >= 0 && ofPlan ? ofPlan[body] : own);
      if (!ofPlan && chosen >= 0 && chosen !== body) material.color.lerp(soft, 0.75);
    }
  }

  dispose() {
    this.gone = true;
    this.geometries.forEach((geometry) => geometry.dispose());
    this.painted.forEach(({ material }) => material.dispose());
    this.group.removeFromParent();
  }
}

// Points that the picture must hold, of bodies that move.
export function pointsToShow(looks: Looks, motion: Motion): Vec[][] {
  return motion.report.bodies.map((_, body) => looks.corners.get(body) ?? []);
}
