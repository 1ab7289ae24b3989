import { Injectable } from '@nestjs/common';
import type { Acr, PersonPrincipal } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { Client } from '../../platform/web/index.js';
import { needOf, SessionCodeService, type TokenResponse } from '../../session/index.js';
import { ExternalCodeService, type PresentedCode } from '../flow/code/code.service.js';
import { ReturnUris } from '../flow/return/return-uris.js';

/** Request of an app that sends its user to the sign-in page of this service. */
export interface HostedRequest {
  readonly returnTo: string;
  readonly codeChallenge: string;
  readonly state?: string | undefined;
  readonly acr?: Acr | undefined;
  readonly maxAge?: number | undefined;
}

/** Signs users of an app in on the pages of this service (ADR 31). */
@Injectable()
export class HostedSignInService {
  constructor(
    private readonly returnUris: ReturnUris,
    private readonly codes: SessionCodeService,
    private readonly externalCodes: ExternalCodeService,
  ) {}

  /**
   * Checks the address before the user signs in.
   * @returns host of the app, for the page
   * @throws {AppError} validation-error on `returnTo`
   */
  check({ returnTo }: HostedRequest): string {
    return new URL(this.returnUris.require(returnTo, 'returnTo')).host;
  }

  /**
   * Issues a code by which the app joins the caller's session.
   * @returns the address to which to send the browser, with the code in its fragment
   * @throws {AppError} validation-error on `returnTo`; unauthenticated if the session has
   *   ended; insufficient-user-authentication
   */
  async authorize(caller: PersonPrincipal, request: HostedRequest): Promise<string> {
    const { codeChallenge, state } = request;
    const redirectUri = this.returnUris.require(request.returnTo, 'returnTo');
    const code = await this.codes.issue(caller, {
      purpose: 'hosted',
      clientId: null,
      redirectUri,
      codeChallenge,
      need: needOf(request),
    });
    const fragment = new URLSearchParams({ code, ...(state !== undefined && { state }) });
    return `${redirectUri}#${fragment.toString()}`;
  }

  /**
   * Redeems the code of an external or a hosted sign-in: apps cannot tell them apart.
   * @throws {AppError} validation-error on `code`; second-factor-required
   */
  async redeem(presented: PresentedCode, client: Client): Promise<TokenResponse> {
    const tokens = (await this.externalCodes.redeem(presented, client)) ?? (await this.join(presented));
    if (tokens) return tokens;
    throw AppError.violation('code', 'The code is invalid, used or expired. Start the sign-in again.');
  }

  /** Exchanges a hosted code for tokens of the session. @returns null for one that is not valid */
  private join({ code, codeVerifier }: PresentedCode): Promise<TokenResponse | null> {
    const event = { action: 'session.continued' };
    return this.codes.redeem({ purpose: 'hosted', code, codeVerifier, clientId: null, event }, 'hosted-code');
  }
}
