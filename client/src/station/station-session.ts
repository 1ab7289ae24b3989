import { Gatehouse } from '../gatehouse.js';
import type { Refresh, Tokens } from '../refresh.js';
import { memoryStorage } from '../storage.js';

/**
 * Part of the idle time after which a token is renewed when it is used next: the time without use
 * counts from the last refresh.
 */
const RENEWED_AFTER = 1 / 3;

/** The session of one person at a station. All of it is in memory. */
export class StationSession {
  /** Client of the signed-in person, for the organization of the station. */
  readonly gatehouse: Gatehouse;
  #endsAt: number;

  /**
   * @param first tokens of the sign-in
   * @param refresh proves the key of the station
   */
  constructor(
    { url, fetch }: { readonly url: string; readonly fetch: typeof globalThis.fetch },
    first: Tokens,
    refresh: Refresh,
  ) {
    let unused: Tokens | null = first;
    this.#endsAt = endOf(first);
    this.gatehouse = new Gatehouse({
      url,
      fetch,
      storage: memoryStorage(first),
      tenantStorage: null,
      refresh: async (...token) => {
        const tokens = unused ?? (await refresh(...token));
        unused = null;
        this.#endsAt = endOf(tokens);
        return { ...tokens, expiresIn: Math.min(tokens.expiresIn, tokens.refreshExpiresIn * RENEWED_AFTER) };
      },
    });
  }

  /** Time, in milliseconds since 1970, at which the session ends unless it is used before. */
  get endsAt(): number {
    return this.#endsAt;
  }

  /**
   * Notes that the person uses the device, so that the session does not end: call it when they
   * touch the screen. Calls of `gatehouse` do it as well. Sends a request once in a third of the
   * idle time only.
   * @throws {SignedOutError} if the session has ended, such as by a sign-in of the next person
   */
  async touch(): Promise<void> {
    await this.gatehouse.accessToken();
  }

  /** Signs the person out, and removes the tokens also if the service cannot be reached. */
  async end(): Promise<void> {
    try {
      await this.gatehouse.logout();
    } finally {
      await this.gatehouse.forget();
    }
  }
}

const endOf = ({ refreshExpiresIn }: Tokens): number => Date.now() + refreshExpiresIn * 1_000;
