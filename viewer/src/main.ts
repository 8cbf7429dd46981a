// The viewer, as the page of a report takes it: globalThis.hamiltreeViewer(page) gives the stage that
// stands in for the simple replay, or nothing where the browser has no WebGL.

import type { Motion, Page, Report } from "./page";
import { Panel } from "./panel";
import { Stage } from "./stage";

const kManyInSoftware = 200;  // bodies, from which on edges are not smoothed where no GPU helps,
                              // nor those of meshes, which takes twice the time of all the rest

function graphics(): { software: boolean } | undefined {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return undefined;
  const known = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(known ? known.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return { software: /swiftshader|llvmpipe|software/i.test(name) };
}

class Viewer extends Stage {
  private panel: Panel;
  readonly keys: Panel["keys"];

  constructor(page: Page, quick: boolean) {
    super(page, quick);
    page.canvas.tabIndex = 0;
    page.canvas.classList.add("held");
    this.panel = new Panel(this);
    this.keys = this.panel.keys;
  }

  override load(motions: Motion[]) {
    super.load(motions);
    this.panel.load();
  }

  hint(report: Report) {
    return (report.planar ? "Drag the picture to move it" : "Drag the picture to turn it, with shift " +
      "to move it") + ", pinch or, once it is chosen, use the wheel to zoom. Keys: L looks, F forces, O open " +
      "loops, P plan, [ and ] its rounds, N names, B next body, W A S D " +
      `${report.planar ? "move" : "turn"}, + and \u2212 zoom, 0 whole view, I picture, M animation, ` +
      "V video, R a second run.";
  }
}

(globalThis as { hamiltreeViewer?: (page: Page) => Viewer | undefined }).hamiltreeViewer = (page) => {
  const found = graphics();
  if (!found) return undefined;
  const much = page.bodies > kManyInSoftware || page.meshes > 0;
  return new Viewer(page, found.software && much);
};
