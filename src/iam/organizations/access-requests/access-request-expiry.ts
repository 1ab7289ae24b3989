import { Injectable } from '@nestjs/common';
import { Cleanup } from '../../../platform/cleanup/index.js';
import { Database } from '../../../platform/database/index.js';
import { type Emitter, Events } from '../../../platform/events/index.js';
import { AccessRequestExpired } from '../organization.events.js';
import { AccessRequestRepository } from './access-request.repository.js';

/** Requests of one transaction. */
const BATCH = 200;

/** Tells subscribers of requests that have expired, and removes old ones. */
@Injectable()
export class AccessRequestExpiry {
  private readonly expired: Emitter<AccessRequestExpired>;

  constructor(
    private readonly database: Database,
    private readonly requests: AccessRequestRepository,
    events: Events,
  ) {
    this.expired = events.emitter(AccessRequestExpired);
  }

  /** @returns whether some may be left */
  @Cleanup()
  noteExpired(): Promise<boolean> {
    return this.database.transaction(async () => {
      const noted = await this.requests.noteExpired(BATCH);
      await this.expired.emit(
        ...noted.map(({ tenantId, id, userId }) => ({
          tenantIds: [tenantId],
          subject: `iam/access-requests/${id}`,
          actorId: null,
          data: { accessRequestId: id, userId },
        })),
      );
      return noted.length === BATCH;
    });
  }

  /** The trail keeps what was decided. */
  @Cleanup()
  removeOld(): Promise<boolean> {
    return this.database.removeInBatches({
      table: 'access_requests',
      key: 'tenant_id, id',
      when: "expires_at < now() - interval '90 days'",
    });
  }
}
