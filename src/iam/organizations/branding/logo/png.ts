import { promisify } from 'node:util';
import { crc32, inflate } from 'node:zlib';
import { damaged, MAX_LOGO_PIXELS, requireSize } from './chunk.js';

export const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** Chunks that are the picture. All others are left out: texts, positions, animations. */
const KEPT = new Set([
  'IHDR',
  'PLTE',
  'IDAT',
  'IEND',
  'tRNS',
  'gAMA',
  'cHRM',
  'sRGB',
  'iCCP',
  'sBIT',
  'bKGD',
]);
/** Length, type and checksum of a chunk. */
const FRAME = 12;
/** Eight bytes for a pixel, a byte for each line, and as much again for the passes of Adam7. */
const MAX_PIXEL_BYTES = 2 * MAX_LOGO_PIXELS * (8 * MAX_LOGO_PIXELS + 1);

const unzip = promisify(inflate);

/**
 * Reads a PNG to its end (PNG, third edition) and copies the chunks that are the image.
 * @throws {RefusedLogo} for an image that is too large or damaged, and for bytes behind it
 */
export async function cleanPng(bytes: Buffer): Promise<Buffer> {
  const kept: Buffer[] = [PNG_SIGNATURE];
  const pixels: Buffer[] = [];
  let at = PNG_SIGNATURE.length;
  let last = '';
  while (at < bytes.length && last !== 'IEND') {
    const isFirst = at === PNG_SIGNATURE.length;
    const { type, data, whole } = chunkAt(bytes, at);
    if (isFirst !== (type === 'IHDR')) throw damaged();
    if (type === 'IHDR') requireHeader(data);
    if (type === 'IDAT') pixels.push(data);
    if (KEPT.has(type)) kept.push(whole);
    at += whole.length;
    last = type;
  }
  if (last !== 'IEND' || at !== bytes.length || pixels.length === 0) throw damaged();
  await unzip(Buffer.concat(pixels), { maxOutputLength: MAX_PIXEL_BYTES }).catch(() => {
    throw damaged();
  });
  return Buffer.concat(kept);
}

/** @throws {RefusedLogo} */
function chunkAt(
  bytes: Buffer,
  at: number,
): { readonly type: string; readonly data: Buffer; readonly whole: Buffer } {
  if (at + FRAME > bytes.length) throw damaged();
  const end = at + FRAME + bytes.readUInt32BE(at);
  if (end > bytes.length) throw damaged();
  if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) throw damaged();
  return {
    type: bytes.toString('latin1', at + 4, at + 8),
    data: bytes.subarray(at + 8, end - 4),
    whole: bytes.subarray(at, end),
  };
}

/** @throws {RefusedLogo} */
function requireHeader(data: Buffer): void {
  if (data.length !== 13) throw damaged();
  requireSize(data.readUInt32BE(0), data.readUInt32BE(4));
}
