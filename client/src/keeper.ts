import { ProblemError, SIGNED_IN_ANEW, SignedOutError, UnreachableError } from './errors.js';
import { Listeners } from './events.js';
import type { components } from './generated/openapi.js';
import type { StoredSession, TokenStorage } from './storage.js';
import { Tabs, type Held, type TabMessage } from './tabs.js';

export type Tokens = components['schemas']['TokenResponse'];
/** An access token alone. */
export type AccessTokens = components['schemas']['TenantTokenResponse'];
/** The session, null before it is known, and the tenant, null for none. */
export interface Place {
  readonly sessionId: string | null;
  readonly tenantId: string | null;
}
/** Asks the service for the next tokens. */
export type Refresh = (refreshToken: string, tenantId: string | null) => Promise<Tokens>;

/** A token is renewed this long before it ends, or after four fifths of a short life. */
const EARLY_MS = 30_000;
/** Shorter than the service's retry window of 30 seconds: within it, the same token may be presented again. */
const PATIENCE_MS = 20_000;
const FIRST_PAUSE_MS = 300;

/**
 * Keeps the tokens of one tab, and renews them. The refresh token is everybody's and lies in the storage; access token and tenant are the
 * tab's own. The storage is only touched under the lock of all tabs, and holds a new refresh token before anybody uses its access token.
 */
export class Keeper {
  readonly events = new Listeners();
  readonly #storage: TokenStorage;
  readonly #refresh: Refresh;
  readonly #tabs: Tabs;
  #sessionId: string | null = null;
  #tenantId: string | null;
  #held: Held | null = null;
  #renewing: Promise<Held> | null = null;

  constructor(storage: TokenStorage, tenantId: string | null, refresh: Refresh) {
    this.#storage = storage;
    this.#tenantId = tenantId;
    this.#refresh = refresh;
    this.#tabs = new Tabs(storage, (message) => this.#hear(message));
  }

  /** Where this tab is. */
  get place(): Place {
    return { sessionId: this.#sessionId, tenantId: this.#tenantId };
  }

  /** Whether there is a session, as far as the storage knows. */
  isSignedIn(): Promise<boolean> {
    return this.#tabs.exclusive(async () => {
      const stored = await this.#storage.read();
      this.#sessionId ??= stored?.sessionId ?? null;
      return stored !== null;
    });
  }

  /**
   * An access token for the tenant of this tab.
   * @param refused one that the service did not take: another is needed, however young it is
   * @throws {SignedOutError}
   */
  async token(refused?: string): Promise<Held> {
    const already = () => this.#usable(refused);
    return (
      already() ??
      (this.#renewing ??= this.#renew(already, () => this.#tenantId).finally(() => (this.#renewing = null)))
    );
  }

  /** Moves this tab into a tenant, or out of it; the other tabs stay where they are. */
  enter(tenantId: string | null): Promise<Held> {
    const already = () => (this.#tenantId === tenantId ? this.#usable() : null);
    return this.#renew(already, () => tenantId);
  }

  /** Takes over the tokens of a sign-in, for all tabs. */
  adopt(tokens: Tokens): Promise<void> {
    return this.#tabs.exclusive(async () => {
      const { sessionId, refreshToken } = tokens;
      await this.#storage.write({ sessionId, refreshToken });
      this.#sessionId = sessionId;
      this.#held = null;
      if (this.#tenantId === null) this.#hold(tokens); // else the next token is renewed into the tenant that this tab is for
      this.#tabs.tell({ kind: 'signed-in', sessionId });
      this.events.emit('signed-in', { sessionId });
    });
  }

  /**
   * Takes over a new access token of the session, here and in tabs beside this one that work in the same tenant.
   * @throws {SignedOutError} where this tab is in another session by now
   */
  accept(tokens: AccessTokens): void {
    if (tokens.sessionId !== this.#sessionId) throw new SignedOutError(SIGNED_IN_ANEW);
    if (tokens.tenantId === this.#tenantId) this.#tabs.tell({ kind: 'renewed', held: this.#hold(tokens) });
    else this.#held = null; // this tab has moved: its next token comes by a refresh
  }

  /** Drops the tokens of this session in all tabs. */
  forget(): Promise<void> {
    return this.#tabs.exclusive(async () => {
      const stored = await this.#storage.read();
      const sessionId = this.#sessionId ?? stored?.sessionId;
      if (sessionId === undefined) return;
      if (stored?.sessionId === sessionId) await this.#storage.write(null);
      this.#tabs.tell({ kind: 'signed-out', sessionId, reason: 'logout' });
      this.#leave('logout');
    });
  }

  close(): void {
    this.#tabs.close();
  }

  #usable(refused?: string): Held | null {
    const held = this.#held;
    return held && held.accessToken !== refused && Date.now() < held.staleAt ? held : null;
  }

  /** Tries until there is a token, the session is over, or patience is. The lock is free between two attempts. */
  async #renew(already: () => Held | null, tenantOf: () => string | null): Promise<Held> {
    const giveUpAt = Date.now() + PATIENCE_MS;
    for (let pause = FIRST_PAUSE_MS; ; pause *= 2) {
      try {
        return await this.#tabs.exclusive(() => this.#attempt(already, tenantOf()));
      } catch (error) {
        const wait = pauseAfter(error, pause);
        if (wait === null || Date.now() + wait > giveUpAt) throw error;
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  }

  /** Holds the lock. Another tab may have been here meanwhile. */
  async #attempt(already: () => Held | null, tenantId: string | null): Promise<Held> {
    const stored = await this.#own();
    if (!stored) throw new SignedOutError();
    const held = already();
    if (held?.sessionId === stored.sessionId) return held;
    try {
      const tokens = await this.#refresh(stored.refreshToken, tenantId);
      await this.#storage.write({ sessionId: tokens.sessionId, refreshToken: tokens.refreshToken });
      const renewed = this.#hold(tokens);
      this.#tabs.tell({ kind: 'renewed', held: renewed });
      return renewed;
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (error.code === 'not-a-member' && this.#tenantId === tenantId) this.#work(null);
      if (!isEnd(error)) throw error;
      await this.#storage.write(null);
      this.#tabs.tell({ kind: 'signed-out', sessionId: stored.sessionId, reason: 'ended' });
      this.#leave('ended');
      throw new SignedOutError('The session has ended.', { cause: error });
    }
  }

  /**
   * What is stored, which has to be of the session that this tab is in: it may have missed that another tab has signed out, or somebody
   * else in.
   */
  async #own(): Promise<StoredSession | null> {
    const stored = await this.#storage.read();
    const mine = (this.#sessionId ??= stored?.sessionId ?? null);
    if (mine === null || stored?.sessionId === mine) return stored;
    if (!stored) {
      this.#leave('logout');
      return null;
    }
    this.#join(stored.sessionId);
    throw new SignedOutError(SIGNED_IN_ANEW);
  }

  #hold({ accessToken, sessionId, tenantId, expiresIn }: AccessTokens): Held {
    const lifeMs = expiresIn * 1000;
    const staleAt = Date.now() + lifeMs - Math.min(EARLY_MS, lifeMs / 5);
    this.#work(tenantId);
    return (this.#held = { accessToken, sessionId, tenantId, staleAt });
  }

  #work(tenantId: string | null): void {
    if (this.#tenantId === tenantId) return;
    this.#tenantId = tenantId;
    this.#held = null;
    this.events.emit('tenant', { tenantId });
  }

  #join(sessionId: string): void {
    this.#sessionId = sessionId;
    this.#held = null;
    this.#tenantId = null;
    this.events.emit('signed-in', { sessionId });
  }

  #leave(reason: 'logout' | 'ended'): void {
    this.#sessionId = null;
    this.#held = null;
    this.#tenantId = null;
    this.events.emit('signed-out', { reason });
  }

  #hear(message: TabMessage): void {
    const mine = this.#sessionId;
    if (message.kind === 'signed-in' && message.sessionId !== mine) return this.#join(message.sessionId);
    if (message.kind === 'signed-out' && message.sessionId === mine) return this.#leave(message.reason);
    if (message.kind !== 'renewed') return;
    const { held } = message;
    const fits = held.tenantId === this.#tenantId && (mine === null || held.sessionId === mine);
    if (!fits || held.staleAt <= (this.#held?.staleAt ?? 0)) return;
    this.#sessionId = held.sessionId;
    this.#held = held;
  }
}

/** Whether the refresh token is of no use any more, for whatever reason. */
function isEnd({ code, violations }: ProblemError): boolean {
  const unreadable = violations.some(({ propertyPath }) => propertyPath === 'refreshToken');
  return code === 'invalid-refresh-token' || (code === 'validation-error' && unreadable);
}

/** How long to wait before the same token is presented again; null where the answer is an answer. */
function pauseAfter(error: unknown, pauseMs: number): number | null {
  const transient =
    error instanceof UnreachableError ||
    (error instanceof ProblemError && (error.status >= 500 || error.status === 429));
  if (!transient) return null;
  return error.retryAfterSeconds === null ? pauseMs : error.retryAfterSeconds * 1000;
}
