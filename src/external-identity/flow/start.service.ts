import { Injectable } from '@nestjs/common';
import { type Connection, hasExpiredMetadata } from '../../connection/index.js';
import { AppError } from '../../platform/errors/index.js';
import { newId, type PersonPrincipal } from '../../kernel/index.js';
import { type Kind, type ProviderFlow, SIGN_IN_ERRORS, type SignInStrategy } from '../providers/provider.js';
import { ProviderRegistry } from '../providers/provider.registry.js';
import { startFlow } from '../providers/strategy-executor.js';
import type { BrowserBinding } from '../browser-cookie.js';
import { FlowConnections, healthErrorOf } from './flow-connections.js';
import { FlowMetrics } from './flow-metrics.js';
import { ProviderFlows } from './provider-flows.js';
import { ReturnUris } from './return/return-uris.js';
import { FLOW_LIFETIME_SECONDS, type FlowState, StateStore } from './state/state-store.js';

/** A started flow, for the client that redirects the browser. */
export interface StartedFlow {
  readonly id: string;
  readonly kind: Kind;
  readonly authorizationUrl: string;
  readonly state: string;
  readonly redirectUri: string;
  readonly returnUri: string;
  /** Connection of an organization, if the flow goes through one. */
  readonly connectionId?: string;
}

export interface StartRequest {
  readonly returnUri?: string | null | undefined;
  readonly codeChallenge?: string | undefined;
  readonly maxAge?: number | undefined;
  /** Connection of an organization; left out for the provider of the environment. */
  readonly connectionId?: string | undefined;
  /** Address that the person has entered, passed on as `login_hint`. */
  readonly email?: string | undefined;
  /** Set if the flow has to end in the browser that started it. */
  readonly browser?: BrowserBinding | undefined;
}

/** Starts external sign-ins. */
@Injectable()
export class StartService {
  constructor(
    private readonly providers: ProviderRegistry,
    private readonly returnUris: ReturnUris,
    private readonly states: StateStore,
    private readonly flows: ProviderFlows,
    private readonly metrics: FlowMetrics,
    private readonly connections: FlowConnections,
  ) {}

  /**
   * Starts a flow. The callback gets what it needs from the signed state or derives it from the
   * flow's id; a state is stored only if the protocol has no room for it.
   * @param link the person and session that link an identity, in place of a sign-in
   * @throws {AppError} validation-error for an unknown kind, a return address that is not on the
   * list, or a `maxAge` that the provider cannot prove; not-found for a kind that is not
   * configured, or a connection that is not active; unavailable if the provider is unavailable
   */
  async start(
    kind: Kind,
    { returnUri, codeChallenge, maxAge, browser, connectionId, email }: StartRequest,
    link?: PersonPrincipal,
  ): Promise<StartedFlow> {
    const connection =
      connectionId === undefined ? null : await this.connections.getForStart(kind, connectionId);
    const strategy = connection ? this.providers.getSupported(kind) : this.providers.get(kind);
    if (maxAge !== undefined && strategy.provesAuthenticationTime !== true)
      throw AppError.violation(
        'maxAge',
        'is not supported by this provider: it does not prove the time of sign-in',
      );
    const state: FlowState = {
      kind,
      ...(connection && { connectionId: connection.id }),
      flowId: newId(),
      keyId: this.flows.keyId,
      returnUri: this.returnUris.require(returnUri),
      expiresAt: expiry(),
      codeChallenge,
      maxAgeSeconds: maxAge,
      ...browser,
      ...(link && { link: { userId: link.userId, sessionId: link.sessionId } }),
    };
    return this.send(strategy, state, connection, email);
  }

  /**
   * Starts a test sign-in by a connection in any state, which returns to the app.
   * @param browser set if the test has to end in the browser that started it
   * @throws {AppError} unavailable if the provider is unavailable, or its metadata has expired
   */
  async startTest(
    connection: Connection,
    testId: string,
    browser: BrowserBinding | undefined,
  ): Promise<StartedFlow> {
    const strategy = this.providers.getSupported(connection.kind);
    // Not refreshed here: a slow server must not hold the transaction of the test.
    if (connection.kind === 'saml' && hasExpiredMetadata(connection.settings))
      throw new AppError('unavailable', {
        detail: 'The metadata of the provider has expired. Read it again, or enter new metadata.',
        retryAfterSeconds: 60,
      });
    const state: FlowState = {
      kind: connection.kind,
      connectionId: connection.id,
      testId,
      flowId: newId(),
      keyId: this.flows.keyId,
      returnUri: this.returnUris.require(null),
      expiresAt: expiry(),
      ...browser,
    };
    return this.send(strategy, state, connection, undefined);
  }

  /**
   * Returns the page of the app that starts a flow of the connection.
   * @throws {AppError} validation-error for an unknown kind; not-found unless it is active
   */
  async pageFor(kind: Kind, connectionId: string): Promise<string> {
    this.providers.getSupported(kind);
    const { id } = await this.connections.getForStart(kind, connectionId);
    const query = new URLSearchParams({ connection: id, kind }).toString();
    return `${this.returnUris.require(null)}/sign-in?${query}`;
  }

  private async send(
    strategy: SignInStrategy,
    state: FlowState,
    connection: Connection | null,
    loginHint: string | undefined,
  ): Promise<StartedFlow> {
    const { token, stateParameter } = await this.states.send(strategy, state);
    const flow = this.flows.of(state, stateParameter, connection);
    const authorizationUrl = await this.addressAt(strategy, { ...flow, loginHint });
    this.metrics.started(state.kind);
    return {
      id: state.flowId,
      kind: state.kind,
      authorizationUrl: authorizationUrl.href,
      state: token,
      redirectUri: flow.redirectUri,
      returnUri: state.returnUri,
      ...(connection && { connectionId: connection.id }),
    };
  }

  private async addressAt(strategy: SignInStrategy, flow: ProviderFlow): Promise<URL> {
    try {
      return await startFlow(strategy, flow);
    } catch (cause) {
      const health = healthErrorOf(cause);
      if (flow.connection && health !== null) await this.connections.recordError(flow.connection.id, health);
      const detail = SIGN_IN_ERRORS.provider_unavailable;
      throw new AppError('unavailable', { detail, retryAfterSeconds: 5, cause });
    }
  }
}

const expiry = (): number => Math.floor(Date.now() / 1_000) + FLOW_LIFETIME_SECONDS;
