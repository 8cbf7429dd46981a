// Arrows in the scene: reactions and open loops. What is not unique has a shaft of dashes, so that
// it can be told without its colour.

import * as THREE from "three";
import type { Vec } from "./page";
import { across, add, cross, norm, sub, times, writeMatrix } from "./vectors";

export interface Arrow {
  from: Vec;
  vector: Vec;  // as long as it is to be drawn, m
  dashed: boolean;
}

const kHead = 4.2;  // its length, in radii of the shaft times its own radius

export class Arrows {
  readonly group = new THREE.Group();
  private meshes: Record<"whole" | "dashed" | "head" | "hollow", THREE.InstancedMesh>;

  constructor(private most: number, readonly whole: THREE.MeshBasicMaterial,
              readonly dashed: THREE.MeshBasicMaterial) {
    const shaft = (from: number, to: number) =>
      new THREE.CylinderGeometry(1, 1, to - from, 8, 1).translate(0, (from + to) / 2, 0);
    const dashes = merged([shaft(0, 0.2), shaft(0.4, 0.6), shaft(0.8, 1)]);
    const head = new THREE.ConeGeometry(2.3, 1, 12).translate(0, 0.5, 0);
    const make = (geometry: THREE.BufferGeometry, material: THREE.Material) => {
      const mesh = new THREE.InstancedMesh(geometry, material, Math.max(most, 1));
      mesh.frustumCulled = false;
      mesh.renderOrder = 10;
      this.group.add(mesh);
      return mesh;
    };
    this.meshes = { whole: make(shaft(0, 1), whole), dashed: make(dashes, dashed),
                    head: make(head, whole), hollow: make(head, dashed) };
  }

  show(arrows: Arrow[], radius: number) {
    const counts = { whole: 0, dashed: 0, head: 0, hollow: 0 };
    const base: Vec = arrows[0]?.from ?? [0, 0, 0];
    this.group.position.set(...base);
    for (const { from, vector, dashed } of arrows.slice(0, this.most)) {
      const length = norm(vector);
      if (!(length > 0.5 * radius)) continue;
      const along = times(1 / length, vector);
      const u = across(along);
      const w = cross(u, along);
      const head = Math.min(kHead * radius, 0.6 * length);
      const thick = Math.min(radius, head / kHead);
      const put = (name: keyof typeof counts, at: number, tall: number) => {
        writeMatrix(this.meshes[name].instanceMatrix.array as Float32Array, counts[name]++,
                    times(thick, u), times(tall, along), times(thick, w),
                    add(sub(from, base), times(at, along)));
      };
      put(dashed ? "dashed" : "whole", 0, length - head);
      put(dashed ? "hollow" : "head", length - head, head);
    }
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) {
      this.meshes[name].count = counts[name];
      this.meshes[name].instanceMatrix.needsUpdate = true;
    }
  }

  dispose() {
    for (const mesh of Object.values(this.meshes)) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
    this.group.removeFromParent();
  }
}

function merged(parts: THREE.BufferGeometry[]): THREE.BufferGeometry {
  const flat = parts.map((part) => part.toNonIndexed());
  const positions = flat.flatMap((part) => [...part.getAttribute("position").array]);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  return geometry;
}

export const arrowMaterial = () =>
  new THREE.MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.95 });
