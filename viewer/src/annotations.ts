// Writing over the scene, on a canvas of its own: names, axes, scale bar. Text is drawn as
// text, whatever it says.

import type { Eye } from "./eye";
import type { Vec } from "./page";
import { norm, times } from "./vectors";
import { niceStep } from "./surroundings";

export interface Label {
  at: Vec;
  text: string;
  strong?: boolean;
}

export interface Ink {
  ink: string;
  soft: string;
  card: string;
}

const kFont = "12px system-ui, 'DejaVu Sans', sans-serif";

// A number with three digits.
export function short(x: number): string {
  if (!Number.isFinite(x)) return "not a number";
  const plain = Math.abs(x) >= 1e-3 && Math.abs(x) < 1e5;
  const text = x === 0 ? "0" : plain ? String(+x.toPrecision(3)) : x.toExponential(1);
  return text.replace(/-/g, "\u2212");
}

export class Annotations {
  private context: CanvasRenderingContext2D;
  private width = 1;
  private height = 1;
  private written = "";
  private taken: { from: number; to: number; y: number }[] = [];

  constructor(readonly canvas: HTMLCanvasElement) {
    this.context = canvas.getContext("2d")!;
  }

  resize(width: number, height: number, ratio: number) {
    [this.width, this.height] = [width, height];
    [this.canvas.width, this.canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  // Only where something is written otherwise than before.
  draw(eye: Eye, gravity: Vec, labels: Label[], ink: Ink) {
    const placed = labels.map(({ at, ...label }) => ({ ...label, at: eye.project(at) }));
    const state = JSON.stringify([placed, ink, eye.perPixel(), eye.direction([1, 0, 0]),
                                  eye.direction([0, 1, 0]), this.canvas.width, this.canvas.height]);
    if (state === this.written) return;
    this.written = state;
    this.context.clearRect(0, 0, this.width, this.height);
    this.drawScaleBar(eye, ink);
    this.drawAxes(eye, gravity, ink);
    this.taken = [];
    for (const { at: [x, y], text, strong } of
         placed.sort((a, b) => Number(!a.strong) - Number(!b.strong))) {
      if (Number.isFinite(x)) this.tag(text, x, y, strong ? ink.ink : ink.soft, ink.card);
    }
  }

  // Text beside a point, with a rim that keeps it readable on anything; left out where another text
  // is already.
  private tag(text: string, x: number, y: number, colour: string, rim: string) {
    const c = this.context;
    c.font = kFont;
    const shown = text.length > 40 ? `${text.slice(0, 39)}\u2026` : text;
    const { width } = c.measureText(shown);
    const left = x + 10 + width > this.width;
    const box = { from: left ? x - 8 - width : x + 8, to: left ? x - 8 : x + 8 + width, y };
    if (this.taken.some((t) => t.from < box.to && box.from < t.to && Math.abs(t.y - y) < 15)) return;
    this.taken.push(box);
    Object.assign(c, { textAlign: left ? "right" : "left", textBaseline: "middle",
                       lineJoin: "round", lineWidth: 3.5, strokeStyle: rim, fillStyle: colour });
    const from = x + (left ? -8 : 8);
    c.strokeText(shown, from, y - 9);
    c.fillText(shown, from, y - 9);
  }

  private text(label: string, x: number, y: number, colour: string) {
    Object.assign(this.context, { font: kFont, textAlign: "center", textBaseline: "middle",
                                  fillStyle: colour });
    this.context.fillText(label, x, y);
  }

  private line(points: [number, number][], colour: string) {
    const c = this.context;
    c.beginPath();
    points.forEach(([x, y], i) => (i === 0 ? c.moveTo(x, y) : c.lineTo(x, y)));
    Object.assign(c, { strokeStyle: colour, lineWidth: 1.5, lineCap: "round", lineJoin: "round" });
    c.stroke();
  }

  private arrow(x: number, y: number, dx: number, dy: number, colour: string) {
    const length = Math.hypot(dx, dy);
    if (length < 4) return;
    const [ux, uy] = [dx / length, dy / length];
    const [tx, ty] = [x + dx, y + dy];
    this.line([[x, y], [tx, ty]], colour);
    this.line([[tx - 6 * ux + 3.5 * uy, ty - 6 * uy - 3.5 * ux], [tx, ty],
               [tx - 6 * ux - 3.5 * uy, ty - 6 * uy + 3.5 * ux]], colour);
  }

  private drawAxes(eye: Eye, gravity: Vec, { soft }: Ink) {
    const [x, y] = [34, this.height - 34];
    const names = eye.planar ? ["x", "y"] : ["x", "y", "z"];
    names.forEach((name, i) => {
      const unit: Vec = [0, 0, 0];
      unit[i] = 1;
      const [dx, dy] = eye.direction(unit);
      this.arrow(x, y, 22 * dx, 22 * dy, soft);
      this.text(name, x + 31 * dx, y + 31 * dy, soft);
    });
    if (norm(gravity) === 0) return;
    const [dx, dy] = eye.direction(times(1 / norm(gravity), gravity));
    const [gx, gy] = [this.width - 26, 24];
    this.arrow(gx, gy, 24 * dx, 24 * dy, soft);
    this.text("g", gx + 24 * dx + 10, gy + 24 * dy, soft);
  }

  private drawScaleBar(eye: Eye, { ink, soft }: Ink) {
    const size = niceStep(0.2 * Math.min(this.width, 700) * eye.perPixel(), 1);
    const pixels = size / eye.perPixel();
    const [right, y] = [this.width - 16, this.height - 16];
    this.line([[right - pixels, y - 4], [right - pixels, y], [right, y], [right, y - 4]], ink);
    this.text(`${short(size)} m`, right - pixels / 2, y - 12, soft);
  }
}
