// Many bars as one mesh whose corners are computed here: a renderer in software draws every instance
// of an instanced mesh by itself, which for a thousand bodies takes most of the time.

import * as THREE from "three";
import type { Vec } from "./page";

const kSides = 6;
const kCircle = Array.from({ length: kSides }, (_, k) =>
  [Math.cos((2 * Math.PI * k) / kSides), Math.sin((2 * Math.PI * k) / kSides)]);

export class Prisms {
  readonly mesh: THREE.Mesh;
  private positions: THREE.BufferAttribute;
  private colours: THREE.BufferAttribute;

  // The material needs vertexColors and flatShading.
  constructor(count: number, material: THREE.Material) {
    const corners = 2 * kSides;
    const geometry = new THREE.BufferGeometry();
    const numbers = () => new THREE.BufferAttribute(new Float32Array(3 * corners * count), 3);
    geometry.setAttribute("position", (this.positions = numbers()));
    geometry.setAttribute("color", (this.colours = numbers()));
    const index: number[] = [];
    for (let i = 0; i < count; i += 1) {
      for (let k = 0; k < kSides; k += 1) {
        const [a, b] = [corners * i + 2 * k, corners * i + 2 * ((k + 1) % kSides)];
        index.push(a, b, a + 1, b, b + 1, a + 1);
      }
    }
    geometry.setIndex(index);
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
  }

  // u and w: across, as long as the prism is wide.
  place(i: number, middle: Vec, along: Vec, u: Vec, w: Vec) {
    const to = this.positions.array as Float32Array;
    let at = 6 * kSides * i;
    for (const [cosine, sine] of kCircle) {
      for (const end of [-0.5, 0.5]) {
        for (let c = 0; c < 3; c += 1) {
          to[at++] = middle[c] + end * along[c] + cosine * u[c] + sine * w[c];
        }
      }
    }
  }

  paint(i: number, { r, g, b }: THREE.Color) {
    for (let k = 2 * kSides * i; k < 2 * kSides * (i + 1); k += 1) this.colours.setXYZ(k, r, g, b);
    this.colours.needsUpdate = true;
  }

  placed() {
    this.positions.needsUpdate = true;
  }

  dispose() {
    this.mesh.geometry.dispose();
  }
}
