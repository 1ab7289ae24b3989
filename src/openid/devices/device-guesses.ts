import { Injectable } from '@nestjs/common';
import type { SessionId } from '../../kernel/index.js';
import { Cleanup } from '../../platform/cleanup/index.js';
import { Database, prepared } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';

/** Wrong codes per session and minute (RFC 8628 section 5.1). */
const MAX_WRONG_GUESSES = 5;
const WINDOW_SECONDS = 60;

/** Limits the codes of devices that a session can try. */
@Injectable()
export class DeviceGuesses {
  constructor(private readonly database: Database) {}

  /**
   * Looks a code up, and counts it if nothing is found. Locks the row of the session first, so that
   * parallel guesses are counted one after the other.
   * @param find returns null for a wrong code
   * @throws {AppError} too-many-requests, whether or not the code is right
   */
  guess<T>(sessionId: SessionId, find: () => Promise<T | null>): Promise<T | null> {
    return this.database.transaction(async () => {
      const { failures, wait } = await this.database.getRow<{ failures: number; wait: number }>(
        prepared(`INSERT INTO oidc_device_guesses AS g (session_id, failures) VALUES ($1, 1)
         ON CONFLICT (session_id) DO UPDATE SET
           failures = CASE WHEN g.begun_at <= now() - make_interval(secs => $2) THEN 1 ELSE g.failures + 1 END,
           begun_at = CASE WHEN g.begun_at <= now() - make_interval(secs => $2) THEN now() ELSE g.begun_at END
         RETURNING failures, ceil(extract(epoch FROM begun_at + make_interval(secs => $2) - now()))::int AS wait`),
        [sessionId, WINDOW_SECONDS],
      );
      if (failures > MAX_WRONG_GUESSES) throw new AppError('too-many-requests', { retryAfterSeconds: wait });
      const found = await find();
      if (found !== null)
        await this.database.rows(
          prepared('UPDATE oidc_device_guesses SET failures = failures - 1 WHERE session_id = $1'),
          [sessionId],
        );
      return found;
    });
  }

  @Cleanup()
  cleanUp(): Promise<boolean> {
    return this.database.removeInBatches({
      table: 'oidc_device_guesses',
      key: 'session_id',
      when: `begun_at < now() - interval '${WINDOW_SECONDS} seconds'`,
    });
  }
}
