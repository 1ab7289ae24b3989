import type { KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { AccessTokenAlg } from '../../client/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { KeyDerivation, Sealer } from '../../platform/crypto/index.js';
import { AppError } from '../../platform/errors/index.js';
import {
  FIRST_PARTY_CLIENT,
  type MachinePrincipal,
  type PersonPrincipal,
  type Principal,
  selectedEvidence,
  type SessionId,
  type TenantId,
  type UserId,
} from '../../kernel/index.js';
import { strengthClaimsOf } from '../evidence/evidence.js';
import { findTokenKey, isCanonical, isTooLong, type TokenKey } from './token-form.js';
import { type TokenFrame, TokenSigner } from './token-signer.js';
import { VerifiedTokens, type VerifiedToken } from './verified-tokens.js';

const CLOCK_TOLERANCE_SECONDS = 5;
/** Accepts tokens of a replica whose clock is ahead of this one's. */
const MAX_ISSUED_AHEAD_SECONDS = 60;
/**
 * Lower bound of the longest accepted lifetime. ACCESS_TOKEN_TTL alone is not enough: during a
 * rolling restart with a longer setting, new replicas would sign tokens that old replicas refuse.
 */
const MIN_LIFETIME_LIMIT_SECONDS = 3_600;
/**
 * Characters. A longer `scope` claim is omitted, because the token would exceed the header limits
 * of proxies; services then use the permission check.
 */
const MAX_SCOPE_LENGTH = 4_000;

/** Content of an access token. */
export interface AccessTokenSubject extends Omit<PersonPrincipal, 'kind' | 'grantedScopes' | 'jkt'> {
  /** Name of the session for the client, if it is not the id. */
  readonly sid?: string;
  /** Thumbprint of the key that the grant is bound to. */
  readonly dpopJkt?: string | null;
  readonly amr: readonly string[];
  /** Scopes that the user holds in the selected tenant and the client may use. */
  readonly scopes: readonly string[];
  /** Whether the token allows these scopes only: one of OpenID Connect. */
  readonly isLimited?: boolean;
  /** Seconds. Default: ACCESS_TOKEN_TTL. */
  readonly lifetimeSeconds?: number;
}

/**
 * Signs and verifies access tokens by the RFC 9068 profile (API-3): ES256, or RS256 for a client
 * that asks for it, `typ: at+jwt`, key looked up by `kid` in the service's own key set only.
 */
@Injectable()
export class AccessTokenService {
  private readonly verified = new VerifiedTokens();
  private readonly sealer: Sealer;

  constructor(
    private readonly jwt: JwtService,
    private readonly signer: TokenSigner,
    @Inject(SETTINGS) private readonly settings: Settings,
    derivation: KeyDerivation,
  ) {
    this.sealer = new Sealer(derivation, 'token-subject');
  }

  /** Signs a token that expires after `lifetimeSeconds`, or ACCESS_TOKEN_TTL seconds. */
  sign(subject: AccessTokenSubject): string {
    return this.signer.sign(this.claimsOf(subject), this.frameOf(subject));
  }

  /** Signs a token by the algorithm that its client asks for. */
  signBy(alg: AccessTokenAlg, subject: AccessTokenSubject): Promise<string> {
    return this.signer.signBy(alg, this.claimsOf(subject), this.frameOf(subject));
  }

  private frameOf(subject: AccessTokenSubject): TokenFrame {
    return {
      audience: this.settings.TOKEN_AUDIENCE,
      subject: subject.subject ?? subject.userId,
      seconds: subject.lifetimeSeconds ?? this.settings.ACCESS_TOKEN_TTL,
    };
  }

  /** Returns the claims of a token, without those that each token has. */
  claimsOf(subject: AccessTokenSubject): object {
    const scope = subject.scopes.join(' ');
    // The first-party token asks for other organizations as well, in which other evidence counts.
    const { aal2Time, phrTime, trustedDevice } =
      subject.clientId === FIRST_PARTY_CLIENT ? subject : selectedEvidence(subject);
    return {
      sid: subject.sid ?? subject.sessionId,
      gid: subject.grantId,
      client_id: subject.clientId,
      auth_time: secondsOf(subject.authTime),
      ...strengthClaimsOf(subject),
      ...(aal2Time !== null && { aal2_time: secondsOf(aal2Time) }),
      ...(phrTime !== null && { phr_time: secondsOf(phrTime) }),
      ...(trustedDevice && { trusted_device: true }),
      ...vouchersFor(subject),
      ...(subject.ownProofMissing && { own_proof_missing: true }),
      // Readable to this service only: the client knows person and session by other identifiers.
      ...(subject.subject !== undefined && {
        uid: this.sealer.seal(`${subject.userId} ${subject.sessionId}`),
      }),
      ...(typeof subject.dpopJkt === 'string' && { cnf: { jkt: subject.dpopJkt } }),
      ...(subject.tenantId !== null && { tid: subject.tenantId }),
      ...(subject.actorId !== undefined && { act: { sub: subject.actorId } }),
      ...(subject.stationId !== undefined && { station: subject.stationId }),
      ...(subject.via !== undefined && { via: subject.via }),
      ...(subject.isLimited
        ? { scope }
        : subject.tenantId !== null && scope.length <= MAX_SCOPE_LENGTH && { scope }),
    };
  }

  /**
   * Verifies the token's signature and claims; the caller checks the liveness of the session.
   * Verifies the signature of a token once, and its key and times at each request.
   * @returns the principal that the token identifies
   * @throws {AppError} unauthenticated
   */
  async verify(token: string): Promise<Principal> {
    return (await this.read(token)).principal;
  }

  /**
   * Verifies a token as {@link verify} does.
   * @returns the principal, and the times of the token
   * @throws {AppError} unauthenticated
   */
  async read(token: string): Promise<VerifiedToken> {
    if (isTooLong(token)) throw refused('too long');
    const known = this.verified.find(token);
    const key = known?.key ?? findTokenKey(token);
    const publicKey = key && (await this.signer.findPublicKey(key));
    if (!publicKey) throw refused('unknown key or type');
    const verified = known ?? this.verifySignature(token, key, publicKey);
    requireValidTimes(verified);
    if (!known) this.verified.remember(token, verified);
    return verified;
  }

  private verifySignature(token: string, key: TokenKey, publicKey: KeyObject): VerifiedToken {
    if (!isCanonical(token, key)) throw refused('not in canonical form');
    let claims: Record<string, unknown>;
    try {
      claims = this.jwt.verify<Record<string, unknown>>(token, {
        secret: publicKey as never,
        algorithms: [key.alg],
        issuer: this.settings.PUBLIC_URL,
        audience: this.settings.TOKEN_AUDIENCE,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      });
    } catch (cause) {
      throw refused(cause);
    }
    const { principal, issuedAt, expiresAt } = this.readClaims(claims);
    return { principal, key, issuedAt, expiresAt };
  }

  /**
   * Reads the claims of a token whose signature, issuer and audience have been verified.
   * @throws {AppError} unauthenticated for claims that this service does not write
   */
  readClaims(claims: Readonly<Record<string, unknown>>): Omit<VerifiedToken, 'key'> {
    const { sub, sid, gid, tid, iat, exp, auth_time: authTime, client_id: clientId } = claims;
    const machine = sid === undefined ? toMachine(claims) : null;
    const whole = [sub, sid, gid, clientId].every((claim) => typeof claim === 'string');
    if (!whole && !machine) throw refused('claims missing');
    // The library accepts a token without `exp`, and any number as `exp`.
    if (!isSeconds(exp) || !isSeconds(iat)) throw refused('times missing');
    const maxLifetime = Math.max(this.settings.ACCESS_TOKEN_TTL, MIN_LIFETIME_LIMIT_SECONDS);
    if (exp <= iat || exp - iat > maxLifetime) throw refused('lifetime too long');
    if (machine) return { principal: machine, issuedAt: iat, expiresAt: exp };
    if (!isSeconds(authTime)) throw refused('times missing');
    const { userId, sessionId, ...pairwise } = this.personOf(sub as string, sid as string, claims['uid']);
    // What each principal has comes first: V8 then stores it in the object itself.
    const principal = {
      kind: 'person' as const,
      userId,
      sessionId,
      grantId: gid as string,
      clientId: clientId as string,
      tenantId: typeof tid === 'string' ? (tid as TenantId) : null,
      authTime: new Date(authTime * 1_000),
      aal2Time: timeOf(claims['aal2_time']),
      phrTime: timeOf(claims['phr_time']),
      trustedDevice: claims['trusted_device'] === true,
      ...pairwise,
      ...(Array.isArray(claims['vouched_by']) && { assuredBy: claims['vouched_by'] as TenantId[] }),
      ...(claims['vouched_factor'] === true && { assuredFactor: true }),
      ...(claims['own_proof_missing'] === true && { ownProofMissing: true }),
      ...bindingOf(claims['cnf']),
      ...limitOf(claims['scope']),
      ...actorOf(claims['act'], clientId as string),
      ...(typeof claims['station'] === 'string' && { stationId: claims['station'] }),
      ...(typeof claims['via'] === 'string' && { via: claims['via'] }),
    };
    return { principal, issuedAt: iat, expiresAt: exp };
  }

  /**
   * Reads account and session: of a token that names the person to its client only, the sealed ids.
   * @throws {AppError} unauthenticated if the ids cannot be read
   */
  private personOf(
    sub: string,
    sid: string,
    uid: unknown,
  ): Pick<PersonPrincipal, 'userId' | 'sessionId' | 'subject'> {
    if (uid === undefined) return { userId: sub as UserId, sessionId: sid as SessionId };
    try {
      const [userId = '', sessionId = ''] = this.sealer.open(String(uid)).split(' ');
      return { userId: userId as UserId, sessionId: sessionId as SessionId, subject: sub };
    } catch (cause) {
      throw refused(cause);
    }
  }
}

/**
 * Names the organizations that have vouched for the person. The token of another client names the
 * selected one alone: it must not tell the client where else the person belongs.
 */
function vouchersFor({ assuredBy = [], assuredFactor, clientId, tenantId }: AccessTokenSubject): {
  vouched_by?: readonly TenantId[];
  vouched_factor?: true;
} {
  const named = clientId === FIRST_PARTY_CLIENT ? assuredBy : assuredBy.filter((id) => id === tenantId);
  if (named.length === 0) return {};
  return { vouched_by: named, ...(assuredFactor && { vouched_factor: true }) };
}

/** @returns the service account of a token without a session; null if a claim is missing */
function toMachine(claims: Record<string, unknown>): MachinePrincipal | null {
  const { sub, tid, cid, scope, client_id: clientId } = claims;
  if (![sub, tid, cid].every((claim) => typeof claim === 'string') || sub !== clientId) return null;
  return {
    kind: 'machine',
    owner: 'service-account',
    userId: sub as UserId,
    clientId: clientId as string,
    tenantId: tid as TenantId,
    credentialId: cid as string,
    scopes: typeof scope === 'string' ? new Set(scope.split(' ')) : null,
    ...bindingOf(claims['cnf']),
  };
}

/** Returns the key that a token is bound to. @throws {AppError} for a binding of another kind */
function bindingOf(cnf: unknown): Pick<Principal, 'jkt'> {
  if (cnf === undefined) return {};
  const jkt = typeof cnf === 'object' && cnf !== null && 'jkt' in cnf ? cnf.jkt : null;
  if (typeof jkt !== 'string') throw refused('unknown confirmation');
  return { jkt };
}

/** Returns the scopes to which a token of OpenID Connect is limited: `openid` is one of them. */
function limitOf(scope: unknown): Pick<PersonPrincipal, 'grantedScopes'> {
  const scopes = typeof scope === 'string' ? scope.split(' ') : [];
  return scopes.includes('openid') ? { grantedScopes: new Set(scopes) } : {};
}

/**
 * Returns the operator who acts as the person; none if the client itself acts as an agent.
 * @throws {AppError} unauthenticated for an actor that is not named: never the person alone
 */
function actorOf(act: unknown, clientId: string): Pick<PersonPrincipal, 'actorId'> {
  if (act === undefined) return {};
  const { sub } = (act ?? {}) as { sub?: unknown };
  if (typeof sub !== 'string') throw refused('actor without a name');
  return sub === clientId ? {} : { actorId: sub as UserId };
}

const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1_000);

/** Returns the time of a claim; null if it is missing: the session has no such proof. */
const timeOf = (claim: unknown): Date | null => (isSeconds(claim) ? new Date(claim * 1_000) : null);

/** Returns whether the claim is a whole number of seconds since the epoch. */
function isSeconds(claim: unknown): claim is number {
  return Number.isSafeInteger(claim) && Number(claim) >= 0;
}

/**
 * Checks `iat` and `exp` at each request, also of a token that was verified earlier: the clock may
 * have been set since.
 * @throws {AppError} unauthenticated
 */
function requireValidTimes({ principal, issuedAt, expiresAt }: VerifiedToken): void {
  const now = Date.now() / 1000;
  // The time that an organization grants to support has no tolerance, nor has that of a station.
  const isExact =
    principal.kind === 'person' && (principal.actorId !== undefined || principal.stationId !== undefined);
  if (now >= expiresAt + (isExact ? 0 : CLOCK_TOLERANCE_SECONDS)) throw refused('expired');
  if (issuedAt > now + MAX_ISSUED_AHEAD_SECONDS) throw refused('issued in the future');
}

const refused = (cause: unknown): AppError =>
  new AppError('unauthenticated', {
    detail: 'The access token is not valid, has expired, or its session has ended.',
    cause,
  });
