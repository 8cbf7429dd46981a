// Which colour each body has: its own, or that of its part of the plan; all but a chosen one faint.

import * as THREE from "three";
import type { Level } from "./plan";

const kColours = 6;
const kMostDistinct = 60;  // bodies; more are coloured by a scale that runs through all

type Theme = (name: string) => THREE.Color;

// A colour of the scale through all of a palette.
function along(palette: THREE.Color[], share: number): THREE.Color {
  const at = share * (palette.length - 1);
  const i = Math.min(Math.floor(at), palette.length - 2);
  return palette[i].clone().lerp(palette[i + 1], at - i);
}

// The first parts in colours of the theme, more in hues that lie far apart.
function ofPart(part: number, palette: THREE.Color[], none: THREE.Color): THREE.Color {
  if (part < 0) return none;
  if (part < kColours) return palette[part];
  return new THREE.Color().setHSL((part * 0.618034) % 1, 0.6, part % 2 ? 0.58 : 0.45);
}

export function bodyColours(bodies: number, level: Level | null, chosen: number,
                            theme: Theme): THREE.Color[] {
  const palette = Array.from({ length: kColours }, (_, i) => theme(`curve-${i}`));
  const soft = theme("steel");
  return Array.from({ length: bodies }, (_, body) => {
    const own = level ? ofPart(level.part[body], palette, soft)
      : bodies <= kMostDistinct ? palette[body % kColours] : along(palette, body / bodies);
    return chosen >= 0 && chosen !== body ? own.clone().lerp(soft, 0.75) : own;
  });
}
