import type { JWTPayload } from 'jose';
import { type Evidence, evidenceOf } from '../authentication.js';
import { InvalidTokenError } from './errors.js';

/** Clocks differ by less: a token issued further in the future is refused. */
const MAX_ISSUED_AHEAD_SECONDS = 60;

/** Content of an access token (RFC 9068), as of its issue. */
export interface AccessToken extends Evidence {
  /** The encoded token, to call other services with. */
  readonly raw: string;
  readonly userId: string;
  readonly sessionId: string;
  /** The selected tenant. Whatever your service reads or changes must belong to it. */
  readonly tenantId: string | null;
  /**
   * Scopes of the caller in the tenant; null if they are too many for a token, so that Gatehouse
   * must be asked.
   */
  readonly scopes: ReadonlySet<string> | null;
  /** The client that the token was issued to. */
  readonly clientId: string;
  /** Methods of the user's authentication (RFC 8176). */
  readonly methods: readonly string[];
  readonly expiresAt: Date;
}

/**
 * Parses the claims.
 * @throws {InvalidTokenError} if a claim is missing or of the wrong type, the lifetime exceeds the
 *   limit, or the token is bound to a key (DPoP)
 */
export function parseAccessToken(
  raw: string,
  claims: JWTPayload & Record<string, unknown>,
  maxLifetimeSeconds: number,
): AccessToken {
  const { sub, sid, gid, tid, iat, exp, amr, scope, client_id: clientId, auth_time: authTime } = claims;
  const complete =
    [sub, sid, gid, clientId].every((claim) => typeof claim === 'string') &&
    [iat, exp, authTime].every((claim) => Number.isSafeInteger(claim) && Number(claim) >= 0) &&
    [tid, scope].every((claim) => claim === undefined || typeof claim === 'string') &&
    Array.isArray(amr);
  if (!complete) throw new InvalidTokenError('claims missing');
  // Without the proof of its key, a stolen token could be used (RFC 9449 section 7.2).
  if (claims['cnf'] !== undefined) throw new InvalidTokenError('bound to a key');
  const lifetime = Number(exp) - Number(iat);
  if (lifetime <= 0 || lifetime > maxLifetimeSeconds) throw new InvalidTokenError('lifetime out of bounds');
  if ((iat as number) > Date.now() / 1000 + MAX_ISSUED_AHEAD_SECONDS)
    throw new InvalidTokenError('issued in the future');
  return {
    raw,
    userId: sub as string,
    sessionId: sid as string,
    tenantId: (tid as string | undefined) ?? null,
    scopes: parseScopes(tid, scope as string | undefined),
    clientId: clientId as string,
    ...evidenceOf(claims),
    methods: amr as string[],
    expiresAt: toDate(exp),
  };
}

function parseScopes(tenantId: unknown, scope: string | undefined): ReadonlySet<string> | null {
  if (tenantId === undefined) return new Set();
  return scope === undefined ? null : new Set(scope.split(' ').filter((item) => item !== ''));
}

const toDate = (seconds: unknown): Date => new Date((seconds as number) * 1000);
