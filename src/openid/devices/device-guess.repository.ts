import { Injectable } from '@nestjs/common';
import type { SessionId } from '../../kernel/index.js';
import { RemovesExpired } from '../../platform/cleanup/index.js';
import { Database, prepared } from '../../platform/database/index.js';

const WINDOW_SECONDS = 60;

const COUNT = prepared(`INSERT INTO oidc_device_guesses AS g (session_id, failures) VALUES ($1, 1)
  ON CONFLICT (session_id) DO UPDATE SET
    failures = CASE WHEN g.begun_at <= now() - make_interval(secs => $2) THEN 1 ELSE g.failures + 1 END,
    begun_at = CASE WHEN g.begun_at <= now() - make_interval(secs => $2) THEN now() ELSE g.begun_at END
  RETURNING failures, ceil(extract(epoch FROM begun_at + make_interval(secs => $2) - now()))::int AS wait`);

/** Guesses of a session within the last minute. */
interface Guesses {
  readonly failures: number;
  /** Seconds until they are forgotten. */
  readonly wait: number;
}

/** Wrong codes of devices, by session. */
@Injectable()
@RemovesExpired({
  table: 'oidc_device_guesses',
  key: 'session_id',
  when: `begun_at < now() - interval '${WINDOW_SECONDS} seconds'`,
})
export class DeviceGuessRepository {
  constructor(private readonly database: Database) {}

  /** Counts a guess as wrong. Locks the row of the session until the transaction ends. */
  countForUpdate(sessionId: SessionId): Promise<Guesses> {
    return this.database.getRow<Guesses>(COUNT, [sessionId, WINDOW_SECONDS]);
  }

  /** Takes back a guess that was right. */
  async takeBack(sessionId: SessionId): Promise<void> {
    await this.database.rows(
      prepared('UPDATE oidc_device_guesses SET failures = failures - 1 WHERE session_id = $1'),
      [sessionId],
    );
  }
}
