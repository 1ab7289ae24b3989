import { Injectable } from '@nestjs/common';
import type { Connection } from '../../connection/index.js';
import { OutboundHttp, TooLate } from '../../platform/outbound/index.js';
import {
  type CallbackParameters,
  type ProvenProfile,
  SignInError,
  type SignInStrategy,
} from '../providers/provider.js';
import { completeFlow } from '../providers/strategy-executor.js';
import { FlowConnections } from './flow-connections.js';
import { ProviderFlows } from './provider-flows.js';
import type { StoredState } from './state/state-store.js';

/**
 * Errors of providers that mean "the person cancelled": RFC 6749 section 4.1.2.1, OpenID Connect
 * Core section 3.1.2.6, and Apple.
 */
const CANCELLED = ['access_denied', 'consent_required', 'user_cancelled_authorize'];

/**
 * Result of the checks of a callback: a redirect of the browser, or the flow with a proven profile
 * or an error.
 */
export type Verdict =
  | { readonly location: string }
  | { readonly received: StoredState; readonly profile: ProvenProfile }
  | { readonly received: StoredState; readonly error: unknown };

/** Verifies by the strategy of its kind what a callback proves. */
@Injectable()
export class CallbackVerification {
  constructor(
    private readonly connections: FlowConnections,
    private readonly flows: ProviderFlows,
    private readonly http: OutboundHttp,
  ) {}

  /** Runs the strategy. All its requests to the provider share a time limit of five seconds. */
  async verify(
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

  private async connectionOf({ connectionId, testId }: StoredState['state']): Promise<Connection | null> {
    if (connectionId === undefined) return null;
    return testId === undefined
      ? this.connections.getForCallback(connectionId)
      : this.connections.getForTest(connectionId);
  }
}

/** Reports the time limit of all requests together as an outage of the provider. */
function unlessTooLate(error: unknown): never {
  throw error instanceof TooLate ? new SignInError('provider_unavailable', error) : error;
}
