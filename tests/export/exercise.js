// Clicks, keys and drags as a reader would make them, run in the page of a report. Returns once all
// went through, or throws.
async (withViewer) => {
  const expect = (holds, what) => { if (!holds) throw new Error("not so: " + what); };
  const find = (selector) => [...document.querySelectorAll(selector)];
  const element = (id) => document.getElementById(id);
  const time = element("time");
  const press = (key) => document.body.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const point = (target, type, x, y) => target.dispatchEvent(new MouseEvent(type,
    { clientX: x, clientY: y, buttons: 1, movementX: 9, movementY: 5, bubbles: true }));
  const seek = (frame) => {
    time.value = frame;
    time.dispatchEvent(new Event("input"));
  };
  // The pixels of all canvases of the picture, laid over one another.
  const picture = () => {
    const sheet = document.createElement("canvas");
    [sheet.width, sheet.height] = [400, 300];
    const context = sheet.getContext("2d", { willReadFrequently: true });
    for (const canvas of find("#view canvas")) context.drawImage(canvas, 0, 0, 400, 300);
    return context.getImageData(0, 0, 400, 300).data;
  };
  const differ = (a, b) => a.some((x, i) => x !== b[i]);
  // Whether something at the edge has a colour, as bodies have and what surrounds them has not.
  const sticksOut = (pixels) => pixels.some((_, i) => {
    const [x, y] = [(i / 4) % 400, Math.floor(i / 1600)];
    if (i % 4 !== 0 || !([0, 399].includes(x) || [0, 299].includes(y))) return false;
    const [r, g, b] = pixels.slice(i, i + 3);
    return Math.max(r, g, b) - Math.min(r, g, b) > 60;
  });
  const share = (a, b) => a.filter((x, i) => x !== b[i]).length / a.length;

  const { t } = JSON.parse(element("data").textContent);
  const lasts = t.at(-1) - t[0];
  const speeds = [...element("speed").options].map(({ label }) =>
    label.split("/").map(parseFloat).reduce((a, b) => a / b));

  function exercisePage(last) {
    expect(find(".figure").length >= 4, "at least four plots");
    expect(find(".figure path.curve").length >= 6, "curves are drawn");
    const titles = find(".figure h2").map((title) => title.textContent);
    expect(new Set(titles).size === titles.length, `no two of ${titles} are the same`);
    expect(find(".plot").every((plot) => !plot.innerHTML.includes("NaN")), "no NaN in a plot");
    for (const text of find(".plot text")) {
      const { x, width } = text.getBBox();
      expect(x >= 0 && x + width <= text.ownerSVGElement.viewBox.baseVal.width,
             `"${text.textContent}" is within its plot`);
      const end = text.getNumberOfChars() - 1;
      expect(!text.textContent.endsWith(")") ||
             text.getStartPositionOfChar(0).y === text.getStartPositionOfChar(end).y,
             `the unit of "${text.textContent}" is not raised`);
    }
    const ticks = [...document.querySelectorAll('.plot text[text-anchor="middle"]')].slice(0, 5)
      .map((text) => text.getBBox());
    expect(ticks.every(({ x, y }, i) => i === 0 || ticks[i - 1].y !== y ||
                                        x >= ticks[i - 1].x + ticks[i - 1].width),
           "the ticks of the time axis lie side by side");
    expect(lasts === 0 || (lasts / speeds[0] > 0.99 && lasts / speeds.at(-1) < 100.1),
           "there are speeds at which the run can be watched");
    const { events, integrator } = JSON.parse(element("data").textContent).summary;
    const [listed, open] = ["#summary li", "#summary > ul li"].map((s) => find(s).length);
    expect(listed >= events.length && open <= 20, `${events.length} events, ${open} of them open`);
    expect((integrator.changes ?? []).every(({ to }) => element("summary").textContent.includes(to)),
           "the methods that auto took are named");
    press("ArrowRight");
    expect(Number(time.value) === Math.min(1, last), "the right arrow steps");
    const cursor = document.querySelector(".cursor").getAttribute("x1");
    const before = picture();
    expect(before.some((x) => x !== 0), "the replay is drawn");
    seek(last);
    expect(last < 2 || document.querySelector(".cursor").getAttribute("x1") !== cursor,
           "the slider moves the plots' cursor");
    expect(last < 2 || differ(before, picture()), "the slider moves the picture");
    press("ArrowLeft");
    expect(Number(time.value) === Math.max(last - 1, 0), "the left arrow steps back");
    press("Home");
    expect(Number(time.value) === 0, "Home jumps to the start");
    expect(!sticksOut(picture()), "all of the mechanism is in the picture");
    press("End");
    expect(Number(time.value) === last, "End jumps to the end");
    press(" ");
    expect(element("play").textContent === "Pause", "space plays");
    press(" ");
    expect(element("play").textContent === "Play", "space pauses");
    const speed = element("speed").selectedIndex;
    press(".");
    expect(element("speed").selectedIndex === speed + 1, "the point makes it faster");
    press(",");
    for (const select of find("select")) {
      for (let i = 0; i < Math.min(select.options.length, 20); i += 1) {
        select.selectedIndex = i;
        select.dispatchEvent(new Event("change"));
      }
      select.selectedIndex = 0;
      select.dispatchEvent(new Event("change"));
    }
    for (const button of find(".legend button").slice(0, 60)) {
      button.click();
      button.click();
    }
    const plot = document.querySelector(".plot").getBoundingClientRect();
    point(document.querySelector(".plot"), "pointermove", plot.left + plot.width / 2, plot.top);
    expect(last < 9 || Math.abs(Number(time.value) / last - 0.5) < 0.2, "dragging in a plot seeks");
    point(element("stage"), "pointermove", 10, 10);
    expect(document.documentElement.scrollWidth <= window.innerWidth, "nothing sticks out");
  }

  // Files that would be saved come here instead.
  const saved = [];
  URL.createObjectURL = (blob) => (saved.push(blob), "#");
  HTMLAnchorElement.prototype.click = () => {};
  async function save(key, type) {
    const before = saved.length;
    press(key);
    for (let tries = 0; saved.length === before && tries < 400; tries += 1) {
      await new Promise((done) => setTimeout(done, 25));
    }
    expect(saved.length > before, `${key} saves`);
    expect(saved.at(-1).type.startsWith(type), `${key} saves ${type}`);
    return saved.at(-1);
  }

  async function exerciseViewer(last) {
    expect(!element("layers").hidden, "the viewer has its controls");
    const told = () => document.querySelector(".told").textContent;
    const names = find("#layers option").map((option) => option.textContent);
    const data = JSON.parse(element("data").textContent);
    expect(data.bodies.every(({ name }, i) => names[i + 1] === name), "names of bodies are text");
    for (const key of ["f", "o", "p", "n"]) {
      const plain = picture();
      press(key);
      const button = document.querySelector(`#layers [aria-keyshortcuts="${key}"]`);
      expect(button.getAttribute("aria-pressed") === "true", `${key} switches on`);
      if (key === "n") expect(differ(plain, picture()), "names are drawn");
      if (data.joints && key !== "n") expect(told().length > 0, `${key} is told of`);
      press(key);
      expect(button.getAttribute("aria-pressed") === "false", `${key} switches off`);
    }
    const looks = document.querySelector('#layers [aria-keyshortcuts="l"]');
    expect(looks.hidden === !data.visuals, "looks are there where the model says them");
    if (data.visuals) {
      for (let tries = 0; tries < 40; tries += 1) await new Promise(requestAnimationFrame);
      seek(last);  // draws it now
      expect(!told().includes("Not drawn"), told());
      const robot = picture();
      press("l");
      expect(looks.getAttribute("aria-pressed") === "false", "l switches to the skeleton");
      expect(share(robot, picture()) > 0.005, "the skeleton is drawn");
      press("l");
      const left = share(robot, picture());  // what is seen through something may be drawn in another order
      expect(left < 0.001, `the looks are back but for ${left} of the picture`);
    }
    press("b");
    expect(told().includes(data.bodies[0].name), "B chooses the first body");
    press("B");
    const before = picture();
    press("+");
    expect(differ(before, picture()), "plus zooms");
    press("0");
    for (const key of "wa") press(key);
    expect(differ(before, picture()), "W and A turn");
    press("0");
    expect(!differ(before, picture()), "0 is the view at first");
    const shot = await createImageBitmap(await save("i", "image/png"));
    expect(shot.width > 100, "the picture can be read");
    element("speed").selectedIndex = speeds.findIndex((speed) => lasts / speed <= 1);
    element("speed").dispatchEvent(new Event("change"));
    const film = new ImageDecoder({ data: await (await save("m", "image/png")).arrayBuffer(),
                                    type: "image/png" });
    await film.tracks.ready;
    const { frameCount } = film.tracks.selectedTrack;
    expect(last < 10 ? frameCount >= 1 : frameCount >= 10, `the animation has ${frameCount} pictures`);
    for (let i = 0; i < frameCount; i += 1) await film.decode({ frameIndex: i });
    document.body.dataset.pictures = frameCount;
    if (document.querySelector('[aria-keyshortcuts="v"]')) {
      const video = document.createElement("video");
      const { size } = await save("v", "video/");
      expect(size > 1000, `the video holds something, it has ${size} bytes`);
      expect(video.canPlayType(saved.at(-1).type) !== "", "the video can be played");
    }
  }

  const last = Number(time.max);
  document.querySelector(".plot").scrollIntoView();  // plots out of sight do not move
  for (let i = 0; i < 3; i += 1) await new Promise(requestAnimationFrame);
  exercisePage(last);
  if (withViewer) await exerciseViewer(last);
  return document.body.dataset.pictures;
}
