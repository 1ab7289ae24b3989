import type { Provisioning, Rule } from '../connections/connection.js';

/** Claims or attributes of a sign-in, by name. */
export type Attributes = Readonly<Record<string, readonly string[]>>;

/** What rules are compared with. */
export interface ReadAttributes {
  readonly attributes?: Attributes;
  /** Names of attributes that have more values than were read. */
  readonly incomplete?: readonly string[];
}

/** What provisioning makes of a sign-in. */
export interface Provisioned {
  /**
   * `refused`: no rule matches, and people without a match are refused. `undecided`: an attribute
   * of the rules is not whole, so that a rule that does not match might.
   */
  readonly outcome: 'admitted' | 'refused' | 'undecided';
  /** Ids of roles. One that was deleted since is ignored. */
  readonly roleIds: readonly string[];
}

/** Maximum stars in a pattern. */
export const MAX_STARS = 8;
/**
 * Maximum characters of values that the rules of one sign-in are compared with. They block the
 * event loop for 30 ms, with values and patterns that are chosen for it (measured). 27 rules by
 * part of a value and 2,000 ids of groups fit in, and any number of rules by `equals`.
 */
const MAX_COMPARED = 2_000_000;

/** Finds the roles of a sign-in: those of all rules that match, or else the default ones. */
export function provisionBy(
  { defaultRoleIds, onNoMatch }: Pick<Provisioning, 'defaultRoleIds' | 'onNoMatch'>,
  rules: readonly Rule[],
  read: ReadAttributes,
): Provisioned {
  if (areUndecided(rules, read)) return { outcome: 'undecided', roleIds: [] };
  const values = valuesBy(read.attributes);
  const matching = rules.filter((rule) => isMatch(rule, values(rule.attribute)));
  if (matching.length > 0)
    return { outcome: 'admitted', roleIds: [...new Set(matching.flatMap(({ roleIds }) => roleIds))] };
  return onNoMatch === 'refuse'
    ? { outcome: 'refused', roleIds: [] }
    : { outcome: 'admitted', roleIds: defaultRoleIds };
}

/**
 * Tells whether rules cannot decide, because an attribute of theirs is not whole, or has too many
 * values to compare.
 */
export function areUndecided(
  rules: readonly Rule[],
  { attributes, incomplete = [] }: ReadAttributes,
): boolean {
  return (
    rules.some(({ attribute }) => incomplete.includes(attribute)) ||
    costOf(rules, valuesBy(attributes)) > MAX_COMPARED
  );
}

/** Values of an attribute, for many rules. */
interface Values {
  readonly all: ReadonlySet<string>;
  readonly characters: number;
}

/** Returns a function that finds the values of an attribute, and prepares them once. */
function valuesBy(attributes: Attributes = {}): (name: string) => Values {
  const prepared = new Map<string, Values>();
  return (name) => {
    const known = prepared.get(name);
    if (known) return known;
    const all = new Set(Object.hasOwn(attributes, name) ? attributes[name] : []);
    const values = { all, characters: [...all].reduce((sum, { length }) => sum + length, 0) };
    prepared.set(name, values);
    return values;
  };
}

/** Returns how many characters the rules look at. One by `equals` looks a value up. */
function costOf(rules: readonly Rule[], values: (name: string) => Values): number {
  return rules
    .filter(({ operator }) => operator !== 'equals')
    .reduce((sum, { attribute }) => sum + values(attribute).characters, 0);
}

/** Tells whether any value of the rule's attribute fits. Compares the case of letters. */
function isMatch({ operator, value: wanted }: Rule, { all }: Values): boolean {
  if (operator === 'equals') return all.has(wanted);
  const fits = operator === 'contains' ? (value: string) => value.includes(wanted) : patternOf(wanted);
  return [...all].some(fits);
}

/**
 * Returns a function that compares a whole value with a pattern in which `*` stands for any text.
 * No regular expression: an administrator could write one that takes forever.
 */
function patternOf(pattern: string): (value: string) => boolean {
  const [start = '', ...parts] = pattern.split(/\*+/);
  const end = parts.pop();
  if (end === undefined) return (value) => value === pattern;
  return (value) => {
    if (value.length < start.length + end.length || !value.startsWith(start) || !value.endsWith(end))
      return false;
    const middle = value.slice(start.length, value.length - end.length);
    let from = 0;
    return parts.every((part) => {
      const at = middle.indexOf(part, from);
      from = at + part.length;
      return at >= 0;
    });
  };
}
