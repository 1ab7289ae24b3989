import { Inject, Injectable } from '@nestjs/common';
import type { UserId } from '../../../kernel/index.js';
import { KeyDerivation, Sealer } from '../../../platform/crypto/index.js';
import { Database } from '../../../platform/database/index.js';
import { MarkedMethods } from '../../../platform/discovery/index.js';
import { JobHandler } from '../../../platform/jobs/index.js';
import { AccountMails } from '../account-mails.js';
import { AccountRepository } from '../account.repository.js';
import { AccountExportRepository } from './account-export.repository.js';
import { PersonalData, type PersonalDataRules, type ReadPersonalData } from './personal-data.decorator.js';

export const MAKE_EXPORT = 'iam.make-export';

/** Document of what is kept about a person. */
export interface ExportDocument {
  readonly createdAt: string;
  readonly parts: readonly (Pick<PersonalDataRules, 'description' | 'fields'> & {
    readonly name: string;
    readonly items: readonly object[];
  })[];
}

export interface ExportJob {
  readonly userId: UserId;
  readonly id: string;
  /** Whether an operator started it. */
  readonly byOperator: boolean;
}

/** Makes exports from the parts of all modules. */
@Injectable()
export class ExportMaker {
  private readonly sealer: Sealer;

  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly exports: AccountExportRepository,
    private readonly marked: MarkedMethods,
    private readonly mails: AccountMails,
    @Inject(KeyDerivation) keys: KeyDerivation,
  ) {
    this.sealer = new Sealer(keys, 'account-export');
  }

  /** Reads an export that was made. */
  open(sealed: string): ExportDocument {
    return JSON.parse(this.sealer.open(sealed)) as ExportDocument;
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

  private async collect(userId: UserId): Promise<ExportDocument> {
    const parts: ExportDocument['parts'][number][] = [];
    for (const { mark, method } of this.marked.find<PersonalDataRules, ReadPersonalData>(PersonalData)) {
      const { part, description, fields } = mark;
      parts.push({ name: part, description, fields, items: await method(userId) });
    }
    return { createdAt: new Date().toISOString(), parts };
  }
}
