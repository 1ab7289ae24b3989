import { createHmac, randomBytes } from 'node:crypto';
import { isUlid, type LifecycleEvents, type SessionId, timeOfId, type UserId } from '../../kernel/index.js';
import { type Client, ClientService } from '../../client/index.js';
import { Injectable } from '@nestjs/common';
import { MAX_EXPORTED, PersonalData } from '../../iam/index.js';
import { Database, prepared } from '../../platform/database/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { SubjectEntity } from './subject.entity.js';

/**
 * Names people to clients: by the id of the account, or by a random one for each sector, so that
 * two third parties cannot tell that they have the same visitor. The random ones are stored, and
 * so outlive each key.
 */
@Injectable()
export class Subjects {
  constructor(
    private readonly database: Database,
    private readonly clients: ClientService,
  ) {}

  /** Returns the `sub` of a person for a client. */
  async find(client: Client, userId: UserId): Promise<string> {
    if (client.subjectType === 'public') return userId;
    const sector = await this.clients.getSector(client);
    const subject = (await this.read(userId, sector)) ?? (await this.create(userId, sector));
    if (subject === null) throw new Error('There is no subject of a client.');
    return subject;
  }

  /** Finds the `sub` of a person for a client. @returns null if the client does not know it yet */
  async findKnown(client: Client, userId: UserId): Promise<string | null> {
    if (client.subjectType === 'public') return userId;
    return this.read(userId, await this.clients.getSector(client));
  }

  /** Finds the person of a `sub`, of either kind. */
  async findUser(subject: string): Promise<UserId | null> {
    if (isUlid(subject)) return subject as UserId;
    const row = await this.database.row<{ userId: UserId }>(
      prepared('SELECT account_id AS "userId" FROM oidc_subjects WHERE subject = $1'),
      [subject],
    );
    return row?.userId ?? null;
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

  private async read(userId: UserId, sector: string): Promise<string | null> {
    const row = await this.database.row<{ subject: string }>(
      prepared('SELECT subject FROM oidc_subjects WHERE account_id = $1 AND sector = $2'),
      [userId, sector],
    );
    return row?.subject ?? null;
  }

  /** Keeps the first of several that are made at once. */
  private async create(userId: UserId, sector: string): Promise<string | null> {
    await this.database.rows(
      prepared(
        'INSERT INTO oidc_subjects (account_id, sector, subject) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      ),
      [userId, sector, randomBytes(32).toString('base64url')],
    );
    return this.read(userId, sector);
  }
}

/** What a client's name of a session depends on. */
export type NamedClient = Pick<Client, 'subjectType' | 'sidKey' | 'sidKeySince'>;

/** 128 bits, so that no two sessions have the same name. */
const SID_BYTES = 16;

/**
 * Returns the name of a session for a client (`sid`): its id; where people have pairwise subjects,
 * a MAC under the key of the client, so that two third parties cannot tell that they have the same
 * visitor. Nothing is stored, and the key outlives a change of the root secret.
 */
export function sidOf({ subjectType, sidKey, sidKeySince }: NamedClient, sessionId: SessionId): string {
  if (subjectType === 'public') return sessionId;
  // The client was told the id, and would not recognize the logout by another name.
  if (sidKeySince !== null && timeOfId(sessionId) < sidKeySince.getTime()) return sessionId;
  return createHmac('sha256', sidKey).update(sessionId).digest().subarray(0, SID_BYTES).toString('base64url');
}
