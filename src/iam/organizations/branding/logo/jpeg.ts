import { damaged, requireSize } from './chunk.js';

/** Second bytes of markers (ITU-T T.81, table B.1). */
const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;
/** Baseline, extended and progressive: what browsers show. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2]);
/** Tables of quantization and Huffman codes, the interval of restarts. */
const TABLES = new Set([0xdb, 0xc4, 0xdd]);
/** Application data that say how colors are read. All others are left out: texts, positions. */
const COLORS: Readonly<Record<number, Buffer>> = {
  0xe0: Buffer.from('JFIF\0', 'latin1'),
  0xe2: Buffer.from('ICC_PROFILE\0', 'latin1'),
  0xee: Buffer.from('Adobe', 'latin1'),
};
/**
 * Maximum of scans: a progressive image has some ten. Browsers draw the whole image for each, and
 * thousands fit into the bytes of a logo.
 */
const MAX_SCANS = 50;
/** Marker, length, precision, height, width. */
const FRAME_HEADER = 9;

/** Tells a JPEG by its first bytes. */
export function isJpeg(bytes: Buffer): boolean {
  return bytes[0] === 0xff && bytes[1] === START && bytes[2] === 0xff;
}

/**
 * Reads a JPEG to its end (ITU-T T.81, annex B) and copies the segments that are the image. What
 * follows the end is left out.
 * @throws {RefusedLogo} for an image that is too large or damaged
 */
export function cleanJpeg(bytes: Buffer): Buffer {
  const kept: Buffer[] = [bytes.subarray(0, 2)];
  let frames = 0;
  let scans = 0;
  for (let at = 2; ;) {
    while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at += 1;
    const marker = bytes[at + 1];
    if (bytes[at] !== 0xff || marker === undefined) throw damaged();
    if (marker === END) {
      if (scans === 0) throw damaged();
      return Buffer.concat([...kept, bytes.subarray(at, at + 2)]);
    }
    const end = endOfSegment(bytes, at);
    if (FRAMES.has(marker)) {
      requireFrame(bytes.subarray(at, end));
      frames += 1;
    }
    const isScan = marker === SCAN;
    if (isScan) scans += 1;
    // A frame comes once, and before its scans.
    if (frames > 1 || scans > MAX_SCANS || (isScan && frames === 0)) throw damaged();
    const next = isScan ? endOfScan(bytes, end) : end;
    const isColor = COLORS[marker]?.equals(bytes.subarray(at + 4, at + 4 + COLORS[marker].length)) === true;
    if (isScan || isColor || FRAMES.has(marker) || TABLES.has(marker)) kept.push(bytes.subarray(at, next));
    else if (!isLeftOut(marker)) throw damaged();
    at = next;
  }
}

/** Application data and comments. */
const isLeftOut = (marker: number): boolean => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;

/** @throws {RefusedLogo} */
function endOfSegment(bytes: Buffer, at: number): number {
  if (at + 4 > bytes.length) throw damaged();
  const length = bytes.readUInt16BE(at + 2);
  const end = at + 2 + length;
  if (length < 2 || end > bytes.length) throw damaged();
  return end;
}

/** Returns where the next marker is that is no restart: 0xff within the data is followed by 0. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}

/** @throws {RefusedLogo} */
function requireFrame(segment: Buffer): void {
  if (segment.length < FRAME_HEADER) throw damaged();
  requireSize(segment.readUInt16BE(7), segment.readUInt16BE(5));
}
