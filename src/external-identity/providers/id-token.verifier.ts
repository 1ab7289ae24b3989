import { createHash } from 'node:crypto';
import type { JWTPayload, ProtectedHeaderParameters } from 'jose';
import { isObject } from '../../kernel/index.js';
import type { OutboundHttp } from '../../platform/outbound/index.js';
import { requireName, requireSubject } from './provider-http.js';
import { MAX_NOTICE_AGE_SECONDS, SignInError } from './provider.js';
import { hasSignature, ProviderKeys } from './provider-keys.js';
import { readSignal, SIGNAL_SECONDS, type SignalToken } from './signal-token.js';

interface ExpectedToken {
  /** Accepted issuers. */
  readonly issuers: readonly string[];
  readonly audience: string;
  /** Audiences that the token may name besides. */
  readonly trustedAudiences?: readonly string[] | undefined;
  readonly nonce: string;
  /** The access token issued with the ID token. */
  readonly accessToken?: string | undefined;
  /** Seconds within which the person must have authenticated, if the request asked for it. */
  readonly maxAgeSeconds?: number | undefined;
}

/** Whose token it is, and for whom. */
export interface Sender {
  readonly issuer: string;
  readonly audience: string;
}

/** What is verified before a token is read. */
interface TokenRules {
  readonly issuer: string | readonly string[];
  readonly audience: string;
  /** Maximum age. */
  readonly seconds: number;
  /** Claims that it must have. */
  readonly claims: readonly string[];
}

/** Claims that one of the tokens has, in addition to the registered ones. */
interface ProviderClaims {
  readonly azp?: unknown;
  readonly sid?: unknown;
  readonly events?: unknown;
}

type ProtectedHeader = ProtectedHeaderParameters & { readonly alg: string };

/** A token whose signature, and registered claims, have been verified. */
interface VerifiedToken {
  readonly payload: JWTPayload & ProviderClaims;
  readonly protectedHeader: ProtectedHeader;
}

/** A JWS in the compact form: header and payload as they were signed, payload, signature. */
const COMPACT_JWS = /^([\w-]+\.([\w-]+))\.([\w-]+)$/;
/** `{"alg":"none"}` */
const UNSECURED_HEADER = 'eyJhbGciOiJub25lIn0';

/** A claim that does not fit, which a test names; `other-aud` for one audience too many. */
class OtherClaim extends Error {
  constructor(
    readonly claim: string,
    message: string,
  ) {
    super(message);
  }
}

/** Clock skew, and maximum age of a token: a flow lasts ten minutes (OIDC-5). */
const CLOCK_SECONDS = 60;
const MAX_TOKEN_AGE_SECONDS = 600;

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** A verified notice of Apple, with one event. */
export interface VerifiedNotice {
  readonly event: Readonly<Record<string, unknown>>;
  readonly issuedAt: Date;
  readonly id: string;
}

/** A verified logout token: `sid`, `sub` or both. */
export interface LogoutToken {
  readonly issuer: string;
  readonly subject: string | null;
  readonly sid: string | null;
  readonly once: { readonly id: string; readonly until: Date };
}

/** Seconds for which an identity assertion may be valid. */
const MAX_ASSERTION_SECONDS = 300;
const ASSERTION_TYPE = /^(?:application\/)?oauth-id-jag\+jwt$/i;

/** Claims of a verified identity assertion (ID-JAG). It has claims of ID tokens, too. */
export interface AssertionClaims extends JWTPayload {
  readonly sub: string;
  readonly jti: string;
}

/** Verifies ID tokens of one provider, which may have several issuers. */
export class IdTokenVerifier {
  private readonly keys: ProviderKeys;

  constructor(
    http: OutboundHttp,
    readonly jwksUrl: string,
    private readonly algorithms: readonly string[],
  ) {
    this.keys = new ProviderKeys(http, new URL(jwksUrl));
  }

  /** @throws {SignInError} */
  verify(
    idToken: string,
    { issuers, audience, trustedAudiences = [], nonce, accessToken, maxAgeSeconds }: ExpectedToken,
  ): Promise<JWTPayload & { readonly sub: string }> {
    const lifetime = { seconds: MAX_TOKEN_AGE_SECONDS, claims: ['sub', 'exp'] };
    return this.read(idToken, { issuer: issuers, audience, ...lifetime }, ({ payload, protectedHeader }) => {
      const { sub, aud, azp } = payload;
      // No other audience could use the token, unless it is trusted (OIDC-2).
      const known = [audience, ...trustedAudiences];
      if (![aud].flat().every((one) => one !== undefined && known.includes(one)))
        throw new OtherClaim('other-aud', 'The ID token is also for another app.');
      if (azp !== undefined && azp !== audience)
        throw new OtherClaim('azp', 'The ID token was issued to another app.');
      if (payload['nonce'] !== nonce) throw new OtherClaim('nonce', 'The ID token is of another flow.');
      if (accessToken !== undefined) checkAccessTokenHash(payload, protectedHeader.alg, accessToken);
      if (maxAgeSeconds !== undefined) checkAuthenticationTime(payload, maxAgeSeconds);
      return { ...payload, sub: requireSubject(sub) };
    });
  }

  /**
   * Verifies a logout token (OpenID Connect Back-Channel Logout 1.0 section 2.6). It is no ID
   * token: a nonce is refused, and the event is required.
   * @throws {SignInError}
   */
  verifyLogout(token: string, { issuer, audience }: Sender): Promise<LogoutToken> {
    const lifetime = { seconds: MAX_TOKEN_AGE_SECONDS, claims: ['iat', 'exp', 'jti'] };
    return this.read(token, { issuer, audience, ...lifetime }, ({ payload, protectedHeader }) => {
      const { sub, sid, jti, exp = 0, iat = 0, events } = payload;
      if (!['logout+jwt', 'JWT', undefined].includes(protectedHeader.typ?.replace(/^application\//i, '')))
        throw new Error('The token is of another type.');
      if (payload['nonce'] !== undefined) throw new Error('A logout token has no nonce.');
      if (!isObject(events) || !isObject(events[LOGOUT_EVENT])) throw new Error('It is no logout token.');
      if (sub === undefined && sid === undefined) throw new Error('It names no session and no person.');
      const until = Math.min(exp, iat + MAX_TOKEN_AGE_SECONDS) + CLOCK_SECONDS;
      return {
        issuer,
        subject: sub === undefined ? null : requireSubject(sub),
        sid: sid === undefined ? null : requireName(sid),
        once: { id: requireName(jti), until: new Date(until * 1_000) },
      };
    });
  }

  /**
   * Verifies a notice of Apple (server-to-server notifications). It is no ID token: it has no
   * nonce, and often no `exp`, so that its age is limited.
   * @throws {SignInError}
   */
  verifyNotice(
    token: string,
    { issuers, audience }: Pick<ExpectedToken, 'issuers' | 'audience'>,
  ): Promise<VerifiedNotice> {
    const lifetime = { seconds: MAX_NOTICE_AGE_SECONDS, claims: ['iat', 'jti'] };
    return this.read(token, { issuer: issuers, audience, ...lifetime }, ({ payload }) => {
      const { jti, iat = 0, events } = payload;
      return { event: eventOf(events), issuedAt: new Date(iat * 1_000), id: requireName(jti) };
    });
  }

  /**
   * Verifies a security event token (RFC 8417), which need not expire.
   * @throws {SignInError}
   */
  verifySignal(token: string, { issuer, audience }: Sender): Promise<SignalToken> {
    const lifetime = { seconds: SIGNAL_SECONDS, claims: ['iat', 'jti'] };
    return this.read(token, { issuer, audience, ...lifetime }, ({ payload, protectedHeader }) =>
      readSignal(payload, protectedHeader.typ, issuer),
    );
  }

  /**
   * Verifies an identity assertion (draft-ietf-oauth-identity-assertion-authz-grant section 4.4.1):
   * for one audience, and valid for at most five minutes.
   * @throws {SignInError}
   */
  verifyAssertion(token: string, { issuer, audience }: Sender): Promise<AssertionClaims> {
    const claims = ['sub', 'iat', 'exp', 'jti', 'client_id'];
    const asked = { issuer, audience, seconds: MAX_ASSERTION_SECONDS, claims };
    return this.read(token, asked, ({ payload, protectedHeader }) => {
      const { sub, jti, aud, iat = 0, exp = 0 } = payload;
      if (!ASSERTION_TYPE.test(protectedHeader.typ ?? '')) throw new Error('The token is of another type.');
      if ([aud].flat().length !== 1) throw new Error('It is for more than one audience.');
      if (exp <= iat || exp - iat > MAX_ASSERTION_SECONDS) throw new Error('It is valid for too long.');
      return { ...payload, sub: requireSubject(sub), jti: requireName(jti) };
    });
  }

  /** Verifies a token of the provider, and reads what it says. */
  private async read<T>(
    token: string,
    { issuer, audience, seconds, claims }: TokenRules,
    reader: (verified: VerifiedToken) => T,
  ): Promise<T> {
    try {
      const jose = await import('jose'); // loaded only if a provider needs it
      const { protectedHeader, encodedPayload } = await this.verifySignature(token, jose);
      // The library checks claims without a signature only of a JWT that says it has none.
      const { payload } = jose.UnsecuredJWT.decode<ProviderClaims>(`${UNSECURED_HEADER}.${encodedPayload}.`, {
        issuer: [issuer].flat(),
        audience,
        clockTolerance: CLOCK_SECONDS,
        maxTokenAge: seconds,
        requiredClaims: [...claims],
      });
      return reader({ payload, protectedHeader });
    } catch (error) {
      throw error instanceof SignInError ? error : new SignInError('invalid_response', error);
    }
  }

  /** Verifies the signature of a compact JWS (RFC 7515 section 5.2), and nothing of its claims. */
  private async verifySignature(
    token: string,
    { decodeProtectedHeader, errors }: typeof import('jose'),
  ): Promise<{ readonly protectedHeader: ProtectedHeader; readonly encodedPayload: string }> {
    const [, content = '', encodedPayload = '', signature = ''] = COMPACT_JWS.exec(token) ?? [];
    const { alg = '', ...header } = decodeProtectedHeader(token);
    if (!this.algorithms.includes(alg)) throw new errors.JOSEAlgNotAllowed('The algorithm is not accepted.');
    if ('crit' in header) throw new errors.JOSENotSupported('An extension is not known.');
    const protectedHeader = { ...header, alg };
    if (!hasSignature(alg, await this.keys.find(protectedHeader), content, signature))
      throw new errors.JWSSignatureVerificationFailed();
    return { protectedHeader, encodedPayload };
  }
}

/** Apple sends the event as a text of JSON. */
function eventOf(events: unknown): Readonly<Record<string, unknown>> {
  const said: unknown = typeof events === 'string' ? JSON.parse(events) : events;
  if (!isObject(said)) throw new Error('The token has no event.');
  return said;
}

/**
 * Checks `at_hash`, if present: the access token was issued with the ID token (OpenID Connect Core
 * 3.1.3.8).
 * @param alg signature algorithm, which determines the hash
 */
function checkAccessTokenHash({ at_hash: said }: JWTPayload, alg: string, accessToken: string): void {
  if (said === undefined) return;
  const bits = /(?:256|384|512)$/.exec(alg)?.[0] ?? '512'; // Ed25519 hashes by SHA-512 (RFC 8032 section 5.1)
  const hash = createHash(`sha${bits}`).update(accessToken).digest();
  if (said !== hash.subarray(0, hash.length / 2).toString('base64url'))
    throw new Error('The ID token was issued with another access token.');
}

/** Checks `auth_time` against the requested maximum age (OpenID Connect Core 3.1.2.1, 3.1.3.7). */
function checkAuthenticationTime({ auth_time: authTime }: JWTPayload, maxAgeSeconds: number): void {
  const now = Date.now() / 1_000;
  if (typeof authTime !== 'number' || authTime > now + CLOCK_SECONDS)
    throw new Error('The ID token does not say when the person authenticated.');
  if (authTime < now - CLOCK_SECONDS - maxAgeSeconds)
    throw new Error('The person authenticated too long ago.');
}
