import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isSameText, KeyDerivation, Sealer } from '../../platform/crypto/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { SessionId, UserId } from '../../kernel/index.js';
import type { Kind } from '../providers/provider.js';

export const FLOW_LIFETIME_SECONDS = 600;

/** What a state token says of its flow. */
export interface FlowState {
  readonly kind: Kind;
  readonly flowId: string;
  /**
   * Which key the secrets of the flow are derived by: flows under way outlive a new ROOT_SECRET.
   */
  readonly keyId: string;
  readonly returnUri: string;
  /** Unix second. */
  readonly expiresAt: number;
  /** The returning page's PKCE challenge, where it wants a code in place of tokens. */
  readonly codeChallenge?: string;
  /**
   * Seconds within which the person must have authenticated at the provider (OpenID Connect Core
   * 3.1.2.1).
   */
  readonly maxAgeSeconds?: number;
  /** The hash of the cookie of the browser that began it, where browsers are bound. */
  readonly browser?: string;
  /**
   * True where a browser began it: then it ends with the cookie alone, whoever brings the callback.
   */
  readonly begunByBrowser?: true;
  /** Who links an identity to the account, in which session. */
  readonly link?: { readonly userId: UserId; readonly sessionId: SessionId };
}

/**
 * A state that leads nowhere: then there is nowhere safe to send the browser, and the answer is a
 * problem page.
 */
export class UnusableState extends AppError {
  constructor(message = 'This sign-in has been used, has expired, or was not begun here. Start again.') {
    super('validation-error', { violations: [{ propertyPath: 'state', message }] });
  }
}

/**
 * The current form: sealed. The form of before: a signed payload in the clear, which says who
 * links.
 */
const SEALED = 'v2';
const PLAIN = 'v1';

/**
 * State tokens: sealed, then signed by HMAC-SHA256 (ADR 13). Providers, their logs and the
 * returning page see a state, and it names the person and session that link; so it is encrypted.
 * The signature is checked before anything of it is opened.
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
    return `${payload}.${mac(key, SEALED, payload)}`;
  }

  /** @returns null for what this service did not sign, and for what is too old */
  decode(token: string): FlowState | null {
    const [payload = '', tag = '', ...rest] = token.split('.');
    if (rest.length > 0) return null;
    const json = this.open(payload, tag);
    if (json === null) return null;
    const state = JSON.parse(json) as FlowState;
    return state.expiresAt > Date.now() / 1000 ? state : null;
  }

  private open(payload: string, tag: string): string | null {
    if (this.isAuthentic(SEALED, payload, tag)) return this.sealer.open(payload);
    // A flow that a replica of the release before began goes on during a rolling upgrade.
    if (this.isAuthentic(PLAIN, payload, tag)) return Buffer.from(payload, 'base64url').toString();
    return null;
  }

  private isAuthentic(form: string, payload: string, tag: string): boolean {
    return this.keys.subkeys('external-state').some(({ key }) => isSameText(tag, mac(key, form, payload)));
  }
}

function mac(key: Buffer, form: string, payload: string): string {
  return createHmac('sha256', key).update(`${form}|${payload}`).digest('base64url');
}
