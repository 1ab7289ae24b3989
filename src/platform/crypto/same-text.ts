import { timingSafeEqual } from 'node:crypto';

/**
 * Compares a presented text with a secret one in constant time. Compares characters, not decoded
 * bytes: Node's base64url decoder ignores trailing bits, padding and foreign characters, so that
 * several texts would match one tag.
 */
export function isSameText(presented: string, expected: string): boolean {
  const [a, b] = [Buffer.from(presented), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
