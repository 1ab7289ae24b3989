import { Inject, Injectable } from '@nestjs/common';
import type { MachinePrincipal } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { TokenSigner } from './token-signer.js';

/** Lifetime of an access token of a service account: it cannot be refreshed. */
export const MACHINE_TOKEN_SECONDS = 600;
/** Characters. A longer `scope` claim is omitted, as in the tokens of people. */
const MAX_SCOPE_LENGTH = 4_000;

interface TokenTraits {
  readonly isWhole: boolean;
  readonly seconds?: number;
  readonly act?: object | null;
  readonly jkt?: string | null;
}

/** Signs access tokens of service accounts, by the RFC 9068 profile as those of people. */
@Injectable()
export class MachineTokens {
  constructor(
    private readonly signer: TokenSigner,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * @param scopes what the token allows
   * @param isWhole whether that is all that the account holds; else the claim is never omitted
   * @param seconds lifetime, at most {@link MACHINE_TOKEN_SECONDS}
   * @param jkt key that the token is bound to (RFC 9449 section 6); null for none
   * @param act who acts for the account (RFC 8693 section 4.1); null only for the account
   */
  sign(principal: MachinePrincipal, scopes: readonly string[], traits: TokenTraits): string {
    return this.signer.sign(this.claimsOf(principal, scopes, traits), {
      audience: this.settings.TOKEN_AUDIENCE,
      subject: principal.userId,
      seconds: Math.min(traits.seconds ?? MACHINE_TOKEN_SECONDS, MACHINE_TOKEN_SECONDS),
    });
  }

  /** Returns the claims of a token, without those that each token has. */
  claimsOf(
    { clientId, tenantId, credentialId }: MachinePrincipal,
    scopes: readonly string[],
    { isWhole, act = null, jkt = null }: TokenTraits,
  ): object {
    const scope = scopes.join(' ');
    return {
      client_id: clientId,
      tid: tenantId,
      cid: credentialId,
      ...(act !== null && { act }),
      ...(jkt !== null && { cnf: { jkt } }),
      ...((!isWhole || scope.length <= MAX_SCOPE_LENGTH) && { scope }),
    };
  }
}
