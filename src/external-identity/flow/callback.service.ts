import { Injectable } from '@nestjs/common';
import { type Client, networkOf } from '../../platform/web/index.js';
import type { CallbackParameters, Kind, SignInStrategy } from '../providers/provider.js';
import { ProviderRegistry } from '../providers/provider.registry.js';
import { mayEndInBrowser, type Browser } from '../browser-cookie.js';
import { CallbackVerification, type Verdict } from './callback-verification.js';
import { FormPostStore } from './form-post/form-post-store.js';
import { ProviderFlows } from './provider-flows.js';
import { StateStore, UnusableState } from './state/state-store.js';
import { UnsolicitedResponses } from './unsolicited-responses.js';

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

/** Checks callbacks: the state and the browser first, then the strategy of the kind. */
@Injectable()
export class CallbackService {
  constructor(
    private readonly providers: ProviderRegistry,
    private readonly states: StateStore,
    private readonly forms: FormPostStore,
    private readonly flows: ProviderFlows,
    private readonly verification: CallbackVerification,
    private readonly unsolicited: UnsolicitedResponses,
  ) {}

  /**
   * Checks a callback by GET: from the provider, or from our own redirect with the key of a form.
   * @throws {UnusableState} if the state is forged, expired, used, or of another kind or browser
   */
  async open(kind: Kind, arrival: Arrival): Promise<Verdict> {
    const { connectionId } = arrival;
    const strategy = this.strategyOf(kind, connectionId);
    const { form: key } = arrival.parameters;
    if (key === undefined && strategy.answersByFormOnly === true) throw new UnusableState();
    const parameters = key === undefined ? arrival.parameters : await this.forms.find(kind, key);
    const received = parameters && (await this.states.receive(kind, strategy, parameters, connectionId));
    if (!received) throw new UnusableState();
    // Before the strategy runs: a callback in another browser must use up neither form nor code
    // (ADR 15).
    if (!mayEndInBrowser(received.state, arrival.browser)) throw new UnusableState(OTHER_BROWSER);
    if (key !== undefined && !(await this.forms.take(key))) throw new UnusableState();
    return this.verification.verify(strategy, received, parameters);
  }

  /**
   * Checks a callback by POST of a form. If the flow needs the cookie, the verdict is a redirect to
   * our own callback by GET, with which the browser sends the cookie.
   * @throws {UnusableState} as {@link open}
   * @throws {AppError} too-many-requests if the caller's network has stored its share of forms
   */
  async post(kind: Kind, { parameters, browser, client, connectionId }: Arrival): Promise<Verdict> {
    const strategy = this.strategyOf(kind, connectionId);
    const received = await this.states.receive(kind, strategy, parameters, connectionId);
    if (!received)
      return { location: await this.unsolicited.start(kind, strategy, parameters, connectionId) };
    if (mayEndInBrowser(received.state, browser))
      return this.verification.verify(strategy, received, parameters);
    const key = await this.forms.keep(received.state, networkOf(client.ipAddress), parameters);
    return { location: `${this.flows.callbackOf(kind, connectionId)}?form=${key}` };
  }

  private strategyOf(kind: Kind, connectionId: string | undefined): SignInStrategy {
    return connectionId === undefined ? this.providers.get(kind) : this.providers.getSupported(kind);
  }
}
