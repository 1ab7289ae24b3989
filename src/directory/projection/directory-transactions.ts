import { Injectable } from '@nestjs/common';
import { AuditTrail, LastOwnerError } from '../../iam/index.js';
import { Database } from '../../platform/database/index.js';
import type { DirectoryEntity } from '../directories/directory.entity.js';
import { DirectoryRepository } from '../directories/directory.repository.js';
import { eventOf } from '../directory.events.js';
import { type DirectoryScope, throwNotFound } from '../records/record-rules.js';
import { ScimError } from '../scim/scim-error.js';

/** Runs changes that directories send, and reports those that are refused to their organization. */
@Injectable()
export class DirectoryTransactions {
  constructor(
    private readonly database: Database,
    private readonly directories: DirectoryRepository,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Runs a change in a transaction. If it would leave the organization without an owner, it is
   * rolled back, and an event tells so.
   * @throws {ScimError} 409 mutability instead of {@link LastOwnerError}
   */
  async run<T>(scope: DirectoryScope, change: () => Promise<T>): Promise<T> {
    try {
      return await this.database.transaction(change);
    } catch (error) {
      if (!(error instanceof LastOwnerError)) throw error;
      await this.database.transaction(() => this.audit.record(eventOf(scope, 'sync-refused')));
      throw new ScimError(
        409,
        'mutability',
        'This person is the last owner of the organization. Make another member an owner first.',
      );
    }
  }

  /** @throws {ScimError} 404 */
  async getDirectory({ tenantId, directoryId }: DirectoryScope): Promise<DirectoryEntity> {
    return (await this.directories.find(tenantId, directoryId)) ?? throwNotFound();
  }
}
