import { Injectable } from '@nestjs/common';
import type { SessionId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import { ImpersonationEnd } from './impersonation-end.js';

const END_TASK = 'session.end-impersonation';

/** Ends impersonations whose time is over. */
@Injectable()
export class ImpersonationExpiry {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly ends: ImpersonationEnd,
  ) {}

  /** Joins the open transaction. */
  async schedule(id: SessionId, delaySeconds: number): Promise<void> {
    await this.jobs.add(END_TASK, { id }, { delaySeconds });
  }

  /** Notes the end of a session that has expired. */
  @JobHandler({ task: END_TASK })
  async expire({ id }: { readonly id: SessionId }): Promise<void> {
    await this.database.transaction(() => this.ends.noteEnd({ sessionIds: [id] }));
  }
}
