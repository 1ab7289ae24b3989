import { Injectable } from '@nestjs/common';
import type { TenantId, UserId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import {
  type ConnectionChanger,
  ConnectionChanges,
  type ProviderItself,
} from '../changes/connection-changes.js';
import { ConnectionDirectory } from '../connections/connection-directory.js';
import { ConnectionRepository } from '../connections/connection.repository.js';
import type { ReadMetadata } from './metadata.js';
import type { FetchedMetadata } from './metadata.interceptor.js';
import { MetadataRepository, type MetadataSource } from './metadata.repository.js';

export type Outcome = 'changed' | 'unchanged' | 'unreadable' | 'other-entity' | 'all-new';

/** Why a refresh was refused, for the administrator. */
const REFUSALS: Readonly<Partial<Record<Outcome, string>>> = {
  'other-entity': 'The metadata is of another provider: its entity id is not that of the connection.',
  'all-new':
    'The metadata has none of the known certificates. Compare them with your provider, and add one of them first.',
};

/**
 * Applies metadata that was read to the certificates of a connection. Addresses and entity id stay
 * as an administrator has entered them.
 */
@Injectable()
export class MetadataUpdate {
  constructor(
    private readonly metadata: MetadataRepository,
    private readonly connections: ConnectionRepository,
    private readonly changes: ConnectionChanges,
    private readonly directory: ConnectionDirectory,
  ) {}

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

  /**
   * A refresh that would replace all known keys waits for an administrator: an attacker who
   * controls the address for an hour must not become the provider.
   */
  async applyTo(
    { tenantId, connectionId, entityId, validUntil }: MetadataSource,
    read: ReadMetadata,
    by: ConnectionChanger | ProviderItself = { kind: 'provider', userId: connectionId as UserId },
  ): Promise<Outcome> {
    const refuse = async (outcome: Outcome) => {
      await this.metadata.noteFailed(tenantId, connectionId);
      return outcome;
    };
    if ('fault' in read) return refuse('unreadable');
    if (read.entityId !== entityId) return refuse('other-entity');
    const accepted = await this.metadata.findAccepted(tenantId, connectionId);
    if (!read.certificates.some(({ sha256 }) => accepted.includes(sha256))) return refuse('all-new');
    const changed = await this.metadata.replace(tenantId, connectionId, read.certificates);
    const added = read.certificates.map(({ sha256 }) => sha256).filter((one) => !accepted.includes(one));
    await this.metadata.noteRead(tenantId, connectionId, read.validUntil);
    if (!changed) {
      const isExtended = validUntil?.getTime() !== read.validUntil?.getTime();
      if (isExtended) await this.directory.announce(connectionId);
      return 'unchanged';
    }
    await this.changes.record(tenantId, by.userId, 'metadata-refreshed', connectionId);
    const connection = await this.connections.find(tenantId, connectionId);
    if (connection) await this.changes.tellOwners(tenantId, by, connection, { added });
    return 'changed';
  }
}
