import { Injectable } from '@nestjs/common';
import { AuthenticationCheck } from '../../ability/index.js';
import {
  type AuthenticationNeed,
  FIRST_PARTY_CLIENT,
  newId,
  type PersonPrincipal,
  type TenantId,
} from '../../kernel/index.js';
import { hashOneTimeToken } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { AgentPolicies, type Api, type Client, ClientService, isClientUrl } from '../../client/index.js';
import { AskedApis, needOfScopes } from '../apis/asked-apis.js';
import { SessionCodeService } from '../../session/index.js';
import { ConsentRepository } from '../consents/consent.repository.js';
import { coversForMembers } from '../consents/member-consent.js';
import {
  AuthorizationRequestRepository,
  type WaitingRequest,
} from '../requests/authorization-request.repository.js';
import { AuthorizeService } from '../requests/authorize.service.js';
import { findRedirectUri } from '../requests/request-check.js';
import { TenantChoice } from './tenant-choice.js';

/** Errors of OpenID Connect for what a request must not ask the person about. */
const SILENT_FAULTS = {
  'insufficient-user-authentication': 'login_required',
  'not-a-member': 'access_denied',
  forbidden: 'access_denied',
} as const;

/** Reasons at the client, whose library shows them to its developer. */
const REASONS = {
  access_denied: 'The person refused, or may not use the client.',
  login_required:
    'The person must sign in or confirm who they are, or is not the one that id_token_hint names.',
  consent_required: 'The person must consent, which the request does not let them be asked for.',
} as const;
type DecisionFault = keyof typeof REASONS;

/** Seconds for which a sign-in after the request is recent, however small `max_age` is. */
const CONFIRMATION_SECONDS = 30;

/** A request as the person sees it who decides. */
export interface PresentedRequest {
  readonly client: Client;
  readonly request: WaitingRequest;
  /** API that it is for; null for this service. */
  readonly api: Api | null;
  readonly needsConsent: boolean;
}

/** Lets people decide on authorization requests, by our own app. */
@Injectable()
export class DecisionService {
  constructor(
    private readonly database: Database,
    private readonly clients: ClientService,
    private readonly requests: AuthorizationRequestRepository,
    private readonly authorizations: AuthorizeService,
    private readonly codes: SessionCodeService,
    private readonly consents: ConsentRepository,
    private readonly authentication: AuthenticationCheck,
    private readonly tenants: TenantChoice,
    private readonly asked: AskedApis,
    private readonly agents: AgentPolicies,
  ) {}

  /**
   * Returns a request that waits.
   * @param caller null before the sign-in: consent is needed then, unless the client is first-party
   * @throws {AppError} not-found if it is unknown, decided or expired, its client disabled, or its
   *   redirect URI not registered any more
   */
  async present(id: string, caller: PersonPrincipal | null): Promise<PresentedRequest> {
    const request = await this.requests.find(hashOneTimeToken(id));
    const client = request && (await this.clients.findEnabled(request.clientId));
    // The registration may have changed since: nothing goes to an address that was removed.
    if (!client || findRedirectUri(client, request.redirectUri) === null) throw new AppError('not-found');
    const api = await this.asked.find(request.scopes);
    if (api === 'gone') throw new AppError('not-found');
    return { client, request, api, needsConsent: await this.needsConsent(client, request, caller) };
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
    const { client, request, api, needsConsent } = await this.present(id, caller);
    const isSilent = request.prompts.includes('none');
    const ofScopes = needOfScopes(api, request.scopes);
    const asked = { client, scopes: request.scopes, api };
    // The sign-in has the strength that counts where the grant is for.
    const person = { ...caller, tenantId: this.tenants.find(caller, asked, tenantId) };
    const fault = await this.findFault(person, request, ofScopes, isSilent && needsConsent);
    if (fault !== null) return this.refuse(id, fault);
    if (!isSilent) await this.authentication.require(person, needOf(request));
    if (!isSilent && ofScopes) await this.authentication.require(person, ofScopes);
    const selected = await this.tenants.select(caller, asked, tenantId).catch((error: unknown) => {
      if (isSilent && error instanceof AppError && error.code in SILENT_FAULTS)
        return { error: SILENT_FAULTS[error.code as keyof typeof SILENT_FAULTS] };
      throw error;
    });
    if (typeof selected === 'object' && selected !== null) return this.refuse(id, selected.error);
    if (api && isClientUrl(client.clientId)) await this.requireAllowed(client, api, selected);
    const approved = await this.database.transaction(async () => {
      if (!(await this.keepConsent(client, request, caller, needsConsent))) return null;
      const mine = await this.requests.take(hashOneTimeToken(id));
      if (!mine) throw new AppError('not-found');
      const { clientId, redirectUri, codeChallenge, scopes, nonce, dpopJkt } = mine;
      const code = await this.codes.create({
        purpose: 'openid',
        clientId,
        redirectUri,
        codeChallenge,
        sessionId: caller.sessionId,
        tenantId: selected,
        scopes,
        nonce,
        dpopJkt,
      });
      return { mine, code };
    });
    if (approved) return this.authorizations.answer(approved.mine, { code: approved.code });
    if (isSilent) return this.refuse(id, 'consent_required');
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

  /** @throws {AppError} agent-not-allowed if the organization does not allow the client the API */
  private async requireAllowed({ clientId }: Client, api: Api, tenantId: TenantId | null): Promise<void> {
    const grant = { grantId: newId(), tenantId };
    if (!(await this.agents.findReach(clientId, api, grant))) throw new AppError('agent-not-allowed');
  }

  private async refuse(id: string, error: DecisionFault): Promise<string> {
    const request = await this.requests.take(hashOneTimeToken(id));
    if (!request) throw new AppError('not-found');
    return this.authorizations.answer(request, { error, error_description: REASONS[error] });
  }

  /** @returns the error of OpenID Connect with which the request ends without a question */
  private async findFault(
    caller: PersonPrincipal,
    request: WaitingRequest,
    ofScopes: AuthenticationNeed | null,
    lacksConsent: boolean,
  ): Promise<DecisionFault | null> {
    if (request.subjectHint !== null && request.subjectHint !== caller.userId) return 'login_required';
    if (!request.prompts.includes('none')) return null;
    const { maxAge } = request;
    if (maxAge !== null && (await this.authentication.findShortfall(caller, { maxAge }, true)))
      return 'login_required';
    if (ofScopes && (await this.authentication.findShortfall(caller, ofScopes, true)))
      return 'login_required';
    return lacksConsent ? 'consent_required' : null;
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

/**
 * Returns the sign-in that a request needs: of the wanted strength, not older than `max_age`, and
 * with `prompt=login` from after the request. One from after the request is never too old at once:
 * with `max_age=0` the person would be asked again and again.
 */
function needOf({ acr, maxAge, prompts, createdAt }: WaitingRequest): AuthenticationNeed {
  // The time of a sign-in is known in whole seconds.
  const sinceRequest = Math.max(0, Math.ceil(Date.now() / 1_000 - Math.floor(createdAt.getTime() / 1_000)));
  const ages = [
    ...(maxAge === null ? [] : [Math.max(maxAge, Math.min(sinceRequest, CONFIRMATION_SECONDS))]),
    ...(prompts.includes('login') ? [sinceRequest] : []),
  ];
  return { ...(acr !== null && { acr }), ...(ages.length > 0 && { maxAge: Math.min(...ages) }) };
}
