// The contraction plan over the picture: which compound, or which lane, each body belongs to.

import type { Report } from "./page";

export interface Level {
  part: number[];     // of each body: the number of its compound or lane; -1: in none
  parts: number;
  joins: number[];    // joints that vanished in the contractions of this level
  closesLoop: boolean;
}

const kNone = -1;

// Level d: the compounds that are made of at most d contractions, one on the other. Level 1: bodies.
function levels(report: Report): Level[] {
  const { compounds } = report.plan!;
  const depth = Math.max(0, ...compounds.map((c) => c.depth));
  const made: Level[] = [];
  for (let d = 1; d <= depth; d += 1) {
    const whose = compounds.map((_, i) => i);
    for (let i = compounds.length - 1; i >= 0; i -= 1) {  // a join hands its number to its parts
      const { left, right, depth: own } = compounds[i];
      if (left === undefined || right === undefined || own > d) continue;
      whose[left] = whose[right] = whose[i];
    }
    const numbers = new Map<number, number>();
    const part = report.bodies.map(() => kNone);
    compounds.forEach(({ body }, i) => {
      if (body === undefined) return;
      if (!numbers.has(whose[i])) numbers.set(whose[i], numbers.size);
      part[body] = numbers.get(whose[i])!;
    });
    const now = compounds.filter((c) => c.depth === d);
    made.push({ part, parts: numbers.size, joins: now.flatMap((c) => c.eliminated),
                closesLoop: now.some((c) => c.closes_loop) });
  }
  return made;
}

function lanes(report: Report): Level[] {
  const places = report.plan!.lanes;
  const part = places.map(([group, lane]) => (lane === kNone ? kNone : 8 * group + lane));
  return [{ part, parts: new Set(part.filter((p) => p !== kNone)).size, joins: [],
            closesLoop: false }];
}

export class PlanOverlay {
  readonly levels: Level[];
  readonly isLanes: boolean;
  level: number;  // of levels

  constructor(private report: Report) {
    const { compounds = [], lanes: places = [] } = report.plan ?? {};
    this.isLanes = compounds.length === 0 && places.length > 0;
    this.levels = compounds.length > 0 ? levels(report) : this.isLanes ? lanes(report) : [];
    this.level = Math.min(1, this.levels.length - 1);
  }

  get empty() {
    return this.levels.length === 0;
  }

  step(by: number) {
    this.level = Math.min(Math.max(this.level + by, 0), this.levels.length - 1);
  }

  text(): string {
    if (this.empty) {
      return `${this.report.summary.formulation} takes one body after the other: no joins, no lanes.`;
    }
    const { part, parts, joins, closesLoop } = this.levels[this.level];
    if (this.isLanes) {
      const left = part.filter((p) => p === kNone).length;
      return `${parts} lanes; ${left === 0 ? "no body" : left === 1 ? "one body (grey)" : `${left} bodies (grey)`} outside them.`;
    }
    const names = joins.map((j) => this.report.joints?.[j]?.name ?? `coupling ${j}`);
    const more = names.length > 6 ? ` and ${names.length - 6} more` : "";
    const shown = names.slice(0, 6).join(", ") + more;
    return `Round ${this.level + 1} of ${this.levels.length}: ${parts} ` +
      `compound${parts === 1 ? "" : "s"}` +
      (names.length > 0 ? `; vanished over ${shown}` : "") +
      (closesLoop ? "; loops close" : "") + ".";
  }

  ofBody(body: number): string {
    if (this.empty) return "";
    const part = this.levels[this.level].part[body];
    if (!this.isLanes) return `compound ${part + 1}`;
    return part === kNone ? "in no lane" : `lane ${(part % 8) + 1}` +
      (this.levels[0].parts > 8 ? ` of bank ${Math.floor(part / 8) + 1}` : "");
  }
}
