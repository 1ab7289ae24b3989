import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';

/** Records what operators do for people in the trail of the operator. */
@Injectable()
export class PersonTrail {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Does something for a person and records it, in one transaction.
   * @param what action without its `person.`
   */
  act<T>(callerId: UserId, id: UserId, what: string, work: () => Promise<T>): Promise<T> {
    return this.database.transaction(async () => {
      const result = await work();
      await this.record(callerId, id, what);
      return result;
    });
  }

  /** Records what was done in the open transaction. */
  async record(callerId: UserId, id: UserId, what: string): Promise<void> {
    await this.audit.record({ actorId: callerId, action: `person.${what}`, subject: `iam/accounts/${id}` });
  }
}
