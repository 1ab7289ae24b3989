import { Abilities, type Scope, type Verdicts } from './abilities.js';
import { ProblemError, SIGNED_IN_ANEW, SignedOutError, UnreachableError } from './errors.js';
import type { ClientEvents } from './events.js';
import {
  ExternalFlow,
  takeFragment,
  type ExternalKind,
  type ExternalSignInResult,
  type FlowStorage,
  type LinkedIdentity,
} from './external-sign-in.js';
import { PUBLIC_OPERATIONS } from './generated/openapi.js';
import { Http, type AnswerOf, type InitOf, type Method, type PathOf } from './http.js';
import { Keeper, type Place, type Refresh, type Tokens } from './keeper.js';
import { codeOf, type SatelliteClient, type SatelliteDeparture } from './satellite.js';
import type { Confirmation, OnStepUp, StepUpNeeded } from './step-up.js';
import { memoryStorage, type TokenStorage } from './storage.js';
import type { Held } from './tabs.js';

export interface GatehouseOptions {
  /** The service: what its `PUBLIC_URL` says. */
  readonly url: string;
  /** Where the session is kept: in memory, if left out. `browserStorage()` shares it among tabs and keeps it over reloads. */
  readonly storage?: TokenStorage;
  /** The tenant that this tab begins in, of an address that names one. */
  readonly tenantId?: string | null;
  /**
   * In place of the refresh operation, for a storage whose refresh token the page itself cannot read: a cookie of the page's own server. What
   * it throws is treated as what that operation would answer.
   */
  readonly refresh?: Refresh;
  /** For the satellite's server: how it is registered, as it exchanges and refreshes with its secret. Never in a browser. */
  readonly satellite?: SatelliteClient;
  /** In place of the global one. */
  readonly fetch?: typeof fetch;
  /** Where a tab keeps the external sign-in that it has begun: `sessionStorage`, or memory where there is none. */
  readonly flowStorage?: FlowStorage;
  /**
   * Asks the person to confirm who they are, where an operation needs a more recent sign-in. The operation is then sent once more. Without it,
   * or with null, the operation throws `insufficient-user-authentication`.
   */
  readonly onStepUp?: OnStepUp;
}

/** `session`: this one, at all its properties. `all`: on all devices. `others`: on all devices but this one. */
export type LogoutKind = 'session' | 'all' | 'others';

interface Cancellable {
  readonly signal?: AbortSignal;
}

const LOGOUTS = {
  session: '/api/v1/iam/auth/logout',
  all: '/api/v1/iam/auth/logout-all',
  others: '/api/v1/iam/auth/logout-others',
} as const;

/** Lets the service give the cookie that older releases bind an external sign-in to its browser by. */
const WITH_COOKIE = { credentials: 'include' } as const;

/** A refresh that takes longer has got lost on its way. */
const REFRESH_TIMEOUT_MS = 10_000;

/**
 * One person's sign-in at a Gatehouse, in a tab or in a process, and every operation of the service by its path. Methods throw
 * `ProblemError` where the service refuses, `UnreachableError` where it does not answer, `SignedOutError` where nobody is signed in (any
 * more), and the reason of the signal where they are aborted.
 */
export class Gatehouse {
  readonly #http: Http;
  readonly #fetch: typeof fetch;
  readonly #keeper: Keeper;
  readonly #abilities: Abilities;
  readonly #flow: ExternalFlow;
  readonly #satellite: SatelliteClient | undefined;
  readonly #onStepUp: OnStepUp | undefined;
  /** Of all operations that ask at once, the person is asked once. */
  #confirming: Promise<boolean> | null = null;

  constructor({
    url,
    storage = memoryStorage(),
    tenantId = null,
    flowStorage,
    refresh,
    satellite,
    onStepUp,
    fetch: given,
  }: GatehouseOptions) {
    this.#onStepUp = onStepUp;
    this.#fetch = given ?? ((input, init) => fetch(input, init));
    this.#http = new Http(url, this.#fetch);
    this.#keeper = new Keeper(
      storage,
      tenantId,
      refresh ?? ((refreshToken, wanted) => this.#refresh(refreshToken, wanted)),
    );
    this.#abilities = new Abilities((subject, scopes) => this.#probe(subject, scopes));
    this.#flow = new ExternalFlow(flowStorage);
    this.#satellite = satellite;
  }

  /** `GET` an operation of the service: `const { data } = await gatehouse.get('/api/v1/iam/me')`. */
  get<P extends PathOf<'get'>>(path: P, ...init: InitOf<'get', P>): Promise<AnswerOf<'get', P>> {
    return this.#call('get', path, init);
  }

  /** `POST`; with `{ body }`, and `{ params }` where the path has any. */
  post<P extends PathOf<'post'>>(path: P, ...init: InitOf<'post', P>): Promise<AnswerOf<'post', P>> {
    return this.#call('post', path, init);
  }

  /** `PUT` */
  put<P extends PathOf<'put'>>(path: P, ...init: InitOf<'put', P>): Promise<AnswerOf<'put', P>> {
    return this.#call('put', path, init);
  }

  /** `PATCH` */
  patch<P extends PathOf<'patch'>>(path: P, ...init: InitOf<'patch', P>): Promise<AnswerOf<'patch', P>> {
    return this.#call('patch', path, init);
  }

  /** `DELETE` */
  delete<P extends PathOf<'delete'>>(path: P, ...init: InitOf<'delete', P>): Promise<AnswerOf<'delete', P>> {
    return this.#call('delete', path, init);
  }

  /** Signs in by address and password. Codes: `invalid-credentials`, `email-not-verified`. */
  async login(
    { email, password }: { email: string; password: string },
    { signal }: Cancellable = {},
  ): Promise<void> {
    const body = { email, password };
    const { data } = await this.#http.call('post', '/api/v1/iam/auth/login', [{ body, signal }]);
    await this.#keeper.adopt(data);
  }

  /**
   * Confirms who is signed in, in the same session (RFC 9470): what asks for a recent sign-in is then allowed for some minutes. Codes:
   * `invalid-credentials`; `validation-error` on `method` for a person without a password, who signs in again externally.
   */
  async stepUp(confirmation: Confirmation, { signal }: Cancellable = {}): Promise<void> {
    const { data } = await this.post('/api/v1/iam/auth/step-up', { body: confirmation, signal });
    this.#keeper.accept(data);
  }

  /**
   * Ends sessions. The tokens here are dropped once the service has said yes, so where it cannot be reached this throws and can be tried
   * again; `forget` drops them in any case. Where the session has ended already, that is a success.
   */
  async logout(which: LogoutKind = 'session', { signal }: Cancellable = {}): Promise<void> {
    try {
      await this.post(LOGOUTS[which], { signal });
    } catch (error) {
      if (error instanceof SignedOutError && which !== 'others') return;
      throw error;
    }
    if (which !== 'others') await this.#keeper.forget();
  }

  /** Drops the tokens in all tabs without a word to the service, where the session goes on. */
  forget(): Promise<void> {
    return this.#keeper.forget();
  }

  /** Whether somebody is signed in, as far as the storage knows; the service may have ended the session meanwhile. */
  isSignedIn(): Promise<boolean> {
    return this.#keeper.isSignedIn();
  }

  /** The tenant that this tab works in. */
  get tenantId(): string | null {
    return this.#keeper.place.tenantId;
  }

  /**
   * Moves this tab into a tenant, or with null back to the tenant of the session, which is mostly none. Other tabs stay where they are.
   * Answers the tenant that the tab is in now. Code: `not-a-member`, and then the tab stays where it is.
   */
  async selectTenant(tenantId: string | null, { signal }: Cancellable = {}): Promise<string | null> {
    return (await unlessAborted(signal, this.#keeper.enter(tenantId))).tenantId;
  }

  /**
   * An access token for the tenant of this tab, renewed if need be, to ask other services of the platform with. It can grow old within ten
   * minutes and is refused after a logout: ask for it each time, and keep it nowhere.
   */
  async accessToken({ signal }: Cancellable = {}): Promise<string> {
    return (await unlessAborted(signal, this.#keeper.token())).accessToken;
  }

  /**
   * Asks whether something may be done, in the tenant of this tab. Questions of one moment about one subject travel together. Advisory: the
   * command decides again.
   * @param subject `gatehouse:///iam/members/<id>`; null to ask about the scopes alone
   */
  can<S extends Scope>(
    subject: string | null,
    scopes: readonly S[],
    { signal }: Cancellable = {},
  ): Promise<Verdicts<S>> {
    return unlessAborted(signal, this.#abilities.can(subject, scopes));
  }

  /**
   * Begins a sign-in elsewhere. Answers the provider's address: send the browser there. Code: `not-found` for a kind that is not configured.
   * @param returnUri the page that calls `completeExternalSignIn`; the service's own default if left out
   */
  startExternalSignIn(
    kind: ExternalKind,
    { returnUri, signal }: { returnUri?: string } & Cancellable = {},
  ): Promise<string> {
    return this.#flow.begin(async (codeChallenge) => {
      const body = { codeChallenge, ...(returnUri !== undefined && { returnUri }) };
      const path = '/api/iam/auth/external/{kind}/start';
      return (
        await this.#http.call('post', path, [{ ...WITH_COOKIE, params: { path: { kind } }, body, signal }])
      ).data;
    });
  }

  /** Begins to link an external identity to the account of the person who is signed in, which asks for a recent sign-in (`onStepUp`). */
  startExternalLink(
    kind: ExternalKind,
    { returnUri, signal }: { returnUri?: string } & Cancellable = {},
  ): Promise<string> {
    return this.#flow.begin(async () => {
      const body = returnUri === undefined ? {} : { returnUri };
      const path = '/api/v1/iam/me/identities/{kind}/link';
      return (await this.post(path, { params: { path: { kind } }, body, signal })).data;
    });
  }

  /**
   * Completes what this tab has begun: signs in, or links the identity to the account that began it. Call it on the returning page
   * before anything else, as it takes the outcome out of the address.
   * @param fragment of the address; the one of this page, if left out
   * @throws {ExternalSignInError} where the flow failed, or was not begun in this tab
   * @throws {ProblemError} where the service refuses the code; `conflict` where another account has the identity
   */
  async completeExternalSignIn(
    fragment: string = takeFragment(),
    { signal }: Cancellable = {},
  ): Promise<ExternalSignInResult> {
    const outcome = this.#flow.end(fragment.replace(/^#/, ''));
    if ('linkCode' in outcome) return { linked: await this.#redeemLink(outcome.linkCode, signal) };
    const { data } = await this.#http.call('post', '/api/v1/iam/auth/external/token', [
      { body: outcome, signal },
    ]);
    await this.#keeper.adopt(data);
    return { signedIn: true };
  }

  /**
   * For the app's hand-over page: gets a code for a satellite in the name of who is signed in. Answers where to send the browser.
   * @param asked the query that the satellite has sent the browser with
   */
  async handOver(asked: URLSearchParams, { signal }: Cancellable = {}): Promise<string> {
    const [clientId, redirectUri, codeChallenge] = ['clientId', 'redirectUri', 'codeChallenge'].map(
      (name) => asked.get(name) ?? '',
    ) as [string, string, string];
    const body = { clientId, redirectUri, codeChallenge };
    const { data } = await this.post('/api/v1/iam/auth/satellite/code', { body, signal });
    const url = new URL(data.redirectUri); // of the answer, which is a registered one
    url.searchParams.set('code', data.code);
    url.searchParams.set('state', asked.get('state') ?? '');
    return url.href;
  }

  /**
   * For the satellite's server, whose client is created with `satellite`: signs its visitor in, in the session of the app. The departure is to be
   * dropped before: a code that is presented twice ends the session. Code: `invalid-client`.
   * @param callbackUrl the address that the visitor came back to
   * @throws {StateMismatchError} where somebody else was sent
   */
  async completeSatelliteSignIn(
    callbackUrl: string | URL,
    departure: SatelliteDeparture,
    { signal }: Cancellable = {},
  ): Promise<void> {
    if (!this.#satellite)
      throw new TypeError('Create the client with `satellite`: its secret is needed here.');
    const { codeVerifier } = departure;
    const body = { code: codeOf(callbackUrl, departure), codeVerifier, ...credentialsOf(this.#satellite) };
    const { data } = await this.#http.call('post', '/api/v1/iam/auth/satellite/token', [{ body, signal }]);
    await this.#keeper.adopt(data);
  }

  /** Hears what happens to the sign-in, in this tab and in others. Answers what ends the hearing. */
  on<Name extends keyof ClientEvents>(name: Name, listener: (event: ClientEvents[Name]) => void): () => void {
    return this.#keeper.events.on(name, listener);
  }

  /** Hears other tabs no more. The session goes on. */
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
    try {
      return await call();
    } catch (error) {
      const { place } = this.#keeper;
      const needed = error instanceof ProblemError ? error.stepUp : null;
      if (!needed || !(await this.#isConfirmed(needed))) throw error;
      requireSamePlace(place, this.#keeper.place);
      return call();
    }
  }

  /** Lets the person confirm who they are; false where they do not, or nobody asks them. */
  #isConfirmed(needed: StepUpNeeded): Promise<boolean> {
    return (this.#confirming ??= this.#confirm(needed).finally(() => (this.#confirming = null)));
  }

  async #confirm(needed: StepUpNeeded): Promise<boolean> {
    const confirmation = (await this.#onStepUp?.(needed)) ?? null;
    if (confirmation !== null && confirmation !== 'confirmed') await this.stepUp(confirmation);
    return confirmation !== null;
  }

  /** With an access token; with another one, once, where the first is refused. Never in another place than the call was made in. */
  async #authorized(request: Request): Promise<Response> {
    const place = this.#keeper.place;
    const token = await unlessAborted(request.signal, this.#keeper.token());
    requireSamePlace(place, token);
    const answer = await this.#fetch(bearing(token, request.clone()));
    if (!isRefused(answer)) return answer;
    const renewed = await unlessAborted(request.signal, this.#keeper.token(token.accessToken));
    requireSamePlace(token, renewed);
    await answer.body?.cancel();
    return this.#fetch(bearing(renewed, request));
  }

  async #redeemLink(code: string, signal: AbortSignal | undefined): Promise<LinkedIdentity> {
    return (await this.post('/api/v1/iam/me/identities/redeem', { body: { code }, signal })).data;
  }

  async #refresh(refreshToken: string, tenantId: string | null): Promise<Tokens> {
    const signal = AbortSignal.timeout(REFRESH_TIMEOUT_MS);
    const body = {
      refreshToken,
      ...(tenantId !== null && { tenantId }),
      ...(this.#satellite && credentialsOf(this.#satellite)),
    };
    try {
      return (await this.#http.call('post', '/api/v1/iam/auth/refresh', [{ body, signal }])).data;
    } catch (error) {
      throw error === signal.reason ? new UnreachableError('no answer in time', { cause: error }) : error;
    }
  }

  async #probe(subject: string | null, scopes: readonly Scope[]): Promise<Verdicts> {
    const body = { scopes: [...scopes], ...(subject !== null && { subject }) };
    return (await this.post('/api/auth/can', { body })).data as Verdicts;
  }
}

/** Nothing but what proves the satellite: the object that is given may hold more. */
function credentialsOf({ clientId, clientSecret }: SatelliteClient): SatelliteClient {
  return { clientId, clientSecret };
}

/** @throws where this tab has moved while the call waited: what was meant for one person or tenant is not done to another */
function requireSamePlace({ sessionId, tenantId }: Place, now: Place): void {
  if (sessionId !== null && sessionId !== now.sessionId) throw new SignedOutError(SIGNED_IN_ANEW);
  if (tenantId !== null && tenantId !== now.tenantId)
    throw new DOMException('This tab has moved to another tenant.', 'AbortError');
}

function bearing({ accessToken }: Held, request: Request): Request {
  request.headers.set('authorization', `Bearer ${accessToken}`);
  return request;
}

/** Whether it is the access token that was refused (RFC 6750), and not a password. */
function isRefused({ status, headers }: Response): boolean {
  return status === 401 && headers.get('www-authenticate')?.includes('invalid_token') === true;
}

/** Waits no longer than the signal allows; the work itself goes on, as others wait for it. */
function unlessAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
