import { Injectable, Logger } from '@nestjs/common';
import { CallerScopes } from '../../ability/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { describeCause, isDatabaseUnavailable } from '../../platform/errors/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import { PersonActions } from '../people/person-actions.service.js';
import { PersonLinks } from '../people/person-links.service.js';
import { PersonRepository } from '../people/person.repository.js';
import type { BulkActionEntity, BulkKind } from './bulk-action.entity.js';
import { BulkActionRepository, type BulkOutcome } from './bulk-action.repository.js';

export const RUN_BULK_ACTION = 'operator.run-bulk-action';

/** Job of an action: for these people in order of id, or for the members of an organization. */
export type BulkJob = { readonly id: string } & (
  { readonly userIds: readonly UserId[] } | { readonly tenantId: TenantId }
);

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

/** People of one run of the job, after which other jobs have their turn. */
const MAX_PEOPLE_PER_RUN = 100;

const SCOPES: Readonly<Record<BulkKind, string>> = {
  'end-sessions': 'platform:person:end-sessions',
  'resend-mails': 'platform:person:resend-mail',
};

/** Does for one person after the other what an operator has started for many. */
@Injectable()
export class BulkRun {
  private readonly logger = new Logger('BulkActions');

  constructor(
    private readonly database: Database,
    private readonly bulk: BulkActionRepository,
    private readonly callers: CallerScopes,
    private readonly people: PersonRepository,
    private readonly step: BulkStep,
    private readonly jobs: JobQueue,
  ) {}

  /**
   * Goes on where the last run has ended: each person has their own transaction. One for whom it
   * fails is counted, so that the others have their turn.
   * @throws what the database throws where it is unavailable: the job is tried again
   */
  @JobHandler({ task: RUN_BULK_ACTION })
  async run(job: BulkJob, signal: AbortSignal): Promise<void> {
    for (let count = 0; count < MAX_PEOPLE_PER_RUN && !signal.aborted; count += 1) {
      let tried: UserId | null = null;
      const goesOn = await this.forNext(job, (action, id) => this.act(action, (tried = id))).catch(
        (error: unknown) => {
          if (isDatabaseUnavailable(error)) throw error;
          this.logger.warn(
            { action: job.id, cause: describeCause(error) },
            'An action for many people failed for one of them.',
          );
          return this.forNext(job, async ({ id }, next) => {
            // Another one is next if that one has left.
            if (next === tried) await this.bulk.advance(id, next, 'failed');
          });
        },
      );
      if (!goesOn) return;
    }
    await this.jobs.add(RUN_BULK_ACTION, job);
  }

  /**
   * Does something for the next person in one transaction, or ends the action without one.
   * @returns whether there may be a next person
   */
  private forNext(
    job: BulkJob,
    work: (action: BulkActionEntity, id: UserId) => Promise<void>,
  ): Promise<boolean> {
    return this.database.transaction(async () => {
      const action = await this.bulk.findRunningForUpdate(job.id);
      if (!action) return false;
      const next = await this.findNext(job, action.lastId);
      if (next === null) await this.bulk.end(job.id, 'finished');
      else await work(action, next);
      return next !== null;
    });
  }

  /** Locks the account before the rights of the operator, in the order of other operations. */
  private async act({ id, operatorId, kind }: BulkActionEntity, next: UserId): Promise<void> {
    await this.people.lockForUpdate([next]);
    if (await this.callers.holdsOnPlatform(operatorId, SCOPES[kind]))
      await this.bulk.advance(id, next, await this.step.run(operatorId, kind, next));
    else await this.bulk.end(id, 'stopped'); // which the next look at the action finds
  }

  private async findNext(job: BulkJob, lastId: string): Promise<UserId | null> {
    if ('userIds' in job) return job.userIds.find((id) => id > lastId) ?? null;
    const [member] = await this.people.listByTenant(job.tenantId, { limit: 1, after: lastId });
    return member?.id ?? null;
  }
}
