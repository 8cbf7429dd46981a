// The picture: mechanism, surroundings and overlays at the sample that the clock points at. Drawn
// when something changes, never idly.

import * as THREE from "three";
import { Annotations, type Label, short } from "./annotations";
import { arrowMaterial, Arrows } from "./arrows";
import { bodyColours } from "./colours";
import { Course } from "./course";
import { addHands, Eye } from "./eye";
import { Figure, kMany } from "./figure";
import { Gaps, Reactions } from "./loads";
import { Looks, pointsToShow } from "./looks";
import type { Motion, Page, Trace, Vec } from "./page";
import { PlanOverlay } from "./plan";
import { grid, gridStep, groundPins, ontoFloor, Path } from "./surroundings";
import { add, clamp, dot, norm, type Placement, placed, placements, sub, times } from "./vectors";

const kMostNames = 60;

// Whether one view can stand for the other, as when a run has gone on a little.
const near = (a: Eye, b: Eye) =>
  a.planar === b.planar && norm(sub(a.centre, b.centre)) < 0.02 * b.size &&
  Math.abs(a.size - b.size) < 0.04 * b.size;

export class Stage {
  readonly layers = { looks: true, forces: false, gaps: false, plan: false, names: false };
  motion!: Motion;
  eye?: Eye;
  plan!: PlanOverlay;
  chosen = -1;  // body
  told: (text: string) => void = () => {};

  private renderer: THREE.WebGLRenderer;
  private scene = new THREE.Scene();
  private annotations: Annotations;
  private course!: Course;
  private figure?: Figure;
  private looks?: Looks;
  private second?: { motion: Motion; figure: Figure };
  private path = new Path();
  private shown?: Trace;
  private reactions!: Reactions;
  private gaps!: Gaps;
  private arrows?: { forces: Arrows; gaps: Arrows };
  private pins?: ReturnType<typeof groundPins>;
  private lines!: ReturnType<typeof grid>;
  private flat?: THREE.Object3D;
  private perLoad: { dispose(): void }[] = [];
  private around: { dispose(): void }[] = [];  // floor, shadow and pins
  private materials = {
    grid: new THREE.LineBasicMaterial(),
    shadow: new THREE.MeshBasicMaterial(),
    ground: new THREE.MeshLambertMaterial({ side: THREE.DoubleSide }),
    force: arrowMaterial(), open: arrowMaterial(), gap: arrowMaterial(),
  };
  private sun = new THREE.DirectionalLight(0xffffff, 1.7);
  private hovered = -1;
  private wanted = false;
  private link = 1;

  // `quick`: drawn by the processor, which has too much to draw for smooth edges and large shadows.
  constructor(readonly page: Page, private quick: boolean) {
    this.renderer = new THREE.WebGLRenderer({ canvas: page.canvas, antialias: !quick });
    const over = document.createElement("canvas");
    over.className = "over";
    page.view.append(over);
    this.annotations = new Annotations(over);
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0xc8c8d0, 2.2), this.sun, this.path.group);
    addHands(page.canvas, () => this.eye, () => this.later(), (x, y) => this.hover(x, y));
    new ResizeObserver(() => this.draw()).observe(page.view);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.dress();
      this.draw();
    });
  }

  // The first run is the picture, the second one a ghost in it. The view stays as it was turned.
  load([motion, second]: Motion[]) {
    this.unload();
    this.motion = motion;
    const { report } = motion;
    this.link = motion.linkLength();
    this.looks = new Looks(report, this.page, this.quick, () => this.lookAgain());
    this.scene.add(this.looks.group);
    this.frameAll();
    this.makeFigure();
    if (second) {
      this.second = { motion: second, figure: new Figure(second, true) };
      this.scene.add(this.second.figure.group);
    }
    this.plan = new PlanOverlay(report);
    this.reactions = new Reactions(report);
    this.gaps = new Gaps(motion);
    this.addSurroundings();
    this.addArrows();
    this.trace = motion.traces[0];
    this.dress();
  }

  // A view of all that moves; it stays as it was turned where it is almost the same.
  private frameAll() {
    const { report } = this.motion;
    this.course = new Course(this.motion, pointsToShow(this.looks!, this.motion),
                             this.looks!.corners.get(-1) ?? []);
    const fresh = new Eye(this.course.box, report.planar, report.gravity, 0.25 * this.link);
    if (!this.eye || !near(this.eye, fresh)) this.eye = fresh;
  }

  get hasLooks() {
    return this.looks !== undefined && !this.looks.empty;
  }

  // The skeleton, of all bodies or of those without looks.
  private makeFigure() {
    this.figure?.dispose();
    const hidden = this.layers.looks && this.hasLooks ? this.looks!.bodies : undefined;
    this.figure = new Figure(this.motion, false, hidden);
    this.scene.add(this.figure.group);
  }

  showLooks() {
    this.makeFigure();
    this.removeSurroundings();
    this.addSurroundings();
  }

  // A mesh has come that took its time.
  private lookAgain() {
    this.frameAll();
    this.showLooks();
    this.dress();
    this.later();
  }

  private removeSurroundings() {
    this.around.forEach((thing) => thing.dispose());
    this.around = [];
  }

  private unload() {
    this.removeSurroundings();
    this.figure?.dispose();
    this.figure = undefined;
    this.looks?.dispose();
    this.second?.figure.dispose();
    this.second = undefined;
    this.perLoad.forEach((thing) => thing.dispose());
    this.perLoad = [];
  }

  private addSurroundings() {
    const eye = this.eye!;
    const { report } = this.motion;
    const lines = grid(eye, 4 * this.radius(), this.materials.grid);
    this.pins = groundPins(report.ground, eye, this.materials.ground);
    this.lines = lines;
    this.scene.add(lines.mesh, this.pins.mesh);
    this.around.push({ dispose: () => {
      for (const thing of [lines.mesh, this.pins!.mesh]) {
        thing.geometry.dispose();
        thing.removeFromParent();
      }
    } });
    this.flat = undefined;
    if (eye.planar || report.bodies.length > kMany) return;
    const shadow = this.figure!.shadow(this.materials.shadow);
    if (this.layers.looks) shadow.add(this.looks!.shadow(this.materials.shadow));
    shadow.matrixAutoUpdate = false;
    this.flat = shadow;
    this.scene.add(shadow);
    this.around.push({ dispose: () => shadow.removeFromParent() });
  }

  private addArrows() {
    const { joints = [] } = this.motion.report;
    this.arrows = {
      forces: new Arrows(joints.length, this.materials.force, this.materials.open),
      gaps: new Arrows(joints.length, this.materials.gap, this.materials.gap),
    };
    for (const arrows of Object.values(this.arrows)) {
      this.scene.add(arrows.group);
      this.perLoad.push(arrows);
    }
  }

  set trace(trace: Trace | undefined) {
    this.shown = trace;
    this.showPath();
  }

  private showPath() {
    const { planar, t, bodies } = this.motion.report;
    const { chosen } = this;
    const points = chosen < 0 ? this.shown?.points ?? []
      : t.map((_, k) => this.motion.toWorld(chosen, k, bodies[chosen].com));
    this.path.show(points, planar ? 12 * this.radius() : 0);
  }

  choose(body: number) {
    this.chosen = body;
    this.showPath();
    this.dress();
    this.draw();
  }

  // Bars are never thinner than can be seen.
  private radius() {
    return Math.max(0.075 * this.link, 1.5 * (this.eye?.perPixel() ?? 0));
  }

  // --- colours ---

  private colour(name: string) {
    return new THREE.Color(this.page.colour(name));
  }

  // After any change of theme, plan or choice.
  dress() {
    if (!this.figure) return;  // nothing was recorded
    const { bodies } = this.motion.report;
    const level = this.layers.plan && !this.plan.empty ? this.plan.levels[this.plan.level] : null;
    const colours = bodyColours(bodies.length, level, this.chosen, (name) => this.colour(name));
    this.figure.paint(colours, this.colour("pin"));
    this.looks!.paint(level ? colours : undefined, this.chosen, this.colour("steel"));
    const ghost = this.colour("ink");
    this.second?.figure.paint(this.second.motion.report.bodies.map(() => ghost), ghost);
    this.renderer.setClearColor(this.colour("card"));
    const { materials } = this;
    materials.grid.color = this.colour("grid");
    materials.shadow.color = this.colour("shadow");
    materials.ground.color = this.colour("steel");
    materials.force.color = this.colour("force");
    materials.open.color = this.colour("open");
    materials.gap.color = this.colour("bad");
    this.path.bright.color = this.colour("curve-1");
    this.path.faint.color = this.colour("curve-1").lerp(this.colour("card"), 0.6);
  }

  // --- drawing ---

  private later() {
    if (this.wanted) return;
    this.wanted = true;
    requestAnimationFrame(() => {
      this.wanted = false;
      this.draw();
    });
  }

  draw() {
    const { eye, figure, page } = this;
    if (!eye || !figure) return;
    const [width, height] = [page.view.clientWidth, page.view.clientHeight];
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const size = this.renderer.getSize(new THREE.Vector2());
    if (size.x !== width || size.y !== height || this.renderer.getPixelRatio() !== ratio) {
      this.renderer.setPixelRatio(ratio);
      this.renderer.setSize(width, height, false);
      this.annotations.resize(width, height, ratio);
    }
    const { frame } = page.clock;
    eye.resize(width, height);
    this.follow(this.course.at(frame));
    eye.place();
    const radius = this.radius();
    const X = placements(this.motion, frame);
    figure.update(X, radius, this.link > 9 * eye.perPixel());
    const looks = this.looks!;
    looks.group.visible = this.layers.looks;
    this.pins!.mesh.visible = !(looks.group.visible && looks.bodies.has(-1));
    looks.update(X);
    this.updateSecond(radius);
    this.pins!.place(clamp(radius, 0, 6 * eye.perPixel()));
    this.path.update(frame, width, height);
    this.showArrows(frame, X);
    this.light();
    this.renderer.render(this.scene, eye.camera);
    this.annotations.draw(eye, this.motion.report.gravity, this.labels(frame, X),
                          { ink: page.colour("ink"), soft: page.colour("soft"),
                            card: page.colour("card") });
    this.told(this.words(frame, X));
  }

  // Camera and floor go along; the floor's lines stay where they are, so that travel is seen.
  private follow(to: Vec) {
    const eye = this.eye!;
    eye.shift = to;
    const step = gridStep(eye);
    const [e1, e2]: Vec[] = eye.planar ? [[1, 0, 0], [0, 1, 0]] : [eye.e1, eye.e2];
    const snapped = (axis: Vec) => times(Math.round(dot(to, axis) / step) * step, axis);
    const up: Vec = eye.planar ? [0, 0, 0] : times(dot(to, eye.up), eye.up);
    const { mesh, origin } = this.lines;
    mesh.position.set(...add(add(origin, up), add(snapped(e1), snapped(e2))));
    this.flat?.matrix.copy(ontoFloor(eye, dot(to, eye.up)));
  }

  private updateSecond(radius: number) {
    if (!this.second) return;
    const { clock } = this.page;
    const { motion, figure } = this.second;
    const { t } = motion.report;
    const now = clock.t[clock.frame];
    const next = t.findIndex((time) => time >= now);
    const isBefore = next > 0 && now - t[next - 1] < t[next] - now;
    const frame = next < 0 ? t.length - 1 : isBefore ? next - 1 : next;
    figure.update(placements(motion, frame), 1.15 * radius, false);
  }

  private showArrows(frame: number, X: Placement[]) {
    const eye = this.eye!;
    const { forces, gaps } = this.arrows!;
    const shaft = clamp(0.32 * this.radius(), 1.2 * eye.perPixel(), 2.5 * eye.perPixel());
    const height = eye.planar ? 12 * this.radius() : 0;
    const { layers } = this;
    forces.show(layers.forces && this.reactions.known
      ? this.reactions.arrows(frame, X, eye.size, height) : [], shaft);
    gaps.show(layers.gaps && this.gaps.count > 0
      ? this.gaps.arrows(frame, X, eye.size, height) : [], 1.3 * shaft);
  }

  // From over the viewer's left shoulder.
  private light() {
    const { camera } = this.eye!;
    this.sun.position.set(-0.5, 0.8, 1).applyQuaternion(camera.quaternion);
  }

  // --- words ---

  private middle(body: number, X: Placement[]): Vec {
    return placed(X[body], this.motion.report.bodies[body].com);
  }

  private labels(frame: number, X: Placement[]): Label[] {
    const { bodies } = this.motion.report;
    const labels: Label[] = [];
    const name = (b: number, strong: boolean) =>
      labels.push({ at: this.middle(b, X), text: bodies[b].name, strong });
    if (this.layers.names) {
      const step = Math.ceil(bodies.length / kMostNames);
      for (let b = 0; b < bodies.length; b += step) name(b, false);
    }
    if (this.layers.gaps && this.gaps.count > 0) labels.push(...this.gaps.labels(frame, X));
    if (this.hovered >= 0 && !this.layers.names) name(this.hovered, true);
    if (this.chosen >= 0 && this.chosen !== this.hovered) name(this.chosen, true);
    return labels;
  }

  private words(frame: number, X: Placement[]): string {
    const { layers } = this;
    const words: string[] = [];
    if (this.chosen >= 0) {
      const { planar, bodies } = this.motion.report;
      const [x, y, z] = this.middle(this.chosen, X).map(short);
      const part = layers.plan ? this.plan.ofBody(this.chosen) : "";
      words.push(`${bodies[this.chosen].name}: centre of mass at ${x}, ${y}${planar ? "" : `, ${z}`} ` +
        `m${part ? `; ${part}` : ""}.`);
    }
    if (layers.looks && this.looks!.missing.length > 0) {
      const [first, ...more] = this.looks!.missing;
      words.push(`Not drawn: ${first}${more.length > 0 ? `; and ${more.length} more` : ""}.`);
    }
    if (layers.plan) words.push(this.plan.text());
    if (layers.forces) words.push(this.reactions.text(frame));
    if (layers.gaps) words.push(this.gaps.text(this.eye!.size));
    if (this.second) {
      words.push(`Ghost: ${this.second.motion.report.name ?? "the second run"}.`);
    }
    return words.join("\n");
  }

  // The body under the pointer, if one of its points or its middle is near.
  private hover(x: number, y: number) {
    const eye = this.eye;
    if (!eye || this.page.clock.playing) return;
    const X = placements(this.motion, this.page.clock.frame);
    let [nearest, least] = [-1, 14];
    this.motion.report.bodies.forEach((_, body) => {
      const [px, py] = eye.project(this.middle(body, X));
      const distance = Math.hypot(px - x, py - y);
      if (distance < least) [nearest, least] = [body, distance];
    });
    if (nearest === this.hovered) return;
    this.hovered = nearest;
    this.later();
  }

  // Scene and writing in one picture, on the page's background; drawn anew, for a browser keeps
  // what it has shown no longer.
  compose(into: HTMLCanvasElement) {
    this.draw();
    const context = into.getContext("2d")!;
    context.fillStyle = this.page.colour("card");
    context.fillRect(0, 0, into.width, into.height);
    for (const part of [this.page.canvas, this.annotations.canvas]) {
      context.drawImage(part, 0, 0, into.width, into.height);
    }
  }

  get pixels() {
    return { width: this.page.canvas.width, height: this.page.canvas.height };
  }
}
