import { AbilityRegistry, EVERY_SCOPE } from '../../ability/index.js';
import { AppError, type Violation } from '../../platform/errors/index.js';

/**
 * The scopes, each once, as a satellite may have them.
 * @throws {AppError} validation-error on `scopes[n]` for one that nobody declares, that is for our own app alone, or beside `*`
 */
export function requireRegistrable(registry: AbilityRegistry, scopes: readonly string[]): string[] {
  const violations = scopes.flatMap((scope, n): Violation[] => {
    const message = whyNot(registry, scope, scopes);
    return message === null ? [] : [{ propertyPath: `scopes[${n}]`, message }];
  });
  if (violations.length > 0) throw new AppError('validation-error', { violations });
  return [...new Set(scopes)];
}

function whyNot(registry: AbilityRegistry, scope: string, scopes: readonly string[]): string | null {
  if (scope === EVERY_SCOPE)
    return scopes.every((other) => other === EVERY_SCOPE)
      ? null
      : '* is every permission of the visitor. Send it alone, or list the permissions.';
  const declared = registry.find(scope);
  if (!declared) return 'There is no such permission.';
  return declared.firstParty ? 'This permission is for the app itself. A satellite cannot have it.' : null;
}
