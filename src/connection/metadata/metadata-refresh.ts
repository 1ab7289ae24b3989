import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { JobHandler } from '../../platform/jobs/index.js';
import type { SamlConnection } from '../connections/connection.js';
import { ConnectionDirectory } from '../connections/connection-directory.js';
import { ConnectionHealth } from '../connections/connection-health.js';
import { hasExpiredMetadata } from './metadata-expiry.js';
import { MetadataFetcher } from './metadata-fetcher.js';
import { type Outcome, MetadataUpdate } from './metadata-update.js';
import { MetadataRepository, type MetadataSource } from './metadata.repository.js';

/** Fetches at the same time. */
const PARALLEL = 10;
/** Less than the ten minutes until the next run. */
const MAX_RUN_MS = 300_000;

/**
 * Refreshes certificates from the metadata of the provider: daily, and after a signature by an
 * unknown key. Addresses and entity id stay as an administrator has entered them.
 */
@Injectable()
export class MetadataRefresh {
  constructor(
    private readonly database: Database,
    private readonly metadata: MetadataRepository,
    private readonly fetcher: MetadataFetcher,
    private readonly directory: ConnectionDirectory,
    private readonly health: ConnectionHealth,
    private readonly updates: MetadataUpdate,
  ) {}

  /** Refreshes the connections that are due, until done or out of time. */
  @JobHandler({ task: 'refresh_metadata', schedule: '*/10 * * * *' })
  async run(): Promise<void> {
    const until = performance.now() + MAX_RUN_MS;
    for (let claimed = PARALLEL; claimed === PARALLEL && performance.now() < until;) {
      const due = await this.metadata.claimDue(PARALLEL);
      await Promise.all(due.map((source) => this.refresh(source)));
      claimed = due.length;
    }
  }

  /**
   * Refreshes after a signature by an unknown key, at most every ten minutes.
   * @returns the connection with other certificates; null if they are the same
   */
  async afterUnknownKey({ tenantId, id }: SamlConnection): Promise<SamlConnection | null> {
    const source = await this.metadata.claim(tenantId, id);
    if (!source || (await this.refresh(source)) !== 'changed') return null;
    const connection = await this.directory.findUncached(id);
    return connection?.kind === 'saml' ? connection : null;
  }

  /**
   * Refreshes metadata that has expired, at most every ten minutes.
   * @returns the connection with metadata that is valid; null if there is none
   */
  async afterExpiry({ tenantId, id }: SamlConnection): Promise<SamlConnection | null> {
    const source = await this.metadata.claim(tenantId, id);
    if (source) await this.refresh(source);
    // Without a claim another sign-in may have refreshed it.
    const connection = await this.directory.findUncached(id);
    return connection?.kind === 'saml' && !hasExpiredMetadata(connection.settings) ? connection : null;
  }

  private async refresh(source: MetadataSource): Promise<Outcome> {
    const { tenantId, connectionId, metadataUrl } = source;
    const read = await this.fetcher.fetch(metadataUrl);
    const outcome = await this.database.transaction(async () => {
      const current = await this.metadata.findForUpdate(tenantId, connectionId);
      return current?.metadataUrl === metadataUrl ? this.updates.applyTo(current, read) : 'unchanged';
    });
    if (!['changed', 'unchanged'].includes(outcome))
      await this.health.recordError(tenantId, connectionId, 'metadata_not_refreshed');
    return outcome;
  }
}
