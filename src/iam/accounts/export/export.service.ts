import { Inject, Injectable } from '@nestjs/common';
import { LOCK, newId, type UserId } from '../../../kernel/index.js';
import { KeyDerivation, Sealer } from '../../../platform/crypto/index.js';
import { Cleanup } from '../../../platform/cleanup/index.js';
import { columnsOf, Database, type Selected } from '../../../platform/database/index.js';
import { MarkedMethods } from '../../../platform/discovery/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { JobHandler, JobQueue } from '../../../platform/jobs/index.js';
import { OnLifecycle } from '../../../platform/lifecycle/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { AccountMails } from '../account-mails.js';
import { AccountRepository } from '../account.repository.js';
import { AccountExportEntity } from './account-export.entity.js';
import { PersonalData, type PersonalDataRules, type ReadPersonalData } from './personal-data.decorator.js';

const MAKE_EXPORT = 'iam.make-export';
const LIFETIME = "interval '7 days'";
const EXPORT = { id: true, createdAt: true, expiresAt: true } as const;
const COLUMNS = columnsOf(AccountExportEntity, '', EXPORT);

/** An export that was asked for. */
export type AccountExport = Selected<AccountExportEntity, typeof EXPORT>;

/** An export in a list. */
export interface ListedExport extends AccountExport {
  /** Whether it can be read. */
  readonly ready: boolean;
}

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
    return this.database.rows<ListedExport>(
      `SELECT ${COLUMNS}, sealed IS NOT NULL AS ready FROM account_exports
       WHERE account_id = $1 AND expires_at > now() ORDER BY id DESC LIMIT ${MAX_EXPORTS}`,
      [userId],
    );
  }

  /**
   * Returns an export of the person.
   * @throws {AppError} not-found for an unknown or expired one; conflict if it is not ready yet
   */
  async get(userId: UserId, id: string): Promise<ExportDocument> {
    const row = await this.database.row<{ sealed: string | null }>(
      'SELECT sealed FROM account_exports WHERE account_id = $1 AND id = $2 AND expires_at > now()',
      [userId, id],
    );
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
      const rows = await this.database.rows(
        'UPDATE account_exports SET sealed = $3 WHERE account_id = $1 AND id = $2 AND sealed IS NULL RETURNING 1',
        [userId, id, this.sealer.seal(JSON.stringify(document))],
      );
      const { email, locale } = account;
      if (rows.length === 1 && email !== null)
        await this.mails.sendExportReady({ email, locale }, byOperator);
    });
  }

  @OnLifecycle('account.erased', { order: LOCK.accounts })
  async deleteAll({ userId }: { userId: UserId }): Promise<void> {
    await this.database.repository(AccountExportEntity).delete({ userId });
  }

  @Cleanup()
  cleanUp(): Promise<boolean> {
    return this.database.removeInBatches({
      table: 'account_exports',
      key: 'account_id, id',
      when: 'expires_at < now()',
    });
  }

  private queue(userId: UserId, byOperator: boolean): Promise<AccountExport> {
    return this.database.transaction(async () => {
      if (!(await this.accounts.findActiveForUpdate(userId))) throw new AppError('unauthenticated');
      const recent = await this.database.row(
        "SELECT 1 FROM account_exports WHERE account_id = $1 AND created_at > now() - interval '1 day' LIMIT 1",
        [userId],
      );
      if (recent) {
        const id = byOperator ? 'export.person-one-a-day' : 'export.one-a-day';
        throw new AppError('conflict', { reason: { id } });
      }
      const made = await this.database.getRow<AccountExport>(
        `INSERT INTO account_exports (account_id, id, expires_at) VALUES ($1, $2, now() + ${LIFETIME}) RETURNING ${COLUMNS}`,
        [userId, newId()],
      );
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
