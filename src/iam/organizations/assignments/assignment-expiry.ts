import { Injectable } from '@nestjs/common';
import { Cleanup } from '../../../platform/cleanup/index.js';
import { Database } from '../../../platform/database/index.js';
import { type Emitter, Events } from '../../../platform/events/index.js';
import { RoleExpired } from '../organization.events.js';
import { AssignmentRepository } from './assignment.repository.js';

/** Assignments of one transaction. */
const BATCH = 200;

/** Removes assignments whose end has passed, and tells subscribers. They give nothing by then. */
@Injectable()
export class AssignmentExpiry {
  private readonly expired: Emitter<RoleExpired>;

  constructor(
    private readonly database: Database,
    private readonly assignments: AssignmentRepository,
    events: Events,
  ) {
    this.expired = events.emitter(RoleExpired);
  }

  /** @returns whether some may be left */
  @Cleanup()
  removeEnded(): Promise<boolean> {
    return this.database.transaction(async () => {
      const ended = await this.assignments.removeEnded(BATCH);
      await this.expired.emit(
        ...ended.map(({ tenantId, id, userId, roleId }) => ({
          tenantIds: [tenantId],
          subject: `iam/assignments/${id}`,
          actorId: null,
          data: { assignmentId: id, userId, roleId },
        })),
      );
      return ended.length === BATCH;
    });
  }
}
