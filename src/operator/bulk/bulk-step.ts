import { Injectable } from '@nestjs/common';
import type { UserId } from '../../kernel/index.js';
import { PersonActions } from '../people/person-actions.service.js';
import { PersonLinks } from '../people/person-links.service.js';
import { PersonRepository } from '../people/person.repository.js';
import type { BulkKind } from './bulk-action.entity.js';
import type { BulkOutcome } from './bulk-action.repository.js';

/**
 * Does for one person, whose account is locked, what an operator has started for many, in the open
 * transaction.
 */
@Injectable()
export class BulkStep {
  constructor(
    private readonly people: PersonRepository,
    private readonly actions: PersonActions,
    private readonly links: PersonLinks,
  ) {}

  /** Leaves out operators, some of whom hold more than the one who acts. */
  async run(operatorId: UserId, kind: BulkKind, id: UserId): Promise<BulkOutcome> {
    const [person] = await this.people.findJudged([id], operatorId);
    if (!person || person.operatorRole !== null) return 'skipped';
    if (kind === 'end-sessions') {
      await this.actions.endSessions(operatorId, id); // without a session, it voids what would start one
      return 'done';
    }
    const isMailed = person.hasAddress && !person.isSuspended;
    return isMailed && (await this.links.resendNewestMail(operatorId, id)) ? 'done' : 'skipped';
  }
}
