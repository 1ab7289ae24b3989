import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isSameText, KeyDerivation, Sealer } from '../../../platform/crypto/index.js';
import { AppError } from '../../../platform/errors/index.js';
import type { SessionId, UserId } from '../../../kernel/index.js';
import type { Kind } from '../../providers/provider.js';

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
