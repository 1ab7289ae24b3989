import { Injectable } from '@nestjs/common';
import {
  createOneTimeToken,
  hashOneTimeToken,
  isSameText,
  KeyDerivation,
  Sealer,
} from '../../../platform/crypto/index.js';
import type { SessionId, UserId } from '../../../kernel/index.js';
import { OnLifecycle } from '../../../platform/lifecycle/index.js';
import type { CallbackParameters, Kind, SignInStrategy } from '../../providers/provider.js';
import { StateRepository } from './state.repository.js';
import { createHmac } from 'node:crypto';
import { AppError } from '../../../platform/errors/index.js';

export const FLOW_LIFETIME_SECONDS = 600;

/** Content of a state token. */
export interface FlowState {
  readonly kind: Kind;
  /** Connection of an organization; left out for the provider of the environment. */
  readonly connectionId?: string;
  /** Test of the connection, in place of a sign-in. */
  readonly testId?: string;
  readonly flowId: string;
  /** Id of the key that derives the flow's secrets, so that flows survive a new ROOT_SECRET. */
  readonly keyId: string;
  readonly returnUri: string;
  /** Unix second. */
  readonly expiresAt: number;
  /** PKCE challenge of the page that started the flow, if it wants a code in place of tokens. */
  readonly codeChallenge?: string;
  /**
   * Seconds within which the person must have authenticated at the provider (OpenID Connect Core
   * 3.1.2.1).
   */
  readonly maxAgeSeconds?: number;
  /** Hash of the cookie of the browser that started the flow, if browsers are bound. */
  readonly browser?: string;
  /** True if a browser started the flow: then every callback needs the cookie. */
  readonly begunByBrowser?: true;
  /** The account and session that link an identity. */
  readonly link?: { readonly userId: UserId; readonly sessionId: SessionId };
}

/**
 * Refuses a callback whose state is unusable. There is no trusted address to return to, so the
 * browser stays here: on a page, or for programs with a problem document.
 */
export class UnusableState extends AppError {
  constructor(message = 'This sign-in is used or expired, or was not started here. Start again.') {
    super('validation-error', {
      violations: [{ propertyPath: 'state', message }],
      page: {
        title: 'identity.page.unusable.title',
        lead: 'identity.page.unusable.lead',
      },
    });
  }
}

/** Version of the form of a token, which its signature covers. */
const VERSION = 'v2';

/**
 * Encodes state tokens: sealed, then signed by HMAC-SHA256 (ADR 13). They are encrypted because
 * providers and their logs see them, and they contain the ids of the account and session that link.
 * The signature is checked before the token is decrypted.
 */
@Injectable()
export class StateCodec {
  private readonly sealer: Sealer;

  constructor(private readonly keys: KeyDerivation) {
    this.sealer = new Sealer(keys, 'external-state-seal');
  }

  encode(state: FlowState): string {
    const [{ key }] = this.keys.subkeys('external-state');
    const payload = Buffer.from(this.sealer.seal(JSON.stringify(state)), 'base64').toString('base64url');
    return `${payload}.${mac(key, payload)}`;
  }

  /** @returns null for a token that this service did not sign, and for an expired one */
  decode(token: string): FlowState | null {
    const [payload = '', tag = '', ...rest] = token.split('.');
    if (rest.length > 0) return null;
    const isAuthentic = this.keys
      .subkeys('external-state')
      .some(({ key }) => isSameText(tag, mac(key, payload)));
    const json = isAuthentic ? this.sealer.open(payload) : null;
    if (json === null) return null;
    const state = JSON.parse(json) as FlowState;
    return state.expiresAt > Date.now() / 1000 ? state : null;
  }
}

function mac(key: Buffer, payload: string): string {
  return createHmac('sha256', key).update(`${VERSION}|${payload}`).digest('base64url');
}

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
