import { Injectable } from '@nestjs/common';
import { createOneTimeToken, hashOneTimeToken } from '../../../platform/crypto/index.js';
import type { UserId } from '../../../kernel/index.js';
import { OnLifecycle } from '../../../platform/lifecycle/index.js';
import type { CallbackParameters, Kind, SignInStrategy } from '../../providers/provider.js';
import { FLOW_LIFETIME_SECONDS, StateCodec, type FlowState } from './state.js';
import { StateRepository } from './state.repository.js';

/** The state of a flow in progress. */
export interface StoredState {
  readonly state: FlowState;
  /** The signed state, for the client to compare. */
  readonly token: string;
  /** Value that the browser carries: the signed state, or a key of the stored state. */
  readonly stateParameter: string;
}

/** Passes the state of a flow through the browser to the provider and back. */
@Injectable()
export class StateStore {
  constructor(
    private readonly codec: StateCodec,
    private readonly kept: StateRepository,
  ) {}

  /**
   * Signs a state. Stores it under a key if the protocol has no room for it (SAML Bindings 3.4.3:
   * 80 bytes).
   */
  async send({ stateKeyParameter }: SignInStrategy, state: FlowState): Promise<StoredState> {
    const token = this.codec.encode(state);
    if (stateKeyParameter === undefined) return { state, token, stateParameter: token };
    const { plainToken, tokenHash } = createOneTimeToken();
    const owner = state.link?.userId ?? null;
    await this.kept.insert(tokenHash, token, owner, FLOW_LIFETIME_SECONDS);
    return { state, token, stateParameter: plainToken };
  }

  /**
   * Reads the state from the parameters of a callback.
   * @param connectionId connection that the path names, if any
   * @returns null if the state is forged, expired, or of another kind or connection
   */
  async receive(
    kind: Kind,
    { stateKeyParameter }: SignInStrategy,
    parameters: CallbackParameters,
    connectionId?: string,
  ): Promise<StoredState | null> {
    const stateParameter = parameters[stateKeyParameter ?? 'state'] ?? '';
    const token =
      stateKeyParameter === undefined
        ? stateParameter
        : ((await this.kept.find(hashOneTimeToken(stateParameter))) ?? '');
    const state = this.codec.decode(token);
    return state?.kind === kind && state.connectionId === connectionId
      ? { state, token, stateParameter }
      : null;
  }

  @OnLifecycle('account.erased')
  async forget({ userId }: { userId: UserId }): Promise<void> {
    await this.kept.deleteAllOf(userId);
  }
}
