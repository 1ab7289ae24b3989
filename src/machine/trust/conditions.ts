/** Claims that a rule always compares, or that say nothing about the workload. */
const NO_CONDITIONS = ['iss', 'aud', 'exp', 'iat', 'nbf', 'jti'];
const CLAIM = /^[A-Za-z_][A-Za-z0-9_.:/-]{0,99}$/;
const MAX_CONDITIONS = 20;
const MAX_PATTERN = 500;
/** Characters besides `*` that one condition must have: fewer would match almost any token. */
const MIN_LITERALS = 3;

/** Value or glob by claim. */
export type Conditions = Readonly<Record<string, string>>;

/**
 * @returns why conditions are not accepted; null if they are. At least one must compare a claim
 *   with more than a `*`: else any workload of the issuer would be trusted.
 */
export function findConditionsFault(conditions: Readonly<Record<string, unknown>>): string | null {
  const all = Object.entries(conditions);
  if (all.length > MAX_CONDITIONS) return `must have at most ${MAX_CONDITIONS} claims`;
  for (const [claim, pattern] of all) {
    if (!CLAIM.test(claim) || NO_CONDITIONS.includes(claim))
      return `must not compare the claim ${claim.slice(0, 100)}`;
    if (typeof pattern !== 'string' || pattern === '' || pattern.length > MAX_PATTERN)
      return `must have a text of 1 to ${MAX_PATTERN} characters for each claim`;
  }
  const isNarrow = (pattern: unknown) => String(pattern).replaceAll('*', '').length >= MIN_LITERALS;
  return all.some(([, pattern]) => isNarrow(pattern))
    ? null
    : 'must compare at least one claim besides iss and aud with a value';
}

/** Returns whether the claims of a verified token fulfil every condition. */
export function fulfils(claims: Readonly<Record<string, unknown>>, conditions: Conditions): boolean {
  return Object.entries(conditions).every(([claim, pattern]) => {
    const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
    if (typeof value === 'string') return matchesGlob(value, pattern);
    return (typeof value === 'number' || typeof value === 'boolean') && String(value) === pattern;
  });
}

/**
 * Compares a value with a glob in linear time. `*` stands for any characters but `/` and `:`, which
 * separate the parts of subjects; `**` for any characters.
 */
export function matchesGlob(value: string, glob: string): boolean {
  const parts = glob.split(/(\*+)/);
  let positions = new Set([0]);
  for (const part of parts) {
    const next = new Set<number>();
    for (const at of positions) {
      if (!part.startsWith('*')) {
        if (value.startsWith(part, at)) next.add(at + part.length);
        continue;
      }
      for (let end = at; end <= value.length; end++) {
        next.add(end);
        const character = value[end];
        if (part === '*' && (character === '/' || character === ':')) break;
      }
    }
    positions = next;
  }
  return positions.has(value.length);
}
