import { Injectable } from '@nestjs/common';
import { type Connection, ConnectionDirectory } from '../../connection/index.js';
import { BrandingService, type Look, MembershipDirectory, TenantService } from '../../iam/index.js';
import { domainOf, isEmailAddress, isUlid, type TenantId } from '../../kernel/index.js';
import type { Kind } from '../providers/provider.js';
import { ProviderRegistry } from '../providers/provider.registry.js';

/** Where a person wants to sign in: the organization by its id or its slug. */
interface Question {
  readonly email?: string | undefined;
  readonly organization?: string | undefined;
}

export interface Options {
  readonly external: readonly Kind[];
  readonly connection: Connection | null;
  /** Whether the organization of the connection accepts no other way. */
  readonly required: boolean;
  /** Look of the organization that was asked for; null if it has none of its own. */
  readonly look: Look | null;
}

/**
 * Finds the ways to sign in, by the domain of an address or by the organization, and never by the
 * account: the answer is the same for an address with and without one. An unknown organization is
 * answered as one without a connection and a look.
 */
@Injectable()
export class SignInOptions {
  constructor(
    private readonly providers: ProviderRegistry,
    private readonly connections: ConnectionDirectory,
    private readonly memberships: MembershipDirectory,
    private readonly brandings: BrandingService,
    private readonly tenants: TenantService,
  ) {}

  async find(question: Question): Promise<Options> {
    const { configured: external } = this.providers;
    const tenantId = await this.findTenantId(question);
    const connection = await this.findConnection(question, tenantId);
    const state = connection && (await this.memberships.findState(connection.tenantId, false));
    // Never by an address: a look would tell to which organization its domain belongs.
    const look = tenantId === null ? null : await this.brandings.findLook(tenantId);
    if (state?.archived !== false) return { external, connection: null, required: false, look };
    return { external, connection, required: state.signInPolicy?.sso === 'required', look };
  }

  private async findTenantId({ organization }: Question): Promise<TenantId | null> {
    if (organization === undefined) return null;
    return isUlid(organization) ? (organization as TenantId) : this.tenants.findIdBySlug(organization);
  }

  private async findConnection(
    { email, organization }: Question,
    tenantId: TenantId | null,
  ): Promise<Connection | null> {
    if (tenantId !== null) return this.connections.findOfTenant(tenantId);
    if (organization !== undefined) return null;
    if (email === undefined || !isEmailAddress(email)) return null;
    return this.connections.findByDomain(domainOf(email));
  }
}
