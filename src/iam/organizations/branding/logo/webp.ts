import { damaged, requireSize, RefusedLogo } from './chunk.js';

/** Size of the header of the file: RIFF, its length, WEBP. */
const HEADER = 12;
/** Type and length of a chunk. */
const FRAME = 8;
const KEPT = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ICCP']);
const IMAGES = new Set(['VP8 ', 'VP8L']);
const EXTENDED_LENGTH = 10;
/** Flags of the extended format for an animation, and for EXIF and XMP data. */
const ANIMATED = 0x02;
const DESCRIBED = 0x0c;

/** Tells a WebP by its first bytes. */
export function isWebp(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, HEADER) === 'WEBP';
}

/**
 * Reads a WebP to its end (RFC 9649) and copies the chunks that are the image.
 * @throws {RefusedLogo} for an image that is too large, animated or damaged, and for bytes behind
 *   it
 */
export function cleanWebp(bytes: Buffer): Buffer {
  if (bytes.length < HEADER + FRAME || bytes.readUInt32LE(4) + 8 !== bytes.length) throw damaged();
  const kept: Buffer[] = [];
  let images = 0;
  for (let at = HEADER; at < bytes.length;) {
    if (at + FRAME > bytes.length) throw damaged();
    const length = bytes.readUInt32LE(at + 4);
    const end = at + FRAME + length + (length % 2);
    if (end > bytes.length) throw damaged();
    const type = bytes.toString('latin1', at, at + 4);
    const data = bytes.subarray(at + FRAME, at + FRAME + length);
    if (type === 'VP8X' && at !== HEADER) throw damaged();
    if (IMAGES.has(type)) images += 1;
    requireImage(type, data);
    if (KEPT.has(type)) kept.push(type === 'VP8X' ? undescribed(bytes, at, end) : bytes.subarray(at, end));
    at = end;
  }
  if (images !== 1) throw damaged();
  const header = Buffer.from(bytes.subarray(0, HEADER));
  header.writeUInt32LE(4 + kept.reduce((sum, { length }) => sum + length, 0), 4);
  return Buffer.concat([header, ...kept]);
}

/** Copies the chunk of the extended format without the marks of chunks that are left out. */
function undescribed(bytes: Buffer, at: number, end: number): Buffer {
  const chunk = Buffer.from(bytes.subarray(at, end));
  chunk[FRAME] = (chunk[FRAME] ?? 0) & ~DESCRIBED;
  return chunk;
}

/** @throws {RefusedLogo} for a part that is too large, animated or damaged */
function requireImage(type: string, data: Buffer): void {
  if (type === 'ANIM' || type === 'ANMF') throw new RefusedLogo({ id: 'branding.logo-animated' });
  if (type === 'VP8X') {
    if (data.length !== EXTENDED_LENGTH) throw damaged();
    if (((data[0] ?? 0) & ANIMATED) !== 0) throw new RefusedLogo({ id: 'branding.logo-animated' });
    return requireSize(data.readUIntLE(4, 3) + 1, data.readUIntLE(7, 3) + 1);
  }
  if (type === 'VP8 ') {
    if (data.length < 10 || data.readUIntBE(3, 3) !== 0x9d012a) throw damaged();
    return requireSize(data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff);
  }
  if (type === 'VP8L') {
    if (data.length < 5 || data[0] !== 0x2f) throw damaged();
    const bits = data.readUInt32LE(1);
    requireSize((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
  }
}
