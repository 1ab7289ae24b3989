import { Injectable } from '@nestjs/common';
import { type Emitter, Events } from '../../platform/events/index.js';
import {
  DirectoryUserCreated,
  DirectoryUserDeactivated,
  DirectoryUserDeleted,
  DirectoryUserReactivated,
  DirectoryUserUpdated,
} from '../directory.events.js';
import type { DirectoryUserEntity } from '../records/record.entity.js';
import type { RemovedRecord } from '../records/user-record.repository.js';

/** Emits what directories do with people, in the transaction that does it. */
@Injectable()
export class UserEvents {
  private readonly created: Emitter<DirectoryUserCreated>;
  private readonly updated: Emitter<DirectoryUserUpdated>;
  private readonly deactivated: Emitter<DirectoryUserDeactivated>;
  private readonly reactivated: Emitter<DirectoryUserReactivated>;
  private readonly deleted: Emitter<DirectoryUserDeleted>;

  constructor(events: Events) {
    this.created = events.emitter(DirectoryUserCreated);
    this.updated = events.emitter(DirectoryUserUpdated);
    this.deactivated = events.emitter(DirectoryUserDeactivated);
    this.reactivated = events.emitter(DirectoryUserReactivated);
    this.deleted = events.emitter(DirectoryUserDeleted);
  }

  /**
   * @param before null for a new record
   * @param record as it was written; of the same version if nothing was
   */
  async emitWritten(before: DirectoryUserEntity | null, record: DirectoryUserEntity): Promise<void> {
    if (before?.version === record.version) return;
    await this.emitterOf(before, record).emit(emissionOf(record));
  }

  async emitDeleted(...records: readonly RemovedRecord[]): Promise<void> {
    await this.deleted.emit(...records.map(emissionOf));
  }

  private emitterOf(
    before: DirectoryUserEntity | null,
    { active }: DirectoryUserEntity,
  ): Emitter<DirectoryUserCreated> {
    if (before === null) return this.created;
    if (before.active === active) return this.updated;
    return active ? this.reactivated : this.deactivated;
  }
}

const emissionOf = ({ tenantId, directoryId, id, accountId }: RemovedRecord) => ({
  tenantIds: [tenantId],
  subject: `iam/directory-users/${id}`,
  actorId: null,
  data: { directoryId, directoryUserId: id, userId: accountId },
});
