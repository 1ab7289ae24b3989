import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { JWTPayload } from 'jose';
import { isUlid, type MachinePrincipal, type UserId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { algorithmsOf, ASSERTION_ALGORITHMS } from '../clients/client-key.js';
import { UsedAssertionRepository } from '../clients/used-assertion.repository.js';
import { MachineDirectory } from '../machine-directory.js';
import { KeyUse } from '../keys/key-use.js';
import { findFulfilled, isStorable } from './conditions.js';
import { IssuerKeys } from './issuer-keys.js';
import { type TrustRule, TrustRuleRepository } from './trust-rule.repository.js';

const CLOCK_TOLERANCE_SECONDS = 5;
/** Characters. A longer token is refused before it is parsed. */
const MAX_TOKEN_LENGTH = 16_384;
/** Types of tokens that issuers sign for another use (RFC 8725 section 3.12). */
const OTHER_USES = /^(?:application\/)?(?:oauth-id-jag|logout|secevent|dpop|client-authentication)\+jwt$/i;
/** Longest lifetime of a token of another issuer, in seconds. */
const MAX_TOKEN_SECONDS = 86_400;

/** Party that acts for the subject of a token (RFC 8693 section 4.1). */
export interface Actor {
  readonly sub: string;
  readonly act?: Actor;
}

/** A service account for which a token of another issuer stands. */
interface Federated {
  readonly principal: MachinePrincipal;
  /** Time at which the token ends, in seconds since the epoch. */
  readonly expiresAt: number;
  readonly actor: Actor | null;
}

/** Verifies tokens of workloads by the rules that organizations have set. */
@Injectable()
export class Federation {
  constructor(
    private readonly rules: TrustRuleRepository,
    private readonly keys: IssuerKeys,
    private readonly used: UsedAssertionRepository,
    private readonly machines: MachineDirectory,
    private readonly use: KeyUse,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Finds the service account that trusts a token. Rules of other accounts never count: a stranger
   * may trust the same workload. No request is sent unless a rule names the issuer.
   * @param clientId account that the caller asks for; null if the audience of the token names it
   * @returns null if the token is refused; `account-required` if nothing names an account
   */
  async find(token: string, clientId: string | null): Promise<Federated | 'account-required' | null> {
    if (token.length > MAX_TOKEN_LENGTH) return null;
    const untrusted = await parse(token);
    // A rule may name this service since its address changed; its tokens end with their sessions.
    if (!untrusted || untrusted.issuer === this.settings.PUBLIC_URL) return null;
    const audiences = audiencesOf(untrusted.claims);
    const accountId = clientId ?? accountOf(audiences);
    if (accountId === null) return 'account-required';
    if (!isUlid(accountId)) return null;
    const rules = await this.rules.findOfAccount(untrusted.issuer, accountId);
    const rule = findFulfilled(
      untrusted.claims,
      rules.filter(({ audience }) => audiences.includes(audience)),
    );
    if (!rule || !(await this.machines.isUsable(rule.accountId, rule.tenantId))) return null;
    const claims = await this.verify(token, rule, untrusted.header);
    if (!claims || !(await this.isFirstUse(rule.issuer, claims))) return null;
    const actor = actorOf(claims['act']);
    if (actor === undefined) return null;
    this.use.note({ tenantId: rule.tenantId, ownerId: rule.accountId, id: rule.id });
    return { principal: toPrincipal(rule), expiresAt: Number(claims.exp), actor };
  }

  /** Verifies the signature and the times of a token whose claims fit a rule. */
  private async verify(
    token: string,
    { issuer, audience }: TrustRule,
    { alg, kid }: { readonly alg: string; readonly kid: string | undefined },
  ): Promise<JWTPayload | null> {
    const { importJWK, jwtVerify } = await import('jose');
    try {
      for (const again of [false, true]) {
        const { keys } = await this.keys.find(issuer, again);
        for (const jwk of keys) {
          if (kid !== undefined && jwk.kid !== kid) continue;
          if (!algorithmsOf(jwk as Record<string, unknown>).includes(alg)) continue;
          const options = { algorithms: [alg], issuer, audience, clockTolerance: CLOCK_TOLERANCE_SECONDS };
          // A key that cannot be read must not hide the ones after it.
          const verified = await importJWK(jwk, alg)
            .then((key) => jwtVerify(token, key, { ...options, requiredClaims: ['exp', 'iat', 'sub'] }))
            .catch(() => null);
          if (verified && isAcceptable(verified.payload)) return verified.payload;
        }
      }
    } catch {
      // Metadata or keys cannot be read: the token is not verified.
    }
    return null;
  }

  private async isFirstUse(issuer: string, { jti, exp }: JWTPayload): Promise<boolean> {
    if (jti === undefined) return true;
    const digest = hash('sha256', JSON.stringify(['issuer', issuer, jti]), 'buffer');
    const left = Math.ceil(Number(exp) - Date.now() / 1_000) + 60;
    return this.used.take(digest, Math.max(left, 60));
  }
}

async function parse(token: string): Promise<{
  readonly issuer: string;
  readonly claims: JWTPayload;
  readonly header: { readonly alg: string; readonly kid: string | undefined };
} | null> {
  const { decodeJwt, decodeProtectedHeader } = await import('jose');
  try {
    const claims = decodeJwt(token);
    const { alg, kid, typ = 'JWT' } = decodeProtectedHeader(token);
    if (
      OTHER_USES.test(typ) ||
      typeof claims.iss !== 'string' ||
      !isStorable(claims.iss) ||
      !ASSERTION_ALGORITHMS.includes(String(alg))
    )
      return null;
    return { issuer: claims.iss, claims, header: { alg: String(alg), kid } };
  } catch {
    return null;
  }
}

const audiencesOf = ({ aud }: JWTPayload): readonly string[] =>
  [aud ?? []].flat().filter((audience) => typeof audience === 'string');

/** @returns the account that the audience of a token names; null unless it is one */
function accountOf(audiences: readonly string[]): string | null {
  const [accountId = null, ...others] = audiences.filter((audience) => isUlid(audience));
  return others.length === 0 ? accountId : null;
}

/** A token of the future would live longer than its lifetime says. */
function isAcceptable({ iat, exp }: JWTPayload): boolean {
  if (typeof iat !== 'number' || typeof exp !== 'number') return false;
  if (iat > Date.now() / 1_000 + CLOCK_TOLERANCE_SECONDS) return false;
  return exp - iat <= MAX_TOKEN_SECONDS;
}

/** @returns the actor of a token; null without one; undefined for a chain of more than two */
function actorOf(act: unknown): Actor | null | undefined {
  if (act === undefined) return null;
  const outer = act as { sub?: unknown; act?: unknown } | null;
  if (typeof outer?.sub !== 'string') return undefined;
  if (outer.act === undefined) return { sub: outer.sub };
  const inner = outer.act as { sub?: unknown; act?: unknown } | null;
  if (typeof inner?.sub !== 'string' || inner.act !== undefined) return undefined;
  return { sub: outer.sub, act: { sub: inner.sub } };
}

function toPrincipal({ tenantId, accountId, id }: TrustRule): MachinePrincipal {
  return {
    kind: 'machine',
    owner: 'service-account',
    userId: accountId as UserId,
    clientId: accountId,
    tenantId,
    credentialId: id,
    scopes: null,
  };
}
