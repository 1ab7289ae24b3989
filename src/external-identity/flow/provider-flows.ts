import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { codeChallengeOf, KeyDerivation } from '../../platform/crypto/index.js';
import type { Kind, ProviderFlow } from '../providers/provider.js';
import type { FlowState } from './state.js';

/**
 * What providers need to know of a flow. All of it follows from the flow's id, so that a start
 * writes nothing; but for SAML, whose states StateStore keeps.
 */
@Injectable()
export class ProviderFlows {
  constructor(
    private readonly keys: KeyDerivation,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The key for flows that begin now. */
  get keyId(): string {
    return this.keys.subkeys('external-flow')[0].id;
  }

  /** @param travelling what the browser carries to the provider and back */
  of(
    { kind, flowId, keyId, maxAgeSeconds }: Pick<FlowState, 'kind' | 'flowId' | 'keyId' | 'maxAgeSeconds'>,
    travelling: string,
  ): ProviderFlow {
    const keys = this.keys.subkeys('external-flow');
    const { key } = keys.find(({ id }) => id === keyId) ?? keys[0];
    const derive = (what: string) =>
      createHmac('sha256', key).update(`v1|${what}|${flowId}`).digest('base64url');
    const codeVerifier = derive('pkce');
    return {
      redirectUri: this.callbackOf(kind),
      state: travelling,
      codeVerifier,
      codeChallenge: codeChallengeOf(codeVerifier),
      nonce: derive('nonce'),
      ...(maxAgeSeconds !== undefined && { maxAgeSeconds }),
    };
  }

  /**
   * Our address that the provider sends the browser back to: another one for each kind (security
   * bar EXT-6).
   */
  callbackOf(kind: Kind): string {
    return `${this.settings.PUBLIC_URL}/api/iam/auth/external/${kind}/callback`;
  }
}
