import { Injectable } from '@nestjs/common';
import { ApiService, type Client, ClientService, TenantClientService } from '../../client/index.js';
import type { Principal, TenantId, UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { OPENID_SCOPES } from '../openid-scopes.js';
import { ConsentRepository } from './consent.repository.js';

/** APIs of which scopes are consented to; members are asked for scopes of further ones. */
const MAX_APIS = 100;

/** Consent of an organization to one of its clients. */
export interface MemberConsent {
  /** All that the client can ask for now. */
  readonly scopes: readonly string[];
  /** What the organization has allowed it; empty without a consent. */
  readonly consented: readonly string[];
}

/**
 * Lets organizations consent to their own clients for all members, who are then not asked. The
 * caller has checked the permission before.
 */
@Injectable()
export class MemberConsents {
  constructor(
    private readonly database: Database,
    private readonly clients: ClientService,
    private readonly tenantClients: TenantClientService,
    private readonly apis: ApiService,
    private readonly consents: ConsentRepository,
  ) {}

  /** @throws {AppError} not-found, also for a client of another organization */
  async read(tenantId: TenantId, clientId: string): Promise<MemberConsent> {
    const client = await this.tenantClients.get(tenantId, clientId);
    return { scopes: await this.listAskable(client), consented: client.consentedScopes };
  }

  /**
   * Allows a client all that it can ask for now. Members are asked for what it can ask for later.
   * @throws {AppError} not-found; forbidden where the caller does not hold its permissions
   */
  async give(tenantId: TenantId, caller: Principal, clientId: string): Promise<MemberConsent> {
    const client = await this.tenantClients.getHeld(tenantId, caller, clientId);
    const scopes = await this.listAskable(client);
    await this.clients.consentForMembers(caller.userId, client, scopes);
    return { scopes, consented: scopes };
  }

  /**
   * Withdraws the consent: members are asked at the next sign-in, and refreshes are refused where
   * the member has not consented.
   * @throws {AppError} not-found
   */
  async withdraw(tenantId: TenantId, actorId: UserId, clientId: string): Promise<void> {
    await this.database.transaction(async () => {
      const client = await this.tenantClients.get(tenantId, clientId);
      if (client.consentedScopes.length === 0) return;
      // First: it waits for the sign-ins that it still covers.
      await this.clients.consentForMembers(actorId, client, []);
      await this.consents.deleteMemberConsents(clientId);
    });
  }

  private async listAskable({ clientId, tenantId, scopes }: Client): Promise<string[]> {
    const reached = await this.apis.listReached(tenantId, clientId, { limit: MAX_APIS, after: null });
    const ofApis = reached.flatMap((api) => ['', ...api.scopes].map((name) => `${api.apiId}/${name}`));
    return [...OPENID_SCOPES, ...scopes, ...ofApis];
  }
}

/** Returns whether the organization has allowed a client each of the scopes for all members. */
export function coversForMembers(
  { consentedScopes }: Pick<Client, 'consentedScopes'>,
  scopes: readonly string[],
): boolean {
  return consentedScopes.length > 0 && scopes.every((scope) => consentedScopes.includes(scope));
}
