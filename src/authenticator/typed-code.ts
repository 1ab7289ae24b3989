/** Spaces, hyphens and invisible characters, which separate characters or are copied with them. */
const SEPARATORS = /[\s\p{Z}\p{Pd}\p{Cf}\u2212]/gu;
const DIGIT = /\p{Nd}/u;

/**
 * Returns a code that a person has typed, pasted or dictated, without separators, in upper case and
 * with ASCII digits: keyboards of some scripts have other digits.
 */
export function normalizeTypedCode(typed: string): string {
  return typed
    .normalize('NFKC')
    .replace(SEPARATORS, '')
    .replace(/\p{Nd}/gu, asciiDigitOf)
    .toUpperCase();
}

/** Unicode encodes the decimal digits of each script as a run of ten, from zero to nine. */
function asciiDigitOf(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (DIGIT.test(String.fromCodePoint(point - before - 1))) before += 1;
  return String(before % 10);
}
