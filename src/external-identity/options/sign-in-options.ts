import { Injectable } from '@nestjs/common';
import { type Connection, ConnectionDirectory } from '../../connection/index.js';
import { BrandingService, type Look, MembershipDirectory } from '../../iam/index.js';
import { domainOf, isEmailAddress, type TenantId } from '../../kernel/index.js';
import type { Kind } from '../providers/provider.js';
import { ProviderRegistry } from '../providers/provider.registry.js';

/** Where a person wants to sign in. */
interface Question {
  readonly email?: string | undefined;
  readonly organization?: string | undefined;
}

export interface Options {
  readonly external: readonly Kind[];
  readonly connection: Connection | null;
  /** Whether the organization of the connection accepts no other way. */
  readonly required: boolean;
  /** Look of the organization that was asked for by its id; null if it has none of its own. */
  readonly look: Look | null;
}

/**
 * Finds the ways to sign in, by the domain of an address or by the organization, and never by the
 * account: the answer is the same for an address with and without one.
 */
@Injectable()
export class SignInOptions {
  constructor(
    private readonly providers: ProviderRegistry,
    private readonly connections: ConnectionDirectory,
    private readonly memberships: MembershipDirectory,
    private readonly brandings: BrandingService,
  ) {}

  async find(question: Question): Promise<Options> {
    const { configured: external } = this.providers;
    const connection = await this.findConnection(question);
    const state = connection && (await this.memberships.findState(connection.tenantId, false));
    const look = await this.findLook(question);
    if (state?.archived !== false) return { external, connection: null, required: false, look };
    return { external, connection, required: state.signInPolicy?.sso === 'required', look };
  }

  /** Never by an address: a look would tell to which organization its domain belongs. */
  private async findLook({ organization }: Question): Promise<Look | null> {
    return organization === undefined ? null : this.brandings.findLook(organization as TenantId);
  }

  private async findConnection({ email, organization }: Question): Promise<Connection | null> {
    if (organization !== undefined) return this.connections.findOfTenant(organization as TenantId);
    if (email === undefined || !isEmailAddress(email)) return null;
    return this.connections.findByDomain(domainOf(email));
  }
}
