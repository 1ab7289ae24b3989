import { Injectable } from '@nestjs/common';
import type { UserId } from '../../../kernel/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { JobQueue } from '../../../platform/jobs/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { AccountService } from '../account.service.js';
import {
  type AccountExport,
  AccountExportRepository,
  type ListedExport,
} from './account-export.repository.js';
import { type ExportDocument, type ExportJob, ExportMaker, MAKE_EXPORT } from './export-maker.js';

/** Maximum length of the list: one a day, kept for seven days. */
export const MAX_EXPORTS = 10;

/** Queues and reads exports of what is kept about a person (GDPR articles 15 and 20). */
@Injectable()
export class ExportService {
  constructor(
    private readonly accounts: AccountService,
    private readonly exports: AccountExportRepository,
    private readonly audit: AuditTrail,
    private readonly jobs: JobQueue,
    private readonly maker: ExportMaker,
  ) {}

  /**
   * Queues an export. The person is mailed when it is ready.
   * @throws {AppError} conflict within a day of the last one; unauthenticated if the account is
   *   erased or suspended
   */
  request(userId: UserId): Promise<AccountExport> {
    return this.queue(userId, false);
  }

  /**
   * Queues an export of a person for an operator, who cannot read it: the mail goes to the person,
   * and {@link get} takes the id of the person alone.
   * @throws {AppError} as {@link request}
   */
  requestByOperator(userId: UserId): Promise<AccountExport> {
    return this.queue(userId, true);
  }

  /** Lists the exports of the person that are kept, newest first. */
  list(userId: UserId): Promise<ListedExport[]> {
    return this.exports.list(userId, MAX_EXPORTS);
  }

  /**
   * Returns an export of the person.
   * @throws {AppError} not-found for an unknown or expired one; conflict if it is not ready yet
   */
  async get(userId: UserId, id: string): Promise<ExportDocument> {
    const row = (await this.exports.find(userId, id)) ?? AppError.notFound();
    if (row.sealed === null) throw new AppError('conflict', { reason: { id: 'export.not-ready' } });
    return this.maker.open(row.sealed);
  }

  private queue(userId: UserId, byOperator: boolean): Promise<AccountExport> {
    return this.accounts.underLock(userId, async () => {
      if (await this.exports.hasRecent(userId)) {
        const id = byOperator ? 'export.person-one-a-day' : 'export.one-a-day';
        throw new AppError('conflict', { reason: { id } });
      }
      const made = await this.exports.insert(userId);
      await this.jobs.add(MAKE_EXPORT, { userId, id: made.id, byOperator } satisfies ExportJob);
      await this.audit.recordForAccount(userId, byOperator ? 'export-started' : 'export-requested');
      return made;
    });
  }
}
