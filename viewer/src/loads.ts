// Reactions and open loops of a run at one sample, as arrows and as words.

import type { Arrow } from "./arrows";
import { short } from "./annotations";
import type { Motion, Report, Vec } from "./page";
import { norm, placed, type Placement, times } from "./vectors";

const kMostLabels = 8;  // more loops than that: only the widest is labelled
const kLong = 0.2;     // of the scene: an arrow of the typical largest force, or of the widest gap
const kLongest = 2.5;  // times that: arrows are cut short there

const counted = (n: number, what: string) => `${n} ${what}${n === 1 ? "" : "s"}`;
const finite = (v: Vec) => v.every(Number.isFinite);

// A joint's place in the world, on its child.
function place(report: Report, joint: number, X: Placement[]): Vec {
  const { parent, child, at_parent, at_child } = report.joints![joint];
  if (child >= 0) return placed(X[child], at_child);
  return parent >= 0 ? placed(X[parent], at_parent) : at_parent;
}

function vectorAt(numbers: (number | null)[], at: number, planar: boolean): Vec {
  return [numbers[at] ?? NaN, numbers[at + 1] ?? NaN, planar ? 0 : numbers[at + 2] ?? NaN];
}

// The largest of all columns at each sample.
function largest(columns: (number | null)[][], stride: number, planar: boolean): number[] {
  const most = Array.from({ length: (columns[0]?.length ?? 0) / stride }, () => 0);
  for (const numbers of columns) {
    most.forEach((before, frame) => {
      const size = norm(vectorAt(numbers, frame * stride, planar));
      if (size > before) most[frame] = size;
    });
  }
  return most;
}

export class Reactions {
  private stride: number;
  readonly most: number;     // N, of the run
  readonly typical: number;  // N: three quarters of the time the largest force is less

  constructor(private report: Report) {
    this.stride = report.planar ? 3 : 6;
    const sizes = largest(report.reactions ?? [], this.stride, report.planar)
      .sort((a, b) => a - b);
    this.most = sizes.at(-1) ?? 0;
    this.typical = sizes[Math.floor(0.75 * sizes.length)] || this.most;
  }

  get known() {
    return this.report.reactions !== undefined;
  }

  force(joint: number, frame: number): Vec {
    return vectorAt(this.report.reactions![joint], frame * this.stride, this.report.planar);
  }

  // How an arrow is drawn, m.
  private drawn(force: Vec, size: number): Vec {
    const strength = norm(force) / this.typical;
    return strength > 0 ? times((kLong * size * Math.min(strength, kLongest)) / norm(force), force)
                        : [0, 0, 0];
  }

  arrows(frame: number, X: Placement[], size: number, height: number): Arrow[] {
    return (this.report.joints ?? []).flatMap(({ not_unique }, joint) => {
      const force = this.force(joint, frame);
      if (!finite(force)) return [];
      const [x, y, z] = place(this.report, joint, X);
      return [{ from: [x, y, z + height] as Vec, vector: this.drawn(force, size),
                dashed: not_unique.some((part) => part.startsWith("force")) }];
    });
  }

  text(frame: number): string {
    const joints = this.report.joints ?? [];
    if (!this.known) return "The forces of this run were not recorded.";
    let [strongest, most] = [-1, -1];
    let unknown = 0;
    joints.forEach((_, j) => {
      const size = norm(this.force(j, frame));
      if (size > most) [strongest, most] = [j, size];
      if (!Number.isFinite(size)) unknown += 1;
    });
    const open = joints.filter(({ not_unique }) => not_unique.length > 0);
    const names = open.slice(0, 2).map(({ name, not_unique }) => `${name} (${not_unique.join(", ")})`);
    if (open.length > 2) names.push(`and ${counted(open.length - 2, "more joint")}`);
    const words: string[] = [];
    if (strongest >= 0) {
      words.push(`Forces on the child: largest now ${short(most)} N at ${joints[strongest].name}, ` +
        `of the run ${short(this.most)} N.`);
    }
    if (unknown > 0) {
      words.push(`Those of ${counted(unknown, "joint")} are not known now, as at a singular pose.`);
    }
    if (this.most > kLongest * this.typical) {
      words.push(`Arrows of more than ${short(kLongest * this.typical)} N are cut short.`);
    }
    words.push(open.length === 0 ? "All reactions are unique."
                                 : `Dashed: not unique, ${names.join("; ")}.`);
    return words.join(" ");
  }
}

export class Gaps {
  private stride: number;
  private cuts: number[];  // joints
  private most: number;

  constructor(private motion: Motion) {
    const { joints = [], gaps = [], planar } = motion.report;
    this.stride = planar ? 3 : 4;
    this.cuts = joints.flatMap(({ closes_loop }, j) => (closes_loop ? [j] : []));
    this.most = Math.max(0, ...largest(gaps, this.stride, planar));
  }

  get count() {
    return this.cuts.length;
  }

  private size(cut: number, frame: number) {
    return this.motion.report.gaps![cut][(frame + 1) * this.stride - 1] ?? NaN;
  }

  private magnified(size: number) {
    return this.most > 0 ? (kLong * size) / this.most : 0;
  }

  arrows(frame: number, X: Placement[], size: number, height: number): Arrow[] {
    const { report } = this.motion;
    return this.cuts.flatMap((joint, cut) => {
      const gap = vectorAt(report.gaps![cut], frame * this.stride, report.planar);
      if (!finite(gap)) return [];
      const [x, y, z] = place(report, joint, X);
      return [{ from: [x, y, z + height] as Vec, vector: times(this.magnified(size), gap),
                dashed: false }];
    });
  }

  labels(frame: number, X: Placement[]) {
    const { report } = this.motion;
    const sizes = this.cuts.map((_, cut) => this.size(cut, frame));
    const most = Math.max(...sizes);
    return this.cuts.flatMap((joint, cut) => {
      if (this.cuts.length > kMostLabels && sizes[cut] !== most) return [];
      return [{ at: place(report, joint, X), strong: true,
                text: `${report.joints![joint].name}: ${short(sizes[cut])} m` }];
    });
  }

  text(size: number): string {
    if (!this.motion.report.gaps) return "Where loops are open was not recorded in this run.";
    if (this.count === 0) return "There are no closed loops.";
    if (this.most === 0) return "Loops are open by exactly nothing.";
    return `Loops are open by at most ${short(this.most)} m; drawn ` +
      `${short(this.magnified(size))} times as large. Labels: the largest entry of each loop's ` +
      "\u03a6, angles times the length.";
  }
}
