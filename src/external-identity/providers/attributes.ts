import type { Attributes } from '../../connection/index.js';

/** Maximum number of attributes, of values of one, and of characters of a value. */
const MAX_ATTRIBUTES = 100;
const MAX_VALUES = 500;
const MAX_LENGTH = 500;

/**
 * Bounds the claims or attributes of a provider, of which the service keeps what it has room for.
 * @param groups name of the attribute that the rules find as `groups`
 */
export function boundAttributes(
  entries: readonly (readonly [name: string, values: readonly string[]])[],
  groups: string | undefined,
): Attributes {
  const bounded = entries
    .slice(0, MAX_ATTRIBUTES)
    .map(([name, values]) => [cut(name), values.slice(0, MAX_VALUES).map(cut)] as const);
  const named = entries.find(([name]) => name === groups)?.[1];
  return Object.fromEntries([
    ...bounded,
    ...(named ? [['groups', named.slice(0, MAX_VALUES).map(cut)] as const] : []),
  ]);
}

const cut = (text: string): string => text.slice(0, MAX_LENGTH);
