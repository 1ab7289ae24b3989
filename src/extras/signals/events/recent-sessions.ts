import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { Database } from '../../../platform/database/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { EndedSessionRepository } from './ended-session.repository.js';
import { Signals } from './signals.js';

/** Services accept an expired token for less. */
const CLOCK_SKEW_SECONDS = 60;
/** Time for which a new stream waits for transactions that end sessions. */
const MAX_WAIT_MS = 5_000;

/** Begins streams with the sessions that have ended lately. */
@Injectable()
export class RecentSessions {
  constructor(
    private readonly database: Database,
    private readonly ended: EndedSessionRepository,
    private readonly signals: Signals,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Adds the sessions that have ended lately, once the stream is committed and no end of a session
   * can miss it.
   * @param undo called if they cannot be added, as the stream would never tell of them
   * @throws {AppError} unavailable if a transaction takes long to end sessions
   */
  async addTo(id: string, clientId: string, undo: () => Promise<unknown>): Promise<void> {
    try {
      if (!(await this.ended.waitForEnding(MAX_WAIT_MS))) throw new AppError('unavailable');
      const seconds = this.settings.ACCESS_TOKEN_TTL + CLOCK_SKEW_SECONDS;
      await this.database.transaction(() => this.signals.addRecentlyEnded(id, clientId, seconds));
    } catch (error) {
      await undo();
      throw error;
    }
  }
}
