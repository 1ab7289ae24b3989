import { Injectable } from '@nestjs/common';
import { MAX_EXPORTED, PersonalData } from '../../iam/index.js';
import type { LifecycleEvents, UserId } from '../../kernel/index.js';
import { Database, prepared } from '../../platform/database/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { SubjectEntity } from './subject.entity.js';

/** Identifiers of people with pairwise subjects, one for each sector. */
@Injectable()
export class SubjectRepository {
  constructor(private readonly database: Database) {}

  find(userId: UserId, sector: string): Promise<string | null> {
    return this.database.value(
      prepared('SELECT subject FROM oidc_subjects WHERE account_id = $1 AND sector = $2'),
      [userId, sector],
    );
  }

  findUser(subject: string): Promise<UserId | null> {
    return this.database.value(prepared('SELECT account_id FROM oidc_subjects WHERE subject = $1'), [
      subject,
    ]);
  }

  /** Inserts a subject, unless the person has one in the sector. */
  async insert(userId: UserId, sector: string, subject: string): Promise<void> {
    await this.database.rows(
      prepared(
        'INSERT INTO oidc_subjects (account_id, sector, subject) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      ),
      [userId, sector, subject],
    );
  }

  @OnLifecycle('account.erased')
  async deleteOfPerson({ userId }: LifecycleEvents['account.erased']): Promise<void> {
    await this.database.repository(SubjectEntity).delete({ userId });
  }

  @PersonalData({
    part: 'subjects',
    description: 'Identifiers by which apps of others know you.',
    fields: {
      sector: 'Whose apps: their host, or the app.',
      subject: 'The identifier.',
    },
    tables: ['oidc_subjects'],
  })
  subjects(userId: UserId): Promise<object[]> {
    return this.database.rows(
      `SELECT sector, subject FROM oidc_subjects WHERE account_id = $1 ORDER BY sector LIMIT ${MAX_EXPORTED}`,
      [userId],
    );
  }
}
