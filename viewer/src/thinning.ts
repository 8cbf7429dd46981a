// Geometries of glTF and Collada with fewer triangles, where the processor draws: as STL and OBJ are
// thinned before they come (src/hamiltree/io/export/mesh_data.hpp).

import * as THREE from "three";
import { smooth } from "./meshes";

const kFinest = 1024;  // cells along the longest side
const kCoarser = 1.4;

export function trianglesOf({ index, attributes }: THREE.BufferGeometry): number {
  return (index ?? attributes.position).count / 3;
}

interface Range {
  start: number;
  count: number;
  materialIndex?: number;
}

// Vertices in one cell of a grid become one, where their middle is; triangles that lose a corner go.
function onGrid(geometry: THREE.BufferGeometry, box: THREE.Box3, cell: number) {
  const { index, attributes: { position } } = geometry;
  const cells = new Map<number, number>();
  const sums: number[] = [];
  const members: number[] = [];
  const cellOf = new Uint32Array(position.count);
  const x = new THREE.Vector3();
  for (let i = 0; i < position.count; i += 1) {
    x.fromBufferAttribute(position, i);
    const [a, b, c] = x.clone().sub(box.min).divideScalar(cell).floor().toArray();
    const key = a + (kFinest + 1) * (b + (kFinest + 1) * c);
    let at = cells.get(key);
    if (at === undefined) {
      at = members.length;
      cells.set(key, at);
      members.push(0);
      sums.push(0, 0, 0);
    }
    members[at] += 1;
    sums[3 * at] += x.x;
    sums[3 * at + 1] += x.y;
    sums[3 * at + 2] += x.z;
    cellOf[i] = at;
  }
  const corners: number[] = [];
  const all: Range = { start: 0, count: 3 * trianglesOf(geometry) };
  const ranges = (geometry.groups.length > 0 ? geometry.groups : [all]).map((group: Range) => {
    const start = corners.length;
    const end = Math.min(group.start + group.count, all.count);
    for (let k = group.start; k + 2 < end; k += 3) {
      const [a, b, c] = [k, k + 1, k + 2].map((corner) => cellOf[index ? index.getX(corner) : corner]);
      if (a !== b && b !== c && c !== a) corners.push(a, b, c);
    }
    return { start, count: corners.length - start, materialIndex: group.materialIndex };
  });
  return { vertices: Float32Array.from(sums, (sum, i) => sum / members[Math.floor(i / 3)]),
           corners: Uint32Array.from(corners), ranges };
}

// At most so many triangles; itself, where it has no more, or a colour at each vertex.
export function thinned(geometry: THREE.BufferGeometry, most: number): THREE.BufferGeometry {
  if (trianglesOf(geometry) <= most || geometry.hasAttribute("color")) return geometry;
  const box = new THREE.Box3().setFromBufferAttribute(
    geometry.attributes.position as THREE.BufferAttribute);
  const size = box.getSize(new THREE.Vector3());
  for (let cell = Math.max(size.x, size.y, size.z) / kFinest; cell > 0; cell *= kCoarser) {
    const { vertices, corners, ranges } = onGrid(geometry, box, cell);
    if (corners.length / 3 > most) continue;
    const coarse = smooth(vertices, corners);
    if (geometry.groups.length > 0) {
      ranges.forEach(({ start, count, materialIndex }) => coarse.addGroup(start, count, materialIndex));
    }
    return coarse;
  }
  return geometry;
}
