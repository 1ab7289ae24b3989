import { Injectable } from '@nestjs/common';
import { Cleanup } from '../../../platform/cleanup/index.js';
import { columnsOf, Database, prepared, type Selected } from '../../../platform/database/index.js';
import type { StreamState } from '../signal-types.js';
import { SignalStreamEntity } from './signal-stream.entity.js';

const STREAM = {
  id: true,
  clientId: true,
  method: true,
  endpointUrl: true,
  sealedAuthorization: true,
  eventsRequested: true,
  eventsDelivered: true,
  description: true,
  status: true,
  statusReason: true,
  attempts: true,
} as const;

/** A stream of a client. */
export type SignalStream = Selected<SignalStreamEntity, typeof STREAM>;

/** What a client sets of its stream. */
export type StreamTraits = Pick<
  SignalStream,
  'method' | 'endpointUrl' | 'sealedAuthorization' | 'eventsRequested' | 'eventsDelivered' | 'description'
>;

const COLUMNS = columnsOf(SignalStreamEntity, '', STREAM);
/** A changed stream is tried at once, and is in use: one that was pushed was not polled yet. */
const CHANGED = { attempts: 0, dueAt: () => 'now()', polledAt: () => 'now()' } as const;
/** Streams of one claim. */
const MAX_CLAIMED = 20;
/** Longer than the pushes of one claim may take. */
const LEASE_SECONDS = 120;
/** Streams of one client that are pushed to at a time, so that one that hangs leaves room. */
const MAX_PUSHED_OF_CLIENT = 5;

/** Whether a stream is to be pushed to, and no replica does. */
const isDue = (stream: string): string =>
  `${stream}.method = 'push' AND ${stream}.status = 'enabled' AND ${stream}.due_at <= now()
     AND coalesce(${stream}.lease_until, '-infinity') < now()
     AND EXISTS (SELECT 1 FROM signal_events e WHERE e.stream_id = ${stream}.id)`;

@Injectable()
export class SignalStreamRepository {
  constructor(private readonly database: Database) {}

  /** Locks a client, so that one transaction at a time counts its streams. */
  async lockClientForUpdate(clientId: string): Promise<void> {
    await this.database.rows(prepared('SELECT 1 FROM satellites WHERE client_id = $1 FOR NO KEY UPDATE'), [
      clientId,
    ]);
  }

  async insert(id: string, clientId: string, traits: StreamTraits): Promise<void> {
    await this.database.repository(SignalStreamEntity).insert({ id, clientId, ...traits });
  }

  /** Returns the streams of a client in order of creation. */
  list(clientId: string): Promise<SignalStream[]> {
    return this.database.rows(
      prepared(`SELECT ${COLUMNS} FROM signal_streams WHERE client_id = $1 ORDER BY id`),
      [clientId],
    );
  }

  find(clientId: string, id: string): Promise<SignalStream | null> {
    return this.database.row(
      prepared(`SELECT ${COLUMNS} FROM signal_streams WHERE client_id = $1 AND id = $2`),
      [clientId, id],
    );
  }

  async update(clientId: string, id: string, changes: Partial<StreamTraits>): Promise<void> {
    if (Object.keys(changes).length === 0) return;
    await this.database.repository(SignalStreamEntity).update({ clientId, id }, { ...changes, ...CHANGED });
  }

  async setStatus(
    clientId: string,
    id: string,
    status: StreamState,
    statusReason: string | null,
  ): Promise<void> {
    await this.database
      .repository(SignalStreamEntity)
      .update({ clientId, id }, { status, statusReason, ...CHANGED });
  }

  /** @returns whether there was one */
  async delete(clientId: string, id: string): Promise<boolean> {
    const { affected } = await this.database.repository(SignalStreamEntity).delete({ clientId, id });
    return affected === 1;
  }

  /** Deletes the stream of a client that was not polled for the longest time, if for minutes. */
  async deleteLeftBehind(clientId: string): Promise<void> {
    await this.database.rows(
      `DELETE FROM signal_streams WHERE id IN (SELECT id FROM signal_streams
         WHERE client_id = $1 AND method = 'poll' AND polled_at < now() - interval '5 minutes' ORDER BY polled_at LIMIT 1)`,
      [clientId],
    );
  }

  /** Notes a poll, so that the stream is not removed. */
  async notePoll(id: string): Promise<void> {
    await this.database.rows(
      prepared(
        "UPDATE signal_streams SET polled_at = now() WHERE id = $1 AND polled_at < now() - interval '1 minute'",
      ),
      [id],
    );
  }

  /** Notes a request for a verification. @returns false if the last one was a moment ago */
  async noteVerification(id: string, minSeconds: number): Promise<boolean> {
    const row = await this.database.row(
      prepared(`UPDATE signal_streams SET verified_at = now() WHERE id = $1
         AND (verified_at IS NULL OR verified_at < now() - make_interval(secs => $2)) RETURNING 1`),
      [id, minSeconds],
    );
    return row !== null;
  }

  /**
   * Claims streams in which events wait to be pushed, a few of each client. Another replica claims
   * others.
   * @param limit of which {@link MAX_CLAIMED} is the largest
   * @param inFlight clients of the pushes that last, each as often as it has some
   */
  claimDue(limit: number, inFlight: readonly string[]): Promise<SignalStream[]> {
    return this.database.rows(
      prepared(`UPDATE signal_streams SET lease_until = now() + interval '${LEASE_SECONDS} seconds' WHERE id IN (
         SELECT s.id FROM signal_streams s JOIN (
           SELECT t.id, row_number() OVER (PARTITION BY t.client_id ORDER BY t.due_at)
             + (SELECT count(*) FROM unnest($2::text[]) AS busy (client_id) WHERE busy.client_id = t.client_id) AS place
           FROM signal_streams t WHERE ${isDue('t')}) AS ranked ON ranked.id = s.id
         WHERE ranked.place <= ${MAX_PUSHED_OF_CLIENT} AND ${isDue('s')}
         ORDER BY s.due_at LIMIT $1 FOR UPDATE OF s SKIP LOCKED) RETURNING ${COLUMNS}`),
      [Math.min(limit, MAX_CLAIMED), inFlight],
    );
  }

  /** Ends a claim. @param delaySeconds until the next attempt, after a failure; null after none */
  async release(id: string, delaySeconds: number | null): Promise<void> {
    await this.database.rows(
      prepared(`UPDATE signal_streams SET lease_until = NULL, due_at = now() + make_interval(secs => coalesce($2, 0)),
         attempts = CASE WHEN $2::float8 IS NULL THEN 0 ELSE attempts + 1 END WHERE id = $1`),
      [id, delaySeconds],
    );
  }

  /** Removes streams that are not polled any more: the receiver has gone, or makes another one. */
  @Cleanup()
  removeInactive(): Promise<boolean> {
    return this.database.removeInBatches({
      table: 'signal_streams',
      key: 'id',
      when: `method = 'poll' AND polled_at < now() - interval '${INACTIVITY_SECONDS} seconds'`,
    });
  }
}

/** Time after which a stream that is not polled is removed. */
export const INACTIVITY_SECONDS = 86_400;
