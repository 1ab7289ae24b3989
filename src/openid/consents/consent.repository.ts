import { Injectable } from '@nestjs/common';
import { MAX_EXPORTED, PersonalData } from '../../iam/index.js';
import type { LifecycleEvents, UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { Database, prepared } from '../../platform/database/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { ConsentEntity } from './consent.entity.js';
import type { Client } from '../../client/index.js';

/** A client that a person has allowed scopes. */
export interface AuthorizedApp extends Pick<Client, 'id' | 'clientId' | 'name' | 'logoUri' | 'logoHash'> {
  readonly scopes: string[];
  readonly grantedAt: Date;
  /** Whether the organization of the client has consented for all members. */
  readonly memberConsent: boolean;
  /** Last use of a grant of the person's present sessions; null without one. */
  readonly lastUsedAt: Date | null;
}

/** Consents of people to third-party clients. */
@Injectable()
export class ConsentRepository {
  constructor(private readonly database: Database) {}

  /** Returns whether the person has allowed each of the scopes. */
  covers(userId: UserId, clientId: string, scopes: readonly string[]): Promise<boolean> {
    return this.database.hasRow(
      prepared(
        'SELECT 1 FROM oidc_consents WHERE account_id = $1 AND client_id = $2 AND scopes @> $3::text[]',
      ),
      [userId, clientId, scopes],
    );
  }

  /** Returns the scopes that the person has allowed; none without a consent. */
  async findScopes(userId: UserId, clientId: string): Promise<string[]> {
    const sql = prepared('SELECT scopes FROM oidc_consents WHERE account_id = $1 AND client_id = $2');
    return (await this.database.value<string[]>(sql, [userId, clientId])) ?? [];
  }

  /** Adds scopes to those that the person has allowed. */
  async add(userId: UserId, clientId: string, scopes: readonly string[]): Promise<void> {
    await this.database.rows(
      prepared(`INSERT INTO oidc_consents (account_id, client_id, scopes) VALUES ($1, $2, $3)
       ON CONFLICT (account_id, client_id) DO UPDATE SET granted_at = now(), scopes =
         ARRAY(SELECT DISTINCT unnest(oidc_consents.scopes || excluded.scopes) ORDER BY 1)`),
      [userId, clientId, scopes],
    );
  }

  /**
   * Renews a consent that allows each of the scopes, and keeps it until the end of the transaction.
   * @returns false if there is none, as it was withdrawn
   */
  renew(userId: UserId, clientId: string, scopes: readonly string[]): Promise<boolean> {
    return this.database.hasRow(
      prepared(`UPDATE oidc_consents SET granted_at = now()
       WHERE account_id = $1 AND client_id = $2 AND scopes @> $3::text[] RETURNING 1`),
      [userId, clientId, scopes],
    );
  }

  /**
   * Notes that a member uses a client to which its organization has consented for all, and keeps
   * that consent until the end of the transaction.
   * @returns false if it was withdrawn
   */
  joinMemberConsent(userId: UserId, clientId: string, scopes: readonly string[]): Promise<boolean> {
    return this.database.hasRow(
      prepared(`INSERT INTO oidc_consents (account_id, client_id, scopes)
       SELECT $1, client_id, '{}' FROM satellites WHERE client_id = $2 AND consented_scopes @> $3::text[] FOR SHARE
       ON CONFLICT (account_id, client_id) DO UPDATE SET granted_at = now() RETURNING 1`),
      [userId, clientId, scopes],
    );
  }

  /** Deletes what {@link joinMemberConsent} has noted: members are asked at their next sign-in. */
  async deleteMemberConsents(clientId: string): Promise<void> {
    await this.database.rows(prepared("DELETE FROM oidc_consents WHERE client_id = $1 AND scopes = '{}'"), [
      clientId,
    ]);
  }

  /** @returns a page in order of registration, and one more if there are more */
  list(userId: UserId, { after, limit }: Page): Promise<AuthorizedApp[]> {
    return this.database.rows<AuthorizedApp>(
      `SELECT s.id, c.client_id AS "clientId", s.name, s.logo_uri AS "logoUri", s.logo_hash AS "logoHash", c.granted_at AS "grantedAt",
         ARRAY(SELECT DISTINCT unnest(c.scopes || s.consented_scopes) ORDER BY 1) AS scopes, s.consented_scopes <> '{}' AS "memberConsent",
         (SELECT max(g.last_used_at) FROM sessions present JOIN grants g ON g.session_id = present.id
          WHERE present.account_id = c.account_id AND present.ended_at IS NULL AND g.client_id = c.client_id AND g.ended_at IS NULL) AS "lastUsedAt"
       FROM oidc_consents c JOIN satellites s ON s.client_id = c.client_id
       WHERE c.account_id = $1 AND s.id > $2 ORDER BY s.id LIMIT $3`,
      [userId, after ?? '', limit + 1],
    );
  }

  /** Finds the client of a consent by its client id, or the id of its registration. */
  findClientId(userId: UserId, idOrClientId: string): Promise<string | null> {
    return this.database.value(
      `SELECT s.client_id FROM satellites s JOIN oidc_consents c ON c.client_id = s.client_id
       WHERE (s.client_id = $2 OR s.id = $2) AND c.account_id = $1`,
      [userId, idOrClientId],
    );
  }

  /** @returns whether there was a consent */
  async delete(userId: UserId, clientId: string): Promise<boolean> {
    const { affected } = await this.database.repository(ConsentEntity).delete({ userId, clientId });
    return affected === 1;
  }

  @OnLifecycle('account.erased')
  async deleteOfPerson({ userId }: LifecycleEvents['account.erased']): Promise<void> {
    await this.database.repository(ConsentEntity).delete({ userId });
  }

  @PersonalData({
    part: 'consents',
    description: 'Apps that you allowed to sign you in, and what they may read.',
    fields: {
      clientId: 'The app.',
      scopes: 'What you allowed; empty if your organization has allowed it for all members.',
      grantedAt: 'When you allowed it.',
    },
    tables: ['oidc_consents'],
  })
  listPersonalData(userId: UserId): Promise<object[]> {
    return this.database.rows(
      `SELECT client_id AS "clientId", scopes, granted_at AS "grantedAt"
       FROM oidc_consents WHERE account_id = $1 ORDER BY client_id LIMIT ${MAX_EXPORTED}`,
      [userId],
    );
  }
}
