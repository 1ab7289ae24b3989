import { Injectable } from '@nestjs/common';
import { AuthenticationCheck } from '../../ability/index.js';
import { type Api, type Client, isClientUrl, LiveApis } from '../../client/index.js';
import { type AuthenticationNeed, newId, type PersonPrincipal, type TenantId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { type Asking, needOfScopes } from '../apis/asked-apis.js';
import type { WaitingRequest } from '../requests/authorization-request.repository.js';
import { TenantChoice } from './tenant-choice.js';

/** Errors of OpenID Connect for what a request must not ask the person about. */
const SILENT_FAULTS = {
  'insufficient-user-authentication': 'login_required',
  'not-a-member': 'access_denied',
  forbidden: 'access_denied',
} as const;

/** Error of OpenID Connect with which a request ends that must not ask the person. */
export type DecisionFault = 'access_denied' | 'login_required' | 'consent_required';

/** Seconds for which a sign-in after the request is recent, however small `max_age` is. */
const CONFIRMATION_SECONDS = 30;

/** A request as the person sees it who decides. */
export interface PresentedRequest extends Asking {
  readonly request: WaitingRequest;
  readonly needsConsent: boolean;
}

/** Requires the sign-in that a request asks for, where its grant is for. */
@Injectable()
export class RequestedSignIn {
  constructor(
    private readonly authentication: AuthenticationCheck,
    private readonly tenants: TenantChoice,
    private readonly apis: LiveApis,
  ) {}

  /**
   * Selects the organization of the grant, and requires that the sign-in of the caller is as the
   * request asks there.
   * @param tenantId by default the selected organization
   * @returns the fault of a request that must not ask the person what would have to be asked
   * @throws {AppError} insufficient-user-authentication; not-a-member; agent-not-allowed by the
   *   organization; forbidden for a client of an archived organization
   */
  async select(
    caller: PersonPrincipal,
    { client, request, api, needsConsent }: PresentedRequest,
    tenantId: TenantId | undefined,
  ): Promise<{ readonly tenantId: TenantId | null } | { readonly fault: DecisionFault }> {
    const isSilent = request.prompts.includes('none');
    const ofScopes = needOfScopes(api, request.scopes);
    const asked = { client, scopes: request.scopes, api };
    // The sign-in has the strength that counts where the grant is for.
    const person = { ...caller, tenantId: this.tenants.find(caller, asked, tenantId) };
    const fault = await this.findFault(person, request, ofScopes, isSilent && needsConsent);
    if (fault !== null) return { fault };
    if (!isSilent) await this.authentication.require(person, needOf(request));
    if (!isSilent && ofScopes) await this.authentication.require(person, ofScopes);
    try {
      const selected = await this.tenants.select(caller, asked, tenantId);
      if (api && isClientUrl(client.clientId)) await this.requireAllowed(client, api, selected);
      return { tenantId: selected };
    } catch (error) {
      if (isSilent && error instanceof AppError && error.code in SILENT_FAULTS)
        return { fault: SILENT_FAULTS[error.code as keyof typeof SILENT_FAULTS] };
      throw error;
    }
  }

  /** @throws {AppError} agent-not-allowed if the organization does not allow the client the API */
  private async requireAllowed({ clientId }: Client, api: Api, tenantId: TenantId | null): Promise<void> {
    const grant = { grantId: newId(), tenantId };
    if (!(await this.apis.findReach(clientId, api, grant))) throw new AppError('agent-not-allowed');
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
