/** Claims that a rule always compares, or that say nothing about the workload. */
const NO_CONDITIONS = ['iss', 'aud', 'exp', 'iat', 'nbf', 'jti'];
const CLAIM = /^[A-Za-z_][A-Za-z0-9_.:/-]{0,99}$/;
const MAX_CONDITIONS = 20;
const MAX_PATTERN = 500;
/** Characters besides `*` that one condition must have: fewer would match almost any token. */
const MIN_LITERALS = 3;

/** Maximum `*` and `**` in a condition. */
const MAX_STARS = 8;
/**
 * Maximum positions of values that the globs of all rules of an account are compared at. The sender
 * of a token has not proven anything yet. They block the event loop for 6 ms (measured).
 */
const MAX_STEPS = 100_000;

/** Fits a condition without a pattern. */
const EXACT = /^[^*]+$/;

/**
 * Issuers of workloads of everyone, with the claims that say whose a workload is: other claims,
 * such as a branch, are those of strangers too. A condition must fit up to the name of the owner.
 */
const OWNER_CLAIMS: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  'https://token.actions.githubusercontent.com': {
    sub: /^(?:repo|repository):[^*:/]+\/|^(?:repository_id|repository_owner|repository_owner_id|enterprise|enterprise_id):[^*:]+(?::|$)/,
    repository: /^[^*/]+\//,
    repository_id: EXACT,
    repository_owner: EXACT,
    repository_owner_id: EXACT,
    enterprise: EXACT,
    enterprise_id: EXACT,
  },
  'https://gitlab.com': {
    sub: /^project_path:[^*:/]+\//,
    project_path: /^[^*/]+\//,
    project_id: EXACT,
    namespace_path: /^[^*/]+(?:\/|$)/,
    namespace_id: EXACT,
  },
};

/** Value or glob by claim. */
export type Conditions = Readonly<Record<string, string>>;

/**
 * @returns why conditions are not accepted; null if they are. At least one must compare a claim
 *   with more than a `*`, and one must say whose the workload is where the issuer has those of
 *   everyone: else any workload of the issuer would be trusted.
 */
export function findConditionsFault(
  issuer: string,
  conditions: Readonly<Record<string, unknown>>,
): string | null {
  const all = Object.entries(conditions);
  if (all.length > MAX_CONDITIONS) return `must have at most ${MAX_CONDITIONS} claims`;
  for (const [claim, pattern] of all) {
    if (!CLAIM.test(claim) || NO_CONDITIONS.includes(claim))
      return `must not compare the claim ${claim.slice(0, 100)}`;
    if (typeof pattern !== 'string' || pattern === '' || pattern.length > MAX_PATTERN)
      return `must have a text of 1 to ${MAX_PATTERN} characters for each claim`;
    if (partsOf(pattern).length > 2 * MAX_STARS + 1)
      return `must have at most ${MAX_STARS} stars for each claim`;
  }
  const isNarrow = (pattern: unknown) => String(pattern).replaceAll('*', '').length >= MIN_LITERALS;
  if (!all.some(([, pattern]) => isNarrow(pattern)))
    return 'must compare at least one claim besides iss and aud with a value';
  const owners = Object.hasOwn(OWNER_CLAIMS, issuer) ? OWNER_CLAIMS[issuer] : undefined;
  return !owners || all.some(([claim, pattern]) => owners[claim]?.test(String(pattern)) === true)
    ? null
    : `must say whose the workload is, by one of ${Object.keys(owners).join(', ')}`;
}

/**
 * Returns the first rule whose every condition the claims of a token fulfil. Rules that would take
 * more than {@link MAX_STEPS} to compare, together with those before, are not fulfilled.
 */
export function findFulfilled<R extends { readonly conditions: Conditions }>(
  claims: Readonly<Record<string, unknown>>,
  rules: readonly R[],
): R | undefined {
  let left = MAX_STEPS;
  return rules.find(({ conditions }) => {
    left -= stepsOf(claims, conditions);
    return left >= 0 && fulfils(claims, conditions);
  });
}

function fulfils(claims: Readonly<Record<string, unknown>>, conditions: Conditions): boolean {
  return Object.entries(conditions).every(([claim, pattern]) => {
    const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
    if (typeof value === 'string') return matchesGlob(value, pattern);
    return (typeof value === 'number' || typeof value === 'boolean') && String(value) === pattern;
  });
}

/** Returns whether the database can hold a text: it has no NUL, and is Unicode. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/**
 * Compares a value with a glob. `*` stands for any characters but `/` and `:`, which separate the
 * parts of subjects; `**` for any characters. Takes a pass over the value for each part of the
 * glob: the value is compared before its signature is verified.
 */
export function matchesGlob(value: string, glob: string): boolean {
  return partsOf(glob)
    .reduce((reached, part) => reachedBy(part, value, reached), new Set([0]))
    .has(value.length);
}

/** Returns the texts and the stars of a glob, by turns. */
const partsOf = (glob: string): string[] => glob.split(/(\*+)/);

/** Returns at how many positions values are compared with globs; none without a star. */
function stepsOf(claims: Readonly<Record<string, unknown>>, conditions: Conditions): number {
  return Object.entries(conditions).reduce((sum, [claim, glob]) => {
    const value = claims[claim];
    return typeof value === 'string' && glob.includes('*') ? sum + value.length * partsOf(glob).length : sum;
  }, 0);
}

/** Returns the positions in the value at which a part ends that begins at one of these. */
function reachedBy(part: string, value: string, from: ReadonlySet<number>): Set<number> {
  const reached = new Set<number>();
  if (!part.startsWith('*')) {
    for (const at of from) if (value.startsWith(part, at)) reached.add(at + part.length);
    return reached;
  }
  let isOpen = false;
  for (let at = 0; at <= value.length; at++) {
    isOpen ||= from.has(at);
    if (isOpen) reached.add(at);
    if (part === '*' && (value[at] === '/' || value[at] === ':')) isOpen = false;
  }
  return reached;
}
