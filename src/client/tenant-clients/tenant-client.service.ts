import { Injectable } from '@nestjs/common';
import { newId, type Principal, type TenantId, type UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { AppError } from '../../platform/errors/index.js';
import { ApiService } from '../apis/api.service.js';
import { ClientStatus } from '../status/client-status.js';
import { hasSecret } from '../registry/client-traits.js';
import { ClientChanges } from '../registry/client-changes.js';
import { type Changes, ClientCheck } from '../registry/client-check.js';
import type { Client } from '../registry/client.repository.js';
import { type ClientData, ClientService } from '../registry/client.service.js';
import { TenantClientRepository } from './tenant-client.repository.js';

/** Maximum number of clients of an organization. */
const MAX_CLIENTS = 100;

/** What an organization sets of a client: never that visitors are not asked for consent. */
type Given = Omit<Changes, 'firstParty' | 'satelliteCodes'>;

/** Manages the clients of one organization. The caller has checked the permission before. */
@Injectable()
export class TenantClientService {
  constructor(
    private readonly tenantClients: TenantClientRepository,
    private readonly clients: ClientService,
    private readonly check: ClientCheck,
    private readonly changes: ClientChanges,
    private readonly status: ClientStatus,
    private readonly apis: ApiService,
  ) {}

  /**
   * Lists the clients in order of id.
   * @returns one more than `page.limit` if there are more
   */
  list(tenantId: TenantId, page: Page): Promise<Client[]> {
    return this.tenantClients.list(tenantId, page);
  }

  /** @throws {AppError} not-found, also for a client of another organization */
  async get(tenantId: TenantId, clientId: string): Promise<Client> {
    return (await this.tenantClients.find(tenantId, clientId)) ?? AppError.notFound();
  }

  /**
   * Registers a client. Chooses its client id, so that an organization can neither take a name nor
   * find out which ones are taken.
   * @returns the client and its secret, which cannot be read again
   * @throws {AppError} conflict beyond {@link MAX_CLIENTS}; validation-error for a redirect URI
   *   that is not in canonical form, or a scope that is not of organizations
   */
  async register(
    tenantId: TenantId,
    actorId: UserId,
    data: Given & Pick<ClientData, 'name' | 'redirectUris' | 'type' | 'protocol'>,
  ): Promise<{ client: Client; clientSecret?: string }> {
    this.check.requireScopesOfTenants(data.scopes);
    if ((await this.tenantClients.count(tenantId)) >= MAX_CLIENTS)
      throw new AppError('conflict', {
        detail: `There can be ${MAX_CLIENTS} clients. Delete one that is not in use.`,
      });
    const clientId = `org-${newId().toLowerCase()}`;
    return this.clients.register(actorId, { ...data, clientId, tenantId });
  }

  /**
   * Changes the given fields.
   * @throws {AppError} not-found; validation-error as for {@link register}; forbidden as
   *   {@link getHeld}
   */
  async update(tenantId: TenantId, caller: Principal, clientId: string, changes: Given): Promise<Client> {
    this.check.requireScopesOfTenants(changes.scopes);
    const client = await this.getHeld(tenantId, caller, clientId);
    return this.clients.update(caller.userId, client.id, changes);
  }

  /**
   * Returns a client whose permissions the caller holds.
   * @throws {AppError} not-found; forbidden as {@link ClientCheck.requireHeld}
   */
  async getHeld(tenantId: TenantId, caller: Principal, clientId: string): Promise<Client> {
    const client = await this.get(tenantId, clientId);
    await this.check.requireHeld(tenantId, caller, client);
    return client;
  }

  /**
   * Replaces the secret. The previous one remains valid for one day.
   * @throws {AppError} not-found; conflict for a public client, which has none; forbidden as
   *   {@link getHeld}
   */
  async rotateSecret(
    tenantId: TenantId,
    caller: Principal,
    clientId: string,
  ): ReturnType<ClientService['rotateSecret']> {
    const client = await this.getHeld(tenantId, caller, clientId);
    if (!hasSecret(client.tokenEndpointAuthMethod))
      throw new AppError('conflict', { reason: { id: 'satellite.public' } });
    return this.clients.rotateSecret(caller.userId, client.id);
  }

  /**
   * Deletes a client with the consents to it. Its tokens are refused at once.
   * @throws {AppError} not-found
   */
  async delete(tenantId: TenantId, actorId: UserId, clientId: string): Promise<void> {
    const client = await this.get(tenantId, clientId);
    await this.status.disable(clientId);
    await this.tenantClients.delete(tenantId, clientId);
    await this.apis.removeReachOf(clientId);
    await this.changes.note(actorId, client, 'deleted');
  }
}
