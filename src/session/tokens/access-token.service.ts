import { Inject, Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { AppError } from '../../platform/errors/index.js';
import { newId, type Principal, type SessionId, type TenantId, type UserId } from '../../kernel/index.js';
import { SigningKeyService, type SigningKey } from '../signing-keys/signing-key.service.js';
import { VerifiedTokens, type VerifiedToken } from './verified-tokens.js';

const CLOCK_TOLERANCE_SECONDS = 5;
/** A replica whose clock is ahead signs tokens that begin a little later here. */
const ISSUED_AHEAD_SECONDS = 60;
/**
 * Longest lifetime of a token that is accepted where ACCESS_TOKEN_TTL is shorter. Not that setting alone, as replicas that are restarted with
 * a longer one would sign tokens that the others refuse.
 */
const MIN_LONGEST_LIFETIME_SECONDS = 3_600;
/** Nothing longer is worth parsing. */
const MAX_TOKEN_LENGTH = 8_192;
/**
 * The compact form (RFC 7515 section 3.1) in its only spelling: the last of the 86 characters of an ES256 signature carries two bits, and
 * decoders ignore its other four.
 */
const COMPACT_FORM = /^[\w-]+\.[\w-]+\.[\w-]{85}[AQgw]$/;
/** With more, the token would outgrow the headers of proxies: then the claim is left out, and services ask the probe. */
const MAX_SCOPE_LENGTH = 4_000;

/** What an access token is about. */
export interface AccessTokenSubject extends Principal {
  readonly amr: readonly string[];
  /** What the user holds in the selected tenant, as far as the client may use it. */
  readonly scopes: readonly string[];
}

/** Access tokens by the RFC 9068 profile: ES256, `typ: at+jwt`, key found by `kid` in our own set alone. */
@Injectable()
export class AccessTokenService {
  private readonly verified = new VerifiedTokens();

  constructor(
    private readonly jwt: JwtService,
    private readonly keys: SigningKeyService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Signs a token that lives ACCESS_TOKEN_TTL seconds. */
  sign(subject: AccessTokenSubject): string {
    const { kid, privateKey } = this.keys.current;
    const scope = subject.scopes.join(' ');
    const claims = {
      sid: subject.sessionId,
      gid: subject.grantId,
      client_id: subject.clientId,
      auth_time: Math.floor(subject.authTime.getTime() / 1000),
      amr: subject.amr,
      ...(subject.tenantId !== null && {
        tid: subject.tenantId,
        ...(scope.length <= MAX_SCOPE_LENGTH && { scope }),
      }),
    };
    return this.jwt.sign(claims, {
      privateKey: privateKey as never, // the library takes key objects; its type names only strings and buffers
      algorithm: 'ES256',
      keyid: kid,
      header: { alg: 'ES256', typ: 'at+jwt', kid },
      issuer: this.settings.PUBLIC_URL,
      audience: this.settings.TOKEN_AUDIENCE,
      subject: subject.userId,
      jwtid: newId(),
      expiresIn: this.settings.ACCESS_TOKEN_TTL,
    });
  }

  /**
   * The principal a token speaks for, by signature and claims alone. A signature is computed once; key and times are asked every time.
   * @throws {AppError} unauthenticated
   */
  async verify(token: string): Promise<Principal> {
    if (token.length > MAX_TOKEN_LENGTH) throw refused('too long');
    const known = this.verified.find(token);
    const kid = known?.kid ?? kidOf(token);
    const key = kid === null ? null : await this.keys.find(kid);
    if (!key) throw refused('unknown key or type');
    const verified = known ?? this.verifySignature(token, key);
    requireTimely(verified);
    if (!known) this.verified.remember(token, verified);
    return verified.principal;
  }

  private verifySignature(token: string, { kid, publicKey }: SigningKey): VerifiedToken {
    if (!COMPACT_FORM.test(token)) throw refused('not in its only spelling');
    let claims: Record<string, unknown>;
    try {
      claims = this.jwt.verify<Record<string, unknown>>(token, {
        secret: publicKey as never,
        algorithms: ['ES256'],
        issuer: this.settings.PUBLIC_URL,
        audience: this.settings.TOKEN_AUDIENCE,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      });
    } catch (cause) {
      throw refused(cause);
    }
    const { sub, sid, gid, tid, iat, exp, auth_time: authTime, client_id: clientId } = claims;
    const whole = [sub, sid, gid, clientId].every((claim) => typeof claim === 'string');
    if (!whole) throw refused('claims missing');
    // The library takes a token without expiry, and one with any number for it.
    if (!isSeconds(exp) || !isSeconds(iat) || !isSeconds(authTime)) throw refused('times missing');
    const longest = Math.max(this.settings.ACCESS_TOKEN_TTL, MIN_LONGEST_LIFETIME_SECONDS);
    if (exp <= iat || exp - iat > longest) throw refused('lives for longer than any token does');
    const principal = {
      userId: sub as UserId,
      sessionId: sid as SessionId,
      grantId: gid as string,
      clientId: clientId as string,
      tenantId: typeof tid === 'string' ? (tid as TenantId) : null,
      authTime: new Date(authTime * 1_000),
    };
    return { principal, kid, issuedAt: iat, expiresAt: exp };
  }
}

/** Whether the claim is a whole number of seconds since the epoch. */
function isSeconds(claim: unknown): claim is number {
  return Number.isSafeInteger(claim) && Number(claim) >= 0;
}

/** Whether the token's time has come and not gone: also of a token that was verified earlier, by a clock that may have been set since. */
function requireTimely({ issuedAt, expiresAt }: VerifiedToken): void {
  const now = Date.now() / 1000;
  if (now >= expiresAt + CLOCK_TOLERANCE_SECONDS) throw refused('expired');
  if (issuedAt > now + ISSUED_AHEAD_SECONDS) throw refused('issued in times to come');
}

/** The key id of a token that looks like one of ours; header fields that point elsewhere (jku, jwk, x5u, crit) make it foreign. */
function kidOf(token: string): string | null {
  try {
    const header = JSON.parse(
      Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString('utf8'),
    ) as Record<string, unknown>;
    const ours =
      header['typ'] === 'at+jwt' &&
      header['alg'] === 'ES256' &&
      Object.keys(header).every((name) => ['typ', 'alg', 'kid'].includes(name));
    return ours && typeof header['kid'] === 'string' ? header['kid'] : null;
  } catch {
    return null;
  }
}

const refused = (cause: unknown): AppError =>
  new AppError('unauthenticated', {
    detail: 'The access token is not valid, has expired, or its session has ended.',
    cause,
  });
