import { Injectable } from '@nestjs/common';
import {
  type AuditEvent,
  AuditEventRepository,
  AuditNames,
  AuditTrail,
  type EventNames,
  type FailureEvent,
} from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';

/** An event with the names of what is in it. */
export interface NamedEvent {
  readonly event: AuditEvent;
  readonly names: EventNames;
}

/** Records in the trail of operators what they do for people, and reads the trail of a person. */
@Injectable()
export class PersonTrail {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditTrail,
    private readonly events: AuditEventRepository,
    private readonly names: AuditNames,
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

  /** Lists the newest events of an account. */
  async list(id: UserId, limit: number): Promise<NamedEvent[]> {
    const events = (await this.events.listOfAccount(id, { limit, after: null })).slice(0, limit);
    const namesOf = await this.names.ofPlatform(events);
    return events.map((event) => ({ event, names: namesOf(event) }));
  }

  /** Lists the newest series of wrong passwords. */
  listFailures(id: UserId, limit: number): Promise<FailureEvent[]> {
    return this.events.listFailures(id, limit);
  }
}
