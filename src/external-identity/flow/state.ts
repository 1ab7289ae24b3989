import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isSameText, KeyDerivation } from '../../platform/crypto/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { SessionId, UserId } from '../../platform/http/index.js';
import type { Kind } from '../providers/provider.js';

export const FLOW_LIFETIME_SECONDS = 600;

/** What a state token says of its flow. */
export interface FlowState {
  readonly kind: Kind;
  readonly flowId: string;
  /** Which key the secrets of the flow are derived by: flows under way outlive a new ROOT_SECRET. */
  readonly keyId: string;
  readonly returnUri: string;
  /** Unix second. */
  readonly expiresAt: number;
  /** The returning page's PKCE challenge, where it wants a code in place of tokens. */
  readonly codeChallenge?: string;
  /** The hash of the cookie of the browser that has begun it, where browsers are bound. */
  readonly browser?: string;
  /** Who links an identity to the account, in which session. */
  readonly link?: { readonly userId: UserId; readonly sessionId: SessionId };
}

/** A state that leads nowhere: then there is nowhere safe to send the browser, and the answer is a problem page. */
export class UnusableState extends AppError {
  constructor() {
    const message = 'This sign-in has been used, has expired, or was not begun here. Start again.';
    super('validation-error', { violations: [{ propertyPath: 'state', message }] });
  }
}

/** State tokens (security bar EXT-3): signed, so that no field of them is looked at before it is known to be ours. */
@Injectable()
export class StateCodec {
  constructor(private readonly keys: KeyDerivation) {}

  encode(state: FlowState): string {
    const [{ key }] = this.keys.subkeys('external-state');
    const payload = Buffer.from(JSON.stringify(state)).toString('base64url');
    return `${payload}.${mac(key, payload)}`;
  }

  /** Null for what this service did not sign, and for what is too old. */
  decode(token: string): FlowState | null {
    const [payload = '', tag = '', ...rest] = token.split('.');
    const authentic = this.keys
      .subkeys('external-state')
      .some(({ key }) => isSameText(tag, mac(key, payload)));
    if (!authentic || rest.length > 0) return null;
    const state = JSON.parse(Buffer.from(payload, 'base64url').toString()) as FlowState;
    return state.expiresAt > Date.now() / 1000 ? state : null;
  }
}

function mac(key: Buffer, payload: string): string {
  return createHmac('sha256', key).update(`v1|${payload}`).digest('base64url');
}
