import { Injectable } from '@nestjs/common';
import { Database, prepared, textArray, TurnBatch } from '../../platform/database/index.js';
import { type GrantView, VIEW } from './grant.repository.js';

/** A refresh token, and for how long its grant may be idle after the refresh. */
interface PresentedToken extends Pick<GrantView, 'grantId' | 'generation' | 'clientId'> {
  readonly idleSeconds: number;
  /** Whether the grant must be one of OpenID Connect; it must be none otherwise. */
  readonly ofOpenId: boolean;
}

/** What a refresh requires of the grant, and does to it. */
interface Refresh extends PresentedToken {
  /** Whether the grant moves to its next generation. */
  readonly rotates: boolean;
  /** Key that the client has proved; null without a proof. */
  readonly jkt: string | null;
  /** Whether the grant may be bound to no key. */
  readonly acceptsUnbound: boolean;
}

type Row = GrantView & { readonly index: number };

/** @param skip SKIP LOCKED, to leave out what another transaction holds */
const refresh = (skip: '' | 'SKIP LOCKED'): string =>
  prepared(`WITH asked AS MATERIALIZED (
     SELECT * FROM unnest($1::text[], $2::int[], $3::text[], $4::int[], $5::bool[], $6::text[], $7::bool[], $8::bool[]) WITH ORDINALITY
       AS asked (id, generation, client_id, idle_seconds, rotates, jkt, accepts_unbound, of_openid, place)
   ), held AS MATERIALIZED (
     SELECT g.id FROM asked JOIN grants g ON g.id = asked.id ORDER BY g.id FOR NO KEY UPDATE OF g ${skip}
   ), g AS (
     UPDATE grants SET generation = grants.generation + asked.rotates::int, last_used_at = now(),
       rotated_at = CASE WHEN asked.rotates THEN now() ELSE rotated_at END,
       idle_expires_at = least(now() + make_interval(secs => idle_seconds), (SELECT expires_at FROM sessions WHERE id = session_id))
     FROM asked WHERE grants.id = asked.id AND grants.id IN (SELECT id FROM held)
       AND grants.generation = asked.generation AND grants.client_id = asked.client_id AND (granted_scopes IS NOT NULL) = of_openid
       AND (dpop_jkt = jkt OR dpop_jkt IS NULL AND accepts_unbound) AND ended_at IS NULL AND idle_expires_at > now()
       AND NOT EXISTS (SELECT 1 FROM disabled_clients d WHERE d.client_id = grants.client_id)
     RETURNING grants.*, place)
   SELECT (place - 1)::int AS index, ${VIEW} FROM g JOIN sessions s ON s.id = g.session_id`);

const REFRESH = refresh('');
const REFRESH_FREE = refresh('SKIP LOCKED');

/** Refreshes grants, those of one turn of the event loop by one statement. */
@Injectable()
export class GrantRefreshRepository {
  private readonly batch = new TurnBatch<Refresh, GrantView>((all, waits) => this.refreshAll(all, waits));

  constructor(private readonly database: Database) {}

  /**
   * Moves a grant of the client from this generation to the next, in one atomic statement.
   * @param jkt key that a station has proved, to which its grant is bound; null for any other grant
   * @returns null if the generation is not the current one, the grant has ended, is bound to
   *   another key, belongs to another client, or is not of this kind
   */
  rotate(presented: PresentedToken, jkt: string | null = null): Promise<GrantView | null> {
    return this.refresh({ ...presented, rotates: true, jkt, acceptsUnbound: jkt === null });
  }

  /**
   * Notes a use of the current generation, which the client keeps (RFC 9700 section 4.14.2:
   * rotation is for public clients whose tokens are not bound to a key).
   * @returns null as {@link rotate} does, and for a grant that is bound to another key
   */
  renew(
    presented: PresentedToken,
    binding: Pick<Refresh, 'jkt' | 'acceptsUnbound'>,
  ): Promise<GrantView | null> {
    return this.refresh({ ...presented, rotates: false, ...binding });
  }

  private async refresh(refresh: Refresh): Promise<GrantView | null> {
    if (!this.database.inTransaction) return this.batch.ask(refresh);
    return (await this.refreshAll([refresh], true))[0] ?? null;
  }

  /** @returns the refreshed grants by the indexes of their refreshes */
  private async refreshAll(refreshes: readonly Refresh[], waits: boolean): Promise<GrantView[]> {
    const columns = [
      textArray(refreshes.map(({ grantId }) => grantId)),
      refreshes.map(({ generation }) => generation),
      textArray(refreshes.map(({ clientId }) => clientId)),
      refreshes.map(({ idleSeconds }) => idleSeconds),
      refreshes.map(({ rotates }) => rotates),
      textArray(refreshes.map(({ jkt }) => jkt)),
      refreshes.map(({ acceptsUnbound }) => acceptsUnbound),
      refreshes.map(({ ofOpenId }) => ofOpenId),
    ];
    const refreshed: GrantView[] = [];
    for (const { index, ...grant } of await this.database.rows<Row>(waits ? REFRESH : REFRESH_FREE, columns))
      refreshed[index] = grant;
    return refreshed;
  }
}
