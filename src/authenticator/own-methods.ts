import { Injectable } from '@nestjs/common';
import { type OwnProofMethods, ProofMethods } from '../ability/index.js';
import { CredentialService } from '../iam/index.js';
import { Database } from '../platform/database/index.js';
import type { UserId } from '../kernel/index.js';
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
  readonly secondFactor: boolean;
}

/** Condition that an account has a second factor; one that is blocked counts. */
const hasSecondFactor = (accountId: string): string =>
  `(EXISTS (SELECT 1 FROM totp_authenticators WHERE account_id = ${accountId} AND confirmed_at IS NOT NULL)
    OR EXISTS (SELECT 1 FROM passkeys WHERE account_id = ${accountId}))`;

const FACTORS = `SELECT ${hasSecondFactor('$1')} AS "secondFactor",
  EXISTS (SELECT 1 FROM totp_authenticators WHERE account_id = $1 AND confirmed_at IS NOT NULL AND blocked_at IS NULL) AS totp,
  EXISTS (SELECT 1 FROM passkeys WHERE account_id = $1) AS passkey,
  EXISTS (SELECT 1 FROM recovery_codes WHERE account_id = $1) AS recovery`;

const SECOND_FACTORS_CHANNEL = 'gatehouse_second_factors_changed';

const HAVE_SECOND_FACTOR = `SELECT asked.id, ${hasSecondFactor('asked.id')} AS "secondFactor"
  FROM unnest($1::text[]) asked (id)`;
const ENROLLED_OPERATOR = `SELECT EXISTS (SELECT 1 FROM operators o WHERE ${hasSecondFactor('o.account_id')}) AS enrolled`;

/** Finds by which methods a person can confirm who they are. */
@Injectable()
export class OwnMethods extends ProofMethods {
  private readonly secondFactors: LiveCache<SecondFactorRow>;

  constructor(
    private readonly database: Database,
    private readonly credentials: CredentialService,
    feed: ChangeFeed,
  ) {
    super();
    this.secondFactors = new LiveCache(feed, SECOND_FACTORS_CHANNEL, async (userIds) => {
      const rows = await this.database.rows<SecondFactorRow>(HAVE_SECOND_FACTOR, [userIds]);
      return new Map(rows.map((row) => [row.id, row]));
    });
  }

  async hasSecondFactor(userId: UserId, fresh: boolean): Promise<boolean> {
    if (fresh) return (await this.findFactors(userId)).secondFactor;
    return (await this.secondFactors.get(userId))?.secondFactor === true;
  }

  /** Invalidates what replicas know of a person, after the open transaction's commit. */
  async announceChange(userId: UserId): Promise<void> {
    await this.secondFactors.announce(userId);
  }

  async find(userId: UserId): Promise<OwnProofMethods> {
    const { methods: factors, secondFactor } = await this.findFactors(userId);
    const { hasPassword, hasEmail } = await this.credentials.findMeans(userId);
    // A mailbox confirms only people who have nothing better.
    if (!hasPassword && !secondFactor) return { methods: hasEmail ? ['email_code'] : [], secondFactor };
    return { methods: [...(hasPassword ? (['password'] as const) : []), ...factors], secondFactor };
  }

  async hasEnrolledOperator(): Promise<boolean> {
    return (await this.database.getRow<{ enrolled: boolean }>(ENROLLED_OPERATOR)).enrolled;
  }

  /** Returns the second factors of a person, by one statement. */
  async findFactors(userId: UserId): Promise<OwnFactors> {
    const row = await this.database.getRow<FactorRow>(FACTORS, [userId]);
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
}
