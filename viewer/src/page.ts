// The page of a report, as the viewer sees it. The page's own scripts, in
// src/hamiltree/io/export/report, are shared with the simple replay; data: docs/formats/recording.md.

export type Vec = [number, number, number];
export type Quat = [number, number, number, number];  // w, x, y, z

export interface JointShape {
  name: string;
  type: string;
  parent: number;  // bodies; -1 is the ground
  child: number;
  at_parent: Vec;  // m, in the body's frame
  at_child: Vec;
  axis: Vec;       // in the child's frame
  closes_loop: boolean;
  not_unique: string[];
}

export interface Compound {
  body?: number;
  left?: number;
  right?: number;
  depth: number;
  eliminated: number[];
  closes_loop?: boolean;
}

export interface Visual {
  body: number;     // -1 is the ground
  shape: "box" | "cylinder" | "capsule" | "ellipsoid" | "mesh";
  size: Vec;        // m: edges; radius and length; radii; of a mesh its scale
  position: Vec;    // of the shape, in the body's frame
  quat_wxyz: Quat;
  rgba?: [number, number, number, number];
  mesh?: number;    // of the meshes
}

export interface MeshData {
  file: string;
  format: "triangles" | "gltf" | "collada";
  data?: string;     // base64; what is too large is served
  missing?: string;  // why it cannot be drawn
}

export interface Report {
  model: string;
  name?: string;  // of a run beside another
  planar: boolean;
  gravity: Vec;
  length: number;
  t: number[];
  ground: Vec[];
  bodies: { name: string; com: Vec; handles: Vec[] }[];
  summary: { formulation: string };
  // Only of runs whose model was known:
  joints?: JointShape[];
  visuals?: Visual[];
  meshes?: MeshData[];
  plan?: { compounds: Compound[]; lanes: [number, number][] };
  reactions?: (number | null)[][];
  gaps?: (number | null)[][];
}

export interface Trace {
  name: string;
  points: Vec[];
}

export interface Motion {
  report: Report;
  traces: Trace[];
  spanned: Vec[][];  // points that a body is drawn between, by body, in its frame
  pose(body: number, frame: number): [Vec, Quat];
  distinct(points: Vec[]): Vec[];
  toWorld(body: number, frame: number, point: Vec): Vec;
  bounds(): { low: Vec; high: Vec };
  linkLength(): number;
}

export interface Clock {
  t: number[];
  frame: number;
  first: number;  // samples between which it goes
  last: number;
  speed: number;
  playing: boolean;
  seek(frame: number): void;
  seekTime(time: number): void;
  toggle(): void;
}

export interface Page {
  canvas: HTMLCanvasElement;
  view: HTMLElement;   // holds the canvas
  panel: HTMLElement;  // for the viewer's own controls
  clock: Clock;
  bodies: number;
  meshes: number;
  colour(name: string): string;  // of the page's theme, now
  beside(text: string, name: string): void;
  mesh?(i: number): Promise<ArrayBuffer>;  // of the first run, where it is served
}
