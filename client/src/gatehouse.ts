import { Abilities, type Scope, type Verdicts } from './abilities.js';
import { unlessAborted } from './abort.js';
import { SignedOutError } from './errors.js';
import type { ClientEvents } from './events.js';
import {
  ExternalFlow,
  takeFragment,
  type ExternalKind,
  type ExternalSignInResult,
  type LinkedIdentity,
  type SignInOptions,
} from './external-sign-in.js';
import type { Cancellable, GatehouseOptions, LogoutKind, LogoutOptions } from './gatehouse-options.js';
import { HostedFlows, type HostedOutcome, type HostedRequest } from './hosted-sign-in.js';
import { Http, type AnswerOf, type InitOf, type PathOf } from './http.js';
import { TokenKeeper } from './keeper.js';
import type { InvitedRegistration, PasskeyProof, SecondFactor } from './second-factor.js';
import { refreshBy } from './refresh.js';
import { repeating } from './repeating.js';
import {
  pickCredentials,
  readCode,
  readRequest,
  requireSignIn,
  returnUrl,
  type PendingSatelliteSignIn,
  type SatelliteClient,
} from './satellite.js';
import { SignedInCalls } from './signed-in-calls.js';
import type { Confirmation } from './step-up.js';
import { memoryStorage } from './storage.js';
import { TenantMemory } from './tenant-memory.js';

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

/**
 * Signs one user in at a Gatehouse, in a tab or a process, and calls the operations of the service
 * by path. Methods throw `ProblemError` if the service refuses, `UnreachableError` if it does not
 * respond, `SignedOutError` if the user is not signed in (any longer), and the reason of the signal
 * if they are aborted.
 */
export class Gatehouse {
  readonly #http: Http;
  readonly #keeper: TokenKeeper;
  readonly #calls: SignedInCalls;
  readonly #abilities: Abilities;
  readonly #url: string;
  readonly #flow: ExternalFlow;
  readonly #hosted: HostedFlows;
  readonly #satellite: SatelliteClient | undefined;

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
    const send = repeating(given ?? ((request) => fetch(request)));
    this.#http = new Http(url, send);
    this.#keeper = new TokenKeeper(
      storage,
      new TenantMemory(storage, tenantStorage),
      tenantId,
      refresh ?? refreshBy(this.#http, satellite),
    );
    this.#calls = new SignedInCalls(this.#http, send, this.#keeper, onStepUp);
    this.#abilities = new Abilities((subject, scopes) => this.#probe(subject, scopes));
    this.#flow = new ExternalFlow(flowStorage);
    this.#hosted = new HostedFlows(flowStorage);
    this.#satellite = satellite;
  }

  /** Calls `GET` of an operation: `const { data } = await gatehouse.get('/api/v1/iam/me')`. */
  get<P extends PathOf<'get'>>(path: P, ...init: InitOf<'get', P>): Promise<AnswerOf<'get', P>> {
    return this.#calls.call('get', path, init);
  }

  /** Calls `POST`, with `{ body }`, and `{ params }` if the path has parameters. */
  post<P extends PathOf<'post'>>(path: P, ...init: InitOf<'post', P>): Promise<AnswerOf<'post', P>> {
    return this.#calls.call('post', path, init);
  }

  /** Calls `PUT`. */
  put<P extends PathOf<'put'>>(path: P, ...init: InitOf<'put', P>): Promise<AnswerOf<'put', P>> {
    return this.#calls.call('put', path, init);
  }

  /** Calls `PATCH`. */
  patch<P extends PathOf<'patch'>>(path: P, ...init: InitOf<'patch', P>): Promise<AnswerOf<'patch', P>> {
    return this.#calls.call('patch', path, init);
  }

  /** Calls `DELETE`. */
  delete<P extends PathOf<'delete'>>(path: P, ...init: InitOf<'delete', P>): Promise<AnswerOf<'delete', P>> {
    return this.#calls.call('delete', path, init);
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
   * Registers an invited user, who is then signed in and a member of the organization.
   * @param body `token` of the mailed link; without `password`, add a passkey next
   * @returns id of the organization
   * @throws {ProblemError} validation-error on `token` if the invitation is not valid any more;
   *   conflict if the address has an account: sign in, and call `accept-invitation`
   */
  async registerInvited(
    body: InvitedRegistration,
    { signal }: Cancellable = {},
  ): Promise<{ readonly joinedTenantId: string }> {
    const { data } = await this.#http.call('post', '/api/v1/iam/auth/register-invited', [{ body, signal }]);
    await this.#keeper.storeSignIn(data);
    return { joinedTenantId: data.joinedTenantId };
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
   * Signs in only by a passkey.
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
    await this.#calls.stepUp(confirmation, signal);
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
    return (await this.#calls.repeatConfirmed(select)).tenantId;
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
   * Starts a sign-in on the pages of the service, for an app without its own pages.
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
    const body = readRequest(request);
    const { data } = await this.post('/api/v1/iam/auth/satellite/code', { body, signal });
    return returnUrl(data, request.get('state') ?? '');
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

  async #probe(subject: string | null, scopes: readonly Scope[]): Promise<Verdicts> {
    const body = { scopes: [...scopes], ...(subject !== null && { subject }) };
    return (await this.post('/api/auth/can', { body })).data as Verdicts;
  }
}
