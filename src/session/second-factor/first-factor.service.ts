import { Injectable } from '@nestjs/common';
import { OwnMethods, TrustedDeviceService } from '../../authenticator/index.js';
import { AccountService } from '../../iam/index.js';
import { createOneTimeToken } from '../../platform/crypto/index.js';
import { AppError } from '../../platform/errors/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { type LifecycleEvents, LOCK, type Locked, type UserId } from '../../kernel/index.js';
import type { Client } from '../../platform/web/index.js';
import { Assurers, type Proof, TRUSTED_DEVICE } from '../evidence/evidence.js';
import type { StartedGrant } from '../grants/grant.repository.js';
import { SessionService } from '../sessions/session.service.js';
import { ChallengeRepository } from './challenge.repository.js';

const CHALLENGE_LIFETIME_SECONDS = 600;

/** What a sign-in still needs, as the client is told. */
export interface RequiredFactor {
  readonly challenge: string;
  readonly methods: readonly string[];
  readonly expiresInSeconds: number;
}

/** Person of a first factor, as the account was when it was verified. */
interface FirstFactor {
  readonly userId: Locked<UserId>;
  readonly passwordVersion: number;
  /** Whether the verified password is a common one. */
  readonly isListed?: boolean;
}

/** After the first factor: a session, or what is still needed. */
export type FirstFactorOutcome =
  | { readonly grant: StartedGrant; readonly required?: never }
  | { readonly grant?: never; readonly required: RequiredFactor };

/**
 * Continues each sign-in after its first factor: by password, mailed code or external provider. An
 * account with a second factor always needs it, unless one of its trusted devices is shown.
 */
@Injectable()
export class FirstFactorService {
  constructor(
    private readonly ownMethods: OwnMethods,
    private readonly devices: TrustedDeviceService,
    private readonly challenges: ChallengeRepository,
    private readonly assurers: Assurers,
    private readonly sessions: SessionService,
    private readonly accounts: AccountService,
  ) {}

  /**
   * Starts the session, or creates the challenge for the second factor. The account is active.
   * @param deviceToken of a trusted device, as the client presents it
   */
  async proceed(
    { userId, passwordVersion, isListed = false }: FirstFactor,
    proof: Proof,
    client: Client,
    deviceToken?: string,
  ): Promise<FirstFactorOutcome> {
    const scope = await this.assurers.find([proof]);
    const { secondFactor, methods } = await this.ownMethods.findFactors(userId, scope);
    // The session of two factors of a connection then belongs to its organization.
    if (!secondFactor || proof.isTwoFactor)
      return { grant: await this.sessions.startSession(userId, [proof], client) };
    if (deviceToken !== undefined && (await this.devices.isTrusted(userId, deviceToken))) {
      const proofs = [proof, { method: TRUSTED_DEVICE }];
      return { grant: await this.sessions.startSession(userId, proofs, client) };
    }
    const { plainToken, tokenHash } = createOneTimeToken();
    const { method, connectionId = '', upstream = null } = proof;
    await this.challenges.insert(
      tokenHash,
      { userId, passwordVersion, method, connectionId, passwordListed: isListed, upstream },
      CHALLENGE_LIFETIME_SECONDS,
    );
    return {
      required: { challenge: plainToken, methods, expiresInSeconds: CHALLENGE_LIFETIME_SECONDS },
    };
  }

  /**
   * Proceeds as {@link proceed} does, for a first factor that is no password.
   * @throws {AppError} unauthenticated if the account is erased or suspended
   */
  async proceedOf(
    userId: UserId,
    proof: Proof,
    client: Client,
    deviceToken?: string,
  ): Promise<FirstFactorOutcome> {
    const { id, passwordVersion } = await this.accounts.requireActiveForShare(userId);
    return this.proceed({ userId: id, passwordVersion }, proof, client, deviceToken);
  }

  /** Voids what waits for a second factor. */
  @OnLifecycle(
    'account.password-reset',
    'account.password-changed',
    'account.signed-out',
    'account.factors-reset',
    'account.suspended',
    'account.erased',
    { order: LOCK.sessions },
  )
  async forget({ userId }: { userId: UserId }): Promise<void> {
    await this.challenges.deleteAllOf(userId);
  }

  /** Voids what waits for a second factor after a sign-in that its provider has ended. */
  @OnLifecycle('account.signed-out-upstream', { order: LOCK.sessions })
  async forgetOfConnection({
    userId,
    connectionId,
  }: LifecycleEvents['account.signed-out-upstream']): Promise<void> {
    await this.challenges.deleteOfConnection(userId, connectionId);
  }
}

/**
 * @returns the grant of the session
 * @throws {AppError} second-factor-required
 */
export function requireGrant({ grant, required }: FirstFactorOutcome): StartedGrant {
  if (!grant) throw new AppError('second-factor-required', { members: { ...required } });
  return grant;
}
