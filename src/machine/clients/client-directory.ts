import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { ChangeFeed, LiveCache } from '../../platform/live/index.js';
import { type Credential, CredentialRepository } from '../keys/credential.repository.js';

const CLIENTS_CHANNEL = 'gatehouse_machine_clients_changed';
/** Seconds for which an id of an assertion is kept: longer than an assertion is accepted. */
const KEPT_SECONDS = 900;

/** Client credentials of a service account. */
interface LiveClient {
  readonly tenantId: TenantId;
  readonly credentials: readonly Credential[];
}

/** Caches client credentials in use, within the bounds of the {@link LiveCache}. */
@Injectable()
export class ClientDirectory {
  private readonly clients: LiveCache<LiveClient>;

  constructor(
    credentials: CredentialRepository,
    private readonly database: Database,
    feed: ChangeFeed,
  ) {
    this.clients = new LiveCache(feed, CLIENTS_CHANNEL, async (accountIds) => {
      const found = Map.groupBy(await credentials.listOfClients(accountIds), ({ ownerId }) => ownerId);
      return new Map(
        [...found].flatMap(([id, all]) =>
          all[0] ? [[id, { tenantId: all[0].tenantId, credentials: all }] as const] : [],
        ),
      );
    });
  }

  /** @returns null for an account without credentials */
  find(accountId: string): Promise<LiveClient | null> {
    return this.clients.get(accountId);
  }

  /** Invalidates the credentials of accounts on every replica, after the commit. */
  async announce(...accountIds: string[]): Promise<void> {
    await this.clients.announce(...accountIds);
  }

  /**
   * @param seconds for which it is remembered: longer than it is accepted
   * @returns false if the assertion was used before
   */
  async takeAssertion(hash: Buffer, seconds = KEPT_SECONDS): Promise<boolean> {
    const taken = await this.database.rows(
      `INSERT INTO used_assertions (assertion_hash, expires_at) VALUES ($1, now() + make_interval(secs => $2))
       ON CONFLICT DO NOTHING RETURNING 1`,
      [hash, seconds],
    );
    return taken.length > 0;
  }
}
