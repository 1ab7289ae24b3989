import { Injectable, Logger } from '@nestjs/common';
import { describeCause } from '../platform/errors/index.js';
import { GrantRotation } from '../session/index.js';

/**
 * Ends the previous session of a browser after a new sign-in. Its cookie is replaced, so that it
 * would otherwise remain alive, unnoticed, until it expires.
 */
@Injectable()
export class PreviousSession {
  private readonly logger = new Logger('Portal');

  constructor(private readonly rotation: GrantRotation) {}

  /**
   * Ends the session of the replaced cookie, also of another account. A failure is logged and does
   * not fail the new sign-in.
   * @param refreshToken of the replaced cookie; empty if there was none
   * @param successor id of the new session
   */
  async end(refreshToken: string, successor: string): Promise<void> {
    try {
      await this.rotation.endSession(refreshToken, successor);
    } catch (error) {
      this.logger.warn(
        { cause: describeCause(error) },
        'The session that a new sign-in replaced could not be ended.',
      );
    }
  }
}
