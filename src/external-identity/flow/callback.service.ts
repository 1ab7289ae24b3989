import { Injectable, Logger } from '@nestjs/common';
import { describeCause, toAppError } from '../../platform/errors/index.js';
import { type Client, networkOf } from '../../platform/web/index.js';
import { OutboundHttp, TooLate } from '../../platform/outbound/index.js';
import {
  SignInError,
  type CallbackParameters,
  type SignInProvider,
  type Kind,
  type ProvenProfile,
} from '../providers/provider.js';
import { ProviderRegistry } from '../providers/provider.registry.js';
import { endsWhereItBegan, type Browser } from './browser-binding.js';
import { FlowMetrics, wordOf } from './flow-metrics.js';
import { FormPostStore } from './form-post-store.js';
import { ProviderFlows } from './provider-flows.js';
import { SIGN_IN_ERRORS, type ErrorReason } from './sign-in-error.js';
import { SignInService, type Outcome } from './sign-in.service.js';
import { UnusableState, type FlowState } from './state.js';
import { StateStore, type StoredState } from './state-store.js';

/** The person did not want to: in the words of RFC 6749 section 4.1.2.1, of OpenID Connect Core section 3.1.2.6, and in Apple's. */
const CANCELLED = ['access_denied', 'consent_required', 'user_cancelled_authorize'];

const OTHER_BROWSER =
  'This sign-in was not begun here. Start again in this browser. Apps send `codeChallenge`, or call `start` with credentials.';

/** What has come to the callback. */
export interface Arrival {
  readonly parameters: CallbackParameters;
  readonly browser: Browser;
  readonly client: Client;
  readonly requestId: string;
}

/** The end of an external sign-in. */
@Injectable()
export class CallbackService {
  private readonly logger = new Logger('ExternalSignIn');

  constructor(
    private readonly providers: ProviderRegistry,
    private readonly states: StateStore,
    private readonly flows: ProviderFlows,
    private readonly forms: FormPostStore,
    private readonly signIns: SignInService,
    private readonly metrics: FlowMetrics,
    private readonly http: OutboundHttp,
  ) {}

  /**
   * A provider has sent the browser here, or we have, with the key to a form.
   * @returns the address to send the browser to, with tokens, a code or an error in its fragment; or the provider's, if it has to go there again
   * @throws {UnusableState} when the state is not ours, too old, another kind's, another browser's or used
   */
  open(kind: Kind, arrival: Arrival): Promise<string> {
    const provider = this.providers.get(kind);
    return this.counted(kind, async () => {
      const { form: key } = arrival.parameters;
      if (key === undefined && provider.answersByFormOnly === true) throw new UnusableState();
      const parameters = key === undefined ? arrival.parameters : await this.forms.find(kind, key);
      const received = parameters && (await this.states.receive(kind, provider, parameters));
      if (!received) throw new UnusableState();
      // Before the provider hears of anything: what comes in another browser uses nothing up (ADR 15).
      if (!endsWhereItBegan(received.state, arrival.browser)) throw new UnusableState(OTHER_BROWSER);
      if (key !== undefined && !(await this.forms.take(key))) throw new UnusableState();
      return this.finish(provider, received, { ...arrival, parameters });
    });
  }

  /**
   * A provider has let the browser post a form.
   * @returns as {@link open}; where the flow needs the cookie, our own address for one more step, on which the browser shows it
   * @throws {UnusableState} as {@link open}
   * @throws {AppError} too-many-requests where forms of the caller's network take up too much
   */
  post(kind: Kind, arrival: Arrival): Promise<string> {
    const provider = this.providers.get(kind);
    return this.counted(kind, async () => {
      const received = await this.states.receive(kind, provider, arrival.parameters);
      if (!received) throw new UnusableState();
      if (endsWhereItBegan(received.state, arrival.browser)) return this.finish(provider, received, arrival);
      const network = networkOf(arrival.client.ipAddress);
      const key = await this.forms.keep(received.state, network, arrival.parameters);
      return `${this.flows.callbackOf(kind)}?form=${key}`;
    });
  }

  private async counted(kind: Kind, work: () => Promise<string>): Promise<string> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof UnusableState) this.metrics.ended(kind, 'unusable_state');
      throw error;
    }
  }

  private async finish(
    provider: SignInProvider,
    { state, token, travelling }: StoredState,
    arrival: Arrival,
  ): Promise<string> {
    const flow = this.flows.of(state, travelling);
    const prove = () => this.http.together(() => provider.complete(flow, arrival.parameters));
    const outcome = await this.outcomeOf(state, arrival, prove);
    if (outcome instanceof URL) return outcome.href;
    this.metrics.ended(state.kind, wordOf(outcome));
    const fragment = new URLSearchParams({ ...outcome, state: token });
    return `${state.returnUri}#${fragment.toString()}`;
  }

  private async outcomeOf(
    state: FlowState,
    { parameters: { error: refusal }, client, requestId }: Arrival,
    prove: () => Promise<ProvenProfile | URL>,
  ): Promise<Outcome | URL> {
    try {
      if (refusal !== undefined)
        throw new SignInError(CANCELLED.includes(refusal) ? 'access_denied' : 'invalid_response');
      const proven = await prove().catch(unlessTooLate);
      return proven instanceof URL ? proven : await this.signIns.finish(state, proven, client);
    } catch (error) {
      if (error instanceof UnusableState) throw error;
      const reason = error instanceof SignInError ? error.reason : ownReasonOf(error, state);
      this.report({ requestId, kind: state.kind, reason }, error);
      return { error: reason, error_description: SIGN_IN_ERRORS[reason] };
    }
  }

  private report(what: object, error: unknown): void {
    const message = 'sign-in elsewhere failed';
    if (error instanceof SignInError) this.logger.warn({ ...what, cause: describe(error.cause) }, message);
    else this.logger.error({ ...what, cause: describeCause(error) }, message);
  }
}

/** Each answer may have been in time, but not all of them together. */
function unlessTooLate(error: unknown): never {
  throw error instanceof TooLate ? new SignInError('provider_unavailable', error) : error;
}

/** The word for what has gone wrong here and not at the provider. */
function ownReasonOf(error: unknown, { link }: FlowState): ErrorReason {
  const { code } = toAppError(error);
  if (code === 'unauthenticated' && link) return 'link_refused'; // the account has gone
  return ['unauthenticated', 'unavailable'].includes(code) ? 'temporarily_unavailable' : 'server_error';
}

/** What went wrong, for the operator: no claims and no addresses, which the errors of libraries carry along. */
function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return 'none';
  const { name, message, code, check } = cause as Error & { code?: unknown; check?: unknown };
  const which = check ?? code;
  const said = message.replace(/\S+@\S+/g, '(address)').slice(0, 200);
  return `${name}${typeof which === 'string' ? ` ${which}` : ''}: ${said}`;
}
