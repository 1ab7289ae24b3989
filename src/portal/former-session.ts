import { Injectable, Logger } from '@nestjs/common';
import { describeCause } from '../platform/errors/index.js';
import { RefreshService } from '../session/index.js';

/** The session that a browser was in before a new sign-in: without its cookie it would go on unseen, for as long as sessions last. */
@Injectable()
export class FormerSession {
  private readonly logger = new Logger('Portal');

  constructor(private readonly refreshes: RefreshService) {}

  /**
   * Ends it, whosever it is. The new sign-in stands even where that fails.
   * @param refreshToken of the cookie that is replaced; empty where there was none
   * @param successor the session that has taken its place
   */
  async end(refreshToken: string, successor: string): Promise<void> {
    try {
      await this.refreshes.endSessionByToken(refreshToken, successor);
    } catch (error) {
      this.logger.warn(
        { cause: describeCause(error) },
        'The session that a new sign-in has taken the place of could not be ended.',
      );
    }
  }
}
