// Animated PNG from single PNG frames: https://wiki.mozilla.org/APNG_Specification. Chunks are taken
// over as they are; frame data go from IDAT into fdAT with a sequence number before them.

const kSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

interface Chunk {
  type: string;
  data: Uint8Array;
}

const kTable = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k += 1) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});

function crc(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (const byte of bytes) c = kTable[(c ^ byte) & 0xff] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

function chunksOf(png: Uint8Array): Chunk[] {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const chunks: Chunk[] = [];
  for (let at = kSignature.length; at < png.length;) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...png.subarray(at + 4, at + 8));
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  return chunks;
}

function toBytes({ type, data }: Chunk): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i += 1) bytes[4 + i] = type.charCodeAt(i);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

// A chunk of numbers, each with its width in bytes.
function numbers(type: string, fields: [number, 1 | 2 | 4][], rest: Uint8Array = new Uint8Array()): Chunk {
  const data = new Uint8Array(fields.reduce((sum, [, width]) => sum + width, 0) + rest.length);
  const view = new DataView(data.buffer);
  let at = 0;
  for (const [value, width] of fields) {
    if (width === 4) view.setUint32(at, value);
    else if (width === 2) view.setUint16(at, value);
    else view.setUint8(at, value);
    at += width;
  }
  data.set(rest, at);
  return { type, data };
}

// Frames of one size, each shown for `seconds`, over and over again.
export function animatedPng(frames: Uint8Array[], seconds: number): Blob {
  const first = chunksOf(frames[0]);
  const header = first.find(({ type }) => type === "IHDR")!;
  const size = new DataView(header.data.buffer, header.data.byteOffset, 8);
  const [width, height] = [size.getUint32(0), size.getUint32(4)];
  let sequence = 0;
  const control = () => numbers("fcTL", [
    [sequence++, 4], [width, 4], [height, 4], [0, 4], [0, 4], [Math.round(1000 * seconds), 2],
    [1000, 2], [0, 1], [0, 1]]);
  const out: Chunk[] = [header, numbers("acTL", [[frames.length, 4], [0, 4]])];
  frames.forEach((frame, k) => {
    out.push(control());
    for (const { type, data } of chunksOf(frame)) {
      if (type !== "IDAT") continue;
      out.push(k === 0 ? { type, data } : numbers("fdAT", [[sequence++, 4]], data));
    }
  });
  out.push({ type: "IEND", data: new Uint8Array() });
  return new Blob([new Uint8Array(kSignature), ...out.map(toBytes)], { type: "image/png" });
}
