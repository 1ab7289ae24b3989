import { AppError, type Violation } from '../../platform/errors/index.js';
import { violationsOfNetworks } from './networks.js';

/** Keys of one owner that are valid at once. Two suffice to replace one without an interruption. */
const MAX_KEYS = 10;
export const DAY_MS = 86_400_000;
export const DEFAULT_LIFETIME_DAYS = 90;
/** Time before its expiry at which a key is announced. */
const WARNING_MS = 7 * DAY_MS;

/**
 * Returns when a new key or secret ends.
 * @param expiresAt as the caller asks for it: null for never; undefined for the default
 * @param defaultDays Infinity for never
 */
export function expiryOf(expiresAt: string | null | undefined, defaultDays: number): Date | null {
  if (expiresAt === undefined)
    return defaultDays === Infinity ? null : new Date(Date.now() + defaultDays * DAY_MS);
  return expiresAt === null ? null : new Date(expiresAt);
}

/** Returns when the expiry of a key is announced; null if that is past. */
export function warningOf(expiresAt: Date | null): Date | null {
  const warnAt = expiresAt === null ? 0 : expiresAt.getTime() - WARNING_MS;
  return warnAt > Date.now() ? new Date(warnAt) : null;
}

/** @param maxLifetimeDays of the organization; null for any */
export function violationsOfExpiry(expiresAt: Date | null, maxLifetimeDays: number | null): Violation[] {
  const violations: Violation[] = [];
  if (maxLifetimeDays !== null && !(Number(expiresAt ?? Infinity) <= Date.now() + maxLifetimeDays * DAY_MS))
    violations.push({
      propertyPath: 'expiresAt',
      message: `must be within ${maxLifetimeDays} days: the organization asks for it`,
    });
  if (expiresAt !== null && expiresAt.getTime() <= Date.now())
    violations.push({ propertyPath: 'expiresAt', message: 'must be in the future' });
  return violations;
}

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
