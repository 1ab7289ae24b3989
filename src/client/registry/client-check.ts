import { Injectable } from '@nestjs/common';
import { AbilityRegistry, EVERY_SCOPE } from '../../ability/index.js';
import { MembershipDirectory } from '../../iam/index.js';
import type { Principal, TenantId } from '../../kernel/index.js';
import { AppError, type Violation } from '../../platform/errors/index.js';
import { requireAddresses, requireAddressesOfType } from './client-addresses.js';
import { requireKeysOfMethod } from './client-jwks.js';
import { requireProfile } from './client-profile.js';
import { requireOneProtocol } from './client-protocol.js';
import type { Client, ClientTraits } from './client.repository.js';

/** What can be changed. Omitted fields have a default, or stay as they are. */
export type Changes = {
  readonly [K in keyof Omit<ClientTraits, 'type'>]?: ClientTraits[K] | undefined;
};

/** Checks what a client is registered with. */
@Injectable()
export class ClientCheck {
  constructor(
    private readonly registry: AbilityRegistry,
    private readonly members: MembershipDirectory,
  ) {}

  /** @throws {AppError} validation-error for an address in another spelling, or a scope */
  requireSpelling<T extends Changes>(traits: T): T {
    requireAddresses(traits);
    const scopes = traits.scopes && requireRegistrableScopes(this.registry, traits.scopes);
    return { ...traits, ...(scopes && { scopes }) };
  }

  /** @throws {AppError} validation-error if there is no such organization */
  async requireTenant(tenantId: TenantId): Promise<void> {
    if ((await this.members.findState(tenantId, false)) === null)
      throw AppError.violation('tenantId', 'There is no such organization.');
  }

  /** @throws {AppError} validation-error for a scope of people or operators, and for `*` */
  requireScopesOfTenants(scopes: readonly string[] = []): void {
    const violations = scopes.flatMap((scope, n): Violation[] =>
      this.registry.find(scope)?.audience === 'tenant'
        ? []
        : [{ propertyPath: `scopes[${n}]`, message: 'must be a permission of organizations' }],
    );
    if (violations.length > 0) throw new AppError('validation-error', { violations });
  }

  /**
   * Requires that the caller holds the permissions of a client: its tokens act with the permissions
   * of each member who signs in, and who has consented once is not asked again.
   * @throws {AppError} forbidden
   */
  async requireHeld(tenantId: TenantId, caller: Principal, client: Client): Promise<void> {
    const holds = await this.members.findScopePredicate(caller.userId, tenantId, true);
    const permissions = [...client.scopes, ...client.consentedScopes].filter((scope) =>
      this.registry.find(scope),
    );
    if (permissions.some((scope) => holds?.(scope) !== true))
      throw new AppError('forbidden', { reason: { id: 'client.exceeds-caller' } });
  }
}

/** @throws {AppError} validation-error for properties of a client that do not fit together */
export function requireTraits(
  client: Parameters<typeof requireTraitsOfType>[0] &
    Parameters<typeof requireKeysOfMethod>[0] &
    Parameters<typeof requireAddressesOfType>[0] &
    Parameters<typeof requireProfile>[0] &
    Parameters<typeof requireAssertions>[0] &
    Parameters<typeof requireOneProtocol>[0] &
    Pick<Client, 'protocol'>,
): void {
  if (client.protocol === 'saml') return requireAddressesOfType(client);
  requireTraitsOfType(client);
  requireKeysOfMethod(client);
  requireAddressesOfType(client);
  requireProfile(client);
  requireAssertions(client);
  requireOneProtocol(client);
}

/**
 * A public client has no secret to authenticate with, so that only PKCE binds its codes; a
 * confidential one must use its secret.
 */
function requireTraitsOfType({
  type,
  tokenEndpointAuthMethod: method,
  requirePkce = true,
}: Pick<ClientTraits, 'type' | 'tokenEndpointAuthMethod'> &
  Partial<Pick<ClientTraits, 'requirePkce'>>): void {
  if (type === 'public' && !requirePkce)
    throw AppError.violation('requirePkce', 'must be true for a public client');
  if ((type === 'public') !== (method === 'none'))
    throw AppError.violation('tokenEndpointAuthMethod', 'must be none for a public client, and only for one');
}

/**
 * Checks the scopes of a client and removes duplicates.
 * @throws {AppError} validation-error on `scopes[n]` for a scope that is unknown, first-party
 *   only, or in addition to `*`
 */
function requireRegistrableScopes(registry: AbilityRegistry, scopes: readonly string[]): string[] {
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
