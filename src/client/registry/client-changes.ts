import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { Lifecycle } from '../../platform/lifecycle/index.js';
import { ClientLogos } from '../logos/client-logos.js';
import type { Changes } from './client-check.js';
import { RegisteredScopes } from './client-scopes.js';
import type { Client } from './client.repository.js';
import { LiveClients } from './live-clients.js';

/** Tells caches, listeners and the audit trail of changed clients, in the open transaction. */
@Injectable()
export class ClientChanges {
  constructor(
    private readonly live: LiveClients,
    private readonly scopes: RegisteredScopes,
    private readonly logos: ClientLogos,
    private readonly lifecycle: Lifecycle,
    private readonly audit: AuditTrail,
  ) {}

  async noteRegistered(actorId: UserId | null, client: Client): Promise<void> {
    await this.logos.queue(client);
    await this.lifecycle.emit('client.registered', algsOf(client));
    await this.record(actorId, client, 'registered');
  }

  async noteUpdated(actorId: UserId | null, client: Client, changes: Changes): Promise<void> {
    if (changes.scopes) await this.scopes.announceChange(client.clientId);
    if (changes.logoUri !== undefined) await this.logos.queue(client);
    await this.live.announce(client.clientId);
    await this.lifecycle.emit('client.registered', algsOf(client));
    await this.record(actorId, client, 'updated');
  }

  /** @param what last word of the action in the audit trail */
  async note(actorId: UserId | null, client: Client, what: string): Promise<void> {
    await this.live.announce(client.clientId);
    await this.record(actorId, client, what);
  }

  /** Records also what an operator does to the client of an organization in the trail of that. */
  async record(actorId: UserId | null, { id, tenantId }: Client, what: string): Promise<void> {
    if (!actorId) return;
    await this.audit.record(
      tenantId === null
        ? { actorId, action: `satellite.${what}`, subject: `iam/satellites/${id}` }
        : { actorId, tenantId, action: `client.${what}`, subject: `iam/clients/${id}` },
    );
  }
}

const algsOf = ({ idTokenAlg, accessTokenAlg }: Client) => ({ algs: [idTokenAlg, accessTokenAlg] });
