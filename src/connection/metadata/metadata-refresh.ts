import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../iam/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { JobHandler } from '../../platform/jobs/index.js';
import type { SamlConnection } from '../connections/connection.js';
import { ConnectionDirectory } from '../connections/connection-directory.js';
import { ConnectionHealth } from '../connections/connection-health.js';
import { ConnectionRepository } from '../connections/connection.repository.js';
import {
  type ConnectionChanger,
  ConnectionChanges,
  type ProviderItself,
} from '../changes/connection-changes.js';
import type { ReadMetadata } from './metadata.js';
import { hasExpiredMetadata } from './metadata-expiry.js';
import type { FetchedMetadata } from './metadata.interceptor.js';
import { MetadataFetcher } from './metadata-fetcher.js';
import { MetadataRepository, type MetadataSource } from './metadata.repository.js';

/** Fetches at the same time. */
const PARALLEL = 10;
/** Less than the ten minutes until the next run. */
const MAX_RUN_MS = 300_000;

type Outcome = 'changed' | 'unchanged' | 'unreadable' | 'other-entity' | 'all-new';

/** Why a refresh was refused, for the administrator. */
const REFUSALS: Readonly<Partial<Record<Outcome, string>>> = {
  'other-entity': 'The metadata is of another provider: its entity id is not that of the connection.',
  'all-new':
    'The metadata has none of the known certificates. Compare them with your provider, and add one of them first.',
};

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
    private readonly audit: AuditTrail,
    private readonly connections: ConnectionRepository,
    private readonly changes: ConnectionChanges,
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

  /**
   * Applies metadata that was fetched before the open transaction.
   * @param caller who has the certificates replaced
   * @throws {AppError} conflict without an address of metadata, if it has changed since, or if an
   *   administrator has to decide; unavailable if it could not be read
   */
  async apply(
    tenantId: TenantId,
    connectionId: string,
    fetched: FetchedMetadata | null,
    caller: ConnectionChanger,
  ): Promise<void> {
    const source = await this.metadata.findForUpdate(tenantId, connectionId);
    if (!source) throw new AppError('conflict', { detail: 'The connection has no address of metadata.' });
    if (source.metadataUrl !== fetched?.url)
      throw new AppError('conflict', {
        detail: 'The address of the metadata was changed at the same time. Try again.',
      });
    const outcome = await this.applyTo(source, fetched.metadata, caller);
    const detail = REFUSALS[outcome];
    if (detail !== undefined) throw new AppError('conflict', { detail });
    if (outcome === 'unreadable')
      throw new AppError('unavailable', {
        detail: 'The metadata could not be read at its address. Try again later.',
        retryAfterSeconds: 60,
      });
  }

  private async refresh(source: MetadataSource): Promise<Outcome> {
    const { tenantId, connectionId, metadataUrl } = source;
    const read = await this.fetcher.fetch(metadataUrl);
    const outcome = await this.database.transaction(async () => {
      const current = await this.metadata.findForUpdate(tenantId, connectionId);
      return current?.metadataUrl === metadataUrl ? this.applyTo(current, read) : 'unchanged';
    });
    if (!['changed', 'unchanged'].includes(outcome))
      await this.health.recordError(tenantId, connectionId, 'metadata_not_refreshed');
    return outcome;
  }

  /**
   * A refresh that would replace all known keys waits for an administrator: an attacker who
   * controls the address for an hour must not become the provider.
   */
  private async applyTo(
    { tenantId, connectionId, entityId, validUntil }: MetadataSource,
    read: ReadMetadata,
    by: ConnectionChanger | ProviderItself = { kind: 'provider', userId: connectionId as UserId },
  ): Promise<Outcome> {
    const refuse = async (outcome: Outcome, waiting: readonly string[] = []) => {
      await this.metadata.noteFailed(tenantId, connectionId, waiting);
      return outcome;
    };
    if ('fault' in read) return refuse('unreadable');
    if (read.entityId !== entityId) return refuse('other-entity');
    const accepted = await this.metadata.findAccepted(tenantId, connectionId);
    if (!read.certificates.some(({ sha256 }) => accepted.includes(sha256)))
      return refuse(
        'all-new',
        read.certificates.map(({ certificate }) => certificate),
      );
    const changed = await this.metadata.replace(tenantId, connectionId, read.certificates);
    const added = read.certificates.map(({ sha256 }) => sha256).filter((one) => !accepted.includes(one));
    await this.metadata.noteRead(tenantId, connectionId, read.validUntil);
    if (changed || validUntil?.getTime() !== read.validUntil?.getTime())
      await this.directory.announce(connectionId);
    if (!changed) return 'unchanged';
    await this.audit.record({
      actorId: by.userId,
      tenantId,
      action: 'connection.metadata-refreshed',
      subject: `iam/connections/${connectionId}`,
    });
    const connection = await this.connections.find(tenantId, connectionId);
    if (connection) await this.changes.tellOwners(tenantId, by, connection, { added });
    return 'changed';
  }
}
