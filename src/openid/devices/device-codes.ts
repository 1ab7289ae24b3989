import { Injectable } from '@nestjs/common';
import type { SessionId } from '../../kernel/index.js';
import { KeyDerivation, keyedHashes } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { DeviceGuessRepository } from './device-guess.repository.js';

/** Wrong codes per session and minute (RFC 8628 section 5.1). */
const MAX_WRONG_GUESSES = 5;

/** Hashes the codes that devices show, and limits how many a session can try. */
@Injectable()
export class DeviceCodes {
  constructor(
    private readonly database: Database,
    private readonly guesses: DeviceGuessRepository,
    private readonly keys: KeyDerivation,
  ) {}

  /** Returns the hashes of a code under all keys, the current one first. */
  hashesOf(userCode: string): [Buffer, ...Buffer[]] {
    return keyedHashes(this.keys, 'device-code', userCode);
  }

  /**
   * Looks a code up, and counts it if nothing is found. Locks the row of the session first, so that
   * parallel guesses are counted one after the other.
   * @param find returns null for a wrong code
   * @throws {AppError} too-many-requests, whether or not the code is right
   */
  guess<T>(sessionId: SessionId, find: () => Promise<T | null>): Promise<T | null> {
    return this.database.transaction(async () => {
      const { failures, wait } = await this.guesses.countForUpdate(sessionId);
      if (failures > MAX_WRONG_GUESSES) throw new AppError('too-many-requests', { retryAfterSeconds: wait });
      const device = await find();
      if (device !== null) await this.guesses.takeBack(sessionId);
      return device;
    });
  }
}
