import { Injectable } from '@nestjs/common';
import { AuditTrail, LastOwnerError } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import type { DirectoryScope } from '../records/record-rules.js';
import { ScimError } from '../scim/scim-error.js';

/** Reports to the organization that a change of a directory was refused. */
@Injectable()
export class SyncRefusals {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Runs a change in a transaction. If it would leave the organization without an owner, it is
   * rolled back, and an event tells so.
   * @throws {ScimError} 409 mutability instead of {@link LastOwnerError}
   */
  async transaction<T>({ tenantId, directoryId }: DirectoryScope, change: () => Promise<T>): Promise<T> {
    try {
      return await this.database.transaction(change);
    } catch (error) {
      if (!(error instanceof LastOwnerError)) throw error;
      await this.database.transaction(() =>
        this.audit.record({
          actorId: directoryId as UserId,
          tenantId,
          action: 'directory.sync-refused',
          subject: `iam/directories/${directoryId}`,
        }),
      );
      throw new ScimError(
        409,
        'mutability',
        'This person is the last owner of the organization. Make another member an owner first.',
      );
    }
  }
}
