import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/index.js';
import type { SignInPolicy, TenantId, UserId } from '../kernel/index.js';

/**
 * Factors that count besides the person's own: of these organizations, which have not been
 * confirmed yet (ADR 49); or all.
 */
export type FactorScope = readonly TenantId[] | 'all';

/**
 * SQL of the condition that a factor counts.
 * @param scope parameter of the statement: see {@link parameterOf}
 */
export const countsIn = (scope: string): string =>
  `(assured_by IS NULL OR ${scope}::text[] IS NULL OR assured_by = ANY(${scope}::text[]))`;

/** Returns the parameter of {@link countsIn}. */
export const parameterOf = (scope: FactorScope): readonly TenantId[] | null =>
  scope === 'all' ? null : scope;

/**
 * Returns the scope of recovery codes: one of an organization never becomes the person's own, as
 * an app does that is shown. It is used up, and the organization's provider may have made it.
 */
export const scopeOfCodes = (scope: FactorScope): readonly TenantId[] => (scope === 'all' ? [] : scope);

/** A factor that was shown. */
export interface AcceptedFactor {
  /** Null for a recovery code. */
  readonly id: string | null;
  /** Organization in which it counts only; null for the person's own. */
  readonly assuredBy: TenantId | null;
}

const PASSKEY = `EXISTS (SELECT 1 FROM passkeys WHERE account_id = person.id AND ${countsIn('$2')})`;
const APP = `EXISTS (
  SELECT 1 FROM totp_authenticators WHERE account_id = person.id AND confirmed_at IS NOT NULL AND ${countsIn('$2')})`;

/** Which second factors of a person can be used now. */
interface FactorRow {
  readonly secondFactor: boolean;
  readonly totp: boolean;
  readonly passkey: boolean;
  readonly recovery: boolean;
}

/** Second factors of a person, as replicas cache them. */
export interface SecondFactorRow {
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

const HAVE_SECOND_FACTOR = `SELECT asked.id, ${hasSecondFactor('asked.id')} AS "secondFactor",
    ARRAY(SELECT assured_by FROM totp_authenticators WHERE account_id = asked.id AND confirmed_at IS NOT NULL AND assured_by IS NOT NULL
      UNION SELECT assured_by FROM passkeys WHERE account_id = asked.id AND assured_by IS NOT NULL) AS "assuredBy"
  FROM unnest($1::text[]) asked (id)`;
const ENROLLED_OPERATOR = `SELECT 1 FROM operators o WHERE ${hasSecondFactor('o.account_id')} LIMIT 1`;

/**
 * Whether the address of an account is outside the domains of organizations. A lapsed domain is
 * not: its connection may still sign in people whom it knows.
 */
const IS_OUTSIDE = `SELECT NOT EXISTS (
    SELECT 1 FROM tenant_domains d WHERE d.tenant_id = ANY($2) AND d.domain = split_part(a.email_key, '@', -1) AND d.status <> 'pending') AS outside
  FROM accounts a WHERE a.id = $1`;

/** A second factor that a policy requires. */
type RequiredFactor = Exclude<SignInPolicy['secondFactor'], 'optional'>;

/** Whether a `person` does not have the factor. */
const LACKS: Readonly<Record<RequiredFactor, string>> = {
  required: `NOT (${PASSKEY} OR ${APP})`,
  phishing_resistant: `NOT ${PASSKEY}`,
};

/** Second factors of people, over authenticator apps, passkeys and recovery codes. */
@Injectable()
export class FactorRepository {
  constructor(private readonly database: Database) {}

  /** Returns the members, of these, who have no such factor that counts in the organization. */
  async findWithout(
    tenantId: TenantId,
    userIds: readonly UserId[],
    factor: RequiredFactor,
  ): Promise<ReadonlySet<UserId>> {
    const sql = `SELECT id FROM unnest($1::text[]) person (id) WHERE ${LACKS[factor]}`;
    return new Set(await this.database.values<UserId>(sql, [userIds, [tenantId]]));
  }

  /** Returns the second factors of a person that count, by one statement. */
  find(userId: UserId, scope: FactorScope): Promise<FactorRow> {
    return this.database.getRow<FactorRow>(FACTORS, [userId, parameterOf(scope), scopeOfCodes(scope)]);
  }

  listSecondFactors(userIds: readonly string[]): Promise<SecondFactorRow[]> {
    return this.database.rows<SecondFactorRow>(HAVE_SECOND_FACTOR, [userIds]);
  }

  hasEnrolledOperator(): Promise<boolean> {
    return this.database.hasRow(ENROLLED_OPERATOR);
  }

  /** Returns whether the address of a person is outside the domains of organizations. */
  async isOutside(userId: UserId, tenantIds: readonly TenantId[]): Promise<boolean> {
    return (await this.database.value<boolean>(IS_OUTSIDE, [userId, tenantIds])) ?? false;
  }
}
