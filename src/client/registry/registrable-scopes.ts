import { AbilityRegistry, EVERY_SCOPE } from '../../ability/index.js';
import { AppError, type Violation } from '../../platform/errors/index.js';

/**
 * Checks the scopes of a client and removes duplicates.
 * @throws {AppError} validation-error on `scopes[n]` for a scope that is unknown, first-party
 *   only, or in addition to `*`
 */
export function requireRegistrableScopes(registry: AbilityRegistry, scopes: readonly string[]): string[] {
  const violations = scopes.flatMap((scope, n): Violation[] => {
    const message = describeViolation(registry, scope, scopes);
    return message === null ? [] : [{ propertyPath: `scopes[${n}]`, message }];
  });
  if (violations.length > 0) throw new AppError('validation-error', { violations });
  return [...new Set(scopes)];
}

function describeViolation(
  registry: AbilityRegistry,
  scope: string,
  scopes: readonly string[],
): string | null {
  if (scope === EVERY_SCOPE)
    return scopes.every((other) => other === EVERY_SCOPE)
      ? null
      : '* stands for every permission of the visitor. Send it alone, or list the permissions.';
  const declared = registry.find(scope);
  if (!declared) return 'There is no such permission.';
  return declared.firstParty ? 'This permission is first-party only. A satellite cannot have it.' : null;
}
