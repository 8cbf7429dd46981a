// The viewer's own controls under the picture, and the keys that do the same.

import type { Stage } from "./stage";
import { saveAnimation, savePicture, saveVideo, videoType } from "./saving";

type Layer = keyof Stage["layers"];

const kLayers: { layer: Layer; label: string; key: string; title: string }[] = [
  { layer: "looks", label: "Looks", key: "l", title: "Bodies as the model says they look, or as a skeleton" },
  { layer: "forces", label: "Forces", key: "f", title: "Reactions at the joints, on the child" },
  { layer: "gaps", label: "Open loops", key: "o", title: "How far each loop is open, where it is" },
  { layer: "plan", label: "Plan", key: "p", title: "Which compound or lane each body belongs to" },
  { layer: "names", label: "Names", key: "n", title: "Names of the bodies" },
];

export class Panel {
  readonly keys: Record<string, (event: KeyboardEvent) => void> = {};
  private bodies = document.createElement("select");
  private rounds = document.createElement("span");
  private told = document.createElement("p");
  private busy = document.createElement("p");
  private toggles = new Map<Layer, HTMLButtonElement>();

  constructor(private stage: Stage) {
    const { panel } = stage.page;
    panel.hidden = false;
    const row = document.createElement("div");
    row.className = "controls";
    this.addLayers(row);
    this.addRounds(row);
    this.addBodies(row);
    this.addView(row);
    this.addSaving(row);
    this.addBeside(row);
    this.told.className = "told";
    this.busy.className = "told";
    this.busy.setAttribute("aria-live", "polite");
    panel.append(row, this.told, this.busy);
    stage.told = (text) => {
      if (this.told.textContent !== text) this.told.textContent = text;
    };
  }

  // Controls that depend on the run.
  load() {
    const { bodies } = this.stage.motion.report;
    this.bodies.replaceChildren(new Option("none", "-1"));
    bodies.forEach(({ name }, i) => this.bodies.add(new Option(name, String(i))));
    if (this.stage.chosen >= bodies.length) this.stage.choose(-1);
    this.bodies.value = String(this.stage.chosen);
    this.toggles.get("looks")!.hidden = !this.stage.hasLooks;
    this.showRounds();
  }

  private button(row: HTMLElement, label: string, key: string, title: string, press: () => void) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.title = `${title} (${key})`;
    button.setAttribute("aria-keyshortcuts", key);
    button.addEventListener("click", press);
    this.keys[key] = press;
    row.append(button);
    return button;
  }

  private addLayers(row: HTMLElement) {
    for (const { layer, label, key, title } of kLayers) {
      const button = this.button(row, label, key, title, () => this.toggle(layer));
      button.setAttribute("aria-pressed", String(this.stage.layers[layer]));
      this.toggles.set(layer, button);
    }
  }

  private toggle(layer: Layer) {
    const { stage } = this;
    stage.layers[layer] = !stage.layers[layer];
    this.toggles.get(layer)!.setAttribute("aria-pressed", String(stage.layers[layer]));
    this.showRounds();
    if (layer === "looks") stage.showLooks();
    stage.dress();
    stage.draw();
  }

  private showRounds() {
    this.rounds.hidden = !this.stage.layers.plan || this.stage.plan.levels.length < 2;
  }

  private addRounds(row: HTMLElement) {
    const step = (by: number) => () => {
      this.stage.plan.step(by);
      this.stage.dress();
      this.stage.draw();
    };
    this.rounds.className = "rounds";
    this.button(this.rounds, "\u2212", "[", "One round of the plan back", step(-1));
    this.button(this.rounds, "+", "]", "One round of the plan on", step(1));
    this.rounds.hidden = true;
    row.append(this.rounds);
  }

  private addBodies(row: HTMLElement) {
    const label = document.createElement("label");
    label.append("Body ", this.bodies);
    this.bodies.addEventListener("change", () => this.stage.choose(Number(this.bodies.value)));
    this.keys.b = (event) => {
      const count = this.bodies.options.length;
      const step = event.shiftKey ? count - 1 : 1;
      this.bodies.selectedIndex = (this.bodies.selectedIndex + step) % count;
      this.stage.choose(Number(this.bodies.value));
    };
    row.append(label);
  }

  private addView(row: HTMLElement) {
    const move = (f: (eye: NonNullable<Stage["eye"]>) => void) => () => {
      if (this.stage.eye) f(this.stage.eye);
      this.stage.draw();
    };
    this.button(row, "Whole view", "0", "Shows all, as at first", move((eye) => eye.reset()));
    const turns: Record<string, [number, number]> = {
      a: [-0.1, 0], d: [0.1, 0], w: [0, 0.1], s: [0, -0.1] };
    for (const [key, [right, up]] of Object.entries(turns)) {
      this.keys[key] = move((eye) => eye.turn(right, up));
    }
    for (const key of ["+", "="]) this.keys[key] = move((eye) => eye.magnify(1.15));
    this.keys["-"] = move((eye) => eye.magnify(1 / 1.15));
  }

  private addSaving(row: HTMLElement) {
    const tell = (text: string) => (this.busy.textContent = text);
    let saving = false;
    const guarded = (work: () => Promise<Blob>) => async () => {
      if (saving) return;
      saving = true;
      try {
        const blob = await work();
        document.body.dataset.saved = `${blob.type} ${blob.size}`;
      } catch (error) {
        tell(`Not saved: ${error instanceof Error ? error.message : error}`);
      } finally {
        saving = false;
      }
    };
    this.button(row, "Picture", "i", "Saves this picture as PNG",
                guarded(() => savePicture(this.stage)));
    this.button(row, "Animation", "m", "Saves the run as an animated PNG, at the chosen speed",
                guarded(() => saveAnimation(this.stage, tell)));
    if (videoType()) {
      this.button(row, "Video", "v", "Plays the run once and saves it as a video",
                  guarded(() => saveVideo(this.stage, tell)));
    }
  }

  // Another report from the disk, as a ghost.
  private addBeside(row: HTMLElement) {
    const input = document.createElement("input");
    input.type = "file";
    input.accept = ".html,.json";
    input.hidden = true;
    input.addEventListener("change", async () => {
      const file = input.files?.[0];
      if (!file) return;
      try {
        this.stage.page.beside(await file.text(), file.name);
        this.busy.textContent = "";
      } catch {
        this.busy.textContent = `${file.name} holds no run: choose the report.html of one`;
      }
      input.value = "";
    });
    this.button(row, "Beside\u2026", "r", "Lays a second run over this one: choose its report.html",
                () => input.click());
    row.append(input);
  }
}
