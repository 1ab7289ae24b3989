import { Injectable } from '@nestjs/common';
import type { AssuredPerson, OwnProofMethods } from '../ability/index.js';
import { AccountService } from '../iam/index.js';
import { FactorRepository, type FactorScope, type SecondFactorRow } from './factor.repository.js';
import {
  type Evidence,
  factorScopeOf,
  isSufficient,
  MAX_PROOF_AGE_SECONDS,
  type UserId,
} from '../kernel/index.js';
import { ChangeFeed, LiveCache } from '../platform/live/index.js';

/** Second factors of a person. */
export interface OwnFactors {
  /** Whether each sign-in asks for one. */
  readonly secondFactor: boolean;
  /** Those that can be used now. */
  readonly methods: readonly ('totp' | 'passkey' | 'recovery_code')[];
}

const SECOND_FACTORS_CHANNEL = 'gatehouse_second_factors_changed';

/** Finds by which methods a person can confirm who they are. */
@Injectable()
export class OwnMethods {
  private readonly secondFactors: LiveCache<SecondFactorRow>;

  constructor(
    private readonly factors: FactorRepository,
    private readonly accounts: AccountService,
    feed: ChangeFeed,
  ) {
    this.secondFactors = new LiveCache(feed, SECOND_FACTORS_CHANNEL, async (userIds) => {
      const rows = await this.factors.listSecondFactors(userIds);
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
    const isOwnMail = mayMail && (!ownProofMissing || (await this.factors.isOutside(userId, assuredBy)));
    const mail = isOwnMail || (mayMail && counting.methods.length === 0) ? (['email_code'] as const) : [];
    return {
      methods: [...password, ...counting.methods, ...mail],
      later: all.methods.filter((method) => !counting.methods.includes(method)),
      hasOwn: own.secondFactor || hasPassword || isOwnMail,
      own: own.secondFactor ? own.methods : isOwnMail ? ['email_code'] : password,
      secondFactor: (ownProofMissing ? counting : own).secondFactor,
    };
  }

  hasEnrolledOperator(): Promise<boolean> {
    return this.factors.hasEnrolledOperator();
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
    const { secondFactor, totp, passkey, recovery } = await this.factors.find(userId, scope);
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

/**
 * Returns whether a session is recent and strong enough to add a factor. Without that, the thief of
 * an old session would renew it by a factor that the provider of an organization has added.
 */
const mayAdopt = (person: Evidence, own: Pick<OwnFactors, 'secondFactor'>): boolean =>
  isSufficient(person, own.secondFactor ? 'aal2' : 'aal1', MAX_PROOF_AGE_SECONDS);
