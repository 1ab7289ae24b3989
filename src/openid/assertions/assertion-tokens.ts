import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { acceptsAlg, type Client } from '../../client/index.js';
import {
  AssertedSignIn,
  AssertionVerifier,
  SIGN_IN_ERRORS,
  SignInError,
  type TrustedAssertion,
} from '../../external-identity/index.js';
import { isObject, type TenantId } from '../../kernel/index.js';
import { UsedAssertionRepository } from '../../machine/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { ApiTarget } from '../apis/api-scopes.js';
import { ApiTokens } from '../apis/api-tokens.js';
import { OAuthError } from '../token/oauth-error.js';
import { invalidTarget, RequestedResource } from '../token/requested-resource.js';
import type { Parameters } from '../token/oauth-request.js';

export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Characters. A longer assertion is refused before it is parsed. */
const MAX_ASSERTION_LENGTH = 8_192;
/** Resources that one assertion may name; each is looked up. */
const MAX_RESOURCES = 10;
const RETRY_AFTER_SECONDS = 30;

/** Who presents an assertion. */
export interface Presenter {
  readonly client: Client;
  readonly ipAddress: string;
  /** Thumbprint of the key that the client has proved; null without a proof. */
  readonly jkt: string | null;
}

/** Token response; the assertion takes the place of a refresh token. */
export interface AssertedTokenResponse {
  readonly access_token: string;
  readonly token_type: 'Bearer' | 'DPoP';
  readonly expires_in: number;
  readonly scope: string;
  readonly resource: string;
}

/** What an assertion says of itself. Nothing of it is believed before its signature is verified. */
interface Said {
  readonly issuer: string;
  readonly alg: string;
  readonly clientId: string;
  readonly resources: readonly string[];
  readonly scopes: readonly string[] | null;
  /** Organization that it is for, if the issuer knows it (`aud_tenant`). */
  readonly tenantId: TenantId | null;
}

/**
 * Issues tokens of APIs for identity assertions of organizations' own providers (ADR 70,
 * draft-ietf-oauth-identity-assertion-authz-grant).
 */
@Injectable()
export class AssertionTokens {
  constructor(
    private readonly verifier: AssertionVerifier,
    private readonly asserted: AssertedSignIn,
    private readonly used: UsedAssertionRepository,
    private readonly resources: RequestedResource,
    private readonly apiTokens: ApiTokens,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Issues a token of the API that the assertion is for, in the organization whose connection is
   * trusted for it. Each assertion counts once, also if the sign-in is refused.
   * @throws {OAuthError} invalid_grant; invalid_target; unauthorized_client
   * @throws {AppError} unavailable if the keys of the issuer cannot be fetched
   */
  async issue(presenter: Presenter, parameters: Parameters): Promise<AssertedTokenResponse> {
    const { client, jkt } = presenter;
    if (client.type !== 'confidential')
      throw new OAuthError('unauthorized_client', 'Identity assertions are for confidential clients.');
    const { assertion } = parameters;
    if (assertion === undefined) throw new OAuthError('invalid_request', 'assertion is missing.');

    // Find what it is for, and refuse what no signature could mend.
    const said = await readUnverified(assertion);
    if (said?.clientId !== client.clientId || said.issuer === this.settings.PUBLIC_URL) throw invalidGrant();
    if (!acceptsAlg(client, said.alg))
      throw new OAuthError(
        'invalid_grant',
        'The assertion must be by PS256, ES256 or EdDSA (FAPI 2.0). Set it at the provider.',
      );
    const target = await this.findTarget(client, said, parameters);
    const tenantId = client.tenantId ?? target.api.tenantId ?? said.tenantId;

    // Verify it, and use it up.
    const trusted = await this.verifier.verify(assertion, said.issuer, tenantId).catch(toInvalidGrant);
    const { connection } = trusted;
    if (said.tenantId !== null && said.tenantId !== connection.tenantId) throw invalidGrant();
    requireKey(trusted, jkt);
    if (!(await this.used.take(digestOf(trusted)))) throw invalidGrant();

    // Sign the person in, and issue.
    const { clientId, name } = client;
    const from = { clientId, name, ipAddress: presenter.ipAddress };
    const grant = await this.asserted.signIn(trusted, from).catch(toInvalidGrant);
    const scopes = narrow(said.scopes ?? [...target.reach], parameters['scope']);
    const proven = { ...grant, dpopJkt: jkt };
    const issued = await this.apiTokens.issue(client, proven, target, scopes, connection.id);
    if (issued?.tenantId !== connection.tenantId) throw notAdmitted();
    return {
      access_token: issued.accessToken,
      token_type: jkt === null ? 'Bearer' : 'DPoP',
      expires_in: issued.expiresIn,
      scope: issued.scopes.join(' '),
      resource: target.api.identifier,
    };
  }

  /**
   * Finds the API of the token: the one that the assertion names; of several, the one that the
   * request names. All of them must be APIs that the client reaches.
   * @throws {OAuthError} invalid_grant if one is not; invalid_target if the request names another
   */
  private async findTarget(client: Client, { resources }: Said, parameters: Parameters): Promise<ApiTarget> {
    const targets = await Promise.all(
      resources.map((resource) => this.resources.find(client, { resource }).catch(toUnknownResource)),
    );
    if (targets.includes(null)) throw invalidGrant();
    const asked = parameters['resource'] ?? (resources.length === 1 ? resources[0] : undefined);
    const target = targets[resources.indexOf(asked ?? '')];
    if (!target) throw invalidTarget();
    return target;
  }
}

/** @returns null for a text that is no assertion, or names no API */
async function readUnverified(assertion: string): Promise<Said | null> {
  if (assertion.length > MAX_ASSERTION_LENGTH) return null;
  const { decodeJwt, decodeProtectedHeader } = await import('jose');
  try {
    const { alg = '' } = decodeProtectedHeader(assertion);
    const {
      iss,
      client_id: clientId,
      resource,
      scope,
      aud_tenant: tenantId = null,
    } = decodeJwt<Record<string, unknown>>(assertion);
    const resources = [resource].flat();
    const isWhole =
      typeof iss === 'string' &&
      typeof clientId === 'string' &&
      isTexts(resources) &&
      (scope === undefined || typeof scope === 'string') &&
      (tenantId === null || typeof tenantId === 'string');
    if (!isWhole || resources.length === 0 || resources.length > MAX_RESOURCES) return null;
    const scopes = scope === undefined ? null : scope.split(' ');
    return { issuer: iss, alg, clientId, resources, scopes, tenantId: tenantId as TenantId | null };
  } catch {
    return null;
  }
}

const isTexts = (list: readonly unknown[]): list is string[] => list.every((one) => typeof one === 'string');

function narrow(scopes: readonly string[], asked: string | undefined): readonly string[] {
  if (asked === undefined) return scopes;
  const names = new Set(asked.split(' '));
  return scopes.filter((scope) => names.has(scope));
}

/** Ids of assertions are unique for an issuer; two organizations may share one. */
const digestOf = ({ connection, claims }: TrustedAssertion): Buffer =>
  hash('sha256', JSON.stringify(['id-jag', connection.id, claims.jti]), 'buffer');

/**
 * Requires the key that an assertion is bound to (section 9.8.1). A certificate (section 9.8.2)
 * cannot be proved here.
 * @throws {OAuthError} invalid_grant
 */
function requireKey({ claims: { cnf } }: TrustedAssertion, jkt: string | null): void {
  if (cnf === undefined) return;
  if (!isObject(cnf) || typeof cnf['jkt'] !== 'string' || cnf['jkt'] !== jkt || 'x5t#S256' in cnf)
    throw new OAuthError('invalid_grant', 'The assertion is bound to a key. Send its proof (DPoP).');
}

function toUnknownResource(error: unknown): never {
  throw error instanceof OAuthError ? invalidGrant() : error;
}

/** Tells the client, which is the organization's or its partner's, what to mend. */
function toInvalidGrant(error: unknown): never {
  if (error instanceof SignInError) {
    if (error.reason === 'provider_unavailable')
      throw new AppError('unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error });
    throw error.reason === 'invalid_response'
      ? invalidGrant()
      : new OAuthError('invalid_grant', SIGN_IN_ERRORS[error.reason]);
  }
  if (error instanceof AppError && error.code === 'second-factor-required')
    throw new OAuthError('invalid_grant', SIGN_IN_ERRORS.second_factor_required);
  throw error instanceof AppError && error.code === 'unauthenticated' ? notAdmitted() : error;
}

const invalidGrant = (): OAuthError =>
  new OAuthError(
    'invalid_grant',
    'The assertion is not valid, was used before, or no organization trusts its issuer for it.',
  );

const notAdmitted = (): OAuthError =>
  new OAuthError('invalid_grant', 'The organization does not accept the sign-in of the person.');
