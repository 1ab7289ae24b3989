import { timingSafeEqual } from 'node:crypto';

/**
 * Compares a secret text with a presented one, in a time that says nothing of where they differ. Compares characters and not what they
 * decode to: Node's base64url decoder ignores trailing bits, padding and foreign characters, which would give one tag many spellings.
 */
export function isSameText(presented: string, expected: string): boolean {
  const [a, b] = [Buffer.from(presented), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
