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

/**
 * Reads a boolean claim, which providers send as such or as its text (Apple, Amazon Cognito).
 * Anything else counts as false.
 * @returns undefined for a claim that is absent
 */
export function booleanOf(claim: unknown): boolean | undefined {
  return claim === undefined ? undefined : claim === true || claim === 'true';
}
