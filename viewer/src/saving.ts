// Pictures and films of the replay, as files.

import { animatedPng } from "./apng";
import type { Stage } from "./stage";

const kRate = 20;          // pictures a second, of an animation
const kMostPictures = 300;
const kWidest = 900;       // pixels, of an animation
const kLastPicture = 500;  // ms, at the end of a video
// A video without pictures is shorter (bytes). A busy machine may take so long (ms) to encode one.
const kHeadOfVideo = 1000;
const kLongestWait = 10000;
const kPartOfVideo = 100;  // ms

const kVideoTypes = ["video/webm;codecs=vp9", "video/webm", "video/mp4"];

export const videoType = () => (typeof MediaRecorder === "undefined" ? undefined
  : kVideoTypes.find((type) => MediaRecorder.isTypeSupported(type)));

function save(blob: Blob, name: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const fileName = (stage: Stage, end: string) =>
  `${stage.motion.report.model.replace(/[^\w-]+/g, "_") || "mechanism"}${end}`;

function sheet(stage: Stage, widest = Infinity): HTMLCanvasElement {
  const { width, height } = stage.pixels;
  const scale = Math.min(1, widest / width);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height].map((x) => 2 * Math.round((x * scale) / 2));
  return canvas;
}

function toPng(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((done, fail) => canvas.toBlob((blob) =>
    (blob ? done(blob) : fail(new Error("the browser made no PNG"))), "image/png"));
}

export async function savePicture(stage: Stage): Promise<Blob> {
  const canvas = sheet(stage);
  stage.compose(canvas);
  const blob = await toPng(canvas);
  const { clock } = stage.page;
  save(blob, fileName(stage, `_${clock.t[clock.frame].toFixed(3)}s.png`));
  return blob;
}

// The whole run at the chosen speed, as an animated PNG: the same picture on every machine.
export async function saveAnimation(stage: Stage, tell: (text: string) => void): Promise<Blob> {
  const { clock } = stage.page;
  const before = clock.frame;
  const first = clock.t[clock.first];
  const lasts = Math.max((clock.t[clock.last] - first) / clock.speed, 1 / kRate);
  const count = Math.min(Math.ceil(lasts * kRate), kMostPictures, 4 * clock.t.length);
  const canvas = sheet(stage, kWidest);
  const frames: Uint8Array[] = [];
  for (let k = 0; k < count; k += 1) {
    clock.seekTime(first + (k / Math.max(count - 1, 1)) * (clock.t[clock.last] - first));
    stage.compose(canvas);
    frames.push(new Uint8Array(await (await toPng(canvas)).arrayBuffer()));
    tell(`Animation: picture ${k + 1} of ${count}`);
  }
  clock.seek(before);
  const blob = animatedPng(frames, lasts / count);
  save(blob, fileName(stage, ".png"));
  tell(`Animation: ${count} pictures, ${(blob.size / 1e6).toFixed(1)} MB`);
  return blob;
}

// A video of the run played once, at the chosen speed.
export async function saveVideo(stage: Stage, tell: (text: string) => void): Promise<Blob> {
  const type = videoType();
  if (!type) throw new Error("this browser records no video; take the animation");
  const { clock } = stage.page;
  const canvas = sheet(stage);
  stage.compose(canvas);
  const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: type,
                                                                 videoBitsPerSecond: 6e6 });
  const parts: Blob[] = [];
  let bytes = 0;
  recorder.addEventListener("dataavailable", ({ data }) => {
    parts.push(data);
    bytes += data.size;
  });
  const stopped = new Promise((done) => recorder.addEventListener("stop", done));
  if (clock.playing) clock.toggle();
  clock.seek(clock.first);
  recorder.start(kPartOfVideo);
  clock.toggle();
  let before = 0;
  let ended = 0;  // ms, when the run came to its end; the last picture stays for a while
  await new Promise<void>((done) => {
    const next = (now: number) => {
      if (!ended) {
        const wrapped = clock.frame < before;
        if (wrapped || clock.frame === clock.last || !clock.playing) {
          ended = now;
          if (clock.playing) clock.toggle();
          if (wrapped) clock.seek(clock.last);
        }
        before = clock.frame;
      }
      stage.compose(canvas);
      tell(`Video: ${clock.t[clock.frame].toFixed(2)} s of ${clock.t[clock.last]} s`);
      const longest = bytes > kHeadOfVideo ? kLastPicture : kLongestWait;
      if (ended && now - ended > longest) done();
      else requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  recorder.stop();
  await stopped;
  if (bytes <= kHeadOfVideo)
    throw new Error("this browser recorded no picture; take the animation");
  const blob = new Blob(parts, { type });
  save(blob, fileName(stage, type.startsWith("video/mp4") ? ".mp4" : ".webm"));
  tell(`Video: ${(blob.size / 1e6).toFixed(1)} MB`);
  return blob;
}
