import type { JWTPayload } from 'jose';
import { type Evidence, evidenceOf } from '../authentication.js';
import { InvalidTokenError } from './errors.js';

/** Clocks differ by less: a token issued further in the future is refused. */
const MAX_ISSUED_AHEAD_SECONDS = 60;

/** Content of an access token (RFC 9068), as of its issue. */
export interface AccessToken extends Evidence {
  /** The encoded token, to call other services with. */
  readonly raw: string;
  /** `service`: a service account, which has no session and no sign-in. */
  readonly kind: 'person' | 'service';
  /**
   * Id of the person or the service account. A third-party client with pairwise subjects knows the
   * person by another id than Gatehouse's own app does.
   */
  readonly userId: string;
  /** Null for a service account. */
  readonly sessionId: string | null;
  /** The selected tenant. Whatever your service reads or changes must belong to it. */
  readonly tenantId: string | null;
  /**
   * Scopes of the caller in the tenant; null if they are too many for a token, so that Gatehouse
   * must be asked.
   */
  readonly scopes: ReadonlySet<string> | null;
  /** The client that the token was issued to. A service account is its own client. */
  readonly clientId: string;
  /** Methods of the user's authentication (RFC 8176); none for a service account. */
  readonly methods: readonly string[];
  readonly expiresAt: Date;
}

type Claims = JWTPayload & Record<string, unknown>;

/**
 * Parses the claims.
 * @throws {InvalidTokenError} if a claim is missing or of the wrong type, the lifetime exceeds the
 *   limit, or the token is bound to a key (DPoP)
 */
export function parseAccessToken(raw: string, claims: Claims, maxLifetimeSeconds: number): AccessToken {
  const { sub, sid, tid, iat, exp, amr, scope, client_id: clientId } = claims;
  const kind = sid === undefined ? 'service' : 'person';
  const incomplete = Object.entries(kind === 'person' ? PERSON : SERVICE).find(
    ([name, isValid]) => !isValid(claims[name]),
  );
  if (incomplete) throw new InvalidTokenError(`claim ${incomplete[0]} missing or of the wrong type`);
  if (kind === 'service' && clientId !== sub)
    throw new InvalidTokenError('claim sid missing, and not the token of a service account');
  // Without the proof of its key, a stolen token could be used (RFC 9449 section 7.2).
  if (claims['cnf'] !== undefined) throw new InvalidTokenError('bound to a key');
  const lifetime = Number(exp) - Number(iat);
  if (lifetime <= 0 || lifetime > maxLifetimeSeconds) throw new InvalidTokenError('lifetime out of bounds');
  if ((iat as number) > Date.now() / 1000 + MAX_ISSUED_AHEAD_SECONDS)
    throw new InvalidTokenError('issued in the future');
  return {
    raw,
    kind,
    userId: sub as string,
    sessionId: kind === 'person' ? (sid as string) : null,
    tenantId: (tid as string | undefined) ?? null,
    scopes: parseScopes(tid, scope as string | undefined),
    clientId: clientId as string,
    ...evidenceOf(kind === 'person' ? claims : {}),
    methods: kind === 'person' ? (amr as string[]) : [],
    expiresAt: new Date((exp as number) * 1000),
  };
}

const isText = (claim: unknown): boolean => typeof claim === 'string';
const isTextOrAbsent = (claim: unknown): boolean => claim === undefined || isText(claim);
const isSeconds = (claim: unknown): boolean => Number.isSafeInteger(claim) && Number(claim) >= 0;

const COMMON = { sub: isText, client_id: isText, iat: isSeconds, exp: isSeconds, scope: isTextOrAbsent };
const PERSON = {
  ...COMMON,
  sid: isText,
  gid: isText,
  auth_time: isSeconds,
  tid: isTextOrAbsent,
  amr: Array.isArray,
};
/** A service account belongs to one tenant; `cid` is the credential that it has shown. */
const SERVICE = { ...COMMON, tid: isText, cid: isText };

function parseScopes(tenantId: unknown, scope: string | undefined): ReadonlySet<string> | null {
  if (scope === undefined) return tenantId === undefined ? new Set() : null;
  return new Set(scope.split(' ').filter((item) => item !== ''));
}
