import { Injectable } from '@nestjs/common';
import { type Acr, ACRS, isObject } from '../../kernel/index.js';
import { isPlainUrl } from '../../platform/config/index.js';
import { CODE_CHALLENGE } from '../../platform/crypto/index.js';
import { type Client, isClientUrl } from '../../client/index.js';
import type { ApiTarget } from '../apis/api-scopes.js';
import { scopesOf } from '../openid-scopes.js';
import { requireGrantType } from '../token/client-authenticator.js';
import { IdTokens } from '../token/id-tokens.js';
import { OAuthError } from '../token/oauth-error.js';
import { RequestedResource } from '../token/requested-resource.js';
import type { ResponseMode } from './authorization-request.entity.js';
import type { CheckedRequest } from './authorization-request.repository.js';
import type { Parameters } from '../token/oauth-request.js';

const PROMPTS = ['none', 'login', 'consent', 'select_account'];
/** A thumbprint of a key by SHA-256 (RFC 9449 section 10). */
const THUMBPRINT = /^[\w-]{43}$/;
/** Characters of `state`, `nonce` and hints, which are stored for ten minutes. */
const MAX_VALUE_LENGTH = 2_048;
/** Seconds: that of a 32-bit column. */
const MAX_AGE = 2_147_483_647;
/** Tags of BCP 47, separated by spaces. */
const LANGUAGE_TAGS = /^(?=.{1,200}$)[A-Za-z\d-]{1,35}(?: [A-Za-z\d-]{1,35})*$/;
/** `localhost` too: many tools use it, although an address is safer (RFC 8252 section 8.3). */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(\/.*)?$/;

/** Parameters of extensions that this service does not support, and how each is refused. */
const UNSUPPORTED = {
  request: 'request_not_supported',
  registration: 'registration_not_supported',
} as const;

/**
 * Finds the registered address of a request: the same, character by character. For a public client,
 * a registered loopback address stands for any port (RFC 8252 section 7.3).
 */
export function findRedirectUri(
  { type, redirectUris }: Pick<Client, 'type' | 'redirectUris'>,
  requested: string | undefined,
): string | null {
  if (requested === undefined || requested.length > 500) return null;
  if (redirectUris.includes(requested)) return requested;
  if (type !== 'public' || !LOOPBACK.test(requested) || !isPlainUrl(requested)) return null;
  const withoutPort = (uri: string): string =>
    uri.replace(LOOPBACK, (_, host: string, path = '/') => `${host}${path}`);
  const registered = redirectUris.filter((uri) => LOOPBACK.test(uri)).map(withoutPort);
  return registered.includes(withoutPort(requested)) ? requested : null;
}

/** Checks authorization requests, whose client and redirect URI have been checked. */
@Injectable()
export class RequestCheck {
  constructor(
    private readonly resources: RequestedResource,
    private readonly idTokens: IdTokens,
  ) {}

  /** @throws {OAuthError} with the code of the first fault */
  async check(client: Client, redirectUri: string, parameters: Parameters): Promise<CheckedRequest> {
    const target = await this.resources.find(client, parameters);
    const request = checkRequest(client, redirectUri, parameters, target);
    const hint = parameters['id_token_hint'];
    if (hint === undefined) return { ...request, subjectHint: null };
    const claims = await this.idTokens.verifyHint(hint, client.clientId);
    if (!claims) throw new OAuthError('invalid_request', 'id_token_hint is not an ID token of this client.');
    return { ...request, subjectHint: claims.userId };
  }
}

/**
 * Checks an authorization request (RFC 6749 section 4.1.1, RFC 7636 section 4.3, OpenID Connect
 * Core section 3.1.2.1), whose client and redirect URI have been checked.
 * @param target API that the request is for; null for this service
 * @throws {OAuthError} with the code of the first fault
 */
function checkRequest(
  client: Client,
  redirectUri: string,
  parameters: Parameters,
  target: ApiTarget | null,
): Omit<CheckedRequest, 'subjectHint'> {
  const { response_type: type, response_mode: mode, state, nonce, login_hint: hint } = parameters;
  // First: a request object would hold the other parameters.
  for (const [name, code] of Object.entries(UNSUPPORTED))
    if (parameters[name] !== undefined) throw new OAuthError(code, `${name} is not supported.`);
  if (parameters['claims'] !== undefined) requireNoValues(parameters['claims']);
  if (type === undefined) throw new OAuthError('invalid_request', 'response_type is missing.');
  if (type !== 'code') throw new OAuthError('unsupported_response_type', 'response_type must be code.');
  if (mode !== undefined && !isSupportedMode(mode, redirectUri))
    throw new OAuthError('invalid_request', 'response_mode must be query, fragment or form_post.');
  requireGrantType(client, 'authorization_code');
  for (const [name, value = ''] of Object.entries({ state, nonce, login_hint: hint }))
    if (value.length > MAX_VALUE_LENGTH) throw new OAuthError('invalid_request', `${name} is too long.`);
  if (!target && isClientUrl(client.clientId))
    throw new OAuthError('invalid_target', 'resource is missing: the client is for APIs only.');
  const scopes = scopesOf(client, parameters['scope'], target);
  const isOpenId = scopes.includes('openid');
  if (!isOpenId && !target) throw new OAuthError('invalid_scope', 'scope must contain openid.');
  return {
    clientId: client.clientId,
    redirectUri,
    scopes,
    state: state ?? null,
    nonce: nonce ?? null,
    responseMode: responseModeOf(parameters, redirectUri),
    codeChallenge: challengeOf(client, parameters, isOpenId),
    prompts: promptsOf(parameters['prompt']),
    maxAge: maxAgeOf(parameters['max_age']),
    acr: acrOf(parameters['acr_values']),
    loginHint: hint ?? null,
    uiLocales: localesOf(parameters['ui_locales']),
    dpopJkt: thumbprintOf(parameters['dpop_jkt']),
  };
}

/**
 * Requires that `claims` (OpenID Connect Core section 5.5) asks for no value. The parameter is not
 * supported and ignored otherwise, as scopes decide what a client gets; ignored, a request for the
 * data of a certain person would be answered with those of another.
 */
function requireNoValues(claims: string): void {
  if (claims.length > MAX_VALUE_LENGTH) throw new OAuthError('invalid_request', 'claims is too long.');
  const members = [parsedOf(claims)].flatMap((all) => [all, ...membersOf(all).flatMap(membersOf)]);
  if (!isObject(members[0])) throw new OAuthError('invalid_request', 'claims is not an object of JSON.');
  if (members.some((claim) => isObject(claim) && ('value' in claim || 'values' in claim)))
    throw new OAuthError('invalid_request', 'claims must not ask for a value.');
}

const membersOf = (value: unknown): unknown[] => (isObject(value) ? Object.values(value) : []);

function parsedOf(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/** Returns how a request wants its answer: in the query if it does not say, or wrongly. */
export function responseModeOf({ response_mode: mode }: Parameters, redirectUri: string): ResponseMode {
  return mode !== undefined && isSupportedMode(mode, redirectUri) ? mode : 'query';
}

/** A form cannot be posted to the scheme of an app. */
const isSupportedMode = (mode: string, redirectUri: string): mode is ResponseMode =>
  mode === 'query' || mode === 'fragment' || (mode === 'form_post' && /^https?:/.test(redirectUri));

/**
 * Returns the challenge of PKCE; empty without one. A client that need not send it binds its
 * sign-ins by the nonce of the ID token (RFC 9700 section 2.1.1); without `scope` it speaks OAuth,
 * and ignores the ID token.
 */
function challengeOf({ requirePkce }: Client, parameters: Parameters, isOpenId: boolean): string {
  const { code_challenge: challenge, code_challenge_method: method = 'plain', nonce, scope } = parameters;
  // Nothing else binds the code of a request without an ID token.
  if (challenge === undefined && (requirePkce || !isOpenId))
    throw new OAuthError('invalid_request', 'code_challenge is missing (PKCE).');
  if (challenge === undefined && nonce === undefined && scope !== undefined)
    throw new OAuthError('invalid_request', 'nonce or code_challenge (PKCE) is missing.');
  if (challenge === undefined) return '';
  if (method !== 'S256') throw new OAuthError('invalid_request', 'code_challenge_method must be S256.');
  if (!CODE_CHALLENGE.test(challenge))
    throw new OAuthError('invalid_request', 'code_challenge is malformed.');
  return challenge;
}

function promptsOf(prompt: string | undefined): string[] {
  const prompts = prompt === undefined ? [] : [...new Set(prompt.split(' '))];
  if (!prompts.every((one) => PROMPTS.includes(one)))
    throw new OAuthError('invalid_request', `prompt must be of ${PROMPTS.join(', ')}.`);
  if (prompts.includes('none') && prompts.length > 1)
    throw new OAuthError('invalid_request', 'prompt=none must be alone.');
  return prompts;
}

function maxAgeOf(maxAge: string | undefined): number | null {
  if (maxAge === undefined) return null;
  if (!/^\d{1,10}$/.test(maxAge) || Number(maxAge) > MAX_AGE)
    throw new OAuthError('invalid_request', 'max_age must be a number of seconds.');
  return Number(maxAge);
}

function thumbprintOf(jkt: string | undefined): string | null {
  if (jkt !== undefined && !THUMBPRINT.test(jkt))
    throw new OAuthError('invalid_request', 'dpop_jkt must be a thumbprint by SHA-256.');
  return jkt ?? null;
}

/** Returns the language tags of a request; malformed ones are ignored, as they are a wish. */
function localesOf(locales: string | undefined): string | null {
  return locales !== undefined && LANGUAGE_TAGS.test(locales) ? locales : null;
}

/** Returns the first of the values that this service knows; they are a wish and not a demand. */
function acrOf(values: string | undefined): Acr | null {
  return (
    values?.split(' ').find((value): value is Acr => (ACRS as readonly string[]).includes(value)) ?? null
  );
}
