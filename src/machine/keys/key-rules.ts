import { AppError, type Violation } from '../../platform/errors/index.js';
import { violationsOfNetworks } from './networks.js';

/** Keys of one owner that are valid at once. Two suffice to replace one without an interruption. */
const MAX_KEYS = 10;
export const DAY_MS = 86_400_000;
export const DEFAULT_LIFETIME_DAYS = 90;

/** @throws {AppError} conflict if the owner has {@link MAX_KEYS} valid keys */
export function requireRoomForKey(validKeys: number): void {
  if (validKeys >= MAX_KEYS)
    throw new AppError('conflict', { detail: `There can be ${MAX_KEYS} keys. Revoke one first.` });
}

interface Restrictions {
  readonly scopes: readonly string[] | null | undefined;
  readonly networks: readonly string[];
}

/** What the owner of a key may give it. */
interface OwnerScopes {
  /** Tells whether a program of this kind can hold a scope at all. */
  readonly isForPrograms: (scope: string) => boolean;
  readonly isHeld: (scope: string) => boolean;
}

/** @returns what is wrong with the scopes and networks of a new key */
export function violationsOfRestrictions(
  { scopes, networks }: Restrictions,
  { isForPrograms, isHeld }: OwnerScopes,
): Violation[] {
  const violations: Violation[] = [];
  for (const [n, scope] of (scopes ?? []).entries()) {
    const propertyPath = `scopes[${n}]`;
    if (!isForPrograms(scope))
      violations.push({ propertyPath, message: 'There is no such permission of programs.' });
    else if (!isHeld(scope))
      violations.push({ propertyPath, message: 'The roles of the owner do not include this permission.' });
  }
  return [...violations, ...violationsOfNetworks(networks)];
}
