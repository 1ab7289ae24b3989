import { AbortError, reasonOf } from './abort.js';
import type { Acr } from './authentication.js';
import { Abilities, type Scope, type Verdicts } from './abilities.js';
import { ProblemError, SESSION_REPLACED, SignedOutError, UnreachableError } from './errors.js';
import type { ClientEvents } from './events.js';
import type { FlowStorage } from './flow-storage.js';
import {
  ExternalFlow,
  takeFragment,
  type ExternalKind,
  type ExternalSignInResult,
  type LinkedIdentity,
  type SignInOptions,
} from './external-sign-in.js';
import { PUBLIC_OPERATIONS } from './generated/openapi.js';
import { HostedFlows, type HostedOutcome, type HostedRequest } from './hosted-sign-in.js';
import { Http, type AnswerOf, type InitOf, type Method, type PathOf } from './http.js';
import { TokenKeeper, type Refresh, type Tokens } from './keeper.js';
import type { PasskeyProof, SecondFactor } from './second-factor.js';
import { readCode, requireSignIn, type SatelliteClient, type PendingSatelliteSignIn } from './satellite.js';
import type { Confirmation, OnStepUp, StepUpNeeded } from './step-up.js';
import { memoryStorage, type TabContext, type TokenStorage } from './storage.js';
import type { CachedToken } from './tabs.js';
import { TenantMemory, type TenantStorage } from './tenant-memory.js';

export interface GatehouseOptions {
  /** Address of the service: its `PUBLIC_URL`. */
  readonly url: string;
  /**
   * Storage of the session; memory by default. `browserStorage()` shares it among tabs and keeps it
   * over reloads.
   */
  readonly storage?: TokenStorage;
  /**
   * Tenant of this tab at the start, for instance from the page's address; null for none. By
   * default the one that the tab had before a reload.
   */
  readonly tenantId?: string | null;
  /**
   * Storage of this tab's tenant: `sessionStorage` in a browser whose session outlives the page.
   * Null remembers no tenant.
   */
  readonly tenantStorage?: TenantStorage | null;
  /**
   * Replaces the refresh operation, for a refresh token that the page cannot read: a cookie of the
   * page's own server. Its errors are treated as those of the operation.
   */
  readonly refresh?: Refresh;
  /**
   * Credentials of a satellite, for exchange and refresh on its server. Never use them in a
   * browser.
   */
  readonly satellite?: SatelliteClient;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
  /**
   * Storage of started sign-ins: by default `sessionStorage` for external and `localStorage` for
   * hosted ones, and memory outside browsers.
   */
  readonly flowStorage?: FlowStorage;
  /**
   * Asks the user to confirm who they are if an operation requires a more recent sign-in; the
   * operation is then sent once more. Without it, or if it returns null, the operation throws
   * `insufficient-user-authentication`.
   */
  readonly onStepUp?: OnStepUp;
}

/**
 * `session`: this session, for all of its clients. `all`: on all devices. `others`: on all devices
 * except this one.
 */
export type LogoutKind = 'session' | 'all' | 'others';

interface Cancellable {
  readonly signal?: AbortSignal;
}

export interface LogoutOptions extends Cancellable {
  /** Whether to return the address of a logout at the provider of a connection. */
  readonly upstream?: boolean;
}

const LOGOUTS = {
  session: '/api/v1/iam/auth/logout',
  all: '/api/v1/iam/auth/logout-all',
  others: '/api/v1/iam/auth/logout-others',
} as const;

/**
 * Lets the service set the cookie by which earlier releases bind an external sign-in to its
 * browser.
 */
const WITH_COOKIE = { credentials: 'include' } as const;

/** Operations that confirm who the user is. */
const STEP_UP = '/api/v1/iam/auth/step-up';

/** A refresh that takes longer is treated as lost. */
const REFRESH_TIMEOUT_MS = 10_000;

/**
 * Signs one user in at a Gatehouse, in a tab or a process, and calls the operations of the service
 * by path. Methods throw `ProblemError` if the service refuses, `UnreachableError` if it does not
 * respond, `SignedOutError` if the user is not signed in (any longer), and the reason of the signal
 * if they are aborted.
 */
export class Gatehouse {
  readonly #http: Http;
  readonly #fetch: typeof fetch;
  readonly #keeper: TokenKeeper;
  readonly #abilities: Abilities;
  readonly #url: string;
  readonly #flow: ExternalFlow;
  readonly #hosted: HostedFlows;
  readonly #satellite: SatelliteClient | undefined;
  readonly #onStepUp: OnStepUp | undefined;
  /** Concurrent operations share one confirmation of the user. */
  #confirming: Promise<boolean> | null = null;

  constructor({
    url,
    storage = memoryStorage(),
    tenantId,
    tenantStorage,
    flowStorage,
    refresh,
    satellite,
    onStepUp,
    fetch: given,
  }: GatehouseOptions) {
    this.#url = url;
    this.#onStepUp = onStepUp;
    this.#fetch = given ?? ((input, init) => fetch(input, init));
    this.#http = new Http(url, this.#fetch);
    this.#keeper = new TokenKeeper(
      storage,
      new TenantMemory(storage, tenantStorage),
      tenantId,
      refresh ?? ((refreshToken, wanted) => this.#refresh(refreshToken, wanted)),
    );
    this.#abilities = new Abilities((subject, scopes) => this.#probe(subject, scopes));
    this.#flow = new ExternalFlow(flowStorage);
    this.#hosted = new HostedFlows(flowStorage);
    this.#satellite = satellite;
  }

  /** Calls `GET` of an operation: `const { data } = await gatehouse.get('/api/v1/iam/me')`. */
  get<P extends PathOf<'get'>>(path: P, ...init: InitOf<'get', P>): Promise<AnswerOf<'get', P>> {
    return this.#call('get', path, init);
  }

  /** Calls `POST`, with `{ body }`, and `{ params }` if the path has parameters. */
  post<P extends PathOf<'post'>>(path: P, ...init: InitOf<'post', P>): Promise<AnswerOf<'post', P>> {
    return this.#call('post', path, init);
  }

  /** Calls `PUT`. */
  put<P extends PathOf<'put'>>(path: P, ...init: InitOf<'put', P>): Promise<AnswerOf<'put', P>> {
    return this.#call('put', path, init);
  }

  /** Calls `PATCH`. */
  patch<P extends PathOf<'patch'>>(path: P, ...init: InitOf<'patch', P>): Promise<AnswerOf<'patch', P>> {
    return this.#call('patch', path, init);
  }

  /** Calls `DELETE`. */
  delete<P extends PathOf<'delete'>>(path: P, ...init: InitOf<'delete', P>): Promise<AnswerOf<'delete', P>> {
    return this.#call('delete', path, init);
  }

  /**
   * Signs in by address and password.
   * @param credentials `deviceToken` of `submitSecondFactor`, in place of the second factor
   * @returns whether attackers try this password first, so that the user should change it
   * @throws {ProblemError} invalid-credentials, email-not-verified; second-factor-required, whose
   *   `secondFactor` says how to continue by `submitSecondFactor`
   */
  async login(
    { email, password, deviceToken }: { email: string; password: string; deviceToken?: string | undefined },
    { signal }: Cancellable = {},
  ): Promise<{ passwordShouldChange: boolean }> {
    const body = { email, password, ...(deviceToken !== undefined && { deviceToken }) };
    const { data } = await this.#http.call('post', '/api/v1/iam/auth/login', [{ body, signal }]);
    await this.#keeper.storeSignIn(data);
    return { passwordShouldChange: data.passwordShouldChange === true };
  }

  /**
   * Signs in by a code that `POST /api/v1/iam/auth/email-code` has mailed to the address.
   * @param presented `deviceToken` of `submitSecondFactor`, in place of the second factor
   * @throws {ProblemError} invalid-credentials; second-factor-required, as `login`; not-found if
   *   the service does not offer this sign-in
   */
  async signInWithEmailCode(
    { email, code, deviceToken }: { email: string; code: string; deviceToken?: string | undefined },
    { signal }: Cancellable = {},
  ): Promise<void> {
    const body = { email, code, ...(deviceToken !== undefined && { deviceToken }) };
    const { data } = await this.#http.call('post', '/api/v1/iam/auth/email-code/login', [{ body, signal }]);
    await this.#keeper.storeSignIn(data);
  }

  /**
   * Completes the sign-in of a user with a second factor, after `login` or
   * `completeExternalSignIn`.
   * @returns with `rememberDevice`, the `deviceToken` to store for later sign-ins of this user; and
   *   whether attackers try the password first, so that the user should change it
   * @throws {ProblemError} invalid-second-factor; validation-error on `challenge` if it has
   *   expired: sign in again
   */
  async submitSecondFactor(
    body: SecondFactor,
    { signal }: Cancellable = {},
  ): Promise<{ readonly deviceToken: string | null; readonly passwordShouldChange: boolean }> {
    const { data } = await this.#http.call('post', '/api/v1/iam/auth/second-factor', [{ body, signal }]);
    await this.#keeper.storeSignIn(data);
    return {
      deviceToken: data.deviceToken ?? null,
      passwordShouldChange: data.passwordShouldChange === true,
    };
  }

  /**
   * Signs in by a passkey alone.
   * @param body of `getPasskey`, by options of `/api/v1/iam/auth/passkeys/options`
   * @throws {ProblemError} invalid-credentials; validation-error on `ceremony` if it has expired
   */
  async signInWithPasskey(body: PasskeyProof, { signal }: Cancellable = {}): Promise<void> {
    const { data } = await this.#http.call('post', '/api/v1/iam/auth/passkeys/login', [{ body, signal }]);
    await this.#keeper.storeSignIn(data);
  }

  /**
   * Confirms the user in the same session (RFC 9470), so that operations that require a recent
   * sign-in are allowed for some minutes.
   * @throws {ProblemError} invalid-credentials, invalid-second-factor; validation-error on `method`
   *   for a user without a password
   */
  async stepUp(confirmation: Confirmation, { signal }: Cancellable = {}): Promise<void> {
    const { data } = await this.post('/api/v1/iam/auth/step-up', { body: confirmation, signal });
    this.#keeper.storeAccessToken(data);
  }

  /**
   * Ends sessions. Removes the tokens of this client after the service has confirmed, so that a
   * failed call can be repeated; `forget` removes them in any case. Succeeds if the session has
   * already ended.
   * @param upstream for `session`: whether the user shall be signed out at the provider as well, if
   *   the session began by a connection of an organization
   * @returns with `upstream`, the provider's address to which to send the browser; null if there is
   *   none
   */
  async logout(
    which: LogoutKind = 'session',
    { upstream = false, signal }: LogoutOptions = {},
  ): Promise<string | null> {
    let logoutUrl: string | null;
    try {
      logoutUrl = await this.#endSessions(which, upstream, signal);
    } catch (error) {
      if (error instanceof SignedOutError && which !== 'others') return null;
      throw error;
    }
    if (which !== 'others') await this.#keeper.forget();
    return logoutUrl;
  }

  async #endSessions(
    which: LogoutKind,
    upstream: boolean,
    signal: AbortSignal | undefined,
  ): Promise<string | null> {
    if (which === 'session' && upstream) {
      const { data } = await this.post(LOGOUTS.session, { body: { upstream }, signal });
      return data?.logoutUrl ?? null;
    }
    await this.post(LOGOUTS[which], { signal });
    return null;
  }

  /** Removes the tokens in all tabs without calling the service, where the session continues. */
  forget(): Promise<void> {
    return this.#keeper.forget();
  }

  /** Returns whether the storage has a session. The service may have ended it. */
  isSignedIn(): Promise<boolean> {
    return this.#keeper.isSignedIn();
  }

  /** Session of this tab; null if there is none, or `isSignedIn` has not looked yet. */
  get sessionId(): string | null {
    return this.#keeper.context.sessionId;
  }

  /** Tenant of this tab. */
  get tenantId(): string | null {
    return this.#keeper.context.tenantId;
  }

  /**
   * Time (RFC 3339) from which the tenant of this tab refuses this sign-in, unless the user adds
   * the second factor that it requires; null if it does not.
   */
  get secondFactorBy(): string | null {
    return this.#keeper.secondFactorBy;
  }

  /**
   * Selects the tenant of this tab; null selects the tenant of the session, usually none. Other
   * tabs keep theirs. A tenant may require a confirmation first (`onStepUp`).
   * @returns the tenant that is selected now
   * @throws {ProblemError} not-a-member; insufficient-user-authentication. The tab then keeps its
   *   tenant
   */
  async selectTenant(tenantId: string | null, { signal }: Cancellable = {}): Promise<string | null> {
    const select = () => unlessAborted(signal, this.#keeper.selectTenant(tenantId));
    return (await this.#repeatConfirmed(select)).tenantId;
  }

  /**
   * Returns an access token for the tenant of this tab, renewed if necessary, to call other
   * services of the platform. It expires within ten minutes and is refused after a logout: call
   * this for each request, and do not store the token.
   */
  async accessToken({ signal }: Cancellable = {}): Promise<string> {
    return (await unlessAborted(signal, this.#keeper.getToken())).accessToken;
  }

  /**
   * Checks permissions in the tenant of this tab. Checks about one subject within one tick share a
   * request. The result is advisory: the command decides again.
   * @param subject `gatehouse:///iam/members/<id>`; null to check the scopes without a subject
   */
  can<S extends Scope>(
    subject: string | null,
    scopes: readonly S[],
    { signal }: Cancellable = {},
  ): Promise<Verdicts<S>> {
    return unlessAborted(signal, this.#abilities.can(subject, scopes));
  }

  /**
   * Starts an external sign-in.
   * @param returnUri page that calls `completeExternalSignIn`; by default that of the service's
   *   settings
   * @param connectionId connection of an organization; by default the provider of the deployment
   * @param email address that the user has entered, as a hint for the provider
   * @returns the provider's address, to which to send the browser
   * @throws {ProblemError} not-found for a provider that is not configured, and for a connection
   *   that is not active
   */
  startExternalSignIn(
    kind: ExternalKind,
    {
      returnUri,
      connectionId,
      email,
      signal,
    }: { returnUri?: string; connectionId?: string; email?: string } & Cancellable = {},
  ): Promise<string> {
    return this.#flow.start(async (codeChallenge) => {
      const body = {
        codeChallenge,
        ...(returnUri !== undefined && { returnUri }),
        ...(connectionId !== undefined && { connectionId }),
        ...(email !== undefined && { email }),
      };
      const path = '/api/iam/auth/external/{kind}/start';
      return (
        await this.#http.call('post', path, [{ ...WITH_COOKIE, params: { path: { kind } }, body, signal }])
      ).data;
    });
  }

  /**
   * Finds the ways to sign in, by the domain of an address or by an organization. The answer is the
   * same for an address with and without an account.
   */
  async findSignInOptions(
    { email, organization }: { email?: string; organization?: string },
    { signal }: Cancellable = {},
  ): Promise<SignInOptions> {
    const body = {
      ...(email !== undefined && { email }),
      ...(organization !== undefined && { organization }),
    };
    return (await this.#http.call('post', '/api/v1/iam/auth/sign-in-options', [{ body, signal }])).data;
  }

  /**
   * Starts to link an external identity to the account of the signed-in user. Requires a recent
   * sign-in (`onStepUp`).
   * @returns the provider's address
   */
  startExternalLink(
    kind: ExternalKind,
    { returnUri, signal }: { returnUri?: string } & Cancellable = {},
  ): Promise<string> {
    return this.#flow.start(async () => {
      const body = returnUri === undefined ? {} : { returnUri };
      const path = '/api/v1/iam/me/identities/{kind}/link';
      return (await this.post(path, { params: { path: { kind } }, body, signal })).data;
    });
  }

  /**
   * Completes the flow that this tab has started: signs in, or links the identity to the account
   * that started it. Call it on the return page before anything else, because it removes the
   * outcome from the address.
   * @param fragment of the address; by default that of this page
   * @param options `deviceToken` of `submitSecondFactor`, in place of the second factor
   * @throws {ExternalSignInError} if the flow failed, or was not started in this tab
   * @throws {ProblemError} if the service refuses the code; `conflict` if another account has the
   *   identity; `second-factor-required`
   */
  async completeExternalSignIn(
    fragment: string = takeFragment(),
    { deviceToken, signal }: { deviceToken?: string | undefined } & Cancellable = {},
  ): Promise<ExternalSignInResult> {
    const outcome = this.#flow.complete(fragment.replace(/^#/, ''));
    if ('linkCode' in outcome) return { linked: await this.#redeemLink(outcome.linkCode, signal) };
    await this.#redeem({ ...outcome, ...(deviceToken !== undefined && { deviceToken }) }, signal);
    return { signedIn: true };
  }

  /**
   * Starts a sign-in on the pages of the service, for an app without pages of its own.
   * @param request `acr` and `maxAge` for a stronger or more recent sign-in; what depends on it
   *   checks the access token
   * @returns address of the sign-in page, to which to send the browser
   */
  startHostedSignIn(request: HostedRequest): Promise<string> {
    return this.#hosted.start(this.#url, request);
  }

  /**
   * Completes the hosted sign-in that this browser has started. The app then shares the session of
   * the sign-in page: `logout` ends both. Call it on the return page before anything else, because
   * it removes the code from the address.
   * @param fragment of the address; by default that of this page
   * @throws {StateMismatchError} if the sign-in was not started in this browser
   * @throws {ProblemError} if the service refuses the code: start again
   */
  async completeHostedSignIn(fragment: string = takeFragment(), { signal }: Cancellable = {}): Promise<void> {
    await this.#redeem(this.#hosted.complete(fragment.replace(/^#/, '')), signal);
  }

  /**
   * For the app's authorization page: issues a code for a satellite and the signed-in user, who
   * confirms (`onStepUp`) where it asks for a stronger or more recent sign-in.
   * @param request the query with which the satellite has sent the browser
   * @returns the address to which to send the browser
   */
  async authorizeSatellite(request: URLSearchParams, { signal }: Cancellable = {}): Promise<string> {
    const [clientId, redirectUri, codeChallenge] = ['clientId', 'redirectUri', 'codeChallenge'].map(
      (name) => request.get(name) ?? '',
    ) as [string, string, string];
    const [acr, maxAge] = [request.get('acr'), request.get('maxAge')];
    const need = {
      ...(acr !== null && { acr: acr as Acr }),
      ...(maxAge !== null && { maxAge: Number(maxAge) }),
    };
    const body = { clientId, redirectUri, codeChallenge, ...need };
    const { data } = await this.post('/api/v1/iam/auth/satellite/code', { body, signal });
    const url = new URL(data.redirectUri); // from the response, which returns a registered one only
    url.searchParams.set('code', data.code);
    url.searchParams.set('state', request.get('state') ?? '');
    return url.href;
  }

  /**
   * For the satellite's server, whose client is created with `satellite`: signs its visitor in, in
   * the session of the app. Remove `pending` from the visit first: a code that is presented twice
   * ends the session.
   * @param callbackUrl address to which the visitor returned
   * @param pending of {@link startSatelliteSignIn}, stored in the visit
   * @throws {StateMismatchError} if the visit did not start this sign-in
   * @throws {SignInDeclinedError} if the visitor has declined
   * @throws {WeakSignInError} if the sign-in is not what `pending` asks for
   * @throws {ProblemError} invalid-client
   */
  async completeSatelliteSignIn(
    callbackUrl: string | URL,
    pending: PendingSatelliteSignIn,
    { signal }: Cancellable = {},
  ): Promise<void> {
    if (!this.#satellite)
      throw new TypeError('Create the client with `satellite`: this method requires its secret.');
    const { codeVerifier } = pending;
    const body = { code: readCode(callbackUrl, pending), codeVerifier, ...pickCredentials(this.#satellite) };
    const { data } = await this.#http.call('post', '/api/v1/iam/auth/satellite/token', [{ body, signal }]);
    requireSignIn(data.accessToken, pending);
    await this.#keeper.storeSignIn(data);
  }

  /**
   * Adds a listener for events about the sign-in, caused by any tab.
   * @returns a function that removes it
   */
  on<Name extends keyof ClientEvents>(name: Name, listener: (event: ClientEvents[Name]) => void): () => void {
    return this.#keeper.events.on(name, listener);
  }

  /** Stops receiving messages of other tabs. The session continues. */
  close(): void {
    this.#keeper.close();
  }

  async #call<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    init: InitOf<M, P>,
  ): Promise<AnswerOf<M, P>> {
    if (PUBLIC_OPERATIONS.has(`${method} ${path}`)) return this.#http.call(method, path, init);
    const call = () => this.#http.call(method, path, init, (request) => this.#authorized(request));
    // A confirmation must not wait for itself. The tab has left a tenant that refused a token.
    if (path.startsWith(STEP_UP)) return call().catch((error) => (isStepUp(error) ? call() : raise(error)));
    return this.#repeatConfirmed(call);
  }

  /** Calls, and once more after the user has confirmed who they are, if that is required. */
  async #repeatConfirmed<T>(call: () => Promise<T>): Promise<T> {
    const { tenantId } = this.#keeper.context; // a refused refresh drops it
    try {
      return await call();
    } catch (error) {
      const context = { ...this.#keeper.context, tenantId };
      if (!isStepUp(error) || !(await this.#isConfirmed(error.stepUp))) throw error;
      await this.#returnTo(context);
      requireSameContext(context, this.#keeper.context);
      return call();
    }
  }

  /** Selects the tenant again that this tab had, if it was dropped for want of the confirmation. */
  async #returnTo({ sessionId, tenantId }: TabContext): Promise<void> {
    const { context, refusedTenantId } = this.#keeper;
    if (tenantId !== null && tenantId === refusedTenantId && sessionId === context.sessionId)
      await this.#keeper.selectTenant(tenantId);
  }

  /**
   * Lets the user confirm who they are.
   * @returns false if they do not, or there is no `onStepUp`
   */
  #isConfirmed(needed: StepUpNeeded): Promise<boolean> {
    return (this.#confirming ??= this.#confirm(needed).finally(() => (this.#confirming = null)));
  }

  async #confirm(needed: StepUpNeeded): Promise<boolean> {
    const confirmation = (await this.#onStepUp?.(needed)) ?? null;
    if (confirmation !== null && confirmation !== 'confirmed') await this.stepUp(confirmation);
    return confirmation !== null;
  }

  /**
   * Sends the request with an access token, and once more with a new one if the first is refused.
   * Sends neither after the tab has changed its session or tenant.
   */
  async #authorized(request: Request): Promise<Response> {
    const context = this.#keeper.context;
    const token = await unlessAborted(request.signal, this.#keeper.getToken());
    requireSameContext(context, token);
    const answer = await this.#fetch(withBearer(token, request.clone()));
    if (!isRefused(answer)) return answer;
    const renewed = await unlessAborted(request.signal, this.#keeper.getToken(token.accessToken));
    requireSameContext(token, renewed);
    await answer.body?.cancel();
    return this.#fetch(withBearer(renewed, request));
  }

  async #redeem(
    body: HostedOutcome & { readonly deviceToken?: string },
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { data } = await this.#http.call('post', '/api/v1/iam/auth/external/token', [{ body, signal }]);
    await this.#keeper.storeSignIn(data);
  }

  async #redeemLink(code: string, signal: AbortSignal | undefined): Promise<LinkedIdentity> {
    return (await this.post('/api/v1/iam/me/identities/redeem', { body: { code }, signal })).data;
  }

  async #refresh(refreshToken: string, tenantId: string | null): Promise<Tokens> {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), REFRESH_TIMEOUT_MS);
    const { signal } = timeout;
    const body = {
      refreshToken,
      ...(tenantId !== null && { tenantId }),
      ...(this.#satellite && pickCredentials(this.#satellite)),
    };
    try {
      return (await this.#http.call('post', '/api/v1/iam/auth/refresh', [{ body, signal }])).data;
    } catch (error) {
      throw signal.aborted ? new UnreachableError('no response in time', { cause: error }) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #probe(subject: string | null, scopes: readonly Scope[]): Promise<Verdicts> {
    const body = { scopes: [...scopes], ...(subject !== null && { subject }) };
    return (await this.post('/api/auth/can', { body })).data as Verdicts;
  }
}

const isStepUp = (error: unknown): error is ProblemError & { readonly stepUp: StepUpNeeded } =>
  error instanceof ProblemError && error.stepUp !== null;

function raise(error: unknown): never {
  throw error;
}

/** Picks the credentials, because the given object may have further fields. */
function pickCredentials({ clientId, clientSecret }: SatelliteClient): SatelliteClient {
  return { clientId, clientSecret };
}

/**
 * Prevents a call that was made for one user or tenant from being sent for another.
 * @throws if the tab has changed its session or tenant since the call
 */
function requireSameContext({ sessionId, tenantId }: TabContext, now: TabContext): void {
  if (sessionId !== null && sessionId !== now.sessionId) throw new SignedOutError(SESSION_REPLACED);
  if (tenantId !== null && tenantId !== now.tenantId)
    throw new AbortError('This tab has selected another tenant.');
}

function withBearer({ accessToken }: CachedToken, request: Request): Request {
  request.headers.set('authorization', `Bearer ${accessToken}`);
  return request;
}

/** Returns whether the access token was refused (RFC 6750), and not, for instance, a password. */
function isRefused({ status, headers }: Response): boolean {
  return status === 401 && headers.get('www-authenticate')?.includes('invalid_token') === true;
}

/** Waits until the signal aborts. The work itself continues, because other calls wait for it. */
function unlessAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(reasonOf(signal));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
