import type { JWTPayload } from 'jose';
import { InvalidTokenError } from './errors.js';

/** A token that was issued further ahead than clocks differ is none of ours. */
const ISSUED_AHEAD_SECONDS = 60;

/** Whom an access token speaks for (RFC 9068), as it was when the token was issued. */
export interface AccessToken {
  /** As it came, to ask other services with. */
  readonly raw: string;
  readonly userId: string;
  readonly sessionId: string;
  /** The tenant that the caller works in. Whatever you answer or change belongs to it. */
  readonly tenantId: string | null;
  /** What the caller holds in the tenant; null where that is too much for a token, so that the service has to be asked. */
  readonly scopes: ReadonlySet<string> | null;
  /** The app or satellite that the token was issued to. */
  readonly clientId: string;
  /** When and how the person signed in. */
  readonly authenticatedAt: Date;
  readonly methods: readonly string[];
  readonly expiresAt: Date;
}

/** @throws {InvalidTokenError} where claims are missing, of another type, or give the token a lifetime that it cannot have */
export function accessTokenOf(
  raw: string,
  claims: JWTPayload & Record<string, unknown>,
  maxLifetimeSeconds: number,
): AccessToken {
  const { sub, sid, gid, tid, iat, exp, amr, scope, client_id: clientId, auth_time: authTime } = claims;
  const whole =
    [sub, sid, gid, clientId].every((claim) => typeof claim === 'string') &&
    [iat, exp, authTime].every((claim) => Number.isSafeInteger(claim) && Number(claim) >= 0) &&
    [tid, scope].every((claim) => claim === undefined || typeof claim === 'string') &&
    Array.isArray(amr);
  if (!whole) throw new InvalidTokenError('claims missing');
  const lifetime = Number(exp) - Number(iat);
  if (lifetime <= 0 || lifetime > maxLifetimeSeconds) throw new InvalidTokenError('lifetime out of bounds');
  if ((iat as number) > Date.now() / 1000 + ISSUED_AHEAD_SECONDS)
    throw new InvalidTokenError('issued in the future');
  return {
    raw,
    userId: sub as string,
    sessionId: sid as string,
    tenantId: (tid as string | undefined) ?? null,
    scopes: scopesOf(tid, scope as string | undefined),
    clientId: clientId as string,
    authenticatedAt: dateOf(authTime),
    methods: amr as string[],
    expiresAt: dateOf(exp),
  };
}

function scopesOf(tenantId: unknown, scope: string | undefined): ReadonlySet<string> | null {
  if (tenantId === undefined) return new Set();
  return scope === undefined ? null : new Set(scope.split(' ').filter((item) => item !== ''));
}

const dateOf = (seconds: unknown): Date => new Date((seconds as number) * 1000);
