import { hash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../iam/index.js';
import { newId } from '../../kernel/index.js';
import { CODE_VERIFIER, codeChallengeOf, hashOneTimeToken } from '../../platform/crypto/index.js';
import { Database, prepared } from '../../platform/database/index.js';
import type { Satellite } from '../../satellite/index.js';
import { GrantService, type GrantView } from '../../session/index.js';

/** What a client presents to exchange a code. */
interface PresentedCode {
  readonly code: string;
  readonly verifier: string;
  readonly redirectUri: string | undefined;
  /** Key that the client has proved; null without a proof. */
  readonly jkt: string | null;
}

/** The grant that a code gave, or why it gave none. */
type Exchanged =
  | { readonly grant: GrantView; readonly nonce: string | null }
  /** Consumed before; whether it is proven this time. */
  | { readonly reused: true; readonly isProven: boolean }
  | 'refused';

type Row = (GrantView | Record<keyof GrantView, null>) & {
  readonly isProven: boolean;
  readonly isConsumed: boolean;
  readonly nonce: string | null;
};

const SALT_BYTES = 16;

/** Gives clients grants for their codes. */
@Injectable()
export class CodeExchange {
  /** Text of the statement, which is the same for each code: made once. */
  private sql: string | undefined;

  constructor(
    private readonly database: Database,
    private readonly grants: GrantService,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Consumes a code for one caller only, and gives the client a grant if verifier, redirect URI and
   * key are right and the session is alive.
   */
  async exchange(client: Satellite, presented: PresentedCode): Promise<Exchanged> {
    // A code without a tenant: the one statement is the transaction.
    const exchanged =
      (await this.consume(client, presented, false)) ??
      (await this.database.transaction(async () => {
        const given = await this.consume(client, presented, true);
        if (given === null || given === 'refused' || 'reused' in given) return given;
        return { ...given, grant: await this.grants.settleTenant(given.grant) };
      }));
    return exchanged ?? 'refused';
  }

  /**
   * One statement: locks the session first, so that it cannot end before the grant exists, then
   * consumes the code, inserts the grant and records it. A code that gives a grant is kept for the
   * life of the session, so that a second use is noticed however late.
   *
   * Compares the challenge by salted hashes, so that the time of the comparison tells nothing.
   * @param inTenant whether to take a code that names a tenant
   * @returns null for an unknown or expired code, and another client's
   */
  private async consume(
    { id: satelliteId, clientId }: Satellite,
    { code, verifier, redirectUri = '', jkt }: PresentedCode,
    inTenant: boolean,
  ): Promise<Exchanged | null> {
    const salt = randomBytes(SALT_BYTES);
    // Another text proves nothing, although a challenge may be made of it.
    const proven = CODE_VERIFIER.test(verifier) ? codeChallengeOf(verifier) : '';
    const challenge = hash('sha256', Buffer.concat([salt, Buffer.from(proven)]), 'buffer');
    const grant = this.grants.createStatement(
      { id: newId(), clientId, dpopJkt: jkt },
      { tenantId: '(SELECT tenant_id FROM code)', grantedScopes: '(SELECT scopes FROM code)' },
      6,
    );
    const event = { action: 'session.handed-over', subject: `iam/satellites/${satelliteId}` };
    const recorded = this.audit.statement(event, { source: 's', first: 6 + grant.parameters.length });
    this.sql ??= prepared(`WITH code AS MATERIALIZED (
         SELECT code_hash, session_id, tenant_id, scopes, nonce, redirect_uri = $2
           AND sha256($3::bytea || convert_to(code_challenge, 'UTF8')) = $4::bytea AND (dpop_jkt IS NULL OR dpop_jkt = $8) IS TRUE AS is_proven
         FROM oidc_codes WHERE code_hash = $1 AND client_id = $7 AND expires_at > now() AND (tenant_id IS NULL OR $5)
       ), locked AS MATERIALIZED (
         SELECT * FROM sessions WHERE id = (SELECT session_id FROM code WHERE is_proven) AND ended_at IS NULL AND expires_at > now() FOR SHARE
       ), consumed AS (
         UPDATE oidc_codes SET consumed_at = now(), nonce = NULL, grant_id = CASE WHEN giving.is_alive THEN $6 END,
           expires_at = CASE WHEN giving.is_alive THEN giving.ends_at ELSE oidc_codes.expires_at END
         FROM (SELECT count(*) > 0 AS is_alive, max(expires_at) AS ends_at FROM locked) AS giving
         WHERE code_hash = (SELECT code_hash FROM code) AND consumed_at IS NULL RETURNING 1
       ), s AS (SELECT locked.* FROM consumed CROSS JOIN locked),
       recorded AS (${recorded.sql}), ${grant.queries}
       SELECT code.is_proven AS "isProven", code.nonce, EXISTS (SELECT FROM consumed) AS "isConsumed", ${grant.columns}
       FROM code LEFT JOIN (g CROSS JOIN s) ON true`);
    const row = await this.database.row<Row>(this.sql, [
      hashOneTimeToken(code),
      redirectUri,
      salt,
      challenge,
      inTenant,
      ...grant.parameters,
      ...recorded.parameters,
    ]);
    if (!row) return null;
    const { isProven, isConsumed, nonce, ...given } = row;
    if (!isConsumed) return { reused: true, isProven };
    return given.grantId === null ? 'refused' : { grant: given, nonce };
  }
}
