import { Injectable } from '@nestjs/common';
import { type Client, isClientUrl } from '../../client/index.js';
import { FIRST_PARTY_CLIENT, type PersonPrincipal, type TenantId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { SessionCodeService } from '../../session/index.js';
import { AskedApis } from '../apis/asked-apis.js';
import { ConsentRepository } from '../consents/consent.repository.js';
import { coversForMembers } from '../consents/member-consents.js';
import type { WaitingRequest } from '../requests/authorization-request.repository.js';
import { AuthorizeService } from '../requests/authorize.service.js';
import { findRedirectUri } from '../requests/request-check.js';
import { type DecisionFault, type PresentedRequest, RequestedSignIn } from './requested-sign-in.js';

/** Reasons at the client, whose library shows them to its developer. */
const REASONS: Readonly<Record<DecisionFault, string>> = {
  access_denied: 'The person refused, or may not use the client.',
  login_required:
    'The person must sign in or confirm who they are, or is not the one that id_token_hint names.',
  consent_required: 'The person must consent, which the request does not let them be asked for.',
};

/** Lets people decide on authorization requests, by our own app. */
@Injectable()
export class DecisionService {
  constructor(
    private readonly database: Database,
    private readonly asked: AskedApis,
    private readonly authorizations: AuthorizeService,
    private readonly signIns: RequestedSignIn,
    private readonly consents: ConsentRepository,
    private readonly codes: SessionCodeService,
  ) {}

  /**
   * Returns a request that waits.
   * @param caller null before the sign-in: consent is needed then, unless the client is first-party
   * @throws {AppError} not-found if it is unknown, decided or expired, its client disabled, or its
   *   redirect URI not registered any more
   */
  async present(id: string, caller: PersonPrincipal | null): Promise<PresentedRequest> {
    const request = await this.authorizations.find(id);
    const asking = request && (await this.asked.findAsking(request));
    // The registration may have changed since: nothing goes to an address that was removed.
    if (!asking || findRedirectUri(asking.client, request.redirectUri) === null)
      throw new AppError('not-found');
    return { ...asking, request, needsConsent: await this.needsConsent(asking.client, request, caller) };
  }

  /**
   * Approves a request in the caller's session, and with it the scopes that it needs consent for. A
   * request that must not ask the person anything is answered with the error that says what to ask.
   * @param tenantId organization of the grant; by default the selected one
   * @returns where the browser goes next
   * @throws {AppError} not-found, also if the person withdraws the consent at this moment;
   *   insufficient-user-authentication if they must confirm who they are first; not-a-member;
   *   agent-not-allowed by the organization; forbidden for a client of an archived organization;
   *   unauthenticated if the session has ended
   */
  async approve(caller: PersonPrincipal, id: string, tenantId: TenantId | undefined): Promise<string> {
    const presented = await this.present(id, caller);
    const { client, request, needsConsent } = presented;
    const selected = await this.signIns.select(caller, presented, tenantId);
    if ('fault' in selected) return this.refuse(id, selected.fault);
    const approved = await this.database.transaction(async () => {
      if (!(await this.keepConsent(client, request, caller, needsConsent))) return null;
      const mine = await this.authorizations.take(id);
      const { clientId, redirectUri, codeChallenge, scopes, nonce, dpopJkt } = mine;
      const code = await this.codes.create({
        purpose: 'openid',
        clientId,
        redirectUri,
        codeChallenge,
        sessionId: caller.sessionId,
        tenantId: selected.tenantId,
        scopes,
        nonce,
        dpopJkt,
      });
      return { mine, code };
    });
    if (approved) return this.authorizations.answer(approved.mine, { code: approved.code });
    if (request.prompts.includes('none')) return this.refuse(id, 'consent_required');
    throw new AppError('not-found');
  }

  /**
   * Denies a request. A request that must not ask the person anything is denied because they have
   * not signed in.
   * @returns where the browser goes next
   * @throws {AppError} not-found
   */
  async deny(id: string): Promise<string> {
    const { request } = await this.present(id, null);
    return this.refuse(id, request.prompts.includes('none') ? 'login_required' : 'access_denied');
  }

  private async refuse(id: string, error: DecisionFault): Promise<string> {
    const request = await this.authorizations.take(id);
    return this.authorizations.answer(request, { error, error_description: REASONS[error] });
  }

  /**
   * Adds the consent that the person was asked for, or renews the one that they or their
   * organization gave before.
   * @returns false if they were not asked, and it is withdrawn at this moment
   */
  private async keepConsent(
    { clientId, firstParty }: Client,
    { scopes }: WaitingRequest,
    { userId }: PersonPrincipal,
    wasAsked: boolean,
  ): Promise<boolean> {
    if (firstParty) return true;
    if (!wasAsked)
      return (
        (await this.consents.renew(userId, clientId, scopes)) ||
        (await this.consents.joinMemberConsent(userId, clientId, scopes))
      );
    await this.consents.add(userId, clientId, scopes);
    return true;
  }

  private async needsConsent(
    client: Client,
    { scopes, prompts }: WaitingRequest,
    caller: PersonPrincipal | null,
  ): Promise<boolean> {
    const { clientId, firstParty } = client;
    if (firstParty) return false;
    // Another program of the device may have its loopback address (RFC 8252 section 8.6).
    if (isClientUrl(clientId)) return true;
    if (caller?.clientId !== FIRST_PARTY_CLIENT || prompts.includes('consent')) return true;
    if (coversForMembers(client, scopes)) return false;
    return !(await this.consents.covers(caller.userId, clientId, scopes));
  }
}
