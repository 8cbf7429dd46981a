"""Thinning of glTF and Collada in the viewer: what viewer/src/thinning.ts makes of a ball, in node.

    thinning_test.py SOURCE
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

viewer = pathlib.Path(sys.argv[1]) / "viewer"
esbuild = viewer / "node_modules/.bin/esbuild"
if shutil.which("node") is None or not esbuild.exists():
    print("no node, or the packages of the viewer are not there")
    sys.exit(77)

SCRIPT = """
import * as THREE from "three";
import { thinned, trianglesOf } from "VIEWER/src/thinning";

const kCell = 1.4;
const ball = new THREE.SphereGeometry(1, 200, 100).translate(3, -2, 0.5);
const centre = new THREE.Vector3(3, -2, 0.5);

function positionsOf(geometry) {
  const { position } = geometry.attributes;
  return Array.from({ length: position.count },
                    (_, i) => new THREE.Vector3().fromBufferAttribute(position, i));
}

// Triangles with corners in three cells of this size.
function trianglesOn(geometry, cell) {
  const points = positionsOf(geometry);
  const low = new THREE.Box3().setFromPoints(points).min;
  const keys = points.map((x) => x.clone().sub(low).divideScalar(cell).floor().toArray().join());
  let count = 0;
  for (let k = 0; k < geometry.index.count; k += 3) {
    count += new Set([0, 1, 2].map((i) => keys[geometry.index.getX(k + i)])).size === 3 ? 1 : 0;
  }
  return count;
}

const balls = [20000, 5000, 500, 60].map((most) => {
  const coarse = thinned(ball, most);
  let cell = 2 / 1024;
  while (trianglesOn(ball, cell) > most) cell *= kCell;
  const points = positionsOf(coarse);
  const fine = positionsOf(ball).filter((_, i) => i % 17 === 0);
  return {
    most, triangles: trianglesOf(coarse), expected: trianglesOn(ball, cell),
    diagonal: Math.sqrt(3) * cell,
    deviation: Math.max(...points.map((x) => Math.abs(x.distanceTo(centre) - 1))),
    furthest: Math.max(...fine.map((x) => Math.min(...points.map((y) => x.distanceTo(y))))),
    same: JSON.stringify(coarse.attributes) === JSON.stringify(thinned(ball, most).attributes),
  };
});

// Two halves of other materials: each triangle stays with its own.
const halves = new THREE.SphereGeometry(1, 100, 50);
const half = 3 * Math.floor(trianglesOf(halves) / 2);
halves.addGroup(0, half, 4);
halves.addGroup(half, 3 * trianglesOf(halves) - half, 7);
const coarse = thinned(halves, 1000);
const points = positionsOf(coarse);
const corner = (k) => points[coarse.index ? coarse.index.getX(k) : k];
const sides = coarse.groups.map(({ start, count, materialIndex }) => {
  let height = 0;
  for (let k = start; k < start + count; k += 1) height += corner(k).y / count;
  return { materialIndex, height, count };
});

const coloured = new THREE.SphereGeometry(1, 100, 50);
coloured.setAttribute("color", coloured.attributes.normal);
const small = new THREE.SphereGeometry(1, 8, 6);
const point = new THREE.SphereGeometry(0, 100, 50);
console.log(JSON.stringify({
  balls, sides, all: 3 * trianglesOf(coarse), kept: thinned(coloured, 100) === coloured,
  itself: thinned(small, trianglesOf(small)) === small, point: thinned(point, 100) === point,
}));
"""

with tempfile.TemporaryDirectory() as folder:
    script = pathlib.Path(folder) / "thinning.mjs"
    script.write_text(SCRIPT.replace("VIEWER", str(viewer)))
    bundle = pathlib.Path(folder) / "bundle.mjs"
    subprocess.run(
        [esbuild, script, "--bundle", "--platform=node", "--format=esm", f"--outfile={bundle}",
         f"--alias:three={viewer / 'node_modules/three'}", "--log-level=warning"],
        check=True, cwd=viewer)
    ran = subprocess.run(["node", bundle], check=True, capture_output=True, text=True)
found = json.loads(ran.stdout)

failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


for ball in found["balls"]:
    print(ball)
    most = ball["most"]
    expect(ball["triangles"] == ball["expected"], f"{most}: not the finest grid that is enough")
    expect(most / 4 < ball["triangles"] <= most, f"{most}: {ball['triangles']} triangles")
    expect(ball["deviation"] <= ball["diagonal"], f"{most}: off the ball by {ball['deviation']}")
    expect(ball["furthest"] <= ball["diagonal"], f"{most}: a hole of {ball['furthest']}")
    expect(ball["same"], f"{most}: not the same each time")
upper, lower = found["sides"]
expect((upper["materialIndex"], lower["materialIndex"]) == (4, 7), "materials are exchanged")
expect(upper["height"] > 0.3 and lower["height"] < -0.3, "triangles have another material")
expect(upper["count"] + lower["count"] == found["all"], "triangles without a material")
expect(found["kept"], "a colour at each vertex is lost")
expect(found["itself"], "a small one is not itself")
expect(found["point"], "a point has no finer grid")
print("\n".join(failures) or "ok")
sys.exit(1 if failures else 0)
