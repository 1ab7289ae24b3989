import { Injectable } from '@nestjs/common';
import { type Api, type ApiScope, type Client, isClientUrl } from '../../client/index.js';
import { MembershipDirectory } from '../../iam/index.js';
import { isSufficient, type MachinePrincipal, selectedEvidence, type TenantId } from '../../kernel/index.js';
import {
  AccessTokenService,
  type GrantView,
  MachineTokens,
  TenantAdmission,
  TokenSigner,
} from '../../session/index.js';
import { sidOf, Subjects } from '../subjects/subjects.js';
import type { ApiTarget } from './api-scopes.js';

/** An access token for an API. */
export interface IssuedApiToken {
  readonly accessToken: string;
  readonly expiresIn: number;
  readonly scopes: readonly string[];
  readonly tenantId: TenantId | null;
}

/** A sign-in, and the organization that its tokens are for. */
type SignedIn = Pick<GrantView, 'userId' | 'authTime' | 'aal2Time' | 'phrTime' | 'trustedDevice'> &
  Partial<Pick<GrantView, 'assuredBy' | 'ownProofMissing'>>;

/**
 * Issues and verifies access tokens for APIs of others: by the RFC 9068 profile as those for this
 * service, with one API as the only audience.
 */
@Injectable()
export class ApiTokens {
  constructor(
    private readonly signer: TokenSigner,
    private readonly accessTokens: AccessTokenService,
    private readonly machineTokens: MachineTokens,
    private readonly admission: TenantAdmission,
    private readonly directory: MembershipDirectory,
    private readonly subjects: Subjects,
  ) {}

  /**
   * Issues a token of a grant.
   * @param granted names of the scopes that the person has allowed, and the client asks for
   * @param assertedBy connection whose identity assertion stands for the person
   * @returns null if the organization of the API does not accept the grant
   */
  async issue(
    client: Client,
    grant: GrantView,
    { api, reach }: ApiTarget,
    granted: readonly string[],
    assertedBy?: string,
  ): Promise<IssuedApiToken | null> {
    if (api.tenantId !== null && !(await this.admission.admits(grant, api.tenantId))) return null;
    const isMember = grant.tenantId !== null && (await this.admission.accepts(grant, grant.tenantId));
    const tenantId = isMember ? grant.tenantId : null;
    const scopes = await this.selectScopes(api, grant, tenantId, (name) => {
      return reach.has(name) && granted.includes(name);
    });
    const subject = await this.subjects.find(client, grant.userId);
    const named = subject !== grant.userId && { subject, sid: sidOf(client, grant.sessionId) };
    const { refreshExpiresIn: _idle, stationId: _station, ...rest } = grant;
    const claims = {
      ...this.accessTokens.claimsOf({ ...rest, tenantId, scopes, isLimited: true, ...named }),
      ...(assertedBy !== undefined && { asserted_by: assertedBy }),
      // An agent acts for the person, who is not at its browser.
      ...(isClientUrl(client.clientId) && { act: { sub: client.clientId } }),
    };
    const accessToken = await this.sign(api, claims, subject);
    return { accessToken, expiresIn: api.accessTokenSeconds, scopes, tenantId };
  }

  /**
   * Issues a token of a service account.
   * @param scopes names of the scopes that it is given
   */
  async issueToMachine(
    machine: MachinePrincipal,
    api: Api,
    scopes: readonly string[],
    traits: { readonly act: object | null; readonly jkt: string | null },
  ): Promise<IssuedApiToken> {
    const claims = this.machineTokens.claimsOf(machine, scopes, { isWhole: false, ...traits });
    const accessToken = await this.sign(api, claims, machine.userId);
    return { accessToken, expiresIn: api.accessTokenSeconds, scopes, tenantId: machine.tenantId };
  }

  /**
   * Keeps the scopes of an API that a sign-in satisfies at this moment: its roles in the selected
   * organization, its strength and its age.
   * @param isAsked whether a scope is wanted at all
   */
  async selectScopes(
    api: Api,
    person: SignedIn,
    tenantId: TenantId | null,
    isAsked: (name: string) => boolean,
  ): Promise<string[]> {
    const asked = api.scopes.filter(({ name }) => isAsked(name));
    const namesRoles = asked.some(({ roles }) => roles !== undefined);
    const held =
      namesRoles && tenantId !== null ? await this.directory.findRoleKeys(person.userId, tenantId) : [];
    const counted = selectedEvidence({ ...person, tenantId });
    const isHeld = ({ roles, acr = 'aal1', maxAge }: ApiScope): boolean =>
      (roles?.some((role) => held.includes(role)) ?? true) && isSufficient(counted, acr, maxAge);
    return asked.filter(isHeld).map(({ name }) => name);
  }

  /**
   * Verifies signature, issuer, audience and times of a token of an API.
   * @returns its claims; null for any other token
   */
  verify(token: string, { identifier }: Api): Promise<Readonly<Record<string, unknown>> | null> {
    return this.signer.verify(token, identifier);
  }

  /** Signs claims by the algorithm of the API. */
  private sign(api: Api, claims: object, subject: string): Promise<string> {
    const { identifier: audience, accessTokenSeconds: seconds, accessTokenAlg: alg } = api;
    return this.signer.signBy(alg, claims, { audience, subject, seconds });
  }
}
