import { Inject, Injectable } from '@nestjs/common';
import type { UserId } from '../../../kernel/index.js';
import { KeyDerivation, Sealer } from '../../../platform/crypto/index.js';
import { Database } from '../../../platform/database/index.js';
import { MarkedMethods } from '../../../platform/discovery/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { JobHandler, JobQueue } from '../../../platform/jobs/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { AccountMails } from '../account-mails.js';
import { AccountRepository } from '../account.repository.js';
import {
  type AccountExport,
  AccountExportRepository,
  type ListedExport,
} from './account-export.repository.js';
import { PersonalData, type PersonalDataRules, type ReadPersonalData } from './personal-data.decorator.js';

const MAKE_EXPORT = 'iam.make-export';

/** Maximum length of the list: one a day, kept for seven days. */
export const MAX_EXPORTS = 10;

/** Document of what is kept about a person. */
export interface ExportDocument {
  readonly createdAt: string;
  readonly parts: readonly (Pick<PersonalDataRules, 'description' | 'fields'> & {
    readonly name: string;
    readonly items: readonly object[];
  })[];
}

interface ExportJob {
  readonly userId: UserId;
  readonly id: string;
  /** Whether an operator started it. */
  readonly byOperator: boolean;
}

/** Exports what is kept about a person (GDPR articles 15 and 20), from the parts of all modules. */
@Injectable()
export class ExportService {
  private readonly sealer: Sealer;

  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly exports: AccountExportRepository,
    private readonly marked: MarkedMethods,
    private readonly mails: AccountMails,
    private readonly audit: AuditTrail,
    private readonly jobs: JobQueue,
    @Inject(KeyDerivation) keys: KeyDerivation,
  ) {
    this.sealer = new Sealer(keys, 'account-export');
  }

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
    const row = await this.exports.find(userId, id);
    if (!row) throw new AppError('not-found');
    if (row.sealed === null) throw new AppError('conflict', { reason: { id: 'export.not-ready' } });
    return JSON.parse(this.sealer.open(row.sealed)) as ExportDocument;
  }

  /** Collects the parts and mails the person. Does nothing if the account was erased. */
  @JobHandler({ task: MAKE_EXPORT })
  async make({ userId, id, byOperator }: ExportJob): Promise<void> {
    const document = await this.collect(userId);
    await this.database.transaction(async () => {
      const account = await this.accounts.findForShare(userId);
      if (!account) return;
      const isFirst = await this.exports.fill(userId, id, this.sealer.seal(JSON.stringify(document)));
      const { email, locale } = account;
      if (isFirst && email !== null) await this.mails.sendExportReady({ email, locale }, byOperator);
    });
  }

  private queue(userId: UserId, byOperator: boolean): Promise<AccountExport> {
    return this.database.transaction(async () => {
      if (!(await this.accounts.findActiveForUpdate(userId))) throw new AppError('unauthenticated');
      if (await this.exports.hasRecent(userId)) {
        const id = byOperator ? 'export.person-one-a-day' : 'export.one-a-day';
        throw new AppError('conflict', { reason: { id } });
      }
      const made = await this.exports.insert(userId);
      await this.jobs.add(MAKE_EXPORT, { userId, id: made.id, byOperator });
      await this.audit.recordForAccount(userId, byOperator ? 'export-started' : 'export-requested');
      return made;
    });
  }

  private async collect(userId: UserId): Promise<ExportDocument> {
    const parts: ExportDocument['parts'][number][] = [];
    for (const { mark, method } of this.marked.find<PersonalDataRules, ReadPersonalData>(PersonalData)) {
      const { part, description, fields } = mark;
      parts.push({ name: part, description, fields, items: await method(userId) });
    }
    return { createdAt: new Date().toISOString(), parts };
  }
}
