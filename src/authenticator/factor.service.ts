import { Injectable } from '@nestjs/common';
import { LoginThrottle, secondFactorKeyOf } from '../iam/index.js';
import type { Locked, UserId } from '../kernel/index.js';
import { Counts, type Tally } from '../platform/counts/index.js';
import type { Client } from '../platform/web/index.js';
import { type AcceptedFactor, type FactorScope, scopeOfCodes } from './factor.repository.js';
import { Enrolment } from './management/enrolment.js';
import type { CeremonyUse } from './passkeys/ceremonies.js';
import { type AssertionAnswer, PasskeyService, type VerifiedPasskey } from './passkeys/passkey.service.js';
import { RecoveryCodeService } from './recovery-codes/recovery-code.service.js';
import { TotpService } from './totp/totp.service.js';

/** Second factor, as a person presents it. */
export type FactorAnswer =
  | { readonly method: 'totp' | 'recovery_code'; readonly code: string }
  | ({ readonly method: 'passkey' } & AssertionAnswer);

/** A presented factor whose signature, if it has one, has been verified. */
export type PreparedAnswer =
  | { readonly method: 'totp' | 'recovery_code'; readonly code: string }
  | { readonly method: 'passkey'; readonly verified: VerifiedPasskey | null };

/** Factors that are counted when they were right, and wrong ones. */
const USES = ['totp', 'recovery_code', 'passkey', 'refused'] as const;

/** Verifies second factors. */
@Injectable()
export class FactorService {
  private readonly uses: Tally<(typeof USES)[number]>;

  constructor(
    private readonly totp: TotpService,
    private readonly recoveryCodes: RecoveryCodeService,
    private readonly passkeys: PasskeyService,
    private readonly enrolment: Enrolment,
    private readonly throttle: LoginThrottle,
    counts: Counts,
  ) {
    this.uses = counts.tally({
      name: 'second-factor',
      values: USES,
      metric: {
        name: 'gatehouse_second_factors_total',
        help: 'Second factors and passkeys that were presented, by method; "refused" for wrong ones.',
        label: 'method',
      },
    });
  }

  /**
   * Does what needs no transaction: verifies the signature of a passkey.
   * @param use of the ceremony
   * @throws {AppError} validation-error on `ceremony`
   */
  async prepare(userId: UserId, answer: FactorAnswer, use: CeremonyUse): Promise<PreparedAnswer> {
    if (answer.method !== 'passkey') return answer;
    const { verified } = await this.passkeys.verify(answer, use, userId);
    return { method: 'passkey', verified };
  }

  /**
   * Accepts a factor once. The caller must commit, also after a wrong one: it is counted.
   * @param scope factors that count; `all` makes an app or passkey the person's own (ADR 49)
   * @returns null for a wrong one
   * @throws {AppError} validation-error on `ceremony` if it has been spent
   */
  async accept(
    userId: Locked<UserId>,
    answer: PreparedAnswer,
    scope: FactorScope,
  ): Promise<AcceptedFactor | null> {
    const accepted = await this.acceptOf(userId, answer, scope);
    this.uses.count(accepted ? answer.method : 'refused', { person: userId });
    if (accepted === null || accepted.assuredBy === null || scope !== 'all') return accepted;
    const { id } = accepted;
    if (answer.method !== 'recovery_code' && id !== null)
      await this.enrolment.adopt(userId, answer.method, id);
    return { ...accepted, assuredBy: null };
  }

  private async acceptOf(
    userId: UserId,
    answer: PreparedAnswer,
    scope: FactorScope,
  ): Promise<AcceptedFactor | null> {
    if (answer.method === 'totp') return this.totp.accept(userId, answer.code, scope);
    if (answer.method === 'passkey') return this.acceptPasskey(answer.verified, scope);
    const accepted = await this.recoveryCodes.take(userId, answer.code, scopeOfCodes(scope));
    // A caller who guesses codes of the app has no recovery code: the owner is back.
    if (accepted) await this.totp.unblock(userId, accepted.assuredBy);
    return accepted;
  }

  private async acceptPasskey(
    verified: VerifiedPasskey | null,
    scope: FactorScope,
  ): Promise<AcceptedFactor | null> {
    if (verified === null) return null;
    const { id, assuredBy } = verified.passkey;
    if (assuredBy !== null && scope !== 'all' && !scope.includes(assuredBy)) return null;
    return (await this.passkeys.use(verified)) ? { id, assuredBy } : null;
  }

  /**
   * Returns whether attempts from this address have to wait. Guesses from many networks block codes
   * of apps alone: what proves that the owner is back has to work from a new network. A recovery
   * code has 50 bits, which each network tries a few times a minute; a signature is not guessed.
   */
  async isBlocked(
    userId: UserId,
    method: FactorAnswer['method'] | 'email_code',
    { ipAddress }: Client,
  ): Promise<boolean> {
    const key = secondFactorKeyOf(userId);
    if (method === 'passkey') return false;
    return method === 'recovery_code'
      ? this.throttle.isNetworkBlocked(key, ipAddress)
      : this.throttle.isBlocked(key, ipAddress);
  }

  /**
   * Counts an attempt in the slowdown of the account and network. A right one ends it by a proof of
   * the person's own only: an organization could otherwise add a factor, and guess the person's own
   * ones between its right codes.
   * @param proof null for a wrong one
   */
  async recordAttempt(
    userId: UserId,
    { ipAddress }: Client,
    proof: { readonly isOwn: boolean } | null,
  ): Promise<void> {
    const key = secondFactorKeyOf(userId);
    if (proof === null) await this.throttle.recordFailure(key, ipAddress);
    else if (proof.isOwn) await this.throttle.recordSuccess(key, ipAddress);
  }

  /** Counts a passkey that was refused before its person was known. */
  countRefusedPasskey(): void {
    this.uses.count('refused');
  }

  /** Lifts the block of codes of an app by guesses from many networks: the owner is back. */
  async resetGuesses(userId: UserId): Promise<void> {
    await this.throttle.resetAllNetworks(secondFactorKeyOf(userId));
  }
}
