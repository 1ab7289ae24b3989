import type { Provisioning, Rule } from '../connections/connection.js';

/** Claims or attributes of a sign-in, by name. */
export type Attributes = Readonly<Record<string, readonly string[]>>;

/** What provisioning makes of a sign-in. */
export interface Provisioned {
  /** Ids of roles. One that was deleted since is ignored. */
  readonly roleIds: readonly string[];
  /** Whether no rule matches, and people without a match are refused. */
  readonly isRefused: boolean;
}

/** Finds the roles of a sign-in: those of all rules that match, or else the default ones. */
export function provisionBy(
  { defaultRoleIds, onNoMatch }: Pick<Provisioning, 'defaultRoleIds' | 'onNoMatch'>,
  rules: readonly Rule[],
  attributes: Attributes,
): Provisioned {
  const matching = rules.filter((rule) => isMatch(rule, attributes));
  if (matching.length > 0)
    return { roleIds: [...new Set(matching.flatMap(({ roleIds }) => roleIds))], isRefused: false };
  return onNoMatch === 'refuse'
    ? { roleIds: [], isRefused: true }
    : { roleIds: defaultRoleIds, isRefused: false };
}

/** Tells whether any value of the rule's attribute fits. Compares the case of letters. */
function isMatch({ attribute, operator, value: wanted }: Rule, attributes: Attributes): boolean {
  const values = Object.hasOwn(attributes, attribute) ? (attributes[attribute] ?? []) : [];
  return values.some((value) => {
    if (operator === 'equals') return value === wanted;
    return operator === 'contains' ? value.includes(wanted) : fitsPattern(value, wanted);
  });
}

/**
 * Compares a whole value with a pattern in which `*` stands for any text. No regular expression: an
 * administrator could write one that takes forever.
 */
function fitsPattern(value: string, pattern: string): boolean {
  const [start = '', ...parts] = pattern.split('*');
  const end = parts.pop();
  if (end === undefined) return value === pattern;
  if (value.length < start.length + end.length || !value.startsWith(start) || !value.endsWith(end))
    return false;
  const middle = value.slice(start.length, value.length - end.length);
  let from = 0;
  return parts.every((part) => {
    const at = middle.indexOf(part, from);
    from = at + part.length;
    return at >= 0;
  });
}
