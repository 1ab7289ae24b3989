import { createHmac, randomBytes } from 'node:crypto';
import { isSameText } from '../../platform/crypto/index.js';

const STEP_SECONDS = 30;
const DIGITS = 6;
/** Bytes: the length of a SHA-1 key (RFC 4226 section 4). */
const SECRET_BYTES = 20;
/** Steps before and after the current one whose codes are accepted (RFC 6238 section 5.2). */
const TOLERANCE_STEPS = 1;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Creates a random secret, in base32 without padding (RFC 4648 section 6). */
export function createTotpSecret(): string {
  const bits = [...randomBytes(SECRET_BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32[Number.parseInt(five, 2)]).join('');
}

/**
 * Builds the URI that authenticator apps read from a QR code (Key URI Format). A colon divides
 * issuer and account, so that neither may have one: FreeOTP refuses such a code.
 * @param issuer name of the service, as the app shows it
 */
export function totpUri(secret: string, issuer: string, account: string): string {
  const [by, of] = [issuer, account].map((name) => encodeURIComponent(name.replace(/\s*:\s*/g, ' ').trim()));
  return `otpauth://totp/${by}:${of}?secret=${secret}&issuer=${by}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`;
}

/** Returns the number of the time step (RFC 6238 section 4.2). @param time milliseconds */
export const stepAt = (time: number): number => Math.floor(time / 1_000 / STEP_SECONDS);

/** Computes the code of a step: HOTP with SHA-1 and six digits (RFC 4226 section 5.3). */
export function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', decode(secret)).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0xf;
  const number = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}

/**
 * Finds the step whose code was presented, in constant time for each step.
 * @param time milliseconds
 * @returns the step; null if the code belongs to none near the current one
 */
export function findStep(secret: string, code: string, time: number): number | null {
  const now = stepAt(time);
  const steps = Array.from({ length: 2 * TOLERANCE_STEPS + 1 }, (_, n) => now - TOLERANCE_STEPS + n);
  return steps.findLast((step) => isSameText(code, codeOf(secret, step))) ?? null;
}

function decode(secret: string): Buffer {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
