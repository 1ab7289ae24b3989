import { crc32 } from 'node:zlib';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Appends the checksum that makes a text a key in the right spelling. */
export function withChecksum(text: string): string {
  let rest = crc32(text);
  let checksum = '';
  for (let n = 0; n < 6; n += 1) {
    checksum = `${DIGITS[rest % 62]}${checksum}`;
    rest = Math.floor(rest / 62);
  }
  return `${text}_${checksum}`;
}
