import { hash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../iam/index.js';
import { newId } from '../../kernel/index.js';
import { CODE_VERIFIER, codeChallengeOf, hashOneTimeToken } from '../../platform/crypto/index.js';
import { Database, prepared, textArray, TurnBatch } from '../../platform/database/index.js';
import type { Client } from '../../client/index.js';
import { GrantService, type GrantView } from '../../session/index.js';

/** What a client presents to exchange a code. */
interface PresentedCode {
  readonly code: string;
  readonly verifier: string;
  readonly redirectUri: string | undefined;
  /** Key that the client has proved; null without a proof. */
  readonly jkt: string | null;
}

/** A grant that a code gave, and the nonce of the authorization request. */
interface Given {
  readonly grant: GrantView;
  readonly nonce: string | null;
}

/** The grant that a code gave, or why it gave none. */
type Exchanged =
  | Given
  /** Consumed before; whether it is proven this time. */
  | { readonly reused: true; readonly isProven: boolean }
  | 'refused';

/** A presented code, as the statements need it. */
interface Exchange {
  readonly codeHash: Buffer;
  /** Challenge that the verifier fits; empty for a text that is no verifier. */
  readonly challenge: string;
  readonly redirectUri: string;
  readonly clientId: string;
  readonly jkt: string | null;
  /** Id of the grant that the code may give. */
  readonly grantId: string;
  readonly event: ReturnType<AuditTrail['prepare']>;
}

type Row = (GrantView | Record<keyof GrantView, null>) & {
  readonly isProven: boolean;
  readonly isConsumed: boolean;
  readonly nonce: string | null;
};

type GivenRow = GrantView & { readonly place: number; readonly nonce: string | null };

const SALT_BYTES = 16;

/**
 * SQL of whether a code is exchanged with its verifier, redirect URI and key. Compares the first
 * two by salted hashes, so that the time of the comparison tells nothing.
 * @param proof SQL of {@link proofOf}
 */
const isProven = (salt: string, proof: string, jkt: string): string =>
  `(sha256(${salt}::bytea || convert_to(code_challenge || ' ' || redirect_uri, 'UTF8')) = ${proof} AND (dpop_jkt IS NULL OR dpop_jkt = ${jkt}) IS TRUE)`;

const proofOf = (salt: Buffer, { challenge, redirectUri }: Exchange): Buffer =>
  hash('sha256', Buffer.concat([salt, Buffer.from(`${challenge} ${redirectUri}`)]), 'buffer');

/** Gives clients grants for their codes, those of one turn of the event loop by one statement. */
@Injectable()
export class CodeExchange {
  private readonly batch = new TurnBatch<Exchange, Given>((exchanges) => this.consumeFree(exchanges));
  /** Texts of the statements, which are the same for each code: made once. */
  private sql: string | undefined;
  private freeSql: string | undefined;

  constructor(
    private readonly database: Database,
    private readonly grants: GrantService,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Consumes a code for one caller only, and gives the client a grant if verifier, redirect URI and
   * key are right and the session is alive.
   */
  async exchange(client: Client, presented: PresentedCode): Promise<Exchanged> {
    const exchange = this.prepare(client, presented);
    // A code of an organization's client names a tenant.
    const together = client.tenantId === null ? await this.batch.ask(exchange) : null;
    if (together) return together;
    // A code without a tenant: the one statement is the transaction.
    const exchanged =
      (await this.consume(exchange, false)) ??
      (await this.database.transaction(async () => {
        const given = await this.consume(exchange, true);
        if (given === null || given === 'refused' || 'reused' in given) return given;
        return { ...given, grant: await this.grants.settleTenant(given.grant) };
      }));
    return exchanged ?? 'refused';
  }

  private prepare(client: Client, { code, verifier, redirectUri = '', jkt }: PresentedCode): Exchange {
    return {
      codeHash: hashOneTimeToken(code),
      // Another text proves nothing, although a challenge may be made of it.
      challenge: CODE_VERIFIER.test(verifier) ? codeChallengeOf(verifier) : '',
      redirectUri,
      clientId: client.clientId,
      jkt,
      grantId: newId(),
      event: this.audit.prepare({
        action: 'session.handed-over',
        subject: `iam/satellites/${client.id}`,
      }),
    };
  }

  /**
   * One statement: locks the session first, so that it cannot end before the grant exists, then
   * consumes the code, inserts the grant and records it. A code that gives a grant is kept for the
   * life of the session, so that a second use is noticed however late.
   * @param inTenant whether to take a code that names a tenant
   * @returns null for an unknown or expired code, and another client's
   */
  private async consume(exchange: Exchange, inTenant: boolean): Promise<Exchanged | null> {
    const { codeHash, clientId, jkt, grantId, event } = exchange;
    const salt = randomBytes(SALT_BYTES);
    const own = [codeHash, salt, proofOf(salt, exchange), clientId, jkt, grantId, inTenant];
    const grant = this.grants.createStatement(own.length + 1);
    const first = own.length + grant.parameters.length + 1;
    const recorded = this.audit.statement([event], { source: 's', first });
    this.sql ??= prepared(`WITH code AS MATERIALIZED (
         SELECT code_hash, session_id, tenant_id, scopes, nonce, ${isProven('$2', '$3', '$5')} AS is_proven
         FROM oidc_codes WHERE code_hash = $1 AND client_id = $4 AND expires_at > now() AND (tenant_id IS NULL OR $7)
       ), locked AS MATERIALIZED (
         SELECT * FROM sessions WHERE id = (SELECT session_id FROM code WHERE is_proven) AND ended_at IS NULL AND expires_at > now() FOR SHARE
       ), consumed AS (
         UPDATE oidc_codes SET consumed_at = now(), nonce = NULL, grant_id = CASE WHEN giving.is_alive THEN $6 END,
           expires_at = CASE WHEN giving.is_alive THEN giving.ends_at ELSE oidc_codes.expires_at END
         FROM (SELECT count(*) > 0 AS is_alive, max(expires_at) AS ends_at FROM locked) AS giving
         WHERE code_hash = (SELECT code_hash FROM code) AND consumed_at IS NULL RETURNING 1
       ), s AS (
         SELECT locked.*, 1::bigint AS place, $6::text AS grant_id, $4::text AS client_id, tenant_id, scopes AS granted_scopes, $5::text AS dpop_jkt
         FROM consumed CROSS JOIN locked CROSS JOIN code
       ), recorded AS (${recorded.sql}), ${grant.queries}
       SELECT code.is_proven AS "isProven", code.nonce, EXISTS (SELECT FROM consumed) AS "isConsumed", ${grant.columns}
       FROM code LEFT JOIN (g CROSS JOIN s) ON true`);
    const parameters = [...own, ...grant.parameters, ...recorded.parameters];
    const row = await this.database.row<Row>(this.sql, parameters);
    if (!row) return null;
    const { isProven: proven, isConsumed, nonce, ...given } = row;
    if (!isConsumed) return { reused: true, isProven: proven };
    return given.grantId === null ? 'refused' : { grant: given, nonce };
  }

  /**
   * Exchanges several codes by one statement, which waits for no lock: each that is proven, names
   * no tenant, and is not held by another transaction, nor its session or a grant that has to end
   * for the new one. Of a session and client, one code.
   * @returns the grants by the places of their codes; nothing happened to the others
   */
  private async consumeFree(exchanges: readonly Exchange[]): Promise<Given[]> {
    const salt = randomBytes(SALT_BYTES);
    const own = [
      exchanges.map(({ codeHash }) => codeHash),
      salt,
      exchanges.map((exchange) => proofOf(salt, exchange)),
      textArray(exchanges.map(({ clientId }) => clientId)),
      textArray(exchanges.map(({ jkt }) => jkt)),
      textArray(exchanges.map(({ grantId }) => grantId)),
    ];
    const grant = this.grants.createFreeStatement(own.length + 1);
    const first = own.length + grant.parameters.length + 1;
    const events = exchanges.map(({ event }) => event);
    const recorded = this.audit.statement(events, { source: 's', first });
    this.freeSql ??= prepared(`WITH asked AS MATERIALIZED (
         SELECT * FROM unnest($1::bytea[], $3::bytea[], $4::text[], $5::text[], $6::text[]) WITH ORDINALITY
           AS asked (code_hash, proof, client_id, jkt, new_grant_id, place)
       ), locked AS MATERIALIZED (
         SELECT sessions.*, place, code.code_hash, nonce, new_grant_id AS grant_id, code.client_id, tenant_id, scopes AS granted_scopes, jkt AS dpop_jkt
         FROM asked JOIN oidc_codes AS code ON code.code_hash = asked.code_hash AND code.client_id = asked.client_id
           JOIN sessions ON sessions.id = session_id
         WHERE consumed_at IS NULL AND code.expires_at > now() AND tenant_id IS NULL AND ${isProven('$2', 'proof', 'jkt')}
           AND ended_at IS NULL AND sessions.expires_at > now()
         FOR NO KEY UPDATE OF code SKIP LOCKED FOR SHARE OF sessions SKIP LOCKED
       ), found AS MATERIALIZED (
         SELECT DISTINCT ON (id, client_id) * FROM locked ORDER BY id, client_id, place
       ), ${grant.free}, consumed AS (
         UPDATE oidc_codes SET consumed_at = now(), nonce = NULL, grant_id = free.grant_id, expires_at = free.expires_at
         FROM free WHERE oidc_codes.code_hash = free.code_hash AND consumed_at IS NULL RETURNING place
       ), s AS (SELECT free.* FROM consumed JOIN free USING (place)),
       recorded AS (${recorded.sql}), ${grant.queries}
       SELECT place::int, nonce, ${grant.columns} FROM g JOIN s ON s.grant_id = g.id`);
    const parameters = [...own, ...grant.parameters, ...recorded.parameters];
    const given: Given[] = [];
    for (const { place, nonce, ...view } of await this.database.rows<GivenRow>(this.freeSql, parameters))
      given[place - 1] = { grant: view, nonce };
    return given;
  }
}
