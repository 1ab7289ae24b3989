import { type ProblemCode, ProblemError, SESSION_REPLACED, SignedOutError } from './errors.js';
import { Listeners } from './events.js';
import type { components } from './generated/openapi.js';
import { findRetryDelay, isSessionEnd, type Refresh, type Tokens } from './refresh.js';
import type { StoredSession, TabContext, TokenStorage } from './storage.js';
import { Tabs, type CachedToken, type TabMessage } from './tabs.js';
import type { TenantMemory } from './tenant-memory.js';

/** An access token without a refresh token. */
export type AccessTokens = components['schemas']['TenantTokenResponse'];

/** A token is renewed 30 s before it expires, or after four fifths of a shorter lifetime. */
const RENEWAL_LEAD_MS = 30_000;
/**
 * Shorter than the service's retry window of 30 seconds, within which the same refresh token may be
 * presented again.
 */
const MAX_RETRY_MS = 20_000;
const MIN_PAUSE_MS = 300;

/**
 * Stores and renews the tokens of one tab. All tabs share the refresh token in the storage; each
 * has its own access token and tenant. The storage is accessed under the lock of all tabs, and
 * holds a new refresh token before its access token is used.
 */
export class TokenKeeper {
  readonly events = new Listeners();
  readonly #storage: TokenStorage;
  readonly #refresh: Refresh;
  readonly #tabs: Tabs;
  readonly #memory: TenantMemory;
  #sessionId: string | null = null;
  #tenantId: string | null;
  /** Session of a remembered tenant, until the tab knows whether it still has this session. */
  #rememberedFor: string | null = null;
  #cached: CachedToken | null = null;
  #renewing: Promise<CachedToken> | null = null;
  #refusedTenantId: string | null = null;

  /** @param tenantId of the tab; undefined takes the remembered one */
  constructor(
    storage: TokenStorage,
    memory: TenantMemory,
    tenantId: string | null | undefined,
    refresh: Refresh,
  ) {
    const remembered = tenantId === undefined ? memory.read() : null;
    this.#storage = storage;
    this.#memory = memory;
    this.#tenantId = tenantId ?? remembered?.tenantId ?? null;
    this.#rememberedFor = remembered?.sessionId ?? null;
    this.#refresh = refresh;
    this.#tabs = new Tabs(storage, (message) => this.#receive(message));
  }

  /** Session and tenant of this tab. */
  get context(): TabContext {
    return { sessionId: this.#sessionId, tenantId: this.#tenantId };
  }

  /**
   * Tenant that this tab had until a refresh was refused, because it requires a stronger or more
   * recent sign-in.
   */
  get refusedTenantId(): string | null {
    return this.#refusedTenantId;
  }

  /** Time from which the tenant refuses this sign-in; null if it does not. */
  get secondFactorBy(): string | null {
    return this.#cached?.secondFactorBy ?? null;
  }

  /** Returns whether the storage has a session. */
  isSignedIn(): Promise<boolean> {
    return this.#tabs.runExclusive(async () => {
      const stored = await this.#storage.read();
      if (this.#sessionId === null) this.#learnSession(stored?.sessionId ?? null);
      return stored !== null;
    });
  }

  /**
   * Returns an access token for the tenant of this tab.
   * @param refused a token that the service refused, and that must be replaced even if it has not
   *   expired
   * @throws {SignedOutError}
   */
  async getToken(refused?: string): Promise<CachedToken> {
    const findExisting = () => this.#findUsableToken(refused);
    return (
      findExisting() ??
      (this.#renewing ??= this.#renew(findExisting, () => this.#tenantId).finally(
        () => (this.#renewing = null),
      ))
    );
  }

  /** Selects the tenant of this tab; the other tabs keep theirs. */
  selectTenant(tenantId: string | null): Promise<CachedToken> {
    this.#refusedTenantId = null;
    const findExisting = () => (this.#tenantId === tenantId ? this.#findUsableToken() : null);
    return this.#renew(findExisting, () => tenantId);
  }

  /** Stores the tokens of a sign-in for all tabs. */
  storeSignIn(tokens: Tokens): Promise<void> {
    return this.#tabs.runExclusive(async () => {
      const { sessionId, refreshToken } = tokens;
      await this.#storage.write({ sessionId, refreshToken });
      this.#cached = null;
      this.#learnSession(sessionId);
      if (this.#tenantId === null) this.#cacheToken(tokens); // otherwise the next refresh requests a token for this tab's tenant
      this.#tabs.broadcast({ kind: 'signed-in', sessionId });
      this.events.emit('signed-in', { sessionId });
    });
  }

  /**
   * Stores a new access token of the session, here and in other tabs with the same tenant.
   * @throws {SignedOutError} if this tab now has another session
   */
  storeAccessToken(tokens: AccessTokens): void {
    if (tokens.sessionId !== this.#sessionId) throw new SignedOutError(SESSION_REPLACED);
    if (tokens.tenantId === this.#tenantId)
      this.#tabs.broadcast({ kind: 'renewed', held: this.#cacheToken(tokens) });
    else this.#cached = null; // the tab has selected another tenant: its next token comes by a refresh
  }

  /** Removes the tokens of this session in all tabs. */
  forget(): Promise<void> {
    return this.#tabs.runExclusive(async () => {
      const stored = await this.#storage.read();
      const sessionId = this.#sessionId ?? stored?.sessionId;
      if (sessionId === undefined) return;
      if (stored?.sessionId === sessionId) await this.#storage.write(null);
      this.#tabs.broadcast({ kind: 'signed-out', sessionId, reason: 'logout' });
      this.#clearSession('logout');
    });
  }

  close(): void {
    this.#tabs.close();
  }

  #findUsableToken(refused?: string): CachedToken | null {
    const held = this.#cached;
    return held && held.accessToken !== refused && Date.now() < held.staleAt ? held : null;
  }

  /**
   * Retries until there is a token, the session has ended or MAX_RETRY_MS have passed. Releases the
   * lock between two attempts.
   */
  async #renew(findExisting: () => CachedToken | null, tenantOf: () => string | null): Promise<CachedToken> {
    const giveUpAt = Date.now() + MAX_RETRY_MS;
    for (let pause = MIN_PAUSE_MS; ; pause *= 2) {
      try {
        return await this.#tabs.runExclusive(() => this.#attempt(findExisting, tenantOf));
      } catch (error) {
        const wait = findRetryDelay(error, pause);
        if (wait === null || Date.now() + wait > giveUpAt) throw error;
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  }

  /** Refreshes under the lock, unless another tab has done so. */
  async #attempt(
    findExisting: () => CachedToken | null,
    tenantOf: () => string | null,
  ): Promise<CachedToken> {
    const stored = await this.#readOwnSession();
    if (!stored) throw new SignedOutError();
    const tenantId = tenantOf(); // after the read, which drops one that was remembered for another session
    const held = findExisting();
    if (held?.sessionId === stored.sessionId) return held;
    try {
      const tokens = await this.#refresh(stored.refreshToken, tenantId);
      await this.#storage.write({ sessionId: tokens.sessionId, refreshToken: tokens.refreshToken });
      const renewed = this.#cacheToken(tokens);
      this.#tabs.broadcast({ kind: 'renewed', held: renewed });
      return renewed;
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (tenantId !== null && tenantId === this.#tenantId) this.#leaveRefused(tenantId, error.code);
      if (!isSessionEnd(error)) throw error;
      await this.#storage.write(null);
      this.#tabs.broadcast({ kind: 'signed-out', sessionId: stored.sessionId, reason: 'ended' });
      this.#clearSession('ended');
      throw new SignedOutError('The session has ended.', { cause: error });
    }
  }

  /**
   * Reads the stored session, which must be this tab's: the tab may have missed that another tab
   * has signed out, or signed another user in.
   * @throws {SignedOutError} if another tab has signed in
   */
  async #readOwnSession(): Promise<StoredSession | null> {
    const stored = await this.#storage.read();
    if (this.#sessionId === null) this.#learnSession(stored?.sessionId ?? null);
    const ownId = this.#sessionId;
    if (ownId === null || stored?.sessionId === ownId) return stored;
    if (!stored) {
      this.#clearSession('logout');
      return null;
    }
    this.#switchSession(stored.sessionId);
    throw new SignedOutError(SESSION_REPLACED);
  }

  /** Continues without a tenant that refuses the user or the sign-in. */
  #leaveRefused(tenantId: string, code: ProblemCode): void {
    const isTooWeak = code === 'insufficient-user-authentication';
    if (!isTooWeak && code !== 'not-a-member') return;
    this.#setTenant(null);
    if (isTooWeak) this.#refusedTenantId = tenantId;
  }

  #cacheToken({ accessToken, sessionId, tenantId, expiresIn, secondFactorBy }: AccessTokens): CachedToken {
    const lifeMs = expiresIn * 1000;
    const staleAt = Date.now() + lifeMs - Math.min(RENEWAL_LEAD_MS, lifeMs / 5);
    this.#setTenant(tenantId);
    return (this.#cached = { accessToken, sessionId, tenantId, staleAt, secondFactorBy });
  }

  #setTenant(tenantId: string | null): void {
    if (this.#tenantId === tenantId) return;
    this.#tenantId = tenantId;
    this.#refusedTenantId = null;
    this.#cached = null;
    this.#memory.write(this.context);
    this.events.emit('tenant', { tenantId });
  }

  /** Sets the session of this tab, and drops a tenant that was remembered for another one. */
  #learnSession(sessionId: string | null): void {
    const isForOther = this.#rememberedFor !== null && this.#rememberedFor !== sessionId;
    this.#sessionId = sessionId;
    this.#rememberedFor = null;
    if (isForOther) this.#setTenant(null);
    this.#memory.write(this.context);
  }

  #replaceSession(sessionId: string | null): void {
    this.#sessionId = sessionId;
    this.#rememberedFor = null;
    this.#cached = null;
    this.#tenantId = null;
    this.#memory.write(this.context);
  }

  #switchSession(sessionId: string): void {
    this.#replaceSession(sessionId);
    this.events.emit('signed-in', { sessionId });
  }

  #clearSession(reason: 'logout' | 'ended'): void {
    this.#replaceSession(null);
    this.events.emit('signed-out', { reason });
  }

  #receive(message: TabMessage): void {
    const ownId = this.#sessionId;
    if (message.kind === 'signed-in' && message.sessionId !== ownId)
      return this.#switchSession(message.sessionId);
    if (message.kind === 'signed-out' && message.sessionId === ownId)
      return this.#clearSession(message.reason);
    if (message.kind !== 'renewed') return;
    const { held } = message;
    const fits = held.tenantId === this.#tenantId && (ownId === null || held.sessionId === ownId);
    if (!fits || held.staleAt <= (this.#cached?.staleAt ?? 0)) return;
    this.#learnSession(held.sessionId);
    if (held.tenantId === this.#tenantId) this.#cached = held;
  }
}
