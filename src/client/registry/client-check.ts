import { Injectable } from '@nestjs/common';
import { AbilityRegistry } from '../../ability/index.js';
import { MembershipDirectory } from '../../iam/index.js';
import type { Principal, TenantId } from '../../kernel/index.js';
import { AppError, type Violation } from '../../platform/errors/index.js';
import { requireAssertions } from './assertion-audiences.js';
import { requireAddresses, requireAddressesOfType } from './client-addresses.js';
import { requireKeysOfMethod } from './client-jwks.js';
import { requireProfile } from './client-profile.js';
import { requireOneProtocol } from './client-protocol.js';
import type { Client, ClientTraits } from './client.repository.js';
import { requireRegistrableScopes } from './registrable-scopes.js';

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
