import { Injectable } from '@nestjs/common';
import type { UserId } from '../../kernel/index.js';
import { PersonActions } from '../people/person-actions.service.js';
import { PersonLinks } from '../people/person-links.service.js';
import { PersonRepository } from '../people/person.repository.js';
import type { BulkKind } from './bulk-action.entity.js';

/** Does for one person what an operator has started for many, in the open transaction. */
@Injectable()
export class BulkStep {
  constructor(
    private readonly people: PersonRepository,
    private readonly actions: PersonActions,
    private readonly links: PersonLinks,
  ) {}

  /**
   * Leaves out operators, some of whom hold more than the one who acts.
   * @returns whether there was something to do
   */
  async run(operatorId: UserId, kind: BulkKind, id: UserId): Promise<boolean> {
    await this.people.lockForUpdate([id]);
    const [person] = await this.people.findJudged([id], operatorId);
    if (!person || person.operatorRole !== null) return false;
    if (kind === 'end-sessions') return (await this.actions.endSessions(operatorId, id)) > 0;
    return person.hasAddress && !person.isSuspended && this.links.resendNewestMail(operatorId, id);
  }
}
