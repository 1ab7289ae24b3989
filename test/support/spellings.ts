const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Returns texts other than `token` that a lenient decoder (for example Node's `base64url`) reads as
 * the same bytes: trailing bits that are not zero, padding, the alphabet of plain base64, and
 * ignored characters. The last part of `token` is base64url without padding.
 */
export function otherSpellings(token: string): string[] {
  const part = token.slice(token.lastIndexOf('.') + 1);
  const bytes = Buffer.from(part, 'base64url');
  const middle = token.length - Math.ceil(part.length / 2);
  return [
    ...[...ALPHABET].map((last) => token.slice(0, -1) + last),
    `${token}=`,
    `${token}==`,
    token.replaceAll('-', '+').replaceAll('_', '/'),
    `${token}.`,
    ...[
      ' ',
      '=',
      '!',
      '%',
      ',',
      '\u00a0',
      '\u200b',
      '\u2028',
      '\ufeff',
      '\n',
      '\r\n',
      '\t',
      '\u0000',
    ].flatMap((skipped) => [
      token + skipped,
      skipped + token,
      token.slice(0, middle) + skipped + token.slice(middle),
    ]),
    ...['_', '-'].map((character) => token.replaceAll(character, `%${character.charCodeAt(0).toString(16)}`)),
  ].filter(
    (text, at, all) =>
      text !== token &&
      all.indexOf(text) === at &&
      (text.length !== token.length || sameBytes(text, token, bytes)),
  );
}

/** Texts that differ in the last character alone and decode to the same bytes. */
function sameBytes(text: string, token: string, bytes: Buffer): boolean {
  const from = token.lastIndexOf('.') + 1;
  return Buffer.from(text.slice(from), 'base64url').equals(bytes);
}

/**
 * Whether a body or a header may carry the text; otherwise the request is refused before the text
 * is read as a token.
 */
export function isPrintable(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- telling control characters is the point
  return !/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text);
}
