import { Inject, Injectable } from '@nestjs/common';
import type { AssertionAudience, Client } from '../../client/index.js';
import { newId, type UserId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { strengthClaimsOf } from '../../session/index.js';
import { ClaimReader } from '../userinfo/claim-reader.js';
import { Subjects } from '../subjects/subjects.js';
import { ClientAuthenticator, requireProof } from '../token/client-authenticator.js';
import { IdTokens } from '../token/id-tokens.js';
import { OAuthError } from '../token/oauth-error.js';
import type { Parameters, ProvenKey } from '../token/oauth-request.js';
import { SubjectTokens } from './subject-tokens.js';

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
const ASSERTION_TYPE = 'oauth-id-jag+jwt';
const ASSERTION_SECONDS = 300;

/** Response of a token exchange (RFC 8693 section 2.2.1); the token is no access token. */
export interface IssuedAssertion {
  readonly issued_token_type: typeof ID_JAG;
  readonly access_token: string;
  readonly token_type: 'N_A';
  readonly expires_in: number;
  readonly scope?: string;
  readonly resource?: string;
}

/** What an assertion is for. */
interface Granted {
  readonly audience: AssertionAudience;
  readonly resource: string | undefined;
  readonly scope: string | undefined;
}

/**
 * Issues identity assertions to clients of organizations, for authorization servers that trust this
 * service for single sign-on (draft-ietf-oauth-identity-assertion-authz-grant section 4.3).
 */
@Injectable()
export class AssertionIssuer {
  constructor(
    private readonly authenticator: ClientAuthenticator,
    private readonly subjectTokens: SubjectTokens,
    private readonly idTokens: IdTokens,
    private readonly subjects: Subjects,
    private readonly people: ClaimReader,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Returns whether a token request asks for an identity assertion. */
  handles({ grant_type: grantType, requested_token_type: requested }: Parameters): boolean {
    return grantType === TOKEN_EXCHANGE && requested === ID_JAG;
  }

  /**
   * Exchanges an ID token or a refresh token of the client for an assertion.
   * @param authorization header of the request; undefined without one
   * @param proof key that the client has proved, to which the assertion is bound
   * @param ipAddress of the client
   * @throws {OAuthError} invalid_client; invalid_dpop_proof; unauthorized_client; invalid_request;
   *   invalid_target and invalid_scope for what the client is not registered for; invalid_grant if
   *   the sign-in has ended, or the organization does not accept it
   */
  async issue(
    parameters: Parameters,
    authorization: string | undefined,
    proof: ProvenKey | null,
    ipAddress: string,
  ): Promise<IssuedAssertion> {
    const client = await this.authenticator.require(parameters, authorization, ipAddress);
    requireProof(client, proof);
    const { tenantId, assertionAudiences } = client;
    if (client.type !== 'confidential' || tenantId === null || assertionAudiences.length === 0)
      throw new OAuthError('unauthorized_client', 'The client is not registered for identity assertions.');
    const granted = this.findGranted(assertionAudiences, parameters);
    const grant = await this.subjectTokens.findAdmitted(client, tenantId, parameters, proof?.jkt ?? null);
    if (!grant) throw invalidGrant();
    const { audience, resource, scope } = granted;
    const { userId, grantedScopes } = grant;
    const isNamed = grantedScopes?.includes('email') === true;
    const claims = {
      ...(isNamed && (await this.people.read({ userId, tenantId, scopes: ['email'] }))),
      sub: await this.findSubject(client, audience, userId),
      client_id: audience.clientId,
      jti: newId(),
      tenant: tenantId,
      auth_time: Math.floor(grant.authTime.getTime() / 1_000),
      ...strengthClaimsOf(grant),
      ...(resource !== undefined && { resource }),
      ...(scope !== undefined && { scope }),
      ...(proof !== null && { cnf: { jkt: proof.jkt } }),
    };
    const frame = { typ: ASSERTION_TYPE, seconds: ASSERTION_SECONDS, audience: audience.audience };
    return {
      issued_token_type: ID_JAG,
      access_token: await this.idTokens.signClaims(client, claims, frame),
      token_type: 'N_A',
      expires_in: ASSERTION_SECONDS,
      ...(scope !== undefined && { scope }),
      ...(resource !== undefined && { resource }),
    };
  }

  /**
   * Finds what the organization allows the client at the authorization server that it names. An
   * omitted claim would limit nothing there: a request without one gets what is allowed.
   */
  private findGranted(allowed: readonly AssertionAudience[], parameters: Parameters): Granted {
    const { audience: named, scope, actor_token: actor } = parameters;
    if (actor !== undefined) throw new OAuthError('invalid_request', 'actor_token is not supported.');
    const audience = allowed.find((one) => one.audience === named);
    if (!audience || named === this.settings.PUBLIC_URL) throw invalidTarget();
    const asked = scope?.split(' ');
    const scopes = audience.scopes.filter((one) => asked?.includes(one) ?? true);
    if (asked && scopes.length === 0)
      throw new OAuthError('invalid_scope', 'The client is registered for none of the scopes.');
    return { audience, resource: resourceOf(audience, parameters), scope: scopes.join(' ') || undefined };
  }

  /** Names the person as in an ID token for the other authorization server (section 5). */
  private async findSubject(
    client: Client,
    { relyingParty = client.clientId }: AssertionAudience,
    userId: UserId,
  ): Promise<string> {
    const subject = await this.subjects.findAt(relyingParty, client.tenantId, userId);
    if (subject !== null) return subject;
    throw new OAuthError('invalid_target', 'The relying party of the audience is no client any more.');
  }
}

/**
 * Returns the API that is asked for, or the only one that is allowed; undefined if none is.
 * @throws {OAuthError} invalid_target; also for several of which none is asked for
 */
function resourceOf({ resources }: AssertionAudience, { resource }: Parameters): string | undefined {
  const [only, ...others] = resources;
  if (resource === undefined ? others.length > 0 : !resources.includes(resource)) throw invalidTarget();
  return resource ?? only;
}

const invalidTarget = (): OAuthError =>
  new OAuthError(
    'invalid_target',
    'audience and resource must be those that the client is registered for; of several, name one.',
  );

const invalidGrant = (): OAuthError =>
  new OAuthError(
    'invalid_grant',
    'The subject token is not valid for the client, its session has ended, or the organization does not accept the sign-in.',
  );
