import { Injectable } from '@nestjs/common';
import { notEnded } from '../../../iam/index.js';
import { newId, type SessionId, type UserId } from '../../../kernel/index.js';
import { RemovesExpired } from '../../../platform/cleanup/index.js';
import { columnsOf, Database, prepared } from '../../../platform/database/index.js';
import { SignalEventEntity } from './signal-event.entity.js';

/** A stream that an event concerns, with whom it is about. */
export interface Target {
  readonly streamId: string;
  readonly clientId: string;
  /** Null for an erased person. */
  readonly userId: UserId | null;
  readonly sessionId: SessionId | null;
}

/** An event to add to a stream. */
export type NewSignal = Pick<SignalEventEntity, 'streamId' | 'type' | 'subject' | 'sessionId' | 'details'>;

const COLUMNS = columnsOf(SignalEventEntity);

/**
 * Clients of the operator learn of all people; others of those who are signed in to them. Joined
 * from the person, so that the cost does not depend on the number of streams.
 */
const OF_OPERATOR = 'SELECT o.client_id FROM satellites o WHERE o.first_party AND o.tenant_id IS NULL';
const RECEIVING = `JOIN satellites c ON c.client_id = known.client_id AND c.disabled_at IS NULL
  JOIN signal_streams t ON t.client_id = c.client_id AND t.status <> 'disabled' AND $2 = ANY (t.events_delivered)`;
/**
 * Whether a client learns of a person: of former ones too ($3), or as of a member. No EXISTS, of
 * which the planner could make a hash of all members.
 */
const mayLearnOf = (userId: string) => `($3::boolean OR c.tenant_id IS NULL
  OR (SELECT true FROM members m WHERE m.user_id = ${userId} AND m.tenant_id = c.tenant_id AND ${notEnded('m')}))`;

/** Whether clients also learn of people who have withdrawn consent, or left the organization. */
interface Reach {
  readonly former: boolean;
}

/** Events that streams have not received yet. */
@Injectable()
// Removes events that no receiver has taken for a week.
@RemovesExpired({ table: 'signal_events', key: 'id', when: "created_at < now() - interval '7 days'" })
export class SignalEventRepository {
  constructor(private readonly database: Database) {}

  /** Finds the streams that receive a type of event about these sessions. */
  findOfSessions(sessionIds: readonly SessionId[], type: string, { former }: Reach): Promise<Target[]> {
    return this.database.rows(
      prepared(`SELECT t.id AS "streamId", c.client_id AS "clientId", x.account_id AS "userId", x.id AS "sessionId"
       FROM unnest($1::text[]) AS named (id) JOIN sessions x ON x.id = named.id
         CROSS JOIN LATERAL (${OF_OPERATOR}
           UNION SELECT g.client_id FROM grants g WHERE g.session_id = x.id AND ($3::boolean OR g.ended_at IS NULL)) AS known
         ${RECEIVING}
       WHERE ${mayLearnOf('x.account_id')}`),
      [sessionIds, type, former],
    );
  }

  /** Finds the streams that receive a type of event about these people. */
  findOfPeople(userIds: readonly UserId[], type: string, { former }: Reach): Promise<Target[]> {
    // A grant that ended before its session was withdrawn.
    return this.database.rows(
      prepared(`SELECT t.id AS "streamId", c.client_id AS "clientId", named.id AS "userId", NULL AS "sessionId"
       FROM unnest($1::text[]) AS named (id)
         CROSS JOIN LATERAL (${OF_OPERATOR}
           UNION SELECT g.client_id FROM sessions x JOIN grants g ON g.session_id = x.id
             WHERE x.account_id = named.id AND ($3::boolean OR g.ended_at IS NULL OR g.ended_at >= x.ended_at)
           UNION SELECT k.client_id FROM oidc_consents k WHERE k.account_id = named.id) AS known
         ${RECEIVING}
       WHERE ${mayLearnOf('named.id')}`),
      [userIds, type, former],
    );
  }

  /** Returns the sessions of which events of a type wait in a stream. */
  async findSessions(streamId: string, type: string): Promise<Set<string>> {
    const told = await this.database.values<string>(
      'SELECT session_id FROM signal_events WHERE stream_id = $1 AND type = $2 AND session_id IS NOT NULL',
      [streamId, type],
    );
    return new Set(told);
  }

  async add(signals: readonly NewSignal[]): Promise<void> {
    if (signals.length === 0) return;
    await this.database.rows(
      `INSERT INTO signal_events (id, stream_id, type, subject, session_id, details)
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::jsonb[])`,
      [
        signals.map(() => newId()),
        signals.map(({ streamId }) => streamId),
        signals.map(({ type }) => type),
        signals.map(({ subject }) => subject),
        signals.map(({ sessionId }) => sessionId),
        signals.map(({ details }) => JSON.stringify(details)),
      ],
    );
  }

  /** Returns the oldest events that wait in a stream. */
  list(streamId: string, limit: number): Promise<SignalEventEntity[]> {
    return this.database.rows(
      prepared(`SELECT ${COLUMNS} FROM signal_events WHERE stream_id = $1 ORDER BY id LIMIT $2`),
      [streamId, limit],
    );
  }

  /** Removes events that the receiver has acknowledged, or refused. */
  async remove(streamId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.database.rows(prepared('DELETE FROM signal_events WHERE stream_id = $1 AND id = ANY ($2)'), [
      streamId,
      ids,
    ]);
  }

  /** Empties a stream, as a disabled one holds nothing. */
  async removeAll(streamId: string): Promise<void> {
    await this.database.rows('DELETE FROM signal_events WHERE stream_id = $1', [streamId]);
  }
}
