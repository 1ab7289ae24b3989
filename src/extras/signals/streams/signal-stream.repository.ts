import { Injectable } from '@nestjs/common';
import { RemovesExpired } from '../../../platform/cleanup/index.js';
import { columnsOf, Database, prepared, type Selected } from '../../../platform/database/index.js';
import { UNSYNCED } from '../../../platform/delivery/index.js';
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

/** Time after which a stream that is not polled is removed. */
export const INACTIVITY_SECONDS = 86_400;

const COLUMNS = columnsOf(SignalStreamEntity, '', STREAM);
/** A changed stream is tried at once, and is in use: one that was pushed was not polled yet. */
const CHANGED = { attempts: 0, dueAt: () => 'now()', polledAt: () => 'now()' } as const;
/** Longer than the pushes of one claim may take. */
const LEASE_SECONDS = 120;
/** Whether a stream is to be pushed to, and no replica does. */
const isDue = (stream: string): string =>
  `${stream}.method = 'push' AND ${stream}.status = 'enabled' AND ${stream}.due_at <= now()
     AND coalesce(${stream}.lease_until, '-infinity') < now()
     AND EXISTS (SELECT 1 FROM signal_events e WHERE e.stream_id = ${stream}.id)`;

/** Streams of signals. */
@Injectable()
// Removes streams that are not polled any more: the receiver has gone, or makes another one.
@RemovesExpired({
  table: 'signal_streams',
  key: 'id',
  when: `method = 'poll' AND polled_at < now() - interval '${INACTIVITY_SECONDS} seconds'`,
})
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
  noteVerification(id: string, minSeconds: number): Promise<boolean> {
    return this.database.hasRow(
      prepared(`UPDATE signal_streams SET verified_at = now() WHERE id = $1
         AND (verified_at IS NULL OR verified_at < now() - make_interval(secs => $2)) RETURNING 1`),
      [id, minSeconds],
    );
  }

  /** Claims streams in which events wait to be pushed. Another replica claims others. */
  claim(ids: readonly string[], limit: number): Promise<SignalStream[]> {
    return this.database.rows(
      prepared(`UPDATE signal_streams SET lease_until = now() + interval '${LEASE_SECONDS} seconds' WHERE id IN (
         SELECT s.id FROM ${UNSYNCED}, signal_streams s WHERE s.id = ANY ($1) AND ${isDue('s')}
         ORDER BY s.due_at LIMIT $2 FOR UPDATE OF s SKIP LOCKED) RETURNING ${COLUMNS}`),
      [ids, limit],
    );
  }

  /** Lists streams in which events wait to be pushed, in the order of their ids. */
  listDue(after: string, limit: number): Promise<Pick<SignalStream, 'id' | 'clientId'>[]> {
    return this.database.rows(
      prepared(`SELECT s.id, s.client_id AS "clientId" FROM signal_streams s
       WHERE s.id > $1 AND ${isDue('s')} ORDER BY s.id LIMIT $2`),
      [after, limit],
    );
  }

  /** Ends a claim. @param attempts that failed in a row */
  async release(id: string, attempts: number, delaySeconds: number): Promise<void> {
    await this.database.rows(
      prepared(`UPDATE signal_streams SET lease_until = NULL, due_at = now() + make_interval(secs => $2),
         attempts = $3 FROM ${UNSYNCED} WHERE id = $1`),
      [id, delaySeconds, attempts],
    );
  }
}
