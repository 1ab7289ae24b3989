import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { codeChallengeOf, KeyDerivation } from '../../platform/crypto/index.js';
import type { Connection } from '../../connection/index.js';
import type { Kind, ProviderFlow } from '../providers/provider.js';
import type { FlowState } from './state/state-store.js';

/**
 * Derives what strategies need to know of a flow from the flow's id, so that a start writes nothing
 * to the database. The exception is SAML, whose states StateStore stores.
 */
@Injectable()
export class ProviderFlows {
  constructor(
    private readonly keys: KeyDerivation,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Id of the key for new flows. */
  get keyId(): string {
    return this.keys.subkeys('external-flow')[0].id;
  }

  /**
   * @param stateParameter value that the browser carries to the provider and back
   * @param connection of the state; null for the provider of the environment
   */
  of(
    { kind, flowId, keyId, maxAgeSeconds }: Pick<FlowState, 'kind' | 'flowId' | 'keyId' | 'maxAgeSeconds'>,
    stateParameter: string,
    connection: Connection | null = null,
  ): ProviderFlow {
    const keys = this.keys.subkeys('external-flow');
    const { key } = keys.find(({ id }) => id === keyId) ?? keys[0];
    const derive = (what: string) =>
      createHmac('sha256', key).update(`v1|${what}|${flowId}`).digest('base64url');
    const codeVerifier = derive('pkce');
    return {
      redirectUri: this.callbackOf(kind, connection?.id),
      state: stateParameter,
      codeVerifier,
      codeChallenge: codeChallengeOf(codeVerifier),
      nonce: derive('nonce'),
      maxAgeSeconds,
      ...(connection && { connection }),
    };
  }

  /**
   * Returns the address that the provider redirects the browser to: one per kind (EXT-6) and one
   * per connection, so that responses cannot be mixed up (RFC 9700 section 4.4).
   */
  callbackOf(kind: Kind, connectionId?: string): string {
    const own = connectionId === undefined ? '' : `/${connectionId}`;
    return `${this.settings.PUBLIC_URL}/api/iam/auth/external/${kind}/callback${own}`;
  }
}
