import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../iam/index.js';
import { newId } from '../../kernel/index.js';
import { Database, prepared } from '../../platform/database/index.js';
import type { Satellite } from '../../satellite/index.js';
import { GrantService, type GrantView } from '../../session/index.js';
import type { IssuedOpenIdCode } from './openid-code.repository.js';

/** Gives clients grants for their codes. */
@Injectable()
export class CodeExchange {
  constructor(
    private readonly database: Database,
    private readonly grants: GrantService,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Consumes a code for one caller only, and gives the client a grant if the code is proven and its
   * session alive.
   * @param jkt key that the client has proved; null without a proof
   * @returns null if there is no grant; 'reused' if the code has been consumed before
   */
  exchange(
    codeHash: Buffer,
    code: IssuedOpenIdCode,
    client: Satellite,
    { isProven, jkt }: { readonly isProven: boolean; readonly jkt: string | null },
  ): Promise<GrantView | 'reused' | null> {
    const give = async () => {
      const given = await this.consume(codeHash, code, client, isProven, jkt);
      return given === null || given === 'reused' ? given : this.grants.settleTenant(given);
    };
    // Without a tenant, the one statement is the transaction.
    return code.tenantId === null ? give() : this.database.transaction(give);
  }

  /**
   * One statement: locks the session first, so that it cannot end before the grant exists, then
   * consumes the code, inserts the grant and records it. A code that gives a grant is kept for the
   * life of the session, so that a second use is noticed however late.
   */
  private async consume(
    codeHash: Buffer,
    { sessionId, userId, tenantId, scopes, clientId }: IssuedOpenIdCode,
    client: Satellite,
    isProven: boolean,
    dpopJkt: string | null,
  ): Promise<GrantView | 'reused' | null> {
    const given = { clientId, tenantId, grantedScopes: scopes, dpopJkt };
    const grant = this.grants.createStatement(newId(), given, 4);
    const event = {
      actorId: userId,
      action: 'session.handed-over',
      subject: `iam/satellites/${client.id}`,
    };
    const recorded = this.audit.statement(event, { source: 's', first: 4 + grant.parameters.length });
    const row = await this.database.row<GrantView | Record<keyof GrantView, null>>(
      prepared(`WITH locked AS MATERIALIZED (
         SELECT * FROM sessions WHERE id = $2 AND ended_at IS NULL AND expires_at > now() AND $3 FOR SHARE
       ), consumed AS (
         UPDATE oidc_codes SET consumed_at = now(), nonce = NULL, grant_id = CASE WHEN giving.is_alive THEN $4 END,
           expires_at = CASE WHEN giving.is_alive THEN giving.ends_at ELSE oidc_codes.expires_at END
         FROM (SELECT count(*) > 0 AS is_alive, max(expires_at) AS ends_at FROM locked) AS giving
         WHERE code_hash = $1 AND consumed_at IS NULL RETURNING 1
       ), s AS (SELECT locked.* FROM consumed CROSS JOIN locked),
       recorded AS (${recorded.sql}), ${grant.queries}
       SELECT ${grant.columns} FROM consumed LEFT JOIN (g CROSS JOIN s) ON true`),
      [codeHash, sessionId, isProven, ...grant.parameters, ...recorded.parameters],
    );
    if (!row) return 'reused';
    return row.grantId === null ? null : row;
  }
}
