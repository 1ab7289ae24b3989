import { Injectable } from '@nestjs/common';
import { CallerScopes } from '../../ability/index.js';
import type { UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import { PersonRepository } from '../people/person.repository.js';
import type { BulkKind } from './bulk-action.entity.js';
import { BulkActionRepository } from './bulk-action.repository.js';
import { type BulkJob, RUN_BULK_ACTION } from './bulk-job.js';
import { BulkStep } from './bulk-step.js';

/** People of one run of the job, after which other jobs have their turn. */
const MAX_PEOPLE_PER_RUN = 100;

const SCOPES: Readonly<Record<BulkKind, string>> = {
  'end-sessions': 'platform:person:end-sessions',
  'resend-mails': 'platform:person:resend-mail',
};

/** Does for one person after the other what an operator has started for many. */
@Injectable()
export class BulkRun {
  constructor(
    private readonly database: Database,
    private readonly bulk: BulkActionRepository,
    private readonly callers: CallerScopes,
    private readonly people: PersonRepository,
    private readonly step: BulkStep,
    private readonly jobs: JobQueue,
  ) {}

  /** Goes on where the last run has ended: each person has their own transaction. */
  @JobHandler({ task: RUN_BULK_ACTION })
  async run(job: BulkJob, signal: AbortSignal): Promise<void> {
    for (let count = 0; count < MAX_PEOPLE_PER_RUN && !signal.aborted; count += 1)
      if (!(await this.database.transaction(() => this.goOn(job)))) return;
    await this.jobs.add(RUN_BULK_ACTION, job);
  }

  /** @returns whether there may be a next person */
  private async goOn(job: BulkJob): Promise<boolean> {
    const action = await this.bulk.findRunningForUpdate(job.id);
    if (!action) return false;
    const { id, operatorId, kind, lastId } = action;
    if (!(await this.callers.holdsOnPlatform(operatorId, SCOPES[kind]))) {
      await this.bulk.end(id, 'stopped');
      return false;
    }
    const next = await this.findNext(job, lastId);
    if (next === null) {
      await this.bulk.end(id, 'finished');
      return false;
    }
    await this.bulk.advance(id, next, await this.step.run(operatorId, kind, next));
    return true;
  }

  private async findNext(job: BulkJob, lastId: string): Promise<UserId | null> {
    if ('userIds' in job) return job.userIds.find((id) => id > lastId) ?? null;
    const [member] = await this.people.listByTenant(job.tenantId, { limit: 1, after: lastId });
    return member?.id ?? null;
  }
}
