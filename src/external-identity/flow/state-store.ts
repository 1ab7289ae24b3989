import { Injectable } from '@nestjs/common';
import { createOneTimeToken, hashOneTimeToken } from '../../platform/crypto/index.js';
import type { UserId } from '../../kernel/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import type { CallbackParameters, Kind, SignInStrategy } from '../providers/provider.js';
import { FLOW_LIFETIME_SECONDS, StateCodec, type FlowState } from './state.js';
import { StateRepository } from './state.repository.js';

/** A state on its way. */
export interface StoredState {
  readonly state: FlowState;
  /** Its signed form, for the client to compare. */
  readonly token: string;
  /** What the browser carries: the signed form, or a key to it. */
  readonly travelling: string;
}

/** States on their way to a provider and back. */
@Injectable()
export class StateStore {
  constructor(
    private readonly codec: StateCodec,
    private readonly kept: StateRepository,
  ) {}

  /**
   * Signs a state; where the protocol has no room for it, writes it down under a key (SAML Bindings
   * 3.4.3: 80 bytes).
   */
  async send({ stateKeyParameter }: SignInStrategy, state: FlowState): Promise<StoredState> {
    const token = this.codec.encode(state);
    if (stateKeyParameter === undefined) return { state, token, travelling: token };
    const { plainToken, tokenHash } = createOneTimeToken();
    const owner = state.link?.userId ?? null;
    await this.kept.insert(tokenHash, token, owner, FLOW_LIFETIME_SECONDS);
    return { state, token, travelling: plainToken };
  }

  /**
   * The state that a callback has brought back. Null for one that is not ours, too old, or another
   * kind's.
   */
  async receive(
    kind: Kind,
    { stateKeyParameter }: SignInStrategy,
    parameters: CallbackParameters,
  ): Promise<StoredState | null> {
    const travelling = parameters[stateKeyParameter ?? 'state'] ?? '';
    const token =
      stateKeyParameter === undefined ? travelling : await this.kept.find(hashOneTimeToken(travelling));
    const state = this.codec.decode(token ?? '');
    return token !== null && state?.kind === kind ? { state, token, travelling } : null;
  }

  @OnLifecycle('account.erased')
  async forget({ userId }: { userId: UserId }): Promise<void> {
    await this.kept.deleteAllOf(userId);
  }
}
