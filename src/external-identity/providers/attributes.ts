import { isObject } from '../../kernel/index.js';
import type { ReadAttributes } from '../../connection/index.js';

/** Maximum number of attributes, of values of one, and of characters of a value. */
const MAX_ATTRIBUTES = 100;
const MAX_VALUES = 2_000;
const MAX_LENGTH = 500;

/**
 * Bounds the claims or attributes of a provider, of which the service keeps what it has room for.
 * @param groups name of the attribute that the rules find as `groups`
 * @param left names of attributes that the provider says it has left out, or not sent whole
 */
export function boundAttributes(
  entries: readonly (readonly [name: string, values: readonly string[]])[],
  groups: string | undefined,
  left: readonly string[],
): Required<ReadAttributes> {
  const bounded = entries
    .slice(0, MAX_ATTRIBUTES)
    .map(([name, values]) => [cut(name), values.slice(0, MAX_VALUES).map(cut)] as const);
  const named = entries.find(([name]) => name === groups)?.[1];
  const attributes = Object.fromEntries([
    ...bounded,
    ...(named ? [['groups', named.slice(0, MAX_VALUES).map(cut)] as const] : []),
  ]);
  const tooMany = entries.filter(([, values], n) => n >= MAX_ATTRIBUTES || values.length > MAX_VALUES);
  const incomplete = [...left, ...tooMany.map(([name]) => name)];
  // Rules find the configured attribute as `groups`, and none that has this name by chance.
  const others = groups === undefined ? incomplete : incomplete.filter((name) => name !== 'groups');
  const isGroups = groups !== undefined && incomplete.includes(groups);
  return { attributes, incomplete: [...new Set([...others, ...(isGroups ? ['groups'] : [])])] };
}

const cut = (text: string): string => text.slice(0, MAX_LENGTH);

/** Reads a claim that is a text. @returns null for anything else */
export const textOf = (claim: unknown): string | null => (typeof claim === 'string' ? claim : null);

/**
 * Reads a boolean claim, which providers send as such or as its text (Apple, Amazon Cognito).
 * Anything else counts as false.
 * @returns undefined for a claim that is absent
 */
export function booleanOf(claim: unknown): boolean | undefined {
  return claim === undefined ? undefined : claim === true || claim === 'true';
}

/**
 * Returns a claim by its name, or by the names of the claims around it: `realm_access.roles` of
 * Keycloak. Names can have dots themselves.
 */
export function claimAt(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  for (const [key, value] of Object.entries(claims)) {
    if (!isObject(value) || !name.startsWith(`${key}.`)) continue;
    const found = claimAt(value, name.slice(key.length + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Levels of claims that hold claims: Keycloak has three, `resource_access`, client and `roles`. */
const MAX_LEVELS = 4;

/** Returns claims that are texts or lists of texts, those in other claims last. */
export function textClaims(
  claims: Readonly<Record<string, unknown>>,
  level = 1,
): readonly (readonly [name: string, values: readonly string[]])[] {
  const entries = Object.entries(claims);
  const own = entries.flatMap(([name, value]) => {
    const values = [value].flat().filter((one) => typeof one === 'string');
    return values.length === 0 ? [] : [[name, values] as const];
  });
  if (level === MAX_LEVELS) return own;
  const inner = entries.flatMap(([name, value]) =>
    isObject(value)
      ? textClaims(value, level + 1).map(([sub, values]) => [`${name}.${sub}`, values] as const)
      : [],
  );
  return [...own, ...inner.filter(([name]) => !Object.hasOwn(claims, name))];
}
