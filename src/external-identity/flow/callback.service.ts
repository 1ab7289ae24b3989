import { Injectable } from '@nestjs/common';
import type { Connection } from '../../connection/index.js';
import { newId } from '../../kernel/index.js';
import { type Client, networkOf } from '../../platform/web/index.js';
import { OutboundHttp, TooLate } from '../../platform/outbound/index.js';
import {
  SignInError,
  type CallbackParameters,
  type Kind,
  type ProvenProfile,
  type SignInStrategy,
} from '../providers/provider.js';
import { ProviderRegistry } from '../providers/provider.registry.js';
import { completeFlow } from '../providers/strategy-executor.js';
import { mayEndInBrowser, type Browser } from './browser-binding.js';
import { FlowConnections } from './flow-connections.js';
import { FlowRepository } from './flow.repository.js';
import { FlowMetrics } from './flow-metrics.js';
import { FormPostStore } from './form-post/form-post-store.js';
import { ProviderFlows } from './provider-flows.js';
import { StartService } from './start.service.js';
import { UnusableState } from './state/state.js';
import { StateStore, type StoredState } from './state/state-store.js';

/**
 * Errors of providers that mean "the person cancelled": RFC 6749 section 4.1.2.1, OpenID Connect
 * Core section 3.1.2.6, and Apple.
 */
const CANCELLED = ['access_denied', 'consent_required', 'user_cancelled_authorize'];

const OTHER_BROWSER =
  'This sign-in was started in another browser. Start again here. Apps: send `codeChallenge`, or call `start` with credentials.';

/** The parts of a callback request that the flow needs. */
export interface Arrival {
  /** Connection that the path names, if any. */
  readonly connectionId?: string | undefined;
  readonly parameters: CallbackParameters;
  readonly browser: Browser;
  readonly client: Client;
}

/**
 * Result of the checks of a callback: a redirect of the browser, or the flow with a proven profile
 * or an error.
 */
export type Verdict =
  | { readonly location: string }
  | { readonly received: StoredState; readonly profile: ProvenProfile }
  | { readonly received: StoredState; readonly error: unknown };

/** Checks callbacks: the state and the browser first, then the strategy of the kind. */
@Injectable()
export class CallbackService {
  constructor(
    private readonly providers: ProviderRegistry,
    private readonly states: StateStore,
    private readonly flows: ProviderFlows,
    private readonly forms: FormPostStore,
    private readonly metrics: FlowMetrics,
    private readonly http: OutboundHttp,
    private readonly connections: FlowConnections,
    private readonly ended: FlowRepository,
    private readonly starts: StartService,
  ) {}

  /**
   * Checks a callback by GET: from the provider, or from our own redirect with the key of a form.
   * @throws {UnusableState} if the state is forged, expired, used, or of another kind or browser
   */
  open(kind: Kind, arrival: Arrival): Promise<Verdict> {
    const { connectionId } = arrival;
    const strategy = this.strategyOf(kind, connectionId);
    return this.metrics.counted(kind, async () => {
      const { form: key } = arrival.parameters;
      if (key === undefined && strategy.answersByFormOnly === true) throw new UnusableState();
      const parameters = key === undefined ? arrival.parameters : await this.forms.find(kind, key);
      const received = parameters && (await this.states.receive(kind, strategy, parameters, connectionId));
      if (!received) throw new UnusableState();
      // Before the strategy runs: a callback in another browser must use up neither form nor code
      // (ADR 15).
      if (!mayEndInBrowser(received.state, arrival.browser)) throw new UnusableState(OTHER_BROWSER);
      if (key !== undefined && !(await this.forms.take(key))) throw new UnusableState();
      return this.verify(strategy, received, parameters);
    });
  }

  /**
   * Checks a callback by POST of a form. If the flow needs the cookie, the verdict is a redirect to
   * our own callback by GET, with which the browser sends the cookie.
   * @throws {UnusableState} as {@link open}
   * @throws {AppError} too-many-requests if the caller's network has stored its share of forms
   */
  post(kind: Kind, { parameters, browser, client, connectionId }: Arrival): Promise<Verdict> {
    const strategy = this.strategyOf(kind, connectionId);
    return this.metrics.counted(kind, async () => {
      const received = await this.states.receive(kind, strategy, parameters, connectionId);
      if (!received)
        return { location: await this.startUnsolicited(kind, strategy, parameters, connectionId) };
      if (mayEndInBrowser(received.state, browser)) return this.verify(strategy, received, parameters);
      const key = await this.forms.keep(received.state, networkOf(client.ipAddress), parameters);
      return { location: `${this.flows.callbackOf(kind, connectionId)}?form=${key}` };
    });
  }

  /**
   * Starts a sign-in for a valid response that the provider sent by itself, if the connection
   * allows that. The response signs no person in: any page can post one, and would sign its
   * visitors in as its author (login CSRF). It is verified, so that no page can use this service as
   * a redirector, and used up.
   * @returns the page of the app that starts a flow of the connection
   * @throws {UnusableState}
   */
  private async startUnsolicited(
    kind: Kind,
    strategy: SignInStrategy,
    parameters: CallbackParameters,
    connectionId: string | undefined,
  ): Promise<string> {
    if (connectionId === undefined || !strategy.checkUnsolicited) throw new UnusableState();
    const connection = await this.connections.findUnsolicited(connectionId);
    if (!connection) throw new UnusableState();
    try {
      const state = { kind, flowId: newId(), keyId: this.flows.keyId };
      const flow = this.flows.of(state, '', connection);
      const profile = await strategy.checkUnsolicited(flow, parameters);
      if (!(await this.ended.consumeOnce(kind, profile))) throw new UnusableState();
    } catch (error) {
      if (error instanceof SignInError) throw new UnusableState();
      throw error;
    }
    return this.starts.pageFor(kind, connectionId);
  }

  private strategyOf(kind: Kind, connectionId: string | undefined): SignInStrategy {
    return connectionId === undefined ? this.providers.get(kind) : this.providers.getSupported(kind);
  }

  private async connectionOf({ connectionId, testId }: StoredState['state']): Promise<Connection | null> {
    if (connectionId === undefined) return null;
    return testId === undefined
      ? this.connections.getForCallback(connectionId)
      : this.connections.getForTest(connectionId);
  }

  /** Runs the strategy. All its requests to the provider share a time limit of five seconds. */
  private async verify(
    strategy: SignInStrategy,
    received: StoredState,
    parameters: CallbackParameters,
  ): Promise<Verdict> {
    try {
      const { error: refusal } = parameters;
      if (refusal !== undefined)
        throw new SignInError(CANCELLED.includes(refusal) ? 'access_denied' : 'invalid_response');
      const connection = await this.connectionOf(received.state);
      const flow = this.flows.of(received.state, received.stateParameter, connection);
      const proven = await this.http
        .together(() => completeFlow(strategy, flow, parameters))
        .catch(unlessTooLate);
      return proven instanceof URL ? { location: proven.href } : { received, profile: proven };
    } catch (error) {
      return { received, error };
    }
  }
}

/** Reports the time limit of all requests together as an outage of the provider. */
function unlessTooLate(error: unknown): never {
  throw error instanceof TooLate ? new SignInError('provider_unavailable', error) : error;
}
