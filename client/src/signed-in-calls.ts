import { AbortError, unlessAborted } from './abort.js';
import { ProblemError, SESSION_REPLACED, SignedOutError } from './errors.js';
import { PUBLIC_OPERATIONS } from './generated/openapi.js';
import type { AnswerOf, Http, InitOf, Method, PathOf, Send } from './http.js';
import type { TokenKeeper } from './keeper.js';
import type { Confirmation, OnStepUp, StepUpNeeded } from './step-up.js';
import type { TabContext } from './storage.js';
import type { CachedToken } from './tabs.js';

/** Beginning of the operations that confirm who the user is. */
const STEP_UP = '/api/v1/iam/auth/step-up';

/**
 * Calls operations as the user of this tab: with an access token, which is renewed if it is
 * refused, and once more after a confirmation, if the operation requires one.
 */
export class SignedInCalls {
  readonly #http: Http;
  readonly #send: Send;
  readonly #keeper: TokenKeeper;
  readonly #onStepUp: OnStepUp | undefined;
  /** Concurrent operations share one confirmation of the user. */
  #confirming: Promise<boolean> | null = null;

  constructor(http: Http, send: Send, keeper: TokenKeeper, onStepUp: OnStepUp | undefined) {
    this.#http = http;
    this.#send = send;
    this.#keeper = keeper;
    this.#onStepUp = onStepUp;
  }

  /** Calls an operation, with the access token of this tab unless it needs none. */
  async call<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    init: InitOf<M, P>,
  ): Promise<AnswerOf<M, P>> {
    if (PUBLIC_OPERATIONS.has(`${method} ${path}`)) return this.#http.call(method, path, init);
    const call = () => this.#http.call(method, path, init, (request) => this.#authorized(request));
    // A confirmation must not wait for itself. The tab has left a tenant that refused a token.
    if (path.startsWith(STEP_UP)) return call().catch((error) => (isStepUp(error) ? call() : raise(error)));
    return this.repeatConfirmed(call);
  }

  /** Calls, and once more after the user has confirmed who they are, if that is required. */
  async repeatConfirmed<T>(call: () => Promise<T>): Promise<T> {
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

  /**
   * Confirms the user in the same session.
   * @throws {ProblemError}
   */
  async stepUp(body: Confirmation, signal?: AbortSignal): Promise<void> {
    const { data } = await this.call('post', STEP_UP, [{ body, signal }]);
    this.#keeper.storeAccessToken(data);
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
    const answer = await this.#send(withBearer(token, request.clone()));
    if (!isRefused(answer)) return answer;
    const renewed = await unlessAborted(request.signal, this.#keeper.getToken(token.accessToken));
    requireSameContext(token, renewed);
    await answer.body?.cancel();
    return this.#send(withBearer(renewed, request));
  }
}

const isStepUp = (error: unknown): error is ProblemError & { readonly stepUp: StepUpNeeded } =>
  error instanceof ProblemError && error.stepUp !== null;

function raise(error: unknown): never {
  throw error;
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
