import type { TenantId } from '../../kernel/index.js';
import { AppError, type Violation } from '../../platform/errors/index.js';
import type { ClientTraits } from './client.repository.js';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** What decides whether a client may have identity assertions. */
type Asserted = Pick<ClientTraits, 'type'> &
  Partial<Pick<ClientTraits, 'grantTypes' | 'assertionAudiences'>> & { readonly tenantId: TenantId | null };

/**
 * Requires that identity assertions, given and taken, are for clients with credentials
 * (draft-ietf-oauth-identity-assertion-authz-grant section 9.1), and given to clients of an
 * organization only, each audience once.
 * @throws {AppError} validation-error
 */
export function requireAssertions({
  type,
  tenantId,
  grantTypes = [],
  assertionAudiences = [],
}: Asserted): void {
  const violations: Violation[] = [];
  const refuse = (propertyPath: string, message: string) => violations.push({ propertyPath, message });
  if (type === 'public' && grantTypes.includes(JWT_BEARER))
    refuse('grantTypes', 'must not have jwt-bearer for a public client');
  if (assertionAudiences.length > 0 && (type === 'public' || tenantId === null))
    refuse('assertionAudiences', 'must be omitted: they are for confidential clients of an organization');
  assertionAudiences.forEach(({ audience }, n) => {
    if (assertionAudiences.findIndex((one) => one.audience === audience) !== n)
      refuse(`assertionAudiences[${n}].audience`, 'must not be repeated');
  });
  if (violations.length > 0) throw new AppError('validation-error', { violations });
}
