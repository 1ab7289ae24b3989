import { Injectable } from '@nestjs/common';
import type { AssuredPerson, OwnProofMethods } from '../ability/index.js';
import { AccountService } from '../iam/index.js';
import { Database } from '../platform/database/index.js';
import {
  type Evidence,
  factorScopeOf,
  isSufficient,
  MAX_PROOF_AGE_SECONDS,
  type TenantId,
  type UserId,
} from '../kernel/index.js';
import { countsIn, type FactorScope, parameterOf, scopeOfCodes } from './factor-scope.js';
import { ChangeFeed, LiveCache } from '../platform/live/index.js';

/** Second factors of a person. */
export interface OwnFactors {
  /** Whether each sign-in asks for one. */
  readonly secondFactor: boolean;
  /** Those that can be used now. */
  readonly methods: readonly ('totp' | 'passkey' | 'recovery_code')[];
}

interface FactorRow {
  readonly secondFactor: boolean;
  readonly totp: boolean;
  readonly passkey: boolean;
  readonly recovery: boolean;
}

interface SecondFactorRow {
  readonly id: string;
  /** Whether the person has their own second factor. */
  readonly secondFactor: boolean;
  /** Organizations in which further factors count. */
  readonly assuredBy: readonly TenantId[];
}

/** Condition that an account has a second factor; one that is blocked counts. */
const hasSecondFactor = (accountId: string, counts = 'assured_by IS NULL'): string =>
  `(EXISTS (SELECT 1 FROM totp_authenticators WHERE account_id = ${accountId} AND confirmed_at IS NOT NULL AND ${counts})
    OR EXISTS (SELECT 1 FROM passkeys WHERE account_id = ${accountId} AND ${counts}))`;

const FACTORS = `SELECT ${hasSecondFactor('$1', countsIn('$2'))} AS "secondFactor",
  EXISTS (SELECT 1 FROM totp_authenticators WHERE account_id = $1 AND confirmed_at IS NOT NULL AND blocked_at IS NULL AND ${countsIn('$2')}) AS totp,
  EXISTS (SELECT 1 FROM passkeys WHERE account_id = $1 AND ${countsIn('$2')}) AS passkey,
  EXISTS (SELECT 1 FROM recovery_codes WHERE account_id = $1 AND ${countsIn('$3')}) AS recovery`;

const SECOND_FACTORS_CHANNEL = 'gatehouse_second_factors_changed';

const HAVE_SECOND_FACTOR = `SELECT asked.id, ${hasSecondFactor('asked.id')} AS "secondFactor",
    ARRAY(SELECT assured_by FROM totp_authenticators WHERE account_id = asked.id AND confirmed_at IS NOT NULL AND assured_by IS NOT NULL
      UNION SELECT assured_by FROM passkeys WHERE account_id = asked.id AND assured_by IS NOT NULL) AS "assuredBy"
  FROM unnest($1::text[]) asked (id)`;
const ENROLLED_OPERATOR = `SELECT EXISTS (SELECT 1 FROM operators o WHERE ${hasSecondFactor('o.account_id')}) AS enrolled`;

/**
 * Whether the address of an account is outside the domains of organizations. A lapsed domain is
 * not: its connection may still sign in people whom it knows.
 */
const IS_OUTSIDE = `SELECT NOT EXISTS (
    SELECT 1 FROM tenant_domains d WHERE d.tenant_id = ANY($2) AND d.domain = split_part(a.email_key, '@', -1) AND d.status <> 'pending') AS outside
  FROM accounts a WHERE a.id = $1`;

/** Finds by which methods a person can confirm who they are. */
@Injectable()
export class OwnMethods {
  private readonly secondFactors: LiveCache<SecondFactorRow>;

  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    feed: ChangeFeed,
  ) {
    this.secondFactors = new LiveCache(feed, SECOND_FACTORS_CHANNEL, async (userIds) => {
      const rows = await this.database.rows<SecondFactorRow>(HAVE_SECOND_FACTOR, [userIds]);
      return new Map(rows.map((row) => [row.id, row]));
    });
  }

  async hasSecondFactor(person: AssuredPerson, fresh: boolean): Promise<boolean> {
    const scope = factorScopeOf(person);
    if (fresh) return (await this.findFactors(person.userId, scope)).secondFactor;
    const known = await this.secondFactors.get(person.userId);
    return known?.secondFactor === true || scope.some((id) => known?.assuredBy.includes(id));
  }

  /** Invalidates what replicas know of a person, after the open transaction's commit. */
  async announceChange(userId: UserId): Promise<void> {
    await this.secondFactors.announce(userId);
  }

  async find(person: AssuredPerson & Evidence): Promise<OwnProofMethods> {
    const { userId, ownProofMissing, assuredBy = [] } = person;
    const own = await this.findFactors(userId, []);
    const all = await this.findFactors(userId, ownProofMissing ? assuredBy : 'all');
    const counting = ownProofMissing || mayAdopt(person, own) ? all : own;
    const { hasPassword, hasEmail } = await this.accounts.findMeans(userId);
    const password = hasPassword ? (['password'] as const) : [];
    // A mailbox confirms only people who have nothing better.
    const mayMail = hasEmail && !hasPassword && !own.secondFactor;
    const isOwnMail = mayMail && (!ownProofMissing || (await this.isOutside(userId, assuredBy)));
    const mail = isOwnMail || (mayMail && counting.methods.length === 0) ? (['email_code'] as const) : [];
    return {
      methods: [...password, ...counting.methods, ...mail],
      later: all.methods.filter((method) => !counting.methods.includes(method)),
      hasOwn: own.secondFactor || hasPassword || isOwnMail,
      own: own.secondFactor ? own.methods : isOwnMail ? ['email_code'] : password,
      secondFactor: (ownProofMissing ? counting : own).secondFactor,
    };
  }

  async hasEnrolledOperator(): Promise<boolean> {
    return (await this.database.getRow<{ enrolled: boolean }>(ENROLLED_OPERATOR)).enrolled;
  }

  /**
   * Returns the factors that count in a session. In one of the person's own, that are those of
   * organizations too, which become theirs by it: as long as they could add one (ADR 49).
   */
  async findScope(person: AssuredPerson & Evidence): Promise<FactorScope> {
    if (person.ownProofMissing) return factorScopeOf(person);
    return mayAdopt(person, await this.findFactors(person.userId, [])) ? 'all' : [];
  }

  /** Returns the second factors of a person that count, by one statement. */
  async findFactors(userId: UserId, scope: FactorScope): Promise<OwnFactors> {
    const row = await this.database.getRow<FactorRow>(FACTORS, [
      userId,
      parameterOf(scope),
      scopeOfCodes(scope),
    ]);
    const { secondFactor, totp, passkey, recovery } = row;
    return {
      secondFactor,
      methods: secondFactor
        ? [
            ...(totp ? (['totp'] as const) : []),
            ...(passkey ? (['passkey'] as const) : []),
            ...(recovery ? (['recovery_code'] as const) : []),
          ]
        : [],
    };
  }

  private async isOutside(userId: UserId, tenantIds: readonly TenantId[]): Promise<boolean> {
    const row = await this.database.row<{ outside: boolean }>(IS_OUTSIDE, [userId, tenantIds]);
    return row?.outside === true;
  }
}

/**
 * Returns whether a session is recent and strong enough to add a factor. Without that, the thief of
 * an old session would renew it by a factor that the provider of an organization has added.
 */
const mayAdopt = (person: Evidence, own: Pick<OwnFactors, 'secondFactor'>): boolean =>
  isSufficient(person, own.secondFactor ? 'aal2' : 'aal1', MAX_PROOF_AGE_SECONDS);
