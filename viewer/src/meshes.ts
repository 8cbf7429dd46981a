// Meshes of the data of a report, made into what three.js draws: its own loaders for glTF and
// Collada, a compact form for triangles of STL and OBJ (src/hamiltree/io/export/mesh_data.hpp).

import * as THREE from "three";
import { ColladaLoader } from "three/examples/jsm/loaders/ColladaLoader.js";
import { GLTFLoader, type GLTFParser } from "three/examples/jsm/loaders/GLTFLoader.js";
import type { MeshData } from "./page";

const kCrease = Math.cos(0.6);  // edges that turn by more stay sharp
const kSame = Math.cos(0.02);   // normals that turn by less are one
const kOnePixel = "data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==";

export function fromBase64(text: string): ArrayBuffer {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i += 1) bytes[i] = raw.charCodeAt(i);
  return bytes.buffer;
}

// The normal at each corner of each triangle: that of the triangles around the vertex that are not
// beyond a sharp edge, by their areas.
function creasedNormals(vertices: Float32Array, corners: Uint32Array): Float32Array {
  const count = corners.length / 3;
  const face = new Float32Array(corners.length);  // twice the area, as a vector
  const next = new Int32Array(corners.length);    // list of corners at one vertex
  const first = new Int32Array(vertices.length / 3).fill(-1);
  const [a, b, c] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
  for (let t = 0; t < count; t += 1) {
    [a, b, c].forEach((p, k) => p.fromArray(vertices, 3 * corners[3 * t + k]));
    b.sub(a).cross(c.sub(a)).toArray(face, 3 * t);
    for (let k = 3 * t; k < 3 * t + 3; k += 1) {
      next[k] = first[corners[k]];
      first[corners[k]] = k;
    }
  }
  const normals = new Float32Array(3 * corners.length);
  for (let k = 0; k < corners.length; k += 1) {
    a.fromArray(face, 3 * Math.floor(k / 3));
    c.set(0, 0, 0);
    for (let other = first[corners[k]]; other >= 0; other = next[other]) {
      b.fromArray(face, 3 * Math.floor(other / 3));
      if (a.dot(b) >= kCrease * a.length() * b.length()) c.add(b);
    }
    c.normalize().toArray(normals, 3 * k);
  }
  return normals;
}

// Corners of one vertex that have one normal become one: a renderer in software pays for each.
function shared(vertices: Float32Array, corners: Uint32Array, normals: Float32Array) {
  const positions: number[] = [];
  const directions: number[] = [];
  const next: number[] = [];
  const first = new Int32Array(vertices.length / 3).fill(-1);
  const index = corners.map((vertex, k) => {
    const [x, y, z] = normals.subarray(3 * k, 3 * k + 3);
    const is = (at: number) => x * directions[3 * at] + y * directions[3 * at + 1] +
      z * directions[3 * at + 2] > kSame;
    let at = first[vertex];
    while (at >= 0 && !is(at)) at = next[at];
    if (at < 0) {
      at = next.length;
      positions.push(...vertices.subarray(3 * vertex, 3 * vertex + 3));
      directions.push(x, y, z);
      next.push(first[vertex]);
      first[vertex] = at;
    }
    return at;
  });
  return { index, positions, directions };
}

// With the normals of its triangles, smooth but for sharp edges.
export function smooth(vertices: Float32Array, corners: Uint32Array): THREE.BufferGeometry {
  const { index, positions, directions } =
    shared(vertices, corners, creasedNormals(vertices, corners));
  const geometry = new THREE.BufferGeometry();
  geometry.setIndex(new THREE.BufferAttribute(index, 1));
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new THREE.Float32BufferAttribute(directions, 3));
  return geometry;
}

export function unpackTriangles(data: ArrayBuffer): THREE.BufferGeometry {
  const [count, triangles] = new Uint32Array(data, 0, 2);
  const box = new Float32Array(data, 8, 6);
  const steps = new Uint16Array(data, 32, 3 * count);
  const after = 32 + 6 * count + (count % 2 ? 2 : 0);
  const corners = new Uint32Array(data, after, 3 * triangles);
  const vertices = new Float32Array(3 * count);
  for (let i = 0; i < vertices.length; i += 1) {
    vertices[i] = box[i % 3] + (box[3 + (i % 3)] * steps[i]) / 65535;
  }
  return smooth(vertices, corners);
}

// Surfaces alone, with materials as the picture lights them, without their pictures.
function plainly(object: THREE.Object3D): THREE.Object3D {
  const lines: THREE.Object3D[] = [];
  object.traverse((part) => {
    if (part instanceof THREE.Line || part instanceof THREE.Points) lines.push(part);
  });
  lines.forEach((line) => line.removeFromParent());
  object.traverse((part) => {
    if (!(part instanceof THREE.Mesh)) return;
    const plain = (old: THREE.Material) => {
      const { name, color, opacity, transparent } = old as THREE.MeshLambertMaterial;
      return new THREE.MeshLambertMaterial({
        name, color: color ?? 0xcccccc, opacity, transparent, side: THREE.DoubleSide,
        vertexColors: part.geometry.hasAttribute("color") });
    };
    part.material = Array.isArray(part.material) ? part.material.map(plain) : plain(part.material);
    if (!part.geometry.hasAttribute("normal")) part.geometry.computeVertexNormals();
  });
  return object;
}

// As in ROS, the file's axes are those of the link, whatever it says is up.
function readCollada(data: ArrayBuffer): THREE.Object3D {
  const manager = new THREE.LoadingManager();
  manager.setURLModifier(() => kOnePixel);
  const text = new TextDecoder().decode(data).replace(/<up_axis>[^<]*</, "<up_axis>Y_UP<");
  const found = new ColladaLoader(manager).parse(text, "");
  if (!found) throw new Error("is no Collada");
  return found.scene;
}

// Buffers that stand in the file itself; the page may load no other.
class InFile {
  name = "hamiltree";
  private buffers = new Map<number, ArrayBuffer>();

  constructor(private parser: GLTFParser) {}

  loadTexture() {
    return Promise.resolve(null);
  }

  loadBufferView(index: number): Promise<ArrayBuffer> | null {
    const { buffers, bufferViews } = this.parser.json;
    const { buffer, byteOffset = 0, byteLength } = bufferViews[index];
    const { uri } = buffers[buffer];
    if (uri === undefined) return null;
    const inside = /^data:[^,]*;base64,/.exec(uri);
    if (!inside) return Promise.reject(new Error("has its numbers in a file that cannot be read"));
    if (!this.buffers.has(buffer)) this.buffers.set(buffer, fromBase64(uri.slice(inside[0].length)));
    return Promise.resolve(this.buffers.get(buffer)!.slice(byteOffset, byteOffset + byteLength));
  }
}

// Up is y in glTF and z in the formats of robots.
async function readGltf(data: ArrayBuffer): Promise<THREE.Object3D> {
  const loader = new GLTFLoader();
  loader.register((parser) => new InFile(parser) as never);
  const { scene } = await loader.parseAsync(data, "");
  const upright = new THREE.Group();
  upright.rotation.x = Math.PI / 2;
  upright.add(scene);
  return upright;
}

export type Drawable = THREE.BufferGeometry | THREE.Object3D;

// Triangles at once, for the picture is framed by them; the others later.
export function readMesh(format: MeshData["format"], data: ArrayBuffer): Drawable | Promise<Drawable> {
  if (format === "triangles") return unpackTriangles(data);
  if (format === "collada") return plainly(readCollada(data));
  return readGltf(data).then(plainly);
}
